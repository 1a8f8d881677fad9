//! Plays the games of an experiment.

use super::ExperimentCommand;
use super::describe::Described;
use super::making::{Making, make};
use crate::arena::experiment::matches::{Line, play as play_games};
use crate::arena::experiment::{Matches, Unit};
use crate::arena::{GameResult, check_players};
use crate::cli::match_;
use crate::cli::output::{self, Failure, Verdict};
use crate::cli::problem::Problem;

pub fn play(
    command: &ExperimentCommand,
    described: &Described<Matches>,
) -> Result<Verdict, Failure> {
    if command.memory.is_some() {
        let message = "--memory is for `depth`: games need no exact values";
        return Err(Failure::wrong_use(Problem::outside(None, message)));
    }
    let experiment = &described.experiment;
    for cell in &experiment.cells {
        let loaded = &described.games[cell.variant];
        check_players(&cell.play).map_err(|error| match_::failure(loaded, &error))?;
    }
    make(command, described, |list, making| {
        work(command, described, list, making)
    })
}

fn work(
    command: &ExperimentCommand,
    described: &Described<Matches>,
    list: &[Unit],
    making: &Making<'_>,
) -> Result<(), Failure> {
    let experiment = &described.experiment;
    if experiment.depends_on_time() && !list.is_empty() {
        output::say("a budget in milliseconds: another run gives another table");
    }
    let finished =
        |unit: Unit, result: &GameResult| (making.put)(Line::of_game(unit, result).text());
    let threads = command.threads.map(|n| n as usize);
    let (progress, stop) = (making.progress, making.stop);
    play_games(experiment, list, threads, &finished, progress, stop).map_err(|failed| {
        let cell = &experiment.cells[failed.unit.map_or(0, |unit| unit.cell)];
        if failed.unit.is_some() {
            output::say(&format!("in the pairing {}:", cell.label));
        }
        match_::failure(&described.games[cell.variant], &failed.error)
    })
}
