//! What a game is like, for whoever designs it: what games between equal players show (`trace` goes through each again, `sums`
//! adds them up), what players of other strength do against them (`contest`), and pictures of it (`svg`).
//!
//! Positions are estimated by random playouts from the true state (`estimate`). That is not what a player knows or plans: it
//! tells how many of the ways that are left are good for whom.

mod contest;
mod estimate;
mod sums;
pub mod svg;
mod trace;

pub use contest::Contest;
pub use sums::{Branching, Course, Length};
pub use trace::mark;

use super::error::ArenaError;
use super::game::GameResult;
use super::match_::{Keep, Match, MatchOptions, Watch, play_match_and_keep};
use super::report::Results;
use super::seating::SeatingPlan;
use super::statistics::{Share, WinDrawLoss};
use crate::machine::{Machine, PlayError};
use crate::model::Claim;
use crate::players::{Clock, PlayerSpec};
use contest::contest;
use indexmap::IndexMap;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use trace::{Trace, trace};

/// What to report on.
pub struct Subject {
    pub machine: Arc<Machine>,
    /// Who plays every seat in the games that are gone through.
    pub player: PlayerSpec,
    /// Those against whom it plays, with seats exchanged.
    pub weaker: Vec<PlayerSpec>,
    pub clock: Clock,
}

impl Subject {
    /// How many games are played in all.
    pub fn games(&self, games: u64) -> u64 {
        let each = contest::games(&self.machine, games);
        games + self.weaker.len() as u64 * each
    }
}

/// What a game is like. The same seed gives the same on any number of threads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameReport {
    /// The name of the game.
    pub game: String,
    /// The values of its params, as text.
    pub params: IndexMap<String, String>,
    pub seed: u64,
    /// How many games between equal players were asked for, and how many of them were played and gone through.
    pub games: u64,
    pub finished: u64,
    /// Who played every seat of these.
    pub player: String,
    /// The seat that made the first choice in every game, alone; `None` where there is no such seat.
    pub first: Option<String>,
    /// By the name of the seat, in seating order.
    pub seats: IndexMap<String, Results>,
    /// Games whose best payoff several sides had; `None` where payoffs cannot be compared between players.
    pub draws: Option<Share>,
    pub length: Length,
    pub branching: Branching,
    pub course: Course,
    /// The player against weaker ones.
    pub skill: Vec<Contest>,
}

/// A report, and the games between equal players that it is about.
pub struct Reported {
    pub report: GameReport,
    /// With their moves, in the order of their numbers.
    pub games: Vec<GameResult>,
}

/// Plays and sums up. `progress` hears how many games are finished, of [`Subject::games`]; when `cancel` is set, the report is
/// about what was finished.
///
/// # Errors
/// As [`super::play_match`]; and where the rules run into an error in a playout.
pub fn report(
    subject: &Subject,
    options: &MatchOptions,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<Reported, ArenaError> {
    let machine = &subject.machine;
    let play = subject.of(&[&subject.player])?;
    let kept: Mutex<BTreeMap<u64, (GameResult, Trace)>> = Mutex::default();
    let failed: Mutex<BTreeMap<u64, PlayError>> = Mutex::default();
    let finished =
        |game: u64, result: &GameResult| match trace(machine, options.seed, game, result, cancel) {
            Ok(Some(trace)) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.insert(game, (result.clone(), trace));
            }
            Ok(None) => {}
            Err(error) => {
                let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.insert(game, error);
            }
        };
    let keep = Keep {
        known: &BTreeMap::new(),
        finished: &finished,
    };
    let watch = Watch::progress(progress);
    let played = play_match_and_keep(&play, options, Some(keep), watch, cancel)?;
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some((game, error)) = failed.into_iter().next() {
        return Err(ArenaError::Rules { game, error });
    }
    let done = AtomicU64::new(played.finished);
    let mut skill = Vec::new();
    for (number, weaker) in subject.weaker.iter().enumerate() {
        let start = done.load(Ordering::Relaxed);
        let hears = |n: u64| progress(start + n);
        let one = contest(subject, weaker, number as u64, options, &hears, cancel)?;
        done.store(start + one.games, Ordering::Relaxed);
        skill.push(one);
    }
    let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (games, traces): (Vec<GameResult>, Vec<Trace>) = kept.into_values().unzip();
    let traces: Vec<&Trace> = traces.iter().collect();
    let report = GameReport {
        game: played.game,
        params: played.params,
        seed: options.seed,
        games: options.games,
        finished: traces.len() as u64,
        player: subject.player.to_string(),
        first: sums::first(&traces).map(|seat| machine.player_name(seat).to_string()),
        seats: played.seats,
        draws: draws(machine, &games),
        length: sums::length(&traces),
        branching: sums::branching(&traces),
        course: sums::course(&traces, estimate::PLAYOUTS),
        skill,
    };
    Ok(Reported { report, games })
}

impl Subject {
    /// A match between players: one on all seats, or as many as there are seats, which they change.
    fn of(&self, specs: &[&PlayerSpec]) -> Result<Match, ArenaError> {
        let seats: Vec<&str> = self.machine.player_names().collect();
        let specs: Vec<String> = specs.iter().map(ToString::to_string).collect();
        Ok(Match {
            machine: self.machine.clone(),
            plan: SeatingPlan::parse(&specs.join(","), &seats).map_err(ArenaError::Players)?,
            clock: self.clock.clone(),
        })
    }
}

/// Games without a sole winner.
fn draws(machine: &Machine, games: &[GameResult]) -> Option<Share> {
    let n = machine.player_count();
    if n < 2 || !matches!(machine.features().claim, Claim::ConstantSum { .. }) {
        return None;
    }
    let sides = &machine.description().payoff.sides;
    let is_drawn = |game: &&GameResult| {
        (0..n).any(|s| WinDrawLoss::of(&game.payoffs, sides, s) == WinDrawLoss::Draw)
    };
    let drawn = games.iter().filter(is_drawn).count();
    Some(Share::of(drawn as u64, games.len() as u64))
}

#[cfg(test)]
mod tests;
