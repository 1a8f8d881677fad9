//! Makes the runs of an experiment, once what they need is ready.

use super::ExperimentCommand;
use super::describe::Described;
use super::making::{failed, make};
use super::seconds::Seconds;
use crate::arena::experiment::Unit;
use crate::arena::experiment::runs::{Made, Runs, Watching, line, play};
use crate::cli::clock::working_time;
use crate::cli::load::Loaded;
use crate::cli::output::{Failure, Verdict};
use crate::cli::solve::failure;
use crate::cli::{interrupt, progress};
use crate::machine::Machine;
use crate::solve::Tree;
use crate::solve::tree::{TreeError, TreeOptions, build};
use crate::text::diagnostics::Code;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Makes them; `ready` gets a game ready, and gives nothing when it was stopped.
pub fn search<M: Runs + Sync>(
    command: &ExperimentCommand,
    described: &Described<M>,
    ready: impl Fn(&Loaded, &AtomicBool) -> Result<Option<M::Ready>, Failure>,
) -> Result<Verdict, Failure> {
    let experiment = &described.experiment;
    make(command, described, &interrupt::flag(), |list, making| {
        if list.is_empty() {
            return Ok(());
        }
        let mut all = Vec::new();
        for loaded in &described.games {
            match ready(loaded, making.stop)? {
                Some(one) => all.push(one),
                // Stopped: the runs are still missing.
                None => return Ok(()),
            }
        }
        let seconds = Seconds::new(&described.folder, command.shard);
        let finished = |run: Unit, made: &Made| {
            seconds.put(run, &made.seconds);
            (making.put)(line(run, &made.numbers));
        };
        let threads = command.threads.map(|n| n as usize);
        let watching = Watching {
            finished: &finished,
            progress: making.progress,
            clock: &working_time,
            cancel: making.stop,
        };
        play(experiment, &all, list, threads, &watching).map_err(|error| {
            failed(described, &error, |cell| {
                let (name, _) = &experiment.variants[cell.variant].players[cell.player];
                (cell.variant, format!("in a search by {name}:"))
            })
        })
    })
}

/// What to say of a tree that cannot be had, where there is more to say than the error does: a code, a message and a hint.
pub type Refused = (Option<Code>, String, &'static str);

/// What is ready of the tree of a whole game; `None` when it was stopped.
pub fn over_tree<T>(
    loaded: &Loaded,
    stop: &AtomicBool,
    ready: impl FnOnce(&Arc<Machine>, Tree) -> Result<T, TreeError>,
    refused: impl Fn(&TreeError) -> Option<Refused>,
) -> Result<Option<T>, Failure> {
    let machine = &loaded.machine;
    let ready = progress::counting("nodes of the game", |progress| {
        let tree = build(machine, &TreeOptions::default(), progress, stop)?;
        ready(machine, tree)
    });
    match ready {
        Ok(ready) => Ok(Some(ready)),
        Err(TreeError::Stopped) => Ok(None),
        Err(error) => Err(match refused(&error) {
            Some((code, message, hint)) => {
                Failure::no(loaded.outside(code, message, Some(hint.to_string())))
            }
            None => failure::tree(loaded, &error),
        }),
    }
}
