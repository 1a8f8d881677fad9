//! Makes runs of an experiment about convergence over several threads.

use super::judge::{Judge, Order};
use super::plan::{Convergence, Run};
use crate::arena::error::ArenaError;
use crate::arena::match_::{MatchOptions, spread};
use crate::random::derive;
use std::sync::atomic::AtomicBool;

/// A run that could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// `None`: it lies with no run.
    pub run: Option<Run>,
    pub error: ArenaError,
}

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
) -> Result<(), Failed> {
    let options = MatchOptions {
        games: list.len() as u64,
        seed: experiment.seed,
        threads,
    };
    let one_run = |number: u64| {
        let run = list[number as usize];
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
    let played = spread(&options, cancel, one_run, progress);
    let (_, failed) = played.map_err(|error| Failed { run: None, error })?;
    match failed.into_iter().min_by_key(|(number, _)| *number) {
        Some((number, error)) => Err(Failed {
            run: Some(list[number as usize]),
            error,
        }),
        None => Ok(()),
    }
}
