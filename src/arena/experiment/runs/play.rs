//! Makes the runs of an experiment over several threads.

use super::{Made, Runs, Searching};
use crate::arena::experiment::plan::{Experiment, Unit};
use crate::arena::experiment::run::{Failed, each};
use crate::players::{Clock, PlayerSpec};
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
    /// The seed of the experiment, for runs whose seeds are to be the next ones.
    pub first_seed: u64,
    /// A clock that begins when it is called, of the time that this thread works.
    pub clock: &'a (dyn Fn() -> Clock + Sync),
    /// Ends the run when it is set.
    pub cancel: &'a AtomicBool,
}

/// Who hears of runs, and what they need besides.
pub struct Watching<'a> {
    /// Hears of each run, on any of the threads and in any order.
    pub finished: &'a (dyn Fn(Unit, &Made) + Sync),
    /// Hears of the number of finished ones after that.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// As in [`Order`].
    pub clock: &'a (dyn Fn() -> Clock + Sync),
    /// When it is set, the runs under way are dropped.
    pub cancel: &'a AtomicBool,
}

/// Makes the runs of a list, with what is ready for each variant.
///
/// # Errors
/// Of several runs that fail, the one that stands first in the list.
pub fn play<M: Runs + Sync>(
    experiment: &Experiment<M>,
    ready: &[M::Ready],
    list: &[Unit],
    threads: Option<usize>,
    watching: &Watching<'_>,
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
            first_seed: experiment.seed,
            clock: watching.clock,
            cancel: watching.cancel,
        };
        let made = M::run(&ready[cell.variant], &order)?;
        Ok(made.map(|made| (watching.finished)(run, &made)))
    };
    each(
        list,
        threads,
        || (),
        one_run,
        watching.progress,
        watching.cancel,
    )
}
