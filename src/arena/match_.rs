//! Many games between the same players over several threads, with the same result on any number of them.

use super::error::ArenaError;
use super::game::{GameResult, play_game};
use super::report::{MatchResult, sum_up};
use super::seating::SeatingPlan;
use crate::machine::Machine;
use crate::players::{self, Clock, Player};
use crate::threads::Threads;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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

/// Plays the match. `progress` hears the number of finished games after each of them, on any of the threads. When `cancel`
/// is set, the games under way are dropped and the finished ones make the result.
///
/// # Errors
/// [`ArenaError`]; of several games that fail, the one with the lowest number, on any number of threads.
pub fn play_match(
    play: &Match,
    options: &MatchOptions,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<MatchResult, ArenaError> {
    play_match_and_keep(play, options, None, progress, cancel)
}

/// As [`play_match`], for somebody who keeps the games.
///
/// # Errors
/// As [`play_match`].
pub fn play_match_and_keep(
    play: &Match,
    options: &MatchOptions,
    keep: Option<Keep<'_>>,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<MatchResult, ArenaError> {
    check_players(play)?;
    let one_game = |game| {
        if let Some(known) = keep.and_then(|k| k.known.get(&game)) {
            return Ok(Some(known.clone()));
        }
        let mut seated = sit_down(play, game)?;
        let (machine, seed) = (&play.machine, options.seed);
        let mut result = play_game(machine, &mut seated, seed, game, keep.is_some(), cancel)?;
        if let (Some(keep), Some(result)) = (keep, &mut result) {
            (keep.finished)(game, result);
            result.moves = Vec::new();
        }
        Ok(result)
    };
    let (mut finished, failed) =
        spread(options.games, options.threads, cancel, one_game, progress)?;
    if let Some((_, error)) = failed.into_iter().min_by_key(|(game, _)| *game) {
        return Err(error);
    }
    finished.sort_by_key(|(game, _)| *game);
    Ok(sum_up(
        &play.machine,
        &play.plan,
        options.seed,
        options.games,
        &finished,
    ))
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

/// Games by number: those that were finished, and those that failed.
pub(super) type Played<T> = (Vec<(u64, T)>, Vec<(u64, ArenaError)>);

/// Hands the games out to the threads one after the other, so that what is finished is nearly a beginning of the list.
/// After a failure no later game is begun; all earlier ones are played.
pub(super) fn spread<T: Send>(
    games: u64,
    threads: Option<usize>,
    cancel: &AtomicBool,
    play: impl Fn(u64) -> Result<Option<T>, ArenaError> + Sync,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Played<T>, ArenaError> {
    let most = usize::try_from(games).unwrap_or(usize::MAX).max(1);
    let threads = threads
        .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
        .unwrap_or(1)
        .clamp(1, most.min(1024));
    let threads = Threads::new(Some(threads)).map_err(ArenaError::Threads)?;
    let next = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let first_failure = AtomicU64::new(u64::MAX);
    let parts = threads.on_each(|| {
        let (mut finished, mut failed) = (Vec::new(), Vec::new());
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games
                || game > first_failure.load(Ordering::Relaxed)
                || cancel.load(Ordering::Relaxed)
            {
                return (finished, failed);
            }
            match play(game) {
                Ok(Some(result)) => {
                    finished.push((game, result));
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                }
                Ok(None) => {}
                Err(error) => {
                    first_failure.fetch_min(game, Ordering::Relaxed);
                    failed.push((game, error));
                }
            }
        }
    });
    let mut all: Played<T> = (Vec::new(), Vec::new());
    for (finished, failed) in parts {
        all.0.extend(finished);
        all.1.extend(failed);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(game: u64) -> ArenaError {
        ArenaError::BadAnswer {
            game,
            seat: String::new(),
        }
    }

    #[test]
    fn every_game_is_played_once_on_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let never = AtomicBool::new(false);
            let heard = AtomicU64::new(0);
            let (mut finished, failed) = spread(
                100,
                Some(threads),
                &never,
                |game| Ok(Some(game * game)),
                &|n| {
                    heard.fetch_max(n, Ordering::Relaxed);
                },
            )
            .unwrap();
            finished.sort();
            let expected: Vec<(u64, u64)> = (0..100).map(|g| (g, g * g)).collect();
            assert_eq!(finished, expected);
            assert!(failed.is_empty());
            assert_eq!(heard.into_inner(), 100);
        }
    }

    #[test]
    fn the_first_failure_is_always_the_same() {
        for threads in [1, 2, 7] {
            let never = AtomicBool::new(false);
            let play = |game| {
                if game % 10 == 7 {
                    Err(failure(game))
                } else {
                    Ok(Some(()))
                }
            };
            let (_, failed) = spread(100, Some(threads), &never, play, &|_| {}).unwrap();
            assert_eq!(failed.iter().map(|(g, _)| *g).min(), Some(7));
        }
    }

    #[test]
    fn what_is_finished_stays_when_the_match_is_stopped() {
        let stop = AtomicBool::new(false);
        let play = |game| {
            if game == 10 {
                stop.store(true, Ordering::Relaxed);
                return Ok(None);
            }
            Ok(Some(()))
        };
        let (finished, _) = spread(100, Some(1), &stop, play, &|_| {}).unwrap();
        assert_eq!(finished.len(), 10);
    }

    #[test]
    fn no_games_are_no_error() {
        let never = AtomicBool::new(false);
        let (finished, _) = spread(0, Some(2), &never, |_| Ok(Some(())), &|_| {}).unwrap();
        assert!(finished.is_empty());
    }
}
