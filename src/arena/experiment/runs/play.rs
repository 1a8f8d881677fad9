//! Makes the runs of an experiment over several threads.

use super::{Runs, Searching};
use crate::arena::experiment::plan::{Experiment, Unit};
use crate::arena::experiment::run::{Failed, each};
use crate::players::PlayerSpec;
use crate::random::derive;
use std::sync::atomic::AtomicBool;

/// A run that is to be made.
pub struct Order<'a, M> {
    pub measure: &'a M,
    pub spec: &'a PlayerSpec,
    pub cell: &'a Searching,
    /// Its number in the cell.
    pub number: u64,
    /// Everything random follows from it.
    pub seed: u64,
    /// Ends the run when it is set.
    pub cancel: &'a AtomicBool,
}

/// Makes the runs of a list, with what is ready for each variant. `finished` hears of each of them, on any of the threads and
/// in any order, and `progress` of the number of finished ones after that. When `cancel` is set, the runs under way are
/// dropped.
///
/// # Errors
/// Of several runs that fail, the one that stands first in the list.
pub fn play<M: Runs + Sync>(
    experiment: &Experiment<M>,
    ready: &[M::Ready],
    list: &[Unit],
    threads: Option<usize>,
    finished: &(dyn Fn(Unit, &[f64]) + Sync),
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<(), Failed> {
    let one_run = |(): &mut (), run: Unit| {
        let cell = &experiment.cells[run.cell];
        let mut purpose = vec![cell.variant as u64, cell.player as u64];
        purpose.extend(cell.playouts);
        purpose.push(run.number);
        let order = Order {
            measure: &experiment.measure,
            spec: &experiment.variants[cell.variant].players[cell.player].1,
            cell,
            number: run.number,
            seed: derive(experiment.seed, &purpose),
            cancel,
        };
        let measured = M::run(&ready[cell.variant], &order)?;
        Ok(measured.map(|measured| finished(run, &measured)))
    };
    each(list, threads, || (), one_run, progress, cancel)
}
