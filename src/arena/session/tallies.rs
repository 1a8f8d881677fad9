//! Counts by kind, most of which are 0, as what there is: `{7♠, 8♦ ×2}`.

use crate::machine::{View, ViewEntry};
use std::ops::Range;

/// The view with one entry for each row of a variable that holds counts, if more of them are 0 than not; `tallies` says of each
/// entry whether it is such a count. Where there is nothing the value is empty.
pub fn gathered(view: View, tallies: &[bool]) -> View {
    let entries = &view.entries;
    let mut all = Vec::with_capacity(entries.len());
    let mut at = 0;
    while at < entries.len() {
        let own = variable(entries, at);
        let tally = tallies.get(at) == Some(&true);
        if tally && is_sparse(&entries[own.clone()]) {
            all.extend(rows(&entries[own.clone()]));
        } else {
            all.extend_from_slice(&entries[own.clone()]);
        }
        at = own.end;
    }
    View { entries: all }
}

/// The entries of the variable of one of them, which is the first.
fn variable(entries: &[ViewEntry], at: usize) -> Range<usize> {
    let name = |e: &ViewEntry| e.name.split('[').next().map(str::to_string);
    let own = name(&entries[at]);
    let others = entries[at..].iter().take_while(|e| name(e) == own);
    at..at + others.count()
}

fn is_sparse(entries: &[ViewEntry]) -> bool {
    let none = entries.iter().filter(|e| e.value == "0").count();
    2 * none > entries.len()
}

/// An entry for each row: with all indices but the last.
fn rows(entries: &[ViewEntry]) -> Vec<ViewEntry> {
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for entry in entries {
        let (row, kind) = row_and_kind(&entry.name);
        if rows.last().is_none_or(|(last, _)| *last != row) {
            rows.push((row, Vec::new()));
        }
        let Some((_, there)) = rows.last_mut() else {
            continue;
        };
        match entry.value.as_str() {
            "0" | "" => {}
            "1" => there.push(kind.to_string()),
            n => there.push(format!("{kind} ×{n}")),
        }
    }
    let rows = rows.into_iter().map(|(name, there)| ViewEntry {
        name,
        value: match there.is_empty() {
            true => String::new(),
            false => format!("{{{}}}", there.join(", ")),
        },
    });
    rows.collect()
}

/// The name of an entry without its last index, and that index, which may have brackets in its own name.
fn row_and_kind(name: &str) -> (String, &str) {
    let inner = name.strip_suffix(']').unwrap_or(name);
    match inner.rsplit_once("][") {
        Some((row, kind)) => (format!("{row}]"), kind),
        None => {
            let (row, kind) = inner.split_once('[').unwrap_or((inner, ""));
            (row.to_string(), kind)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(entries: &[(&str, &str, bool)]) -> Vec<String> {
        let list = entries.iter().map(|(name, value, _)| ViewEntry {
            name: name.to_string(),
            value: value.to_string(),
        });
        let view = View {
            entries: list.collect(),
        };
        let tallies: Vec<bool> = entries.iter().map(|e| e.2).collect();
        let entries = gathered(view, &tallies).entries;
        entries
            .iter()
            .map(|e| format!("{} {}", e.name, e.value))
            .collect()
    }

    #[test]
    fn a_row_tells_what_there_is() {
        let hands = [
            ("hand[Ann][red one]", "0", true),
            ("hand[Ann][red two]", "2", true),
            ("hand[Ann][+2]", "1", true),
            ("hand[Ben][red one]", "0", true),
            ("hand[Ben][red two]", "0", true),
            ("hand[Ben][+2]", "0", true),
            ("left[Ann]", "0", false),
            ("left[Ben]", "0", false),
        ];
        let expected = [
            "hand[Ann] {red two ×2, +2}",
            "hand[Ben] ",
            "left[Ann] 0",
            "left[Ben] 0",
        ];
        assert_eq!(told(&hands), expected);
        let pile = [
            ("pile[a]", "3", true),
            ("pile[b]", "0", true),
            ("pile[c]", "0", true),
        ];
        assert_eq!(told(&pile), ["pile {a ×3}"]);
        let brackets = [
            ("n[[A]]", "1", true),
            ("n[B[1]]", "0", true),
            ("n[C]", "0", true),
            ("m[Ann][D]", "0", true),
            ("m[Ann][B[1]]", "2", true),
            ("m[Ann][C]", "0", true),
        ];
        assert_eq!(told(&brackets), ["n {[A]}", "m[Ann] {B[1] ×2}"]);
    }

    #[test]
    fn where_most_are_there_all_are_told() {
        let full = [("pile[a]", "3", true), ("pile[b]", "0", true)];
        assert_eq!(told(&full), ["pile[a] 3", "pile[b] 0"]);
        assert_eq!(told(&[]), [""; 0]);
    }
}
