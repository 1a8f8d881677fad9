//! Makes the strategies of an experiment about fresh searches.

use super::ExperimentCommand;
use super::describe::Described;
use super::making::{Making, make};
use crate::arena::experiment::fresh_searches::{Questions, play};
use crate::arena::experiment::{FreshSearches, Unit, runs};
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure, Verdict};
use crate::cli::problem::Problem;
use crate::cli::solve::failure;
use crate::cli::{interrupt, match_, progress};
use crate::solve::tree::{TreeError, TreeOptions, build};
use std::sync::atomic::AtomicBool;

pub fn search(
    command: &ExperimentCommand,
    described: &Described<FreshSearches>,
) -> Result<Verdict, Failure> {
    if command.memory.is_some() {
        let message = "--memory is for `depth`: best responses need no exact values";
        return Err(Failure::wrong_use(Problem::outside(None, message)));
    }
    make(command, described, &interrupt::flag(), |list, making| {
        work(command, described, list, making)
    })
}

fn work(
    command: &ExperimentCommand,
    described: &Described<FreshSearches>,
    list: &[Unit],
    making: &Making<'_>,
) -> Result<(), Failure> {
    if list.is_empty() {
        return Ok(());
    }
    let mut questions = Vec::new();
    for loaded in &described.games {
        // Stopped: the strategies are still missing.
        let Some(all) = whole(loaded, making.stop)? else {
            return Ok(());
        };
        questions.push(all);
    }
    let experiment = &described.experiment;
    let finished = |run: Unit, measured: &[f64]| (making.put)(runs::line(run, measured));
    let threads = command.threads.map(|n| n as usize);
    let (progress, stop) = (making.progress, making.stop);
    play(
        experiment, &questions, list, threads, &finished, progress, stop,
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

/// The questions of a game; `None` when it was stopped.
fn whole(loaded: &Loaded, stop: &AtomicBool) -> Result<Option<Questions>, Failure> {
    let counter = progress::counter("nodes of the game");
    let mut progress = |n| counter.set_position(n);
    let machine = &loaded.machine;
    let tree = build(machine, &TreeOptions::default(), &mut progress, stop);
    let questions = tree.and_then(|tree| Questions::new(machine, tree));
    counter.finish_and_clear();
    match questions {
        Ok(questions) => Ok(Some(questions)),
        Err(TreeError::Stopped) => Ok(None),
        Err(error @ TreeError::TooManyNodes(_)) => Err(Failure::no(Problem::Outside {
            file: Some(loaded.source.path.clone()),
            code: error.code(),
            message: error.message(),
            hint: Some("make the game smaller by its params".to_string()),
        })),
        Err(error) => Err(failure::tree(loaded, &error)),
    }
}
