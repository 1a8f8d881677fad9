//! Plays games of an experiment over several threads.

use super::Matches;
use crate::arena::experiment::plan::{Experiment, Unit};
use crate::arena::experiment::run::{Failed, each};
use crate::arena::game::{GameResult, play_game};
use crate::arena::match_::sit_down;
use std::sync::atomic::AtomicBool;

/// Hears of every game when it is finished.
pub type Finished<'a> = dyn Fn(Unit, &GameResult) + Sync + 'a;

/// Plays the games of a list. `finished` hears of each of them, on any of the threads and in any order, and `progress`
/// of the number of finished ones after that. When `cancel` is set, the games under way are dropped.
///
/// # Errors
/// Of several games that fail, the one that stands first in the list. Games that were finished before have been told.
pub fn play(
    experiment: &Experiment<Matches>,
    list: &[Unit],
    threads: Option<usize>,
    finished: &Finished<'_>,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<(), Failed> {
    let one_game = |unit: Unit| {
        let cell = &experiment.cells[unit.cell];
        let mut seated = sit_down(&cell.play, unit.number)?;
        let machine = &cell.play.machine;
        let result = play_game(machine, &mut seated, cell.seed, unit.number, false, cancel)?;
        Ok(result.map(|result| finished(unit, &result)))
    };
    each(list, threads, one_game, progress, cancel)
}
