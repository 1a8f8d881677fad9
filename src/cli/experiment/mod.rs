//! `ruse experiment`: makes the games or searches of an experiment, keeps what came of them, and writes its tables.

mod commitments;
mod convergence;
mod describe;
mod files;
mod fresh_searches;
mod making;
mod matches;
mod results;
mod runs;
mod seconds;
mod several;

pub(super) use files::replace;

use super::engine::EngineName;
use super::number::whole;
use super::output::{Failure, Verdict};
use super::solve::size::size;
use crate::arena::experiment::{Measure, Outline, Read, Shard};
use clap::{Args, Subcommand};
use describe::{About, Described};
use std::path::PathBuf;

/// The most parts that an experiment is played in.
const MOST_SHARDS: u64 = 10_000;

/// Play the games of an experiment, or make its searches, in one run or in several, and write its tables
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

    /// Play this part only, such as 2/8
    #[arg(long, value_name = "K/N", value_parser = shard, default_value = "1/1", hide_default_value = true)]
    shard: Shard,

    /// How many games or searches at once; the result does not depend on it [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", value_parser = whole(1..=1024), allow_negative_numbers = true)]
    threads: Option<u64>,

    /// The folder of the results [default: FILE.results, without the ending of FILE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// The most memory for exact values, such as 512M or 16G [default: 4G]
    #[arg(long, value_name = "SIZE", value_parser = size, allow_negative_numbers = true)]
    memory: Option<u64>,

    /// What runs playouts, steps and lists; the results do not depend on it [default: portable, and native once that pays]
    #[arg(long, value_name = "ENGINE", value_enum)]
    engine: Option<EngineName>,

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
  pairings: round-robin          # or `sides`, or a list: [[Random, Search]]
  games: 1000                    # in each pairing; the players change seats
  seed: 1
  budget: { playouts: 1000 }     # of players that state none
  metrics: [share, payoff, length, rating]

A file with `runs` and `iterations` is about convergence: each player, `smmcts` or `uct`, searches so many \
times from the start, and after so many simulations the strategies of its tree are held against \
their best responses; `depth` is for how many nodes, and play is perfect after them.

  players:
    RM: { smmcts: { select: rm } }
  runs: 30                       # instead of `pairings`, `games`, `budget` and `metrics`
  iterations: [1000, 10000, 100000]
  depth: [2, 4]                  # without it the whole game

A file with `searches` is about players that search anew wherever they are asked: each plays the mean of so \
many searches at every information state, with so many playouts each, and is held against best responses \
over the whole game, where something may be hidden.

  players: { ISMCTS: ismcts, OOS: oos }
  searches: 5                    # or several numbers of searches: [1, 4, 16]
  playouts: [100, 1000, 10000]
  runs: 3                        # how often that is done

A file with `leader` is about commitments: each player looks for what `leader` had best commit itself to, as \
`ruse solve --leader` does, and its values are held against the exact one.

  game: maps/*.game              # all these files, in any experiment; each is a variant of its own
  leader: Defender
  players: { Mixed-UCT: { mixed_uct: { c: 7 } } }
  runs: 15
  after: [10, 100, 1000, 10000]  # rounds or programs after which it is looked
  exact: true                    # unless it is `false`

Every finished game or search is kept at once, in DIR/shard-K-of-N.jsonl; a finished part shrinks to counts. \
The same command goes on where a run ended, however it ended, also when `games` was raised since. When all games are there, \
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
    pub fn run(&self) -> Result<Verdict, Failure> {
        let (file, out) = match (&self.action, &self.file) {
            (Some(Action::Merge(merge)), _) => (&merge.file, merge.out.as_deref()),
            (None, Some(file)) => (file, self.out.as_deref()),
            // The reader of arguments does not let this pass.
            (None, None) => return Ok(Verdict::WrongUse),
        };
        let (source, read) = describe::read(file)?;
        let about = About { file, out, source };
        match read {
            Read::Matches(outline) => self.go(&about, outline, matches::play),
            Read::Convergence(outline) => self.go(&about, outline, convergence::search),
            Read::FreshSearches(outline) => self.go(&about, outline, fresh_searches::search),
            Read::Commitments(outline) => self.go(&about, outline, commitments::search),
        }
    }

    /// Makes the games or searches, or puts the parts together.
    fn go<M: Measure>(
        &self,
        about: &About<'_>,
        mut outline: Outline<M>,
        make: fn(&Self, &mut Described<M>) -> Result<Verdict, Failure>,
    ) -> Result<Verdict, Failure> {
        let mut described = about.describe(&mut outline, self.engine)?;
        match &self.action {
            Some(Action::Merge(merge)) => results::write(&described, merge.json),
            None => make(self, &mut described),
        }
    }

    /// Refuses `--memory`, for nothing is asked for that needs exact values.
    fn without_memory(&self, why: &str) -> Result<(), Failure> {
        if self.memory.is_none() {
            return Ok(());
        }
        let message = format!("--memory is for exact values: {why} none");
        Err(Failure::usage(message))
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
