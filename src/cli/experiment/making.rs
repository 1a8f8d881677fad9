//! What a run of an experiment does whatever it is about: it keeps every finished piece of work, shows how far it is, and
//! ends with the tables, or with a word on a part.

use super::ExperimentCommand;
use super::describe::Described;
use super::files::ShardFile;
use super::results;
use crate::arena::experiment::{Failed, Measure, Shard, Unit, Words};
use crate::cli::clock::stopwatch;
use crate::cli::output::{self, Failure, Verdict};
use crate::cli::players_text::settings;
use crate::cli::{match_, progress};
use crate::players::PlayerSpec;
use serde::Serialize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// `1 game`, `2 games`.
pub fn count<M: Measure>(n: u64) -> String {
    let Words { one, many, .. } = M::WORDS;
    format!("{n} {}", if n == 1 { one } else { many })
}

/// What a run of one of several parts says.
#[derive(Serialize)]
struct PartReport {
    shard: String,
    /// Games of the part, or searches.
    games: u64,
    finished: u64,
    /// False when a player has a budget in milliseconds, or some are missing.
    reproducible: bool,
    folder: String,
}

/// What the work is given: it hands in a line for each finished piece, tells how many there are, and stops when it is asked
/// to.
pub struct Making<'a> {
    pub put: &'a (dyn Fn(String) + Sync),
    pub progress: &'a (dyn Fn(u64) + Sync),
    pub stop: &'a AtomicBool,
}

/// An error of a piece of work. `of` tells of its cell: the variant, and where the error was.
pub fn failed<M: Measure>(
    described: &Described<M>,
    failed: &Failed,
    of: impl Fn(&M::Cell) -> (usize, String),
) -> Failure {
    let place = failed.unit.map_or(0, |unit| unit.cell);
    let (variant, at) = of(&described.experiment.cells[place]);
    if failed.unit.is_some() {
        output::say(&at);
    }
    match_::failure(&described.games[variant], &failed.error)
}

/// All settings of the players, each once.
fn tell_players<M: Measure>(described: &Described<M>) {
    let variants = described.experiment.variants.iter();
    let mut told: Vec<&PlayerSpec> = Vec::new();
    for (_, spec) in variants.flat_map(|variant| &variant.players) {
        if !told.contains(&spec) {
            output::detail(|| settings(spec));
            told.push(spec);
        }
    }
}

/// Does the missing work of a part until `stop` is set: `work` does what is on a list.
pub fn make<M: Measure>(
    command: &ExperimentCommand,
    described: &Described<M>,
    stop: &AtomicBool,
    work: impl FnOnce(&[Unit], &Making<'_>) -> Result<(), Failure>,
) -> Result<Verdict, Failure> {
    let shard = command.shard;
    let experiment = &described.experiment;
    let (file, known) = ShardFile::open(described, shard)?;
    let list = known.missing(experiment, shard);
    let part = experiment.units(shard).count() as u64;
    let finished = part - list.len() as u64;
    if finished > 0 {
        let folder = described.folder.display();
        let there = count::<M>(finished);
        output::aside(&match list.len() {
            0 => format!("{there} in {folder} already: nothing is left to be done"),
            left => format!("{there} in {folder} already, {left} to go"),
        });
    }
    tell_players(described);
    let clock = stopwatch();
    let writing = Mutex::new((file, None));
    let bar = progress::bar(list.len() as u64, M::WORDS.many);
    bar.enable_steady_tick(Duration::from_millis(500));
    let put = |line: String| {
        // A lock is only lost with a thread that failed inside, and then there is nothing to save.
        let Ok(mut writing) = writing.lock() else {
            return;
        };
        let (file, trouble) = &mut *writing;
        if trouble.is_none()
            && let Err(failure) = file.put(line)
        {
            *trouble = Some(failure);
            stop.store(true, Ordering::SeqCst);
        }
    };
    let progress = |done| bar.set_position(done);
    let done = work(
        &list,
        &Making {
            put: &put,
            progress: &progress,
            stop,
        },
    );
    bar.finish_and_clear();
    let Ok((mut file, trouble)) = writing.into_inner() else {
        return Ok(Verdict::No);
    };
    if let Some(trouble) = trouble {
        return Err(trouble.failure());
    }
    done?;
    let known = file.finish(described)?;
    let missing = known.missing(experiment, shard).len() as u64;
    if !list.is_empty() {
        let (made, seconds) = (list.len() as u64 - missing, clock().as_secs_f64());
        let told = count::<M>(made);
        output::aside(&format!("{told} in {seconds:.1} s"));
        output::detail(|| {
            let rate = made as f64 / seconds.max(1e-9);
            format!("made {told} in {seconds:.2} s: {rate:.1} a second")
        });
    }
    if shard == Shard::WHOLE {
        let verdict = results::write(described, command.json)?;
        if missing > 0 {
            output::say("stopped; the same command goes on with what is missing");
        }
        return Ok(verdict);
    }
    let report = PartReport {
        shard: shard.to_string(),
        games: part,
        finished: part - missing,
        reproducible: experiment.is_reproducible(part - missing, part),
        folder: described.folder.display().to_string(),
    };
    if command.json {
        output::json(&report);
    } else {
        let (shard, finished) = (&report.shard, report.finished);
        output::print(&format!(
            "shard {shard}: {finished} of {}\n",
            count::<M>(part)
        ));
    }
    if missing == 0 {
        return Ok(Verdict::Fine);
    }
    let verb = "the same command goes on with";
    output::say(&format!("stopped; {verb} the {missing} missing"));
    Ok(Verdict::No)
}
