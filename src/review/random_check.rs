//! What a game shows when it is played at random for a while: errors that no check of its text can exclude, moves that
//! cannot be told apart, lints, and which places of the rules were reached.

use super::Subject;
use super::coverage::Coverage;
use super::lints::{lints, never_called, never_used};
use super::random_games::{Limits, random_games};
use super::unused::unused;
use crate::check::codes::SHARED_TEXT;
use crate::machine::SharedText;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::sync::Arc;

/// What random games are played for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A quick look, which ends with lints.
    Lints,
    /// Which places of the rules so many games reach. There are no lints.
    Coverage { games: u64 },
}

/// The most plies of a game for coverage, on average over so many games at least: some need not end.
const PLIES: u64 = 1_000;
const LEAST_GAMES: u64 = 1_000;

impl Purpose {
    fn limits(self) -> Limits {
        match self {
            Purpose::Lints => Limits {
                games: 1_000,
                plies: 20_000,
                seed: 1,
                texts: true,
            },
            Purpose::Coverage { games } => Limits {
                games,
                plies: games.max(LEAST_GAMES).saturating_mul(PLIES),
                seed: 1,
                texts: true,
            },
        }
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub struct RandomCheck {
    /// Errors of play, moves with one text, lints.
    pub problems: Vec<Diagnostic>,
    /// What was reached; `None` where play ran into an error, or the game is too large to have marks and coverage was asked
    /// for.
    pub coverage: Option<Coverage>,
    /// The games that came to their end.
    pub games: u64,
}

/// Plays a game at random. `stop` is asked before every ply, with the number of games that are over; a game that was stopped
/// has no lints.
pub fn random_check(
    game: &Subject<'_>,
    purpose: Purpose,
    stop: &mut dyn FnMut(u64) -> bool,
) -> RandomCheck {
    let mut check = RandomCheck::default();
    let with_lints = purpose == Purpose::Lints;
    // A game too large to have marks is played without them.
    let (machine, marked) = match game.machine.marked() {
        Ok(machine) => (Arc::new(machine), true),
        Err(_) if with_lints => (game.machine.clone(), false),
        Err(problems) => {
            check.problems = problems;
            return check;
        }
    };
    let found = random_games(&machine, &purpose.limits(), stop);
    check.games = found.survey.games;
    let known = |span: Span| {
        let mut warnings = game.warnings.iter();
        warnings.any(|d| d.code == SHARED_TEXT && span.contains(d.span))
    };
    let texts = found.shared_texts.iter().filter(|s| !known(s.span));
    check.problems.extend(texts.map(SharedText::diagnostic));
    // What is extended may have more than is used.
    let own = |span: &Span| game.sources.locate(*span).0 == 0;
    let uncalled = machine.description().uncalled.iter().copied();
    check.problems.extend(never_called(uncalled.filter(own)));
    if let Some(file) = game.file() {
        let unused = unused(&file).into_iter();
        check.problems.extend(never_used(unused.filter(own)));
    }
    if let Some(error) = found.error {
        check.problems.push(error.diagnostic());
        return check;
    }
    let mut coverage = Coverage::new(&game.outline());
    coverage.add(&machine);
    if marked && with_lints && !found.survey.stopped {
        let found = lints(&machine, &coverage, &found.survey);
        check.problems.extend(found);
    }
    check.coverage = Some(coverage);
    check
}
