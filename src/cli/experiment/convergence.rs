//! Makes the searches of an experiment about convergence.

use super::ExperimentCommand;
use super::describe::Described;
use super::runs::{over_tree, search as make_runs};
use crate::arena::experiment::Convergence;
use crate::arena::experiment::convergence::Judge;
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure, Verdict, plural};
use crate::cli::progress;
use crate::cli::solve::checkpoint_file::{self, Synced};
use crate::cli::solve::failure::failure;
use crate::cli::solve::threads;
use crate::solve::backward::checkpoint::Checkpoint;
use crate::solve::backward::depth_limited_tree::{MOST_NODES, TooLarge};
use crate::solve::backward::{BackwardOptions, Completion, Phase, Saved, Solved, Watch, solve};
use crate::solve::tree::TreeError;
use crate::solve::{SolveError, codes};
use indicatif::ProgressBar;
use std::path::Path;
use std::sync::atomic::AtomicBool;

pub fn search(
    command: &ExperimentCommand,
    described: &mut Described<Convergence>,
) -> Result<Verdict, Failure> {
    let depth = &described.experiment.measure.depth;
    if depth.is_empty() {
        command.without_memory("the whole game needs")?;
    }
    let (depths, folder) = (depth.clone(), described.folder.clone());
    make_runs(command, described, |loaded, stop| match depths.as_slice() {
        [] => whole(loaded, stop),
        depths => near(loaded, command, depths, &folder, stop),
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
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Option<Judge>, Failure> {
    let Some(solved) = valued(loaded, command, folder, stop)? else {
        return Ok(None);
    };
    Judge::near_start(&solved, depths)
        .map(Some)
        .map_err(|error| match error {
            TooLarge::Walk(error) => failure(loaded, &error),
            TooLarge::Nodes => {
                let message = format!("there are more than {MOST_NODES} nodes within the depth");
                let hint = "measure at a smaller depth".to_string();
                Failure::no(loaded.outside(None, message, Some(hint)))
            }
        })
}

/// The game with the exact values of its states. They are kept in the folder of the results, and need not be computed again for
/// another part or a run that goes on; where another run is keeping them now, they are computed here too.
fn valued(
    loaded: &Loaded,
    command: &ExperimentCommand,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Option<Box<Solved>>, Failure> {
    let defaults = BackwardOptions::default();
    let options = BackwardOptions {
        memory: command.memory.unwrap_or(defaults.memory),
    };
    let threads = threads(command.threads)?;
    std::fs::create_dir_all(folder).map_err(|e| Failure::cannot_write(folder, &e))?;
    let path = folder.join(checkpoint_file::own_name(loaded));
    let attempt = || -> Result<_, Failure> {
        let (kept, saved) = match checkpoint_file::open_own(&path, loaded)? {
            Some((kept, saved)) => {
                let known = plural(saved.values.len() as u64, "layer");
                output::detail(|| format!("{}: values of {known}", path.display()));
                (Some(kept), saved)
            }
            None => (None, Saved::default()),
        };
        let mut watch = Keeping {
            counter: progress::counter("states for the exact values"),
            kept,
        };
        let machine = &loaded.machine;
        let solved = threads.install(|| solve(machine, &options, saved, &mut watch, stop));
        watch.counter.finish_and_clear();
        if let Some(kept) = watch.kept {
            kept.finish()
                .map_err(|e| Failure::cannot_write(&path, &e))?;
        }
        Ok(solved)
    };
    let mut solved = attempt()?;
    // What was kept reads well and does not fit: it is of no use, and begun anew.
    if matches!(solved, Err(SolveError::Saved)) {
        std::fs::remove_file(&path).map_err(|e| Failure::cannot_write(&path, &e))?;
        solved = attempt()?;
    }
    match solved.map_err(|error| failure(loaded, &error))? {
        Completion::Solved(solved) => Ok(Some(solved)),
        Completion::Stopped { .. } => Ok(None),
    }
}

/// Shows how far the solver is, and keeps what it has found.
struct Keeping {
    counter: ProgressBar,
    kept: Option<Checkpoint<Synced>>,
}

impl Watch for Keeping {
    fn progress(&mut self, _: Phase, states: u64, _: Option<u64>) {
        self.counter.set_position(states);
    }

    fn layer_found(
        &mut self,
        layer: usize,
        states: &mut dyn ExactSizeIterator<Item = (u32, &[u64])>,
    ) -> bool {
        let kept = self.kept.as_mut();
        kept.is_none_or(|kept| kept.layer_found(layer, states))
    }

    fn layer_solved(
        &mut self,
        layer: usize,
        gap: f64,
        values: &mut dyn ExactSizeIterator<Item = f64>,
    ) -> bool {
        let kept = self.kept.as_mut();
        kept.is_none_or(|kept| kept.layer_solved(layer, gap, values))
    }
}
