//! Plays games of an experiment over several threads, and whatever else an experiment has a list of.

use super::plan::{Experiment, Unit};
use crate::arena::error::ArenaError;
use crate::arena::game::{GameResult, play_game};
use crate::arena::match_::{sit_down, spread};
use std::sync::atomic::AtomicBool;

/// A piece of work that could not be done, such as a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed<U> {
    /// `None`: it lies with none of them.
    pub unit: Option<U>,
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
) -> Result<(), Failed<Unit>> {
    let one_game = |unit: Unit| {
        let cell = &experiment.cells[unit.cell];
        let mut seated = sit_down(&cell.play, unit.game)?;
        let machine = &cell.play.machine;
        let result = play_game(machine, &mut seated, cell.seed, unit.game, false, cancel)?;
        Ok(result.map(|result| finished(unit, &result)))
    };
    each(list, threads, one_game, progress, cancel)
}

/// Does the work of a list over several threads; `None` for a piece that was dropped because of `cancel`. `progress` hears
/// how many pieces are finished.
///
/// # Errors
/// Of several pieces that fail, the one that stands first in the list.
pub(super) fn each<U: Copy + Sync>(
    list: &[U],
    threads: Option<usize>,
    work: impl Fn(U) -> Result<Option<()>, ArenaError> + Sync,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<(), Failed<U>> {
    let one = |number: u64| work(list[number as usize]);
    let played = spread(list.len() as u64, threads, cancel, one, progress);
    let (_, failed) = played.map_err(|error| Failed { unit: None, error })?;
    match failed.into_iter().min_by_key(|(number, _)| *number) {
        Some((number, error)) => Err(Failed {
            unit: Some(list[number as usize]),
            error,
        }),
        None => Ok(()),
    }
}
