//! Programs that tell too much, or are refused and do not: what becomes of each of them today.
//!
//! Whoever mends one changes its row, or moves it to `tests/leaks/wrong` or `tests/leaks/right`.

use super::laws::{Law, Violation, hold};
use crate::reader::compare::compare;
use crate::small;

/// What becomes of a program.
#[derive(Clone, Debug, PartialEq)]
enum Fate {
    /// It is accepted, and these laws are broken.
    Leaks(Vec<Law>),
    /// It is accepted, and no law is broken.
    Sound,
    /// It is refused, first with this code.
    Refused(String),
    /// It is accepted, and play runs into an error with this code.
    Fails(String),
}

fn table() -> Vec<(&'static str, Fate)> {
    let refused = |code: &str| Fate::Refused(code.to_string());
    vec![
        ("a-total-that-rises", refused("E0410")),
        ("choice-lost-in-an-else", Fate::Sound),
        ("choices-in-turn", Fate::Sound),
        ("chooser-in-a-move", refused("E0408")),
        ("chooser-of-a-passed-round", refused("E0408")),
        ("draw-of-a-passed-round", refused("E0405")),
        ("event-after-a-continue", refused("E0401")),
        ("inner-loop-entered-again", refused("E0401")),
        ("draw-of-a-missed-round", refused("E0402")),
        ("end-of-a-missed-round", refused("E0404")),
        ("inner-round-of-another-outer-one", refused("E0402")),
        ("missed-rounds-around", refused("E0402")),
        ("name-of-a-missed-turn", refused("E0402")),
        ("name-of-a-turn-among-some", refused("E0402")),
        ("own-question-in-each-round", refused("E0402")),
        ("question-of-a-missed-round", refused("E0402")),
        ("rounds-by-a-secret-count", refused("E0402")),
        ("rounds-that-are-left", refused("E0402")),
        ("turn-within-a-cycle", refused("E0402")),
        ("turns-by-a-secret-count", refused("E0402")),
        ("choice-of-the-secret-alone", Fate::Sound),
        ("body-of-a-secret-test", refused("E0402")),
        ("chosen-hat-dealt-in-the-open", refused("E0405")),
        ("drawn-shown-value", refused("E0412")),
        ("else-after-everybody", Fate::Sound),
        ("filter-at-a-chosen-index", refused("E0405")),
        ("filter-at-a-secret-index", refused("E0405")),
        ("filter-by-a-chosen-set", refused("E0405")),
        ("hat-dealt-in-the-open", refused("E0405")),
        ("hat-of-a-chosen-secret", refused("E0405")),
        ("hat-of-a-secret", refused("E0405")),
        ("label-beside-a-seen-part", Fate::Sound),
        ("letter-drawn-for-somebody", Fate::Sound),
        ("letter-to-somebody", Fate::Sound),
        ("line-of-a-hidden-draw", Fate::Sound),
        ("lines-by-choices", Fate::Sound),
        ("lines-by-draws", Fate::Sound),
        ("min-behind-a-test", Fate::Sound),
        ("options-of-a-passing-value", Fate::Sound),
        ("pile-of-a-chosen-secret", refused("E0405")),
        ("pile-of-a-secret", refused("E0405")),
        ("question-in-two-places", Fate::Sound),
        ("reveal-after-the-last-round", Fate::Sound),
        ("reveal-behind-an-optional", refused("E0402")),
        ("reveal-behind-and", Fate::Sound),
        ("reveal-behind-none", Fate::Sound),
        ("row-from-a-row", refused("E0401")),
        ("shown-before-or-after", Fate::Sound),
        ("shown-value-in-passing", Fate::Sound),
        ("shown-where-play-rests", Fate::Sound),
        ("store-after-a-body", refused("E0406")),
        ("store-after-an-else", refused("E0406")),
        ("text-in-a-rule", Fate::Sound),
        ("text-of-a-choice", Fate::Sound),
        ("text-of-a-draw", Fate::Sound),
        ("text-of-a-let", Fate::Sound),
        ("text-of-a-name", Fate::Sound),
        ("tried-shown-value-by-a-player", refused("E0403")),
        ("tried-shown-value", refused("E0403")),
        ("weight-at-a-mixed-index", refused("E0405")),
    ]
}

/// What becomes of a text, and the reports.
fn fate(text: &str) -> (Fate, String) {
    let machine = match ruse::load(text, &Default::default()) {
        Ok((machine, _)) => machine,
        Err(problems) => {
            let error = problems.iter().find(|p| p.is_error()).expect("an error");
            return (
                Fate::Refused(error.code.0.to_string()),
                error.message.clone(),
            );
        }
    };
    match hold(&machine, 20_000) {
        Err(error) => (Fate::Fails(error.code.0.to_string()), error.message),
        Ok(mut walked) => {
            assert!(walked.whole, "a program with too many histories");
            let compared = compare(&machine, 20_000).expect("play without errors");
            walked
                .violations
                .extend(compared.differs.map(|text| Violation {
                    law: Law::Told,
                    text,
                }));
            let mut laws: Vec<Law> = walked.violations.iter().map(|v| v.law).collect();
            laws.dedup();
            let texts: Vec<String> = walked.violations.into_iter().map(|v| v.text).collect();
            let fate = match laws.is_empty() {
                true => Fate::Sound,
                false => Fate::Leaks(laws),
            };
            (fate, texts.join("\n"))
        }
    }
}

#[test]
fn holes_are_as_the_table_says() {
    let table = table();
    let mut wrong = Vec::new();
    let mut names = Vec::new();
    for (name, text) in small::texts("tests/leaks/holes") {
        let (fate, report) = fate(&text);
        let row = table.iter().find(|(known, _)| *known == name);
        if row.is_none_or(|(_, expected)| *expected != fate) {
            wrong.push(format!("{name}: {fate:?}\n{report}"));
        }
        names.push(name);
    }
    for (name, _) in &table {
        assert!(names.iter().any(|n| n == name), "there is no {name}.game");
    }
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
