//! Programs that the check refuses, played all the same: the laws must object to them, so that they are worth something
//! where nothing is refused.

use super::laws::hold;
use crate::small::texts;
use ruse::internal::check::check_rest;
use ruse::internal::compile::compile;
use ruse::internal::machine::Machine;
use ruse::internal::syntax::parse;

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
    "all-but-a-formula",
    "all-but-a-named-rest",
    "all-but-a-stored-rest",
    "all-but-the-rest",
    "all-but-the-rest-by-a-filter",
    "copy",
    "dealt-from-a-made-set",
    "drawn-of-what-was-drawn-with-it",
    "all-but-what-is-left",
    "drawn-at-once-from-a-formula",
    "drawn-from-a-copy-of-a-made-set",
    "drawn-from-a-made-set",
    "drawn-from-a-part-by-a-secret",
    "filter-by-a-table",
    "laundered-copy",
    "pile-from-a-table",
    "telling-filter",
    // Nothing has happened to the hand that is looked at.
    "choice-from-another-hand",
    "condition-beside-a-shown-def",
    // Who is shown something else than the others learns so from what is shown.
    "letter-to-a-secret-one",
    "shown-in-a-branch",
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
