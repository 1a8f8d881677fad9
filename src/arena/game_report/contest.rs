//! A player against weaker ones, which tells how much skill matters.

use super::Subject;
use crate::arena::bounds::{joined, of_seats};
use crate::arena::error::ArenaError;
use crate::arena::game::GameResult;
use crate::arena::match_::{Keep, MatchOptions, Watch, play_match_and_keep};
use crate::arena::report::Results;
use crate::arena::statistics::Mean;
use crate::machine::Machine;
use crate::players::PlayerSpec;
use crate::random::derive;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// One seat is the stronger player's and all others are the weaker one's; the seats change from game to game. In a game for
/// one, the weaker player plays alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contest {
    pub weaker: String,
    /// How many games were finished.
    pub games: u64,
    /// Of the stronger player; `None` in a game for one, where the games of the report tell.
    pub stronger_results: Option<Results>,
    /// Of the weaker player, one value a game: the mean over its seats.
    pub weaker_payoff: Mean,
}

/// How many games make up a contest: not fewer than asked for, and such that everybody plays each seat equally often.
pub fn games(machine: &Machine, games: u64) -> u64 {
    games.next_multiple_of(machine.player_count().max(1) as u64)
}

/// Plays contest number `number`.
///
/// # Errors
/// As [`crate::arena::play_match`].
pub fn contest(
    subject: &Subject,
    weaker: &PlayerSpec,
    number: u64,
    options: &MatchOptions,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<Contest, ArenaError> {
    let machine = &subject.machine;
    let n = machine.player_count();
    let mut specs = vec![weaker; n];
    if n > 1 {
        specs[0] = &subject.player;
    }
    let play = subject.of(&specs)?;
    let options = MatchOptions {
        games: games(machine, options.games),
        seed: derive(options.seed, &[number]),
        threads: options.threads,
    };
    let kept: Mutex<BTreeMap<u64, Vec<f64>>> = Mutex::default();
    let finished = |game: u64, result: &GameResult| {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(game, result.payoffs.to_vec());
    };
    let keep = Keep {
        known: &BTreeMap::new(),
        finished: &finished,
    };
    let watch = Watch::progress(progress);
    let played = play_match_and_keep(&play, &options, Some(keep), watch, cancel)?;
    let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut bounds = None;
    let mut payoffs = Vec::new();
    for (game, own) in kept {
        let seating = play.plan.seating(game);
        let seats: Vec<usize> = (0..n).filter(|&s| n == 1 || seating[s] != 0).collect();
        bounds = joined(bounds, Some(of_seats(machine, &seats)));
        let sum: f64 = seats.iter().map(|&s| own[s]).sum();
        payoffs.push((sum / seats.len() as f64, 1));
    }
    let mut players = played.players.into_iter();
    Ok(Contest {
        weaker: weaker.to_string(),
        games: played.finished,
        stronger_results: players.next().filter(|_| n > 1).map(|p| p.results),
        weaker_payoff: Mean::within(bounds.unwrap_or_default(), payoffs.into_iter()),
    })
}
