//! Makes runs of an experiment about convergence over several threads.

use super::judge::{Judge, Order};
use super::plan::{Convergence, Run};
use crate::arena::error::ArenaError;
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
    experiment: &Convergence,
    judges: &[Judge],
    list: &[Run],
    threads: Option<usize>,
    finished: &(dyn Fn(Run, &[f64]) + Sync),
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<(), Failed<Run>> {
    let one_run = |run: Run| {
        let (variant, player) = experiment.place(run.cell);
        let purpose = [variant as u64, player as u64, run.number];
        let order = Order {
            options: &experiment.options(run.cell),
            iterations: &experiment.iterations,
            seed: derive(experiment.seed, &purpose),
            cancel,
        };
        let measured = judges[variant].run(&order);
        let game = run.number;
        let measured = measured.map_err(|error| ArenaError::Rules { game, error })?;
        Ok(measured.map(|measured| finished(run, &measured)))
    };
    each(list, threads, one_run, progress, cancel)
}
