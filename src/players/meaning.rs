//! Whether a parameter that somebody sets means anything beside what else is set, or not.

use super::catalogue::Entry;
use crate::search::parameters::{Kind, Need, Parameter, Values};

/// Why a parameter of a player means nothing with these settings, and what it goes with.
pub(super) fn missing(
    entry: &Entry,
    parameter: &Parameter,
    settings: &Values,
) -> Option<(String, String)> {
    let unmet = |need: &&Need| !is_met(entry, parameter, **need, settings);
    let need = *parameter.needs.iter().find(unmet)?;
    let name = parameter.name;
    let nothing = format!("`{name}` means nothing");
    let goes = format!("`{name}` goes with");
    Some(match need {
        Need::Word(other, words) => {
            let word = word(entry, other, settings);
            let stated = match entry.parameter(other).map(|p| p.kind) {
                Some(Kind::Word(all)) if !all.contains(&word) => format!("without `{other}`"),
                _ => format!("with `{other}={word}`"),
            };
            let hint = match words {
                [one] => format!("{goes} `{other}={one}`"),
                _ => format!("{goes} `{other}` as one of {}", words.join(", ")),
            };
            (format!("{nothing} {stated}"), hint)
        }
        Need::AnyOf(others) => {
            let others: Vec<String> = others.iter().map(|other| format!("`{other}`")).collect();
            let others = others.join(" or ");
            (
                format!("{nothing} without {others}"),
                format!("{goes} {others}"),
            )
        }
        Need::NotZero(other) => (
            format!("{nothing} with `{other}=0`"),
            format!("{goes} `{other}` above 0"),
        ),
        Need::AtLeast(other) => {
            let number = number(entry, other, settings);
            (
                format!("`{name}` means nothing below `{other}={number}`"),
                format!("`{name}` is at least `{other}`"),
            )
        }
        Need::Unless(other, word) => (
            format!("{nothing} with `{other}={word}`"),
            format!("{goes} `{other}` that somebody goes by"),
        ),
    })
}

fn is_met(entry: &Entry, parameter: &Parameter, need: Need, settings: &Values) -> bool {
    match need {
        Need::Word(other, words) => words.contains(&word(entry, other, settings)),
        Need::AnyOf(others) => others.iter().any(|other| settings.is_set(other)),
        Need::NotZero(other) => number(entry, other, settings) != 0.0,
        Need::AtLeast(other) => {
            number(entry, parameter.name, settings) >= number(entry, other, settings)
        }
        Need::Unless(other, word) => !settings.names(other).is_all(word),
    }
}

/// The word of a parameter, or its default.
fn word(entry: &Entry, name: &str, settings: &Values) -> &'static str {
    let default = entry.parameter(name).map(|p| p.default);
    settings.word(name).or(default).unwrap_or_default()
}

/// The number of a parameter, or its default.
fn number(entry: &Entry, name: &str, settings: &Values) -> f64 {
    match entry.parameter(name) {
        Some(parameter) => settings.number_of(parameter),
        None => 0.0,
    }
}
