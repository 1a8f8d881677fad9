//! Makes runs of an experiment about fresh searches over several threads.

use super::FreshSearches;
use super::strategies::Questions;
use crate::arena::error::ArenaError;
use crate::arena::experiment::plan::{Experiment, Unit};
use crate::arena::experiment::run::{Failed, each};
use crate::players::by_information_state;
use crate::random::derive;
use std::sync::atomic::AtomicBool;

/// Makes the runs of a list, with the questions of each variant. `finished` hears of each of them, on any of the threads and
/// in any order, and `progress` of the number of finished ones after that. When `cancel` is set, the runs under way are
/// dropped.
///
/// # Errors
/// Of several runs that fail, the one that stands first in the list.
pub fn play(
    experiment: &Experiment<FreshSearches>,
    questions: &[Questions],
    list: &[Unit],
    threads: Option<usize>,
    finished: &(dyn Fn(Unit, &[f64]) + Sync),
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<(), Failed> {
    let one_run = |(): &mut (), run: Unit| {
        let cell = &experiment.cells[run.cell];
        let spec = &experiment.variants[cell.variant].players[cell.player].1;
        let Some(search) = by_information_state(spec) else {
            return Ok(None);
        };
        let search = search.with_playouts(cell.playouts);
        let purpose = [
            cell.variant as u64,
            cell.player as u64,
            cell.playouts,
            run.number,
        ];
        let seed = derive(experiment.seed, &purpose);
        let questions = &questions[cell.variant];
        let measured = questions.nash_conv(&search, &experiment.measure.searches, seed, cancel);
        let measured = measured.map_err(|(seat, error)| ArenaError::Player {
            game: None,
            seat,
            error,
        })?;
        Ok(measured.map(|measured| finished(run, &measured)))
    };
    each(list, threads, || (), one_run, progress, cancel)
}
