//! Makes the searches of an experiment about convergence.

use super::ExperimentCommand;
use super::describe::Described;
use super::runs::{over_tree, search as make_runs};
use crate::arena::experiment::Convergence;
use crate::arena::experiment::convergence::Judge;
use crate::cli::load::Loaded;
use crate::cli::output::{Failure, Verdict};
use crate::cli::problem::Problem;
use crate::cli::progress;
use crate::cli::solve::failure::failure;
use crate::solve::backward::depth_limited_tree::{MOST_NODES, TooLarge};
use crate::solve::backward::{BackwardOptions, Completion, Phase, Saved, Watch, solve};
use crate::solve::codes;
use crate::solve::tree::TreeError;
use crate::threads::Threads;
use indicatif::ProgressBar;
use std::sync::atomic::AtomicBool;

pub fn search(
    command: &ExperimentCommand,
    described: &mut Described<Convergence>,
) -> Result<Verdict, Failure> {
    let depth = &described.experiment.measure.depth;
    if depth.is_empty() {
        command.without_memory("the whole game needs")?;
    }
    make_runs(command, described, |loaded, stop| match depth.as_slice() {
        [] => whole(loaded, stop),
        depths => near(loaded, command, depths, stop),
    })
}

/// Judges by best responses over the whole game; `None` when it was stopped.
fn whole(loaded: &Loaded, stop: &AtomicBool) -> Result<Option<Judge>, Failure> {
    over_tree(loaded, stop, Judge::whole, |error| match error {
        TreeError::Hidden(player) => {
            let name = loaded.machine.player_name(*player);
            let message = format!("{name} cannot tell what has happened before some choices");
            let hint = "convergence is about games in which nothing is hidden but what is chosen at the same time";
            Some((Some(codes::UNSUITED), message, hint))
        }
        TreeError::TooManyNodes(_) => {
            let hint =
                "measure it near its start with `depth`, or make the game smaller by its params";
            Some((error.code(), error.message(), hint))
        }
        _ => None,
    })
}

/// Judges near the first decisions, by the exact values; `None` when it was stopped.
fn near(
    loaded: &Loaded,
    command: &ExperimentCommand,
    depths: &[u32],
    stop: &AtomicBool,
) -> Result<Option<Judge>, Failure> {
    let defaults = BackwardOptions::default();
    let options = BackwardOptions {
        memory: command.memory.unwrap_or(defaults.memory),
    };
    let threads = Threads::new(command.threads.map(|n| n as usize))
        .map_err(|e| Failure::no(Problem::outside(None, format!("no threads: {e}"))))?;
    let mut counter = Counter(progress::counter("states for the exact values"));
    let machine = &loaded.machine;
    let solved = threads.install(|| solve(machine, &options, Saved::default(), &mut counter, stop));
    counter.0.finish_and_clear();
    let solved = match solved.map_err(|error| failure(loaded, &error))? {
        Completion::Solved(solved) => solved,
        Completion::Stopped { .. } => return Ok(None),
    };
    Judge::near_start(&solved, depths)
        .map(Some)
        .map_err(|error| match error {
            TooLarge::Walk(error) => failure(loaded, &error),
            TooLarge::Nodes => {
                let message = format!("there are more than {MOST_NODES} nodes within the depth");
                Failure::no(Problem::Outside {
                    file: Some(loaded.source.path.clone()),
                    code: None,
                    message,
                    hint: Some("measure at a smaller depth".to_string()),
                })
            }
        })
}

/// Shows how far the solver is.
struct Counter(ProgressBar);

impl Watch for Counter {
    fn progress(&mut self, _: Phase, states: u64, _: Option<u64>) {
        self.0.set_position(states);
    }
}
