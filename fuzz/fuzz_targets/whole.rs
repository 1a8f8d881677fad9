//! Any text: read, set, checked, compiled and played for a little.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use ruse::internal::check::Settings;
use std::time::Duration;

#[path = "../../tests/support/trial.rs"]
#[allow(dead_code)]
mod trial;

const LIMITS: trial::Limits = trial::Limits {
    games: 2,
    plies: 60,
    patience: Duration::from_millis(500),
};

/// What a game that extends another finds.
const BASE: &str = include_str!("../../games/kuhn-poker.game");

fuzz_target!(|data: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(data) else {
        return Corpus::Reject;
    };
    let loader = |_: &str, path: &str| match path {
        "a.game" => Ok((path.to_string(), text.to_string())),
        "base.game" => Ok((path.to_string(), BASE.to_string())),
        _ => Err(format!("there is no `{path}`")),
    };
    trial::trial(text, &Settings::new(), &loader, &LIMITS);
    Corpus::Keep
});
