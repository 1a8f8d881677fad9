//! Plays the games of an experiment.

use super::ExperimentCommand;
use super::describe::Described;
use super::making::{Making, failed, make};
use crate::arena::experiment::matches::{Line, play as play_games};
use crate::arena::experiment::{Matches, Measure, Unit};
use crate::arena::{GameResult, check_players};
use crate::cli::output::{self, Failure, Verdict};
use crate::cli::prepare::Preparing;
use crate::cli::{interrupt, match_};
use crate::players::PlayerSpec;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub fn play(
    command: &ExperimentCommand,
    described: &mut Described<Matches>,
) -> Result<Verdict, Failure> {
    command.without_memory("games need")?;
    for cell in &described.experiment.cells {
        let loaded = &described.games[cell.variant];
        check_players(&cell.play).map_err(|error| match_::failure(loaded, &error))?;
    }
    let stop = interrupt::flag();
    prepare(described, &stop)?;
    let described = &*described;
    make(command, described, &stop, |list, making| {
        work(command, described, list, making)
    })
}

/// Gets the players ready, each once for a variant. Files that they name are beside the experiment.
fn prepare(described: &mut Described<Matches>, stop: &Arc<AtomicBool>) -> Result<(), Failure> {
    let folder = described.file.parent().unwrap_or(Path::new(""));
    let mut known: Vec<(usize, PlayerSpec)> = Vec::new();
    for cell in &mut described.experiment.cells {
        let preparing = Preparing {
            loaded: &described.games[cell.variant],
            folder,
            stop,
        };
        let plan = cell.play.plan.clone();
        cell.play.plan = plan.prepared(|spec| -> Result<PlayerSpec, Failure> {
            let of_cell =
                |(variant, s): &&(usize, PlayerSpec)| *variant == cell.variant && s == spec;
            if let Some((_, ready)) = known.iter().find(of_cell) {
                return Ok(ready.clone());
            }
            let ready = preparing.player(spec)?;
            known.push((cell.variant, ready.clone()));
            Ok(ready)
        })?;
    }
    Ok(())
}

fn work(
    command: &ExperimentCommand,
    described: &Described<Matches>,
    list: &[Unit],
    making: &Making<'_>,
) -> Result<(), Failure> {
    let experiment = &described.experiment;
    if Matches::depends_on_time(experiment) && !list.is_empty() {
        output::say("a budget in milliseconds: another run gives another table");
    }
    let finished =
        |unit: Unit, result: &GameResult| (making.put)(Line::of_game(unit, result).text());
    let threads = command.threads.map(|n| n as usize);
    let (progress, stop) = (making.progress, making.stop);
    play_games(experiment, list, threads, &finished, progress, stop).map_err(|error| {
        failed(described, &error, |cell| {
            (cell.variant, format!("in the pairing {}:", cell.label))
        })
    })
}
