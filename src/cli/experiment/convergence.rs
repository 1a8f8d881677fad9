//! Makes the searches of an experiment about convergence.

use super::ExperimentCommand;
use super::describe::Described;
use super::making::{Making, make};
use crate::arena::experiment::convergence::{Judge, play};
use crate::arena::experiment::{Convergence, Unit, runs};
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure, Verdict};
use crate::cli::problem::Problem;
use crate::cli::solve::failure::{self, failure};
use crate::cli::{interrupt, match_, progress};
use crate::solve::backward::depth_limited_tree::{MOST_NODES, TooLarge};
use crate::solve::backward::{BackwardOptions, Completion, Phase, Saved, Watch, solve};
use crate::solve::codes;
use crate::solve::tree::{TreeError, TreeOptions, build};
use crate::text::diagnostics::Code;
use crate::threads::Threads;
use indicatif::ProgressBar;
use std::sync::atomic::AtomicBool;

pub fn search(
    command: &ExperimentCommand,
    described: &Described<Convergence>,
) -> Result<Verdict, Failure> {
    let measure = &described.experiment.measure;
    if command.memory.is_some() && measure.depth.is_empty() {
        let message = "--memory is for `depth`: the whole game needs no exact values";
        return Err(Failure::wrong_use(Problem::outside(None, message)));
    }
    make(command, described, &interrupt::flag(), |list, making| {
        work(command, described, list, making)
    })
}

fn work(
    command: &ExperimentCommand,
    described: &Described<Convergence>,
    list: &[Unit],
    making: &Making<'_>,
) -> Result<(), Failure> {
    if list.is_empty() {
        return Ok(());
    }
    let experiment = &described.experiment;
    let mut judges = Vec::new();
    for loaded in &described.games {
        let judge = if experiment.measure.depth.is_empty() {
            whole(loaded, making.stop)?
        } else {
            near(loaded, command, &experiment.measure.depth, making.stop)?
        };
        // Stopped: the searches are still missing.
        let Some(judge) = judge else { return Ok(()) };
        judges.push(judge);
    }
    let finished = |run: Unit, measured: &[f64]| (making.put)(runs::line(run, measured));
    let threads = command.threads.map(|n| n as usize);
    let (progress, stop) = (making.progress, making.stop);
    play(
        experiment, &judges, list, threads, &finished, progress, stop,
    )
    .map_err(|failed| {
        let cell = &experiment.cells[failed.unit.map_or(0, |run| run.cell)];
        if failed.unit.is_some() {
            let (name, _) = &experiment.variants[cell.variant].players[cell.player];
            output::say(&format!("in a search by {name}:"));
        }
        match_::failure(&described.games[cell.variant], &failed.error)
    })
}

/// Judges by best responses over the whole game; `None` when it was stopped.
fn whole(loaded: &Loaded, stop: &AtomicBool) -> Result<Option<Judge>, Failure> {
    let counter = progress::counter("nodes of the game");
    let mut progress = |n| counter.set_position(n);
    let tree = build(
        &loaded.machine,
        &TreeOptions::default(),
        &mut progress,
        stop,
    );
    let judge = tree.and_then(|tree| Judge::whole(&loaded.machine, tree));
    counter.finish_and_clear();
    let refused = |code: Option<Code>, message: String, hint: &str| {
        Failure::no(Problem::Outside {
            file: Some(loaded.source.path.clone()),
            code,
            message,
            hint: Some(hint.to_string()),
        })
    };
    match judge {
        Ok(judge) => Ok(Some(judge)),
        Err(TreeError::Stopped) => Ok(None),
        Err(TreeError::Hidden(player)) => {
            let name = loaded.machine.player_name(player);
            let message = format!("{name} cannot tell what has happened before some choices");
            let hint = "convergence is about games in which nothing is hidden but what is chosen at the same time";
            Err(refused(Some(codes::UNSUITED), message, hint))
        }
        Err(error @ TreeError::TooManyNodes(_)) => {
            let hint =
                "measure it near its start with `depth`, or make the game smaller by its params";
            Err(refused(error.code(), error.message(), hint))
        }
        Err(error) => Err(failure::tree(loaded, &error)),
    }
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
