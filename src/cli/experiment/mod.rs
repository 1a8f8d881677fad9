//! `ruse experiment`: plays the games of an experiment, keeps what came of them, and writes its tables.

mod describe;
mod files;
mod results;

use super::clock::stopwatch;
use super::number::whole;
use super::output::{self, Failure, Verdict, plural};
use super::{interrupt, match_, progress};
use crate::arena::experiment::{Part, Shard, Unit, play};
use crate::arena::{GameResult, check_players};
use clap::{Args, Subcommand};
use describe::Described;
use files::ShardFile;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The most parts that an experiment is played in.
const MOST_SHARDS: u64 = 10_000;

/// Play the pairings of an experiment, in one run or in several, and write its tables
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = HELP
)]
pub struct ExperimentCommand {
    #[command(subcommand)]
    action: Option<Action>,

    /// The experiment, a YAML file
    #[arg(value_name = "FILE", required = true)]
    file: Option<PathBuf>,

    /// Play this part of the games only, such as 2/8
    #[arg(long, value_name = "K/N", value_parser = shard, default_value = "1/1", hide_default_value = true)]
    shard: Shard,

    /// How many games at once; the result does not depend on it [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = whole(1..=1024), allow_negative_numbers = true)]
    threads: Option<u64>,

    /// The folder of the results [default: FILE.results, without the ending of FILE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Action {
    Merge(Merge),
}

/// Put the parts of an experiment together and write its tables, of whatever is finished
#[derive(Args)]
#[command(after_help = MERGE_HELP)]
struct Merge {
    /// The experiment, a YAML file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The folder of the results [default: FILE.results, without the ending of FILE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

const HELP: &str = "\
Examples:
  ruse experiment duel.yaml
  ruse experiment duel.yaml --shard 2/8 --threads 4
  ruse experiment merge duel.yaml

The file says what is played:

  title: Does search help?
  game: duel.game                # or the name of a shipped game
  set: { cards: 5 }              # params
  players:
    Random: random
    Search: { uct: { c: 0.7 } }
  pairings: round-robin          # or a list: [[Random, Search]]
  games: 1000                    # in each pairing; the players change seats
  seed: 1
  budget: { playouts: 1000 }     # of players that state none
  metrics: [share, payoff, length]

Every finished game is kept at once, in DIR/shard-K-of-N.jsonl; a finished part shrinks to counts. \
The same command goes on where a run ended, however it ended. When all games are there, \
DIR has results.md, results.csv and results.svg, the same for any number of threads and parts; \
with a budget in milliseconds another run gives another table.

Exit codes:
  0  all games of the run are finished
  1  a game has errors, a player cannot play it, play ran into an error, or it was stopped
  2  wrong use, or a file that cannot be read or written, or results of another experiment

Ctrl-C stops the run and keeps what is finished; a second Ctrl-C ends at once, and loses no more.";

const MERGE_HELP: &str = "\
Examples:
  ruse experiment merge duel.yaml
  ruse experiment merge duel.yaml --out results --json

Exit codes:
  0  all games are there
  1  some games are missing; the tables are of the others
  2  wrong use, a file that cannot be read or written, or results of another experiment";

/// What a run of one of several parts says.
#[derive(Serialize)]
struct PartReport {
    shard: String,
    /// Games of the part.
    games: u64,
    finished: u64,
    folder: String,
}

fn shard(text: &str) -> Result<Shard, String> {
    let wrong = || format!("write it as 2/8: part 2 of 8, of at most {MOST_SHARDS}");
    let (number, of) = text.split_once('/').ok_or_else(wrong)?;
    let read = |word: &str| word.trim().parse::<u64>().ok();
    match (read(number), read(of)) {
        (Some(number), Some(of)) if (1..=of).contains(&number) && of <= MOST_SHARDS => {
            Ok(Shard { number, of })
        }
        _ => Err(wrong()),
    }
}

impl ExperimentCommand {
    pub fn json(&self) -> bool {
        match &self.action {
            Some(Action::Merge(merge)) => merge.json,
            None => self.json,
        }
    }

    pub fn run(&self) -> Result<Verdict, Failure> {
        match (&self.action, &self.file) {
            (Some(Action::Merge(merge)), _) => {
                let described = describe::read(&merge.file, merge.out.as_deref())?;
                results::write(&described, merge.json)
            }
            (None, Some(file)) => self.play(describe::read(file, self.out.as_deref())?),
            // The reader of arguments does not let this pass.
            (None, None) => Ok(Verdict::WrongUse),
        }
    }

    fn play(&self, described: Described) -> Result<Verdict, Failure> {
        let experiment = &described.experiment;
        for cell in &experiment.cells {
            let loaded = &described.games[cell.variant];
            check_players(&cell.play).map_err(|error| match_::failure(loaded, &error))?;
        }
        let (file, known) = ShardFile::open(&described, self.shard)?;
        let missing = known.missing(experiment, self.shard);
        self.announce(&described, &known, missing.len());
        let clock = stopwatch();
        let writing = Mutex::new((file, None));
        let stop = interrupt::flag();
        let bar = progress::bar(missing.len() as u64, "games");
        bar.enable_steady_tick(Duration::from_millis(500));
        let finished = |unit: Unit, result: &GameResult| {
            // A lock is only lost with a thread that failed inside, and then there is nothing to save.
            let Ok(mut writing) = writing.lock() else {
                return;
            };
            let (file, trouble) = &mut *writing;
            if trouble.is_none()
                && let Err(failure) = file.put(unit, result)
            {
                *trouble = Some(failure);
                stop.store(true, Ordering::SeqCst);
            }
        };
        let progress = |done| bar.set_position(done);
        let threads = self.threads.map(|n| n as usize);
        let played = play(experiment, &missing, threads, &finished, &progress, &stop);
        bar.finish_and_clear();
        let Ok((mut file, trouble)) = writing.into_inner() else {
            return Ok(Verdict::No);
        };
        if let Some(trouble) = trouble {
            return Err(trouble.failure());
        }
        if let Err(failed) = played {
            let cell = failed.unit.map_or(0, |unit| unit.cell);
            let cell = &experiment.cells[cell];
            if failed.unit.is_some() {
                output::say(&format!("in the pairing {}:", cell.label));
            }
            return Err(match_::failure(
                &described.games[cell.variant],
                &failed.error,
            ));
        }
        let part = file.finish(&described)?;
        let new = missing.len() - part.missing(experiment, self.shard).len();
        output::aside(&format!(
            "{} in {:.1} s",
            plural(new as u64, "game"),
            clock().as_secs_f64()
        ));
        if self.shard == Shard::WHOLE {
            return results::write(&described, self.json);
        }
        Ok(self.report(&described, &part))
    }

    /// Says what there is already, and what cannot be promised.
    fn announce(&self, described: &Described, known: &Part, missing: usize) {
        if known.finished > 0 && missing > 0 {
            let folder = described.folder.display();
            let games = plural(known.finished, "game");
            output::aside(&format!("{games} in {folder} already, {missing} to go"));
        }
        if described.experiment.depends_on_time() && missing > 0 {
            output::say("a budget in milliseconds: another run gives another table");
        }
    }

    /// What is said of one of several parts.
    fn report(&self, described: &Described, part: &Part) -> Verdict {
        let missing = part.missing(&described.experiment, self.shard).len() as u64;
        let report = PartReport {
            shard: self.shard.to_string(),
            games: part.finished + missing,
            finished: part.finished,
            folder: described.folder.display().to_string(),
        };
        if self.json {
            output::json(&report);
        } else {
            let (shard, finished) = (&report.shard, report.finished);
            let games = plural(report.games, "game");
            output::print(&format!("shard {shard}: {finished} of {games}\n"));
        }
        if missing == 0 {
            return Verdict::Fine;
        }
        output::say(&format!(
            "stopped; the same command plays the {missing} missing"
        ));
        Verdict::No
    }
}

#[cfg(test)]
mod tests {
    use super::shard;

    #[test]
    fn a_part_is_one_of_its_number() {
        let read = |text| shard(text).map(|s| (s.number, s.of)).ok();
        assert_eq!(read("2/8"), Some((2, 8)));
        assert_eq!(read("1/1"), Some((1, 1)));
        for text in [
            "", "2", "0/8", "9/8", "-1/8", "1/0", "1/10001", "a/b", "1/2/3",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
