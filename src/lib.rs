//! Ruse: a game is a text file.
//!
//! [`load`] turns the text of a game into a [`Machine`], or says what is wrong with it. A machine plays the game: whose
//! turn it is, what may be done, what chance brings, what everybody sees, what it pays. Players, matches, searches and
//! solvers are built on that, and know no game.
//!
//! Players are numbered from 0 in seating order. Payoffs are in units as the text states them. Everything random comes
//! from a seed, and the same seed gives the same result on every computer and any number of threads.
//!
//! # From a text to a game
//!
//! ```
//! use ruse::{Settings, Sources};
//!
//! let text = "
//! game Nim {
//!   param heap : 1..20 = 9
//!   players { Ann, Ben }
//!   state { stones : 0..heap = heap  last : Player? }
//!   play {
//!     turns me from Ann while stones > 0 at most 20 {
//!       me chooses n in 1..3 where n <= stones => { stones -= n  last = me }
//!     }
//!   }
//!   payoff zero-sum: [p in Player] if last == p then 1 else -1
//! }";
//! let settings = Settings::from([("heap".to_string(), "4".to_string())]);
//! let (machine, notes) = ruse::load(text, &settings).expect("a game without mistakes");
//! assert!(notes.is_empty());
//! assert_eq!((machine.name(), machine.player_count()), ("Nim", 2));
//!
//! let wrong = text.replace("stones -= n", "stonse -= n");
//! let problems = ruse::load(&wrong, &settings).unwrap_err();
//! let report = problems[0].render("nim.game", &wrong, false);
//! assert!(report.contains("did you mean `stones`?"), "{report}");
//! ```
//!
//! # To play it
//!
//! ```
//! use ruse::{Actions, Outcomes, Turn};
//! # let text = "game Nim { players { Ann, Ben } state { stones : 0..9 = 9  last : Player? }
//! #   play { turns me from Ann while stones > 0 at most 9 {
//! #     me chooses n in 1..3 where n <= stones => { stones -= n  last = me } } }
//! #   payoff zero-sum: [p in Player] if last == p then 1 else -1 }";
//! # let (machine, _) = ruse::load(text, &Default::default()).expect("a game without mistakes");
//!
//! let mut rng = ruse::stream(1, &[]);
//! let mut state = machine.initial()?;
//! let mut legal = Actions::default();
//! loop {
//!     let joint = match machine.turn(&state) {
//!         Turn::Terminal => break,
//!         Turn::Chance => vec![machine.sample_chance(&state, &mut rng)?],
//!         Turn::Decision(players) => {
//!             // An action for each player to move, in seating order; several move at once.
//!             let mut joint = Vec::new();
//!             for player in players {
//!                 machine.legal(&state, player, &mut legal)?;
//!                 println!("{:?}", machine.view(&state, player));
//!                 println!("{}", machine.action_text(&state, player, &legal[0], None));
//!                 joint.push(legal[0].clone());
//!             }
//!             joint
//!         }
//!     };
//!     machine.step(&mut state, &joint)?;
//! }
//! assert_eq!(machine.payoffs(&state)?.as_slice(), [1.0, -1.0]);
//! # Ok::<(), ruse::errors::PlayError>(())
//! ```
//!
//! # What reaches a player
//!
//! A seat keeps what one player is told, event by event, and with each event what has changed by then of what the player
//! sees. It holds nothing that others know: a screen is made of it, and not of a state.
//!
//! ```
//! use ruse::{Seat, Settings, parts::News};
//!
//! let text = "
//! game Guess {
//!   players { Ann, Ben }
//!   state { hat : 1..3 seen by none  right : bool }
//!   play {
//!     draw n in 1..3 into hat
//!     Ann chooses g in 1..3 => { right = reveal(g == hat) }
//!   }
//!   payoff zero-sum: [p in Player] if right == (p == Ann) then 1 else -1
//! }";
//! let (machine, _) = ruse::load(text, &Settings::default()).expect("a game without mistakes");
//! let mut seats = [Seat::new(&machine, 1)];
//! let mut rng = ruse::stream(1, &[]);
//! let mut state = machine.initial_seated(&mut seats, &mut |_event| {})?;
//! let drawn = machine.sample_chance(&state, &mut rng)?;
//! machine.step_seated(&mut state, &[drawn], &mut seats, &mut |_event| {})?;
//! let guess = machine.sample(&state, 0, &mut rng)?;
//! machine.step_seated(&mut state, &[guess], &mut seats, &mut |_event| {})?;
//! // Ben is told the guess, whether it is right, and that the game is over; of the hat nothing.
//! let [guessed, told, end] = seats[0].entries() else { panic!() };
//! assert!(matches!(&guessed.news, News::Move { by: Some(0), .. }));
//! assert!(matches!(told.news, News::Revealed(..)) && end.news == News::End);
//! assert_eq!(seats[0].view().entries.len(), 1);
//! # Ok::<(), ruse::errors::PlayError>(())
//! ```
//!
//! # A match
//!
//! ```
//! use ruse::{Match, MatchOptions, SeatingPlan, play_match};
//! use std::sync::{Arc, atomic::AtomicBool};
//! # let text = "game Nim { players { Ann, Ben } state { stones : 0..9 = 9  last : Player? }
//! #   play { turns me from Ann while stones > 0 at most 9 {
//! #     me chooses n in 1..3 where n <= stones => { stones -= n  last = me } } }
//! #   payoff zero-sum: [p in Player] if last == p then 1 else -1 }";
//! # let (machine, _) = ruse::load(text, &Default::default()).expect("a game without mistakes");
//!
//! let seats = [machine.player_name(0), machine.player_name(1)];
//! let plan = SeatingPlan::parse("Ann=uct(playouts=200),Ben=random", &seats).expect("two players");
//! let machine = Arc::new(machine);
//! let start = std::time::Instant::now();
//! let table = Match { machine, plan, clock: Arc::new(move || start.elapsed()) };
//! let options = MatchOptions { games: 20, seed: 1, threads: Some(1) };
//! let result = play_match(&table, &options, &|_finished| (), &AtomicBool::new(false))?;
//! assert!(result.is_complete());
//! assert!(result.seats["Ann"].payoff.mean > Some(0.5));
//! # Ok::<(), ruse::errors::ArenaError>(())
//! ```
//!
//! A player that reads a file of strategies, or solves the game, is prepared before it sits down:
//!
//! ```
//! use ruse::{PlayerSpec, Preparation, SeatingPlan, Sources};
//! use std::{sync::{Arc, atomic::AtomicBool}, time::Instant};
//! # let text = "game Nim { players { Ann, Ben } state { stones : 0..9 = 9  last : Player? }
//! #   play { turns me from Ann while stones > 0 at most 9 {
//! #     me chooses n in 1..3 where n <= stones => { stones -= n  last = me } } }
//! #   payoff zero-sum: [p in Player] if last == p then 1 else -1 }";
//! # let (machine, _) = ruse::load(text, &Default::default()).expect("a game without mistakes");
//! # let machine = Arc::new(machine);
//!
//! let start = Instant::now();
//! let plan = SeatingPlan::parse("Ann=solve,Ben=random", &["Ann", "Ben"]).expect("two players");
//! let plan = plan.prepared(|spec| {
//!     spec.prepare(&mut Preparation {
//!         machine: &machine,
//!         sources: &Sources::new("nim.game", text),
//!         files: &mut |path| Err(format!("{path} cannot be read")),
//!         progress: &mut (),
//!         clock: &|| start.elapsed(),
//!         cancel: &Arc::new(AtomicBool::new(false)),
//!     })
//! })?;
//! assert_eq!(plan.specs()[0], PlayerSpec::parse("solve").expect("a player"));
//! # Ok::<(), ruse::errors::PrepareError>(())
//! ```
//!
//! # A player of one's own
//!
//! A player gets what its seat observes and, when it is asked, its actions; never the state.
//!
//! ```
//! use ruse::errors::PlayerError;
//! use ruse::{Observation, Player, Question, Settings, play_game};
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
//! # Ok::<(), ruse::errors::ArenaError>(())
//! ```
//!
//! # Searching and solving
//!
//! ```
//! use ruse::{BackwardOptions, Clock, PlayerSpec};
//! use std::sync::{Arc, atomic::AtomicBool};
//! # let text = "game Nim { players { Ann, Ben } state { stones : 0..9 = 9  last : Player? }
//! #   play { turns me from Ann while stones > 0 at most 9 {
//! #     me chooses n in 1..3 where n <= stones => { stones -= n  last = me } } }
//! #   payoff zero-sum: [p in Player] if last == p then 1 else -1 }";
//! # let (machine, _) = ruse::load(text, &Default::default()).expect("a game without mistakes");
//! # let machine = Arc::new(machine);
//!
//! let start = machine.initial()?;
//! let never = AtomicBool::new(false);
//! let solved = ruse::solve(&machine, &BackwardOptions::default(), &never)?.expect("nobody stops it");
//! assert_eq!(solved.values(&start), Some([1.0, -1.0]));
//!
//! let begin = std::time::Instant::now();
//! let clock: Clock = Arc::new(move || begin.elapsed());
//! let spec = PlayerSpec::parse("uct(playouts=2000)").expect("a player");
//! let found = spec.search(&machine, &start, 0, 1, &clock, &never);
//! let found = found.expect("a game for uct").expect("uct searches");
//! let best = &found.actions[found.chosen].action;
//! assert_eq!(machine.action_text(&start, 0, best, None), "1");
//! # Ok::<(), ruse::errors::SolveError>(())
//! ```
//!
//! # Features
//!
//! - `cli`: the program `ruse`. Other programs do not need it.
//! - `lp`: solving by linear programs.
//! - `native`: machine code for rules and playouts, by Cranelift. Without it, and on processors for which there is none, a
//!   portable engine plays the same games, more slowly.
//! - `threads`: work on several threads.

// What the program, tests and benches alone want is no dead code.
#![cfg_attr(not(feature = "internal"), allow(dead_code, unused_imports))]
// With `internal` all of the crate is public.
#![cfg_attr(not(feature = "internal"), deny(missing_docs))]
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::panic,
        clippy::print_stderr,
        clippy::print_stdout,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod arena;
mod belief;
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

use solve::backward;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use arena::{GameResult, Match, MatchOptions, MatchResult, SeatingPlan, play_game, play_match};
pub use check::{Settings, extends::Loader};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use cli::run;
pub use machine::{
    Action, Actions, Event, HIDDEN_LABEL, Machine, Observation, Outcomes, Seat, State, Turn, View,
};
pub use model::PlayerSet;
pub use players::{Clock, Player, PlayerSpec, Preparation, Question};
pub use random::{Stream, stream};
pub use search::SearchResult;
pub use shipped::{Shipped, find as shipped_game};
pub use solve::backward::{BackwardOptions, Solved};
pub use text::diagnostics::Diagnostic;
pub use text::sources::Sources;

/// What can go wrong, and what a [`Diagnostic`] is made of.
///
/// Every error that has a place in a text turns into a [`Diagnostic`], which prints with that place.
pub mod errors {
    pub use crate::arena::ArenaError;
    pub use crate::machine::{FindError, PlayError, StateError};
    pub use crate::players::{PlayerError, PrepareError};
    pub use crate::solve::SolveError;
    pub use crate::text::diagnostics::{Code, Severity};
    pub use crate::text::edits::Edit;
    pub use crate::text::span::Span;
}

/// What the types of the tour are made of: the fields of results, and the numbers behind names.
pub mod parts {
    pub use crate::arena::game::Ply;
    pub use crate::arena::report::{PlayerResults, Results};
    pub use crate::arena::statistics::{Mean, Share, Shares};
    pub use crate::machine::seat::{Entry, News, Sight};
    pub use crate::machine::{Answer, Numbers, Payoffs, ViewEntry};
    pub use crate::model::{Players, SiteId};
    pub use crate::players::{Patience, Thought};
    pub use crate::search::ActionStatistics;
    pub use crate::solve::backward::{Choice, Counts, Solution};
    pub use crate::solve::methods::Progress;
}

/// A playable game and the warnings about its text, or every problem found, in the order of the text.
pub type Loaded = Result<(Machine, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Text to machine, the whole pipeline: parse, check under `settings`, compile. Warnings come with success too.
///
/// # Errors
/// Every problem found, errors and warnings, in the order of the text. A game that extends another needs [`load_with`].
pub fn load(text: &str, settings: &Settings) -> Loaded {
    load_with("", text, settings, &check::extends::no_files).0
}

/// As [`load`], with a loader for the files that the game extends. `name` is that of the text, from which the loader
/// starts. The files that were read come back too: the spans of problems are to be looked up in them.
pub fn load_with(
    name: &str,
    text: &str,
    settings: &Settings,
    loader: Loader<'_>,
) -> (Loaded, Sources) {
    load_in_phases(name, text, settings, loader, &mut |_| {})
}

/// As [`load_with`], for somebody who wants to know when each phase is over: it is told by what has been done.
pub(crate) fn load_in_phases(
    name: &str,
    text: &str,
    settings: &Settings,
    loader: Loader<'_>,
    over: &mut dyn FnMut(&'static str),
) -> (Loaded, Sources) {
    let (file, problems, sources) = check::extends::assemble(name, text, loader);
    over("read");
    let mut loaded = finish(file, problems, settings, over);
    if let Err(problems) = &mut loaded {
        check::proposals::choose(problems, &sources, settings, loader);
    }
    (loaded, sources)
}

/// Solves a game of two players with a constant sum in which nothing is hidden, simultaneous moves and chance included, by
/// backward induction: exact up to rounding (Lanctot, Lisý & Winands 2013, section 2). `None` when `cancel` was set before
/// the end.
///
/// # Errors
/// [`SolveError::Unsuited`](errors::SolveError::Unsuited) for any other game,
/// [`SolveError::OutOfMemory`](errors::SolveError::OutOfMemory) for a game with too many states, and errors of play.
pub fn solve(
    machine: &Arc<Machine>,
    options: &BackwardOptions,
    cancel: &AtomicBool,
) -> Result<Option<Solved>, solve::SolveError> {
    let saved = backward::Saved::default();
    Ok(
        match backward::solve(machine, options, saved, &mut (), cancel)? {
            backward::Completion::Solved(solved) => Some(*solved),
            backward::Completion::Stopped { .. } => None,
        },
    )
}

fn finish(
    file: Option<syntax::ast::File>,
    mut problems: Vec<Diagnostic>,
    settings: &Settings,
    over: &mut dyn FnMut(&'static str),
) -> Loaded {
    let Some(file) = file else {
        return Err(problems);
    };
    let broken = problems.iter().any(Diagnostic::is_error);
    let (description, more) = check::check_rest(&file, settings, broken);
    // What ends where the text could not be read on is half of something, and of another type than the whole.
    let is_half = |d: &Diagnostic| {
        let mut unread = problems.iter().filter(|d| d.is_error());
        d.code == model::codes::TYPE_MISMATCH
            && unread.any(|u| d.span.end <= u.span.start && u.span.start <= d.span.end + 1)
    };
    let more: Vec<Diagnostic> = more.into_iter().filter(|d| !is_half(d)).collect();
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
    over("checked");
    match compile::compile(description) {
        Ok(program) => {
            let machine = Machine::new(program);
            over("compiled");
            Ok((machine, problems))
        }
        Err(more) => {
            problems.extend(more);
            Err(problems)
        }
    }
}
