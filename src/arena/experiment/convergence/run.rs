//! Makes runs of an experiment about convergence over several threads.

use super::Convergence;
use super::judge::{Judge, Order};
use crate::arena::error::ArenaError;
use crate::arena::experiment::plan::{Experiment, Unit};
use crate::arena::experiment::run::{Failed, each};
use crate::random::derive;
use std::sync::atomic::AtomicBool;

/// Makes the runs of a list, with a judge for each variant. `finished` hears of each of them, on any of the threads and in
/// any order, and `progress` of the number of finished ones after that. When `cancel` is set, the runs under way are
/// dropped.
///
/// # Errors
/// Of several runs that fail, the one that stands first in the list.
pub fn play(
    experiment: &Experiment<Convergence>,
    judges: &[Judge],
    list: &[Unit],
    threads: Option<usize>,
    finished: &(dyn Fn(Unit, &[f64]) + Sync),
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<(), Failed> {
    let one_run = |(): &mut (), run: Unit| {
        let cell = &experiment.cells[run.cell];
        let purpose = [cell.variant as u64, cell.player as u64, run.number];
        let order = Order {
            options: &experiment.options(cell),
            iterations: &experiment.measure.iterations,
            seed: derive(experiment.seed, &purpose),
            cancel,
        };
        let measured = judges[cell.variant].run(&order);
        let game = run.number;
        let measured = measured.map_err(|error| ArenaError::Rules { game, error })?;
        Ok(measured.map(|measured| finished(run, &measured)))
    };
    each(list, threads, || (), one_run, progress, cancel)
}
