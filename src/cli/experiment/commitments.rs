//! Makes the searches of an experiment about commitments.

use super::ExperimentCommand;
use super::describe::{Described, wrong};
use super::runs::search as make_runs;
use crate::arena::experiment::Commitments;
use crate::arena::experiment::codes::BAD_VALUE;
use crate::arena::experiment::commitments::{Grounds, Unready};
use crate::cli::clock::working_time;
use crate::cli::load::Loaded;
use crate::cli::output::{Failure, Verdict};
use crate::cli::solve::commitment::{MEMORY, unposed};
use crate::solve::commitment::PoseOptions;
use crate::solve::{TreeOptions, codes};
use std::sync::atomic::AtomicBool;

pub fn search(
    command: &ExperimentCommand,
    described: &mut Described<Commitments>,
) -> Result<Verdict, Failure> {
    let Commitments {
        leader,
        leader_place,
        exact,
        ..
    } = described.experiment.measure.clone();
    for loaded in &described.games {
        let names: Vec<&str> = loaded.machine.player_names().collect();
        if loaded.player("leader", &leader).is_err() {
            let message = format!("there is no player `{leader}`");
            let hint = format!("players: {}", names.join(", "));
            let text = &described.source.text;
            let problem = leader_place.report(text, BAD_VALUE, message, &hint);
            return Err(wrong(&described.source, *problem));
        }
    }
    if !exact {
        command.without_memory("the searches need")?;
    }
    let options = PoseOptions {
        memory: command.memory.unwrap_or(MEMORY),
        tree: TreeOptions::default(),
        over_tree: false,
    };
    let options = exact.then_some(options);
    make_runs(command, described, |loaded, stop| {
        ready(loaded, &leader, options.as_ref(), stop)
    })
}

fn ready(
    loaded: &Loaded,
    leader: &str,
    exact: Option<&PoseOptions>,
    stop: &AtomicBool,
) -> Result<Option<Grounds>, Failure> {
    let leader = loaded.player("leader", leader)?;
    match Grounds::new(&loaded.machine, leader, exact, &working_time(), stop) {
        Ok(grounds) => Ok(Some(grounds)),
        Err(Unready::Stopped) => Ok(None),
        Err(Unready::Unposed(error)) => Err(unposed(loaded, error)),
        Err(Unready::Unsuited) => {
            let message = "it is not for two players who learn nothing on the way".to_string();
            let hint = "experiments about commitments are about such games".to_string();
            Err(Failure::no(loaded.outside(
                Some(codes::UNSUITED),
                message,
                Some(hint),
            )))
        }
    }
}
