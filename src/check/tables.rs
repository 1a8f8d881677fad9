//! Params that are tables: the values that are given from outside, whole (`price={ taxi: 4, else: 2 }`) or entry by entry
//! (`price[taxi]=4`), and the text that a table prints as, which can be given again.

use super::checker::Checker;
use super::codes;
use super::written::{given_words, written_words};
use crate::model::types::Type;
use crate::model::{Expr, Rows};
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;

/// The param that a setting is about, and the texts of the indices behind it: `price[taxi, 1]`, or `price[taxi][1]`.
pub fn addressed(key: &str) -> (&str, Vec<&str>) {
    let (name, mut rest) = key.split_at(key.find('[').unwrap_or(key.len()));
    let mut indices = Vec::new();
    while let Some((list, more)) = bracketed(rest) {
        indices.extend(pieces(list, ','));
        rest = more.trim();
    }
    match rest.is_empty() && !indices.is_empty() {
        true => (name.trim(), indices),
        false => (key, Vec::new()),
    }
}

/// What stands between the bracket that a text begins with and the one that closes it, and what follows.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('[')?;
    let mut depth = 0usize;
    for (at, c) in inner.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some((&inner[..at], &inner[at + 1..])),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A table as one writes it: a value that all entries share, or its entries, the most frequent value as `else`.
pub fn shown(rows: &Rows, ty: &Type) -> String {
    let mut indices = Vec::new();
    let mut element = ty;
    while let Type::Array {
        index,
        element: inner,
    } = element
    {
        indices.push(&**index);
        element = inner;
    }
    let values: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
    shown_part(&values, &indices, element)
}

fn shown_part(values: &[&[u64]], indices: &[&Type], element: &Type) -> String {
    let (Some(first), Some((index, rest))) = (values.first(), indices.split_first()) else {
        return values
            .first()
            .map_or_else(String::new, |v| written_words(element, v));
    };
    if values.iter().all(|v| v == first) {
        return written_words(element, first);
    }
    let size = rest.iter().filter_map(|t| t.size()).product::<u64>().max(1);
    let parts: Vec<String> = values
        .chunks(size as usize)
        .map(|part| shown_part(part, rest, element))
        .collect();
    let times = |text: &String| parts.iter().filter(|p| *p == text).count();
    // Of several as frequent ones the last.
    let most = parts.iter().max_by_key(|p| times(p));
    let most = most.filter(|p| times(p) > 1);
    let own = parts.iter().enumerate().filter(|(_, p)| Some(*p) != most);
    let mut entries: Vec<String> = own
        .map(|(i, p)| format!("{}: {p}", index.show_name(index.value_at(i as u64))))
        .collect();
    entries.extend(most.map(|p| format!("else: {p}")));
    format!("{{ {} }}", entries.join(", "))
}

/// A text cut at a mark that stands outside of all brackets; what is between, trimmed.
pub fn pieces(text: &str, mark: char) -> Vec<&str> {
    let mut depth = 0i32;
    let mut found = Vec::new();
    let mut from = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            _ if c == mark && depth == 0 => {
                found.push(text[from..at].trim());
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    found.push(text[from..].trim());
    found
}

impl Checker<'_> {
    /// Puts the values that were given for a table, and for some of its entries, in the place of its defaults. What is given
    /// for more entries comes first, so that what is given for one of them counts.
    pub fn given_table(
        &mut self,
        name: &str,
        mut elements: Vec<Expr>,
        indices: &[Type],
        ty: &Type,
    ) -> Option<Vec<Expr>> {
        let settings = self.settings;
        let mut given: Vec<(Vec<&str>, &str)> = settings
            .iter()
            .map(|(key, value)| (addressed(key), value.trim()))
            .filter(|((about, _), _)| *about == name)
            .map(|((_, at), value)| (at, value))
            .collect();
        given.sort_by_key(|(at, _)| at.len());
        let mut fine = true;
        for (i, (at, _)) in given.iter().enumerate() {
            if given[..i].iter().any(|(other, _)| other == at) {
                let place = at.join(", ");
                let hint = "leave one of them out".to_string();
                self.bad_table(format!("`{name}[{place}]` is given two values"), hint);
                fine = false;
            }
        }
        for (at, value) in given {
            fine &= self
                .given_part(name, &at, value, &mut elements, indices, ty)
                .is_some();
        }
        fine.then_some(elements)
    }

    fn given_part(
        &mut self,
        name: &str,
        at: &[&str],
        value: &str,
        elements: &mut [Expr],
        indices: &[Type],
        ty: &Type,
    ) -> Option<()> {
        if at.len() > indices.len() {
            let (n, k) = (indices.len(), at.len());
            let said = match n {
                1 => "one index".to_string(),
                n => format!("{n} indices"),
            };
            let message = format!("`{name}` has {said}, and here are {k}");
            self.bad_table(message, format!("for example: {}", example(name, indices)));
            return None;
        }
        let (mut part, mut path) = (elements, name.to_string());
        for (text, index) in at.iter().zip(indices) {
            let i = self.entry(&path, text, index)?;
            let size = part.len() / index.size().unwrap_or(1).max(1) as usize;
            part = part.get_mut(i * size..(i + 1) * size)?;
            path = within(&path, index, i);
        }
        self.fill(&path, value, part, &indices[at.len()..], ty)
    }

    /// Gives a table, or a part of one, the values of a text.
    fn fill(
        &mut self,
        path: &str,
        text: &str,
        part: &mut [Expr],
        indices: &[Type],
        ty: &Type,
    ) -> Option<()> {
        let list = text.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
        // One value is that of all entries, and a text that is none may be the rows of a board.
        let one = indices.is_empty() || given_words(text, ty).is_some();
        if !one
            && list.is_none()
            && let Some(read) = self.given_rows(text, indices, ty)
        {
            return match read {
                Ok(values) => {
                    for (slot, value) in part.iter_mut().zip(values) {
                        *slot = self.scalar(value, ty.clone(), self.file.name.span);
                    }
                    Some(())
                }
                Err(misread) => {
                    self.bad_table(format!("`{path}`: {}", misread.message), misread.hint);
                    None
                }
            };
        }
        let (Some(list), Some((index, rest)), false) = (list, indices.split_first(), one) else {
            let value = self.setting(path, text, ty.clone())?;
            part.fill(value);
            return Some(());
        };
        let size = part.len() / index.size().unwrap_or(1).max(1) as usize;
        let mut given: Vec<Option<&str>> = vec![None; index.size().unwrap_or(0) as usize];
        let mut otherwise = None;
        for entry in pieces(list, ',').into_iter().filter(|e| !e.is_empty()) {
            let &[key, value] = pieces(entry, ':').as_slice() else {
                self.bad_table(
                    format!("`{entry}` is no entry of `{path}`"),
                    "an entry is its index and its value: `{ 1: 0.5, else: 0 }`".to_string(),
                );
                return None;
            };
            let (slot, place) = if key == "else" {
                (&mut otherwise, format!("{path}, else"))
            } else {
                let i = self.entry(path, key, index)?;
                (given.get_mut(i)?, within(path, index, i))
            };
            if slot.replace(value).is_some() {
                let hint = "leave one of them out".to_string();
                self.bad_table(format!("`{place}` is given two values"), hint);
                return None;
            }
        }
        for (i, value) in given.into_iter().enumerate() {
            let place = within(path, index, i);
            let Some(value) = value.or(otherwise) else {
                self.bad_table(
                    format!("`{place}` is given no value"),
                    format!(
                        "give a value for the others, `else: …`, or set single entries: `--set '{place}=…'`"
                    ),
                );
                return None;
            };
            self.fill(&place, value, &mut part[i * size..(i + 1) * size], rest, ty)?;
        }
        Some(())
    }

    /// The number of the entry that a text stands for.
    fn entry(&mut self, path: &str, text: &str, index: &Type) -> Option<usize> {
        let bare = |t: &str| t.split_whitespace().collect::<String>();
        let wanted = bare(text);
        let names: Vec<String> = (0..index.size().unwrap_or(0))
            .map(|i| index.show_name(index.value_at(i)))
            .collect();
        if let Some(i) = names.iter().position(|n| bare(n) == wanted) {
            return Some(i);
        }
        let hint = match (nearest(text, names.iter().map(String::as_str)), index) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Type::Int { lo, hi }) => format!("its entries are {lo}..{hi}"),
            (None, _) => {
                let few: Vec<&str> = names.iter().take(12).map(String::as_str).collect();
                let more = if names.len() > 12 { ", …" } else { "" };
                format!("its entries are {}{more}", few.join(", "))
            }
        };
        self.bad_table(format!("`{path}` has no entry `{text}`"), hint);
        None
    }

    fn bad_table(&mut self, message: String, hint: String) {
        let span = self.file.name.span;
        let problem = Diagnostic::error(codes::BAD_PARAM_VALUE, span, message);
        self.problems.push(problem.hint(hint));
    }
}

/// The place of an entry: `price[taxi]`, and in it `price[taxi, 1]`.
pub fn within(path: &str, index: &Type, i: usize) -> String {
    let key = index.show_name(index.value_at(i as u64));
    match path.strip_suffix(']') {
        Some(outer) => format!("{outer}, {key}]"),
        None => format!("{path}[{key}]"),
    }
}

fn example(name: &str, indices: &[Type]) -> String {
    let first = |path: String, index| within(&path, index, 0);
    indices.iter().fold(name.to_string(), first)
}
