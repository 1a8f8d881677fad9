//! Ruse: a game is a text file.
//!
//! [`load`] turns the text of a game into a [`Machine`], or says what is wrong with it. A machine plays the game: whose
//! turn it is, what may be done, what chance brings, what everybody sees, what it pays. Players, matches and solvers are
//! built on that, and know no game.
//!
//! # From a text to a match
//!
//! ```
//! use ruse::{Match, MatchOptions, SeatingPlan, Settings, play_match};
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! let text = "
//! game Nim {
//!   players { Ann, Ben }
//!   state { stones : 0..9 = 9  last : Player? }
//!   play {
//!     turns me from Ann while stones > 0 at most 9 {
//!       me chooses n in 1..3 where n <= stones => { stones -= n  last = me }
//!     }
//!   }
//!   payoff zero-sum: [p in Player] if last == p then 1 else -1
//! }";
//! let (machine, notes) = ruse::load(text, &Settings::default()).expect("a game without mistakes");
//! assert!(notes.is_empty());
//! let seats = [machine.player_name(0), machine.player_name(1)];
//! let plan = SeatingPlan::parse("Ann=uct(playouts=200),Ben=random", &seats).expect("two players");
//! let machine = Arc::new(machine);
//! let start = std::time::Instant::now();
//! let table = Match { machine, plan, clock: Arc::new(move || start.elapsed()) };
//! let options = MatchOptions { games: 20, seed: 1, threads: Some(1) };
//! let result = play_match(&table, &options, &|_finished| (), &AtomicBool::new(false))?;
//! assert!(result.is_complete());
//! # Ok::<(), ruse::ArenaError>(())
//! ```
//!
//! # A player of one's own
//!
//! A player gets what its seat observes and, when it is asked, its actions; never the state.
//!
//! ```
//! use ruse::{Observation, Player, PlayerError, Question, Settings, play_game};
//! use std::sync::atomic::AtomicBool;
//!
//! /// Always takes the first action.
//! struct First;
//!
//! impl Player for First {
//!     fn begin(&mut self, _seat: usize, _seed: u64) -> Result<(), PlayerError> {
//!         Ok(())
//!     }
//!     fn observe(&mut self, _: &Observation) -> Result<(), PlayerError> {
//!         Ok(())
//!     }
//!     fn choose(&mut self, _: &Question<'_>) -> Result<usize, PlayerError> {
//!         Ok(0)
//!     }
//! }
//!
//! let text = "
//! game Coins {
//!   players { Ann, Ben }
//!   state { up : [Player] bool }
//!   play { together each p in Player { p chooses { tails  heads => up[p] = true } } }
//!   payoff zero-sum: [p in Player] if (up[Ann] == up[Ben]) == (p == Ann) then 1 else -1
//! }";
//! let (machine, _) = ruse::load(text, &Settings::default()).expect("a game without mistakes");
//! let mut players: Vec<Box<dyn Player>> = vec![Box::new(First), Box::new(First)];
//! let never = AtomicBool::new(false);
//! let game = play_game(&machine, &mut players, 1, 0, false, &never)?.expect("nobody stops it");
//! assert_eq!(game.payoffs.as_slice(), [1.0, -1.0]);
//! # Ok::<(), ruse::ArenaError>(())
//! ```
//!
//! # Solving
//!
//! ```
//! use ruse::{BackwardOptions, Saved, Settings};
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! let text = "
//! game Nim {
//!   players { Ann, Ben }
//!   state { stones : 0..9 = 9  last : Player? }
//!   play {
//!     turns me from Ann while stones > 0 at most 9 {
//!       me chooses n in 1..3 where n <= stones => { stones -= n  last = me }
//!     }
//!   }
//!   payoff zero-sum: [p in Player] if last == p then 1 else -1
//! }";
//! let (machine, _) = ruse::load(text, &Settings::default()).expect("a game without mistakes");
//! let machine = Arc::new(machine);
//! let (options, never) = (BackwardOptions::default(), AtomicBool::new(false));
//! let outcome = ruse::solve(&machine, &options, Saved::default(), &mut (), &never)?;
//! let ruse::Solution::Solved(solved) = outcome else { unreachable!("nobody stops it") };
//! let start = machine.initial().expect("play begins");
//! assert_eq!(solved.values(&start), Some([1.0, -1.0]));
//! # Ok::<(), ruse::SolveError>(())
//! ```

// What the program, tests and benches alone want is no dead code.
#![cfg_attr(not(feature = "internal"), allow(dead_code, unused_imports))]

mod arena;
mod check;
#[cfg(feature = "cli")]
mod cli;
mod compile;
#[cfg(feature = "internal")]
#[doc(hidden)]
pub mod internal;
mod ir;
mod machine;
mod model;
mod players;
mod random;
#[cfg(test)]
mod random_tests;
mod review;
mod search;
mod shipped;
#[cfg(test)]
#[path = "../tests/support/snapshots.rs"]
mod snapshots;
mod solve;
mod syntax;
mod text;
mod threads;

pub use arena::{
    ArenaError, GameResult, Match, MatchOptions, MatchResult, SeatingPlan, play_game, play_match,
};
pub use check::{Settings, extends::Loader};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::run;
pub use machine::{Action, Actions, Event, Machine, Observation, Outcomes, PlayError, State, Turn};
pub use players::{Clock, Player, PlayerError, PlayerSpec, Question};
pub use shipped::{Shipped, find as shipped_game};
pub use solve::SolveError;
pub use solve::backward::{BackwardOptions, Outcome as Solution, Saved, Solved, solve};
pub use text::diagnostics::Diagnostic;
pub use text::sources::Sources;

/// A playable game and the warnings about its text, or every problem found, in the order of the text.
pub type Outcome = Result<(machine::Machine, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Text to machine, the whole pipeline: parse, check under `settings`, compile. Warnings come with success too.
///
/// # Errors
/// Every problem found, errors and warnings, in the order of the text. A game that extends another needs [`load_with`].
pub fn load(text: &str, settings: &check::Settings) -> Outcome {
    load_with("", text, settings, &check::extends::no_files).0
}

/// As [`load`], with a loader for the files that the game extends. `name` is that of the text, from which the loader
/// starts. The files that were read come back too: the spans of problems are to be looked up in them.
pub fn load_with(
    name: &str,
    text: &str,
    settings: &check::Settings,
    loader: check::extends::Loader<'_>,
) -> (Outcome, text::sources::Sources) {
    let (file, problems, sources) = check::extends::assemble(name, text, loader);
    (finish(file, problems, settings), sources)
}

fn finish(
    file: Option<syntax::ast::File>,
    mut problems: Vec<Diagnostic>,
    settings: &check::Settings,
) -> Outcome {
    let Some(file) = file else {
        return Err(problems);
    };
    let broken = problems.iter().any(Diagnostic::is_error);
    let (description, more) = check::check_rest(&file, settings, broken);
    problems.extend(more);
    problems.sort_by_key(|d| (d.span, d.code));
    if problems.iter().any(Diagnostic::is_error) {
        return Err(problems);
    }
    let Some(description) = description else {
        let problem = Diagnostic::error(
            check::codes::NOT_UNDERSTOOD,
            file.name.span,
            "this game cannot be understood, and the check did not note why",
        )
        .hint("this is a mistake of ruse; please report it");
        return Err(vec![problem]);
    };
    match compile::compile(description) {
        Ok(program) => Ok((machine::Machine::new(program), problems)),
        Err(more) => {
            problems.extend(more);
            Err(problems)
        }
    }
}
