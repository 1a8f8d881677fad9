//! Plays games of an experiment over several threads.

use super::plan::{Experiment, Unit};
use crate::arena::error::ArenaError;
use crate::arena::game::{GameResult, play_game};
use crate::arena::match_::{MatchOptions, sit_down, spread};
use std::sync::atomic::AtomicBool;

/// A game that could not be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// `None`: it lies with no game.
    pub unit: Option<Unit>,
    pub error: ArenaError,
}

/// Hears of every game when it is finished.
pub type Finished<'a> = dyn Fn(Unit, &GameResult) + Sync + 'a;

/// Plays the games of a list. `finished` hears of each of them, on any of the threads and in any order, and `progress`
/// of the number of finished ones after that. When `cancel` is set, the games under way are dropped.
///
/// # Errors
/// Of several games that fail, the one that stands first in the list. Games that were finished before have been told.
pub fn play(
    experiment: &Experiment,
    list: &[Unit],
    threads: Option<usize>,
    finished: &Finished<'_>,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<(), Failed> {
    let options = MatchOptions {
        games: list.len() as u64,
        seed: experiment.seed,
        threads,
    };
    let one_game = |number: u64| {
        let unit = list[number as usize];
        let cell = &experiment.cells[unit.cell];
        let mut seated = sit_down(&cell.play, unit.game)?;
        let machine = &cell.play.machine;
        let result = play_game(machine, &mut seated, cell.seed, unit.game, false, cancel)?;
        Ok(result.map(|result| finished(unit, &result)))
    };
    let played = spread(&options, cancel, one_game, progress);
    let (_, failed) = played.map_err(|error| Failed { unit: None, error })?;
    match failed.into_iter().min_by_key(|(number, _)| *number) {
        Some((number, error)) => Err(Failed {
            unit: Some(list[number as usize]),
            error,
        }),
        None => Ok(()),
    }
}
