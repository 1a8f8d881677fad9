//! Programs that the check refuses, played all the same: the laws must object to them, so that they are worth something
//! where nothing is refused.

use super::laws::hold;
use super::writer::program;
use crate::small::texts;
use ruse::internal::check::check_rest;
use ruse::internal::compile::compile;
use ruse::internal::machine::Machine;
use ruse::internal::syntax::parse;
use std::collections::BTreeMap;

/// The machine of a text that is refused for what it tells and for nothing else.
fn machine(text: &str) -> Option<Machine> {
    let (file, _) = parse(text);
    // A broken file is not asked for leaks.
    let (description, _) = check_rest(&file?, &Default::default(), true);
    compile(description?).ok().map(Machine::new)
}

/// Programs to which the laws have nothing to say, though they are refused.
const QUIET: &[&str] = &[
    // What is drawn tells of what chance has done before. The laws ask only for choices.
    "copy",
    "dealt-from-a-made-set",
    "drawn-from-a-made-set",
    "filter-by-a-table",
    "laundered-copy",
    "pile-from-a-table",
    "telling-filter",
    // Nothing has happened to the hand that is looked at.
    "choice-from-another-hand",
    // Who is shown something else than the others learns so from what is shown.
    "letter-to-a-secret-one",
    "shown-in-a-branch",
    // Nothing tells how long somebody thought, unless there is a clock beside the game.
    "tick-after-all-sat-out",
    "tick-after-an-else",
    "tick-after-some-sat-out",
    "tick-between-together",
];

#[test]
fn refused_programs_break_laws() {
    let mut quiet = Vec::new();
    let mut broken = 0;
    for (name, text) in texts("tests/leaks/wrong") {
        // Some of them play into errors.
        let walked = machine(&text).and_then(|machine| hold(&machine, 3_000).ok());
        match walked.map(|walked| walked.violations.is_empty()) {
            Some(true) => quiet.push(name),
            Some(false) => broken += 1,
            None => {}
        }
    }
    quiet.sort();
    let mut known = QUIET.to_vec();
    known.sort_unstable();
    assert_eq!(quiet, known, "refused programs that break no law");
    assert!(broken >= 50);
}

/// Prints how many of the random programs that are refused break no law, and the shortest of them by code. Not all of
/// those are refused without need: laws hold for what is told in short plays, and some rules forbid more for simplicity.
#[test]
#[ignore = "prints figures, and holds nothing"]
fn refused_programs_that_break_no_law() {
    let mut found: BTreeMap<&str, (u64, u64, String)> = BTreeMap::new();
    for number in 0..5_000 {
        let text = program(number).text;
        let Err(problems) = ruse::load(&text, &Default::default()) else {
            continue;
        };
        let Some(first) = problems.iter().find(|p| p.is_error()) else {
            continue;
        };
        let walked = machine(&text).and_then(|machine| hold(&machine, 600).ok());
        let Some(walked) = walked.filter(|_| first.code.0.starts_with("E04")) else {
            continue;
        };
        let (all, quiet, shortest) = found.entry(first.code.0).or_default();
        *all += 1;
        if walked.violations.is_empty() && walked.whole {
            *quiet += 1;
            if shortest.is_empty() || text.len() < shortest.len() {
                *shortest = format!("{text}{}", first.message);
            }
        }
    }
    for (code, (all, quiet, shortest)) in found {
        println!("{code}: {all}, of which {quiet} break no law\n{shortest}\n");
    }
}
