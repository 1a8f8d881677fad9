//! Thousands of damaged texts of shipped games through everything: a problem with a place, or a game that plays by the
//! laws, and never a panic. What is damaged, and how, depends on the number of the mutant alone.

use crate::support::mutants::Shipped;
use crate::support::mutate::KINDS;
use crate::support::trial::{Course, Limits, trial};
use rayon::prelude::*;
use ruse::internal::random::stream;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const MUTANTS: u64 = 8_000;
const LIMITS: Limits = Limits {
    games: 2,
    plies: 200,
    patience: Duration::from_millis(200),
};
/// The promise is two seconds for a program that is optimised, on a machine with nothing else to do. This is neither.
const LONGEST: Duration = Duration::from_secs(20);

thread_local! {
    /// Where the last panic of this thread came from; `None` on threads that run no mutants.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A file for a mutant, kept when the test fails.
fn kept(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    std::fs::create_dir_all(&folder).expect("a folder for mutants");
    let path = folder.join(format!("{name}.game"));
    std::fs::write(&path, text).expect("a mutant");
    path
}

#[test]
fn mutants_of_shipped_games_are_told_what_is_wrong_or_play() {
    let shipped = Shipped::new();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANIC.with(|last| match last.borrow_mut().as_mut() {
            Some(last) => *last = info.to_string(),
            None => usual(info),
        });
    }));
    let slowest = Mutex::new((Duration::ZERO, 0u64));
    // As much stack as a thread has when nobody asks for more.
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(2 << 20)
        .start_handler(|_| PANIC.set(Some(String::new())))
        .build()
        .expect("threads");
    let run = |number: u64| -> Result<Course, String> {
        let (text, done, settings) = shipped.mutant(number);
        let thread = rayon::current_thread_index().unwrap_or_default();
        // When the whole program dies, the text is there.
        kept(&format!("at-work-{thread}"), &text);
        let start = Instant::now();
        let course = catch_unwind(AssertUnwindSafe(|| {
            trial(
                &text,
                &settings,
                &|_: &str, path: &str| shipped.load(path),
                &LIMITS,
            )
        }));
        let took = start.elapsed();
        let mut most = slowest.lock().expect("nobody panics here");
        *most = (*most).max((took, number));
        drop(most);
        let wrong = match course {
            Ok(course) if took <= LONGEST => return Ok(course),
            Ok(_) => format!("took {took:?}"),
            Err(_) => PANIC.with(|p| p.borrow().clone().unwrap_or_default()),
        };
        let path = kept(&format!("mutant-{number}"), &text);
        let game = &shipped.names[(number % shipped.names.len() as u64) as usize];
        Err(format!(
            "mutant {number} of {game}, {done:?}, {settings:?}: {wrong}\n  {}",
            path.display()
        ))
    };
    let results: Vec<Result<Course, String>> =
        pool.install(|| (0..MUTANTS).into_par_iter().map(run).collect());

    let mut failures = Vec::new();
    let mut codes: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut compiled, mut set, mut plies, mut ended, mut stopped) = (0, 0, 0u64, 0, 0);
    for result in results {
        match result {
            Err(failure) => failures.push(failure),
            Ok(course) => {
                compiled += u32::from(course.compiled);
                set += u32::from(course.formatted);
                plies += u64::from(course.plies);
                ended += course.ended;
                stopped += u32::from(course.error.is_some());
                for code in course.codes.iter().collect::<BTreeSet<_>>() {
                    *codes.entry(code).or_default() += 1;
                }
            }
        }
    }
    let slowest = slowest.into_inner().expect("nobody panics there");
    println!(
        "{MUTANTS} mutants: {set} set, {compiled} compiled, {ended} games ended, {plies} plies, \
         {stopped} ran into errors of play; slowest {slowest:?}\n{codes:?}"
    );
    assert!(
        failures.is_empty(),
        "{} failed:\n{}",
        failures.len(),
        failures[..failures.len().min(20)].join("\n")
    );
    // Enough of them get far enough to test anything.
    assert!(compiled > MUTANTS as u32 / 10, "{compiled} compiled");
    assert!(stopped > 50, "{stopped} ran into errors of play");
    assert!(codes.len() > 60, "{} codes: {codes:?}", codes.len());
}

#[test]
fn a_mutant_depends_on_its_number_alone() {
    let (one, two) = (Shipped::new(), Shipped::new());
    let mut texts = BTreeSet::new();
    for number in (0..600).rev() {
        let mutant = one.mutant(number);
        assert_eq!(mutant, two.mutant(number));
        texts.insert(mutant.0);
    }
    assert!(texts.len() > 550, "{} texts", texts.len());
}

/// Each kind of damage damages something, and leaves nothing but text.
#[test]
fn every_kind_of_damage_is_done() {
    let shipped = Shipped::new();
    for (name, damage) in KINDS {
        let damaged = (0..60).filter(|&i| {
            let text = &shipped.texts[i as usize % shipped.texts.len()];
            damage(text, &shipped.pool, &mut stream(i, &[])) != *text
        });
        assert!(damaged.count() > 10, "{name}");
        damage("", &shipped.pool, &mut stream(0, &[]));
    }
}
