//! The laws on random programs: those that the check accepts must keep them.

use super::tally::Tally;
use super::writer::{Program, program};
use crate::small::texts;
use crate::support::mutate::{Pool, mutant};
use ruse::internal::random::stream;
use std::collections::BTreeSet;

const SEED: u64 = 43;

/// What programs must be made of, among other things.
const PARTS: &[&str] = &[
    "shown def",
    "shown to",
    "after",
    "team",
    "family",
    "deal",
    "weights",
    "together else",
    "labels",
    "secret labels",
    "text",
    "layout",
    "abstraction",
    "filter",
    "note",
    "two players",
    "three players",
];

fn hold_for(accepted: u64) {
    let mut tally = Tally::default();
    while tally.accepted < accepted {
        let program = program(tally.written);
        let code = tally.take(&program).unwrap_or("E04");
        // A filter may be about a choice that play cannot come to.
        let nameless = code.starts_with("E01") && !program.parts.contains("filter");
        let meant = !code.starts_with("E00") && !nameless;
        assert!(meant, "{code}\n{}", program.text);
    }
    tally.print();
    assert!(5 * tally.accepted > tally.written, "too few are accepted");
    for part in PARTS.iter().chain(tally.parts.keys()) {
        let count = tally.parts.get(part).copied().unwrap_or_default();
        assert!(100 * count >= tally.accepted, "too few with {part}");
    }
    assert!(tally.is_known(), "something new is broken");
}

/// Programs about secrets, right ones and wrong ones, each damaged a little: near to what is refused, and accepted.
fn hold_for_mutants(mutants: u64) {
    let folders = ["tests/leaks/right", "tests/leaks/wrong", "docs/tutorial"];
    let programs = folders.iter().flat_map(|folder| texts(folder));
    let programs: Vec<String> = programs.map(|(_, text)| text).collect();
    let pool = Pool::new(&programs);
    let mut tally = Tally::default();
    for number in 0..mutants {
        let mut random = stream(SEED, &[number]);
        let text = &programs[(number % programs.len() as u64) as usize];
        let (text, _) = mutant(text, &pool, &mut random);
        let parts = BTreeSet::new();
        tally.take(&Program { text, parts });
    }
    tally.print();
    assert!(20 * tally.accepted > tally.written, "too few are accepted");
    assert!(tally.is_known(), "something new is broken");
}

#[test]
fn mutants_keep_the_laws() {
    hold_for_mutants(3_000);
}

/// Five minutes: `cargo test --release --test engine many_mutants -- --ignored --nocapture`.
#[test]
#[ignore = "reads 200,000 programs"]
fn many_mutants_keep_the_laws() {
    hold_for_mutants(200_000);
}

#[test]
fn accepted_programs_keep_the_laws() {
    hold_for(1_000);
}

/// Five minutes: `cargo test --release --test engine many_accepted -- --ignored --nocapture`.
#[test]
#[ignore = "walks 100,000 programs"]
fn many_accepted_programs_keep_the_laws() {
    hold_for(100_000);
}
