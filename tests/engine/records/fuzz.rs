//! The laws on random programs: those that the check accepts must keep them.

use super::tally::Tally;
use super::writer::{Program, program};
use crate::small::texts;
use crate::support::mutate::{Pool, mutant};
use ruse::internal::random::stream;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const SEED: u64 = 43;

/// What programs must be made of, among other things.
const PARTS: &[&str] = &[
    "shown def",
    "shown to",
    "after",
    "team",
    "family",
    "deal",
    "draw from",
    "weights",
    "together else",
    "labels",
    "secret labels",
    "text",
    "text under a condition",
    "layout",
    "abstraction",
    "filter",
    "note",
    "viewers in play",
    "viewers in a variable",
    "one move",
    "computed value",
    "labels alike",
    "reveal in an index",
    "place for a rule",
    "text of a reveal",
    "two players",
    "three players",
];

/// So many programs are taken in at a time by one thread.
const AT_A_TIME: u64 = 100;

/// What came of programs, put together in their order, until enough of them were accepted.
#[derive(Default)]
struct InOrder {
    tally: Tally,
    next: u64,
    waiting: BTreeMap<u64, Tally>,
}

fn take_in(from: u64) -> Tally {
    let mut tally = Tally::default();
    for number in from..from + AT_A_TIME {
        let program = program(number);
        let code = tally.take(&program).unwrap_or("E04");
        // A filter may be about a choice that play cannot come to.
        let nameless = code.starts_with("E01") && !program.parts.contains("filter");
        let meant = !code.starts_with("E00") && !nameless;
        assert!(meant, "{code}\n{}", program.text);
    }
    tally
}

/// The first programs of which so many are accepted, and a few more.
fn take_in_all(accepted: u64) -> Tally {
    let (turn, done) = (AtomicU64::new(0), Mutex::new(InOrder::default()));
    let work = || {
        loop {
            let turn = turn.fetch_add(1, Ordering::Relaxed);
            let tally = take_in(turn * AT_A_TIME);
            let done = &mut *done.lock().expect("no thread has failed");
            done.waiting.insert(turn, tally);
            while done.tally.accepted < accepted {
                let Some(tally) = done.waiting.remove(&done.next) else {
                    break;
                };
                done.tally.add(tally);
                done.next += 1;
            }
            if done.tally.accepted >= accepted {
                break;
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    done.into_inner().expect("no thread has failed").tally
}

fn hold_for(accepted: u64) {
    let tally = take_in_all(accepted);
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

/// Ten minutes on two threads: `cargo test --release --test engine many_accepted -- --ignored --nocapture`.
#[test]
#[ignore = "walks 100,000 programs"]
fn many_accepted_programs_keep_the_laws() {
    hold_for(100_000);
}
