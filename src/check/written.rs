//! Values as a file writes them, in texts from outside (`--set 'steps={ 1, 3 }'`) and in the texts that params print as.

use super::tables::pieces;
use crate::model::evaluate::ordinal;
use crate::model::types::{Type, bits};

/// The value that a text stands for, by its words.
pub fn given_words(text: &str, ty: &Type) -> Option<Vec<u64>> {
    let Type::Set(element) = ty else {
        return given(text, ty).map(|v| vec![v as u64]);
    };
    let size = element.size()?;
    let mut words = vec![0u64; ty.words()];
    let mut put = |i: u64| words[i as usize / 64] |= 1 << (i % 64);
    if text == "all" {
        (0..size).for_each(&mut put);
        return Some(words);
    }
    let list = inside(text, '{', '}')?;
    for part in pieces(list, ',').into_iter().filter(|p| !p.is_empty()) {
        match part.split_once("..") {
            Some((low, high)) if matches!(**element, Type::Int { .. }) => {
                let (low, high) = (given(low.trim(), element)?, given(high.trim(), element)?);
                (ordinal(element, low)?..=ordinal(element, high)?).for_each(&mut put);
            }
            _ => put(ordinal(element, given(part, element)?)?),
        }
    }
    Some(words)
}

/// The same of a single value.
fn given(text: &str, ty: &Type) -> Option<i64> {
    match ty {
        Type::Int { lo, hi } => text.parse().ok().filter(|v| lo <= v && v <= hi),
        Type::Bool => text.parse::<bool>().ok().map(i64::from),
        Type::Enum(e) | Type::Player(e) => {
            let place = e.values.iter().position(|v| v.name == text);
            place.map(|i| i as i64)
        }
        Type::Optional(_) if text == "none" => Some(0),
        Type::Optional(inner) => Some(ordinal(inner, given(text, inner)?)? as i64 + 1),
        Type::Product(product) => {
            let parts = pieces(inside(text, '(', ')')?, ',');
            let mut fields: Vec<Option<i64>> = vec![None; product.fields.len()];
            for part in parts.into_iter().filter(|p| !p.is_empty()) {
                let &[name, value] = pieces(part, ':').as_slice() else {
                    return None;
                };
                let i = product.fields.iter().position(|(n, _)| n == name)?;
                let ty = &product.fields[i].1;
                let value = *given_words(value, ty)?.first()? as i64;
                if fields[i].replace(value).is_some() {
                    return None;
                }
            }
            let mut whole = 0u64;
            for (value, (_, ty)) in fields.into_iter().zip(&product.fields) {
                let ordinal = match ty {
                    Type::Set(_) => value? as u64,
                    _ => ordinal(ty, value?)?,
                };
                whole = whole.checked_mul(ty.field_size()?)?;
                whole = whole.checked_add(ordinal)?;
            }
            Some(whole as i64)
        }
        Type::Set(_) | Type::Array { .. } | Type::Number { .. } => None,
    }
}

fn inside(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// What a value of a type is, for somebody who gave another.
pub fn wanted(ty: &Type) -> String {
    let example = |ty: &Type| {
        let first = ty.bounds().map_or(0, |(lo, _)| lo);
        ty.show_name(first)
    };
    match ty {
        Type::Int { lo, hi } => format!("an integer in {lo}..{hi}"),
        Type::Enum(e) | Type::Player(e) => {
            let names: Vec<&str> = e.values.iter().map(|v| v.name.as_str()).collect();
            format!("one of {}", names.join(", "))
        }
        Type::Bool => "true or false".to_string(),
        Type::Optional(inner) => format!("none, or {}", wanted(inner)),
        Type::Product(_) => format!("a value such as {}", example(ty)),
        Type::Set(element) => format!("a set such as {{ {} }}, {{}} or all", example(element)),
        Type::Number { .. } | Type::Array { .. } => "a number such as 7.5".to_string(),
    }
}

/// A value as a file writes it, by its words.
pub fn written_words(ty: &Type, words: &[u64]) -> String {
    let Type::Set(element) = ty else {
        return ty.show_name(words.first().map_or(0, |w| *w as i64));
    };
    let members = bits(words).map(|i| element.show_name(element.value_at(i)));
    let members: Vec<String> = members.collect();
    match members.is_empty() {
        true => "{}".to_string(),
        false => format!("{{ {} }}", members.join(", ")),
    }
}

impl Type {
    /// A single value as a file writes it: an enum value by its name and not by its text, a product by its fields.
    pub(crate) fn show_name(&self, value: i64) -> String {
        match self {
            Type::Enum(e) | Type::Player(e) => e
                .values
                .get(value as usize)
                .map_or_else(String::new, |v| v.name.clone()),
            Type::Product(product) => {
                let fields = product.fields.iter().enumerate();
                let fields: Vec<String> = fields
                    .map(|(i, (name, ty))| {
                        let value = Type::field_value(product, i, value);
                        format!("{name}: {}", written_words(ty, &[value as u64]))
                    })
                    .collect();
                format!("({})", fields.join(", "))
            }
            Type::Optional(inner) if value > 0 => inner.show_name(inner.value_at(value as u64 - 1)),
            _ => self.show(value),
        }
    }
}
