//! Many games between the same players over several threads, with the same result on any number of them.

use super::error::ArenaError;
use super::game::{GameResult, play_game};
use super::random_games::RandomGames;
use super::report::{MatchResult, sum_up};
use super::seating::{SeatingPlan, Seatings};
use super::spread::Work;
use super::sums::Sums;
use crate::machine::Machine;
use crate::players::{self, Clock, Player, Thought};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// So many games between random players are handed to a thread at once.
const RANDOM_GAMES: u64 = 64;

/// What to play.
#[derive(Clone)]
pub struct Match {
    /// The game.
    pub machine: Arc<Machine>,
    /// Who plays, and on which seats.
    pub plan: SeatingPlan,
    /// For players with a budget in milliseconds.
    pub clock: Clock,
}

/// How much of a match to play, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchOptions {
    /// How many games.
    pub games: u64,
    /// Everything random in the match comes from it.
    pub seed: u64,
    /// On how many threads; the result is the same on any number. `None`: as many as the computer has.
    pub threads: Option<usize>,
}

/// For a match whose games are recorded.
#[derive(Clone, Copy)]
pub struct Keep<'a> {
    /// Games that were played before, by number. They are not played again, and count as if they had been.
    pub known: &'a BTreeMap<u64, GameResult>,
    /// Hears of every other game when it is finished, with all its moves; on any of the threads.
    pub finished: &'a (dyn Fn(u64, &GameResult) + Sync),
}

/// Whoever watches a match while it is played, on any of the threads. Nothing that it hears is part of the result but the number of
/// games.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Hears the number of finished games after each of them, or after some where all players are random.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// Hears how long a player of the plan thought in a game, by its place there.
    pub thought: &'a (dyn Fn(usize, Thought) + Sync),
}

impl<'a> Watch<'a> {
    /// Hears nothing but the number of games.
    pub fn progress(progress: &'a (dyn Fn(u64) + Sync)) -> Watch<'a> {
        Watch {
            progress,
            thought: &|_, _| {},
        }
    }
}

/// Plays the match, in memory that does not grow with the number of games. `progress` hears the number of finished games after
/// each of them, or after some where all players are random, on any of the threads. When `cancel` is set, the games under way
/// are dropped and the finished ones make the result.
///
/// # Errors
/// [`ArenaError`]; of several games that fail, the one with the lowest number, on any number of threads.
pub fn play_match(
    play: &Match,
    options: &MatchOptions,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<MatchResult, ArenaError> {
    play_match_and_keep(play, options, None, Watch::progress(progress), cancel)
}

/// As [`play_match`], for somebody who keeps the games.
///
/// # Errors
/// As [`play_match`].
pub fn play_match_and_keep(
    play: &Match,
    options: &MatchOptions,
    keep: Option<Keep<'_>>,
    watch: Watch<'_>,
    cancel: &AtomicBool,
) -> Result<MatchResult, ArenaError> {
    check_players(play)?;
    let machine = &*play.machine;
    let seatings = Seatings::new(&play.plan);
    let sums = || Sums::new(machine, &play.plan);
    // Who keeps games wants their moves.
    let is_random = keep.is_none() && play.plan.is_random();
    let block = if is_random { RANDOM_GAMES } else { 1 };
    let work = Work::new(options.games, block, watch.progress, cancel);
    let parts = work.spread(options.threads, |work| {
        let mut sums = sums();
        let mut random = match is_random {
            true => RandomGames::new(machine, options.seed),
            false => None,
        };
        work.share(|game| {
            let seating = seatings.of(game);
            if let Some(one) = random.as_mut().and_then(|games| games.play(game)) {
                sums.add(&seating, &one.played.payoffs, one.plies);
                return Ok(true);
            }
            if let Some(known) = keep.and_then(|k| k.known.get(&game)) {
                sums.add_game(&seating, known);
                return Ok(true);
            }
            let mut seated = sit_down(play, game)?;
            let keeps = keep.is_some();
            let result = play_game(machine, &mut seated, options.seed, game, keeps, cancel)?;
            let Some(result) = result else {
                return Ok(false);
            };
            for (&who, player) in std::iter::zip(&*seating, &seated) {
                (watch.thought)(who, player.thought());
            }
            if let Some(keep) = keep {
                (keep.finished)(game, &result);
            }
            sums.add_game(&seating, &result);
            Ok(true)
        });
        sums
    });
    let mut all = sums();
    for part in parts.map_err(|(_, error)| error)? {
        all.merge(&part);
    }
    Ok(sum_up(&play.plan, options.seed, options.games, &all))
}

/// Refuses a match in which some player cannot play the game at all.
///
/// # Errors
/// [`ArenaError::Player`], for the first such player.
pub fn check_players(play: &Match) -> Result<(), ArenaError> {
    for (i, spec) in play.plan.specs().iter().enumerate() {
        players::suits(spec, &play.machine).map_err(|error| {
            let mut seats = (0..play.machine.player_count()).filter(|&s| play.plan.may_sit(i, s));
            ArenaError::Player {
                game: None,
                seat: play
                    .machine
                    .player_name(seats.next().unwrap_or(0))
                    .to_string(),
                error,
            }
        })?;
    }
    Ok(())
}

/// The players of one game, in seating order. They are made anew for each, so that no game depends on another.
pub(super) fn sit_down(play: &Match, game: u64) -> Result<Vec<Box<dyn Player>>, ArenaError> {
    let seating = play.plan.seating(game);
    let seats = seating.iter().enumerate().map(|(seat, &who)| {
        players::build(&play.plan.specs()[who], &play.machine, &play.clock).map_err(|error| {
            ArenaError::Player {
                game: Some(game),
                seat: play.machine.player_name(seat).to_string(),
                error,
            }
        })
    });
    seats.collect()
}
