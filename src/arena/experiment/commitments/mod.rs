//! Experiments about commitments: what is a search's best commitment worth to the leader, the longer it searches?
//!
//! A cell is a player of a variant that finds commitments, and a run one search with a seed of its own, the one that `ruse solve`
//! would be given. Its numbers follow from the seed alone; the seconds that it took are kept apart, and are no results. Where it
//! is asked for, the value of the strong Stackelberg equilibrium and that of the uniform strategy stand beside them, and the
//! Score (Karwowski & Mańdziuk 2019, equation 8) is where a value lies between the two.

mod fit;
mod published;
mod summary;
mod times;

pub use summary::CommitmentsSummary;

use super::header::Header;
use super::measure::{Texts, Words};
use super::numbers::split;
use super::part::Part;
use super::plan::{Experiment, Unit};
use super::reader::{Location, Reader, Row, find};
use super::runs::{Kind, Made, Order, Refusal, Runs, TableWords};
use crate::arena::error::ArenaError;
use crate::machine::Machine;
use crate::players::{self, Clock, PlayerSpec};
use crate::solve::TreeError;
use crate::solve::commitment::open_loop::{OpenLoop, explore};
use crate::solve::commitment::{PoseOptions, SearchTask, Unposed, multiple_lp, pose};
use crate::solve::methods::Progress;
use crate::text::diagnostics::Diagnostic;
use crate::text::yaml::Tree;
use published::Published;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most rounds or programs after which it is looked.
const MOST_AFTER: u64 = 1_000_000_000;

/// After so many milliseconds it is noted what was found.
const MILLISECONDS: [u64; 18] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000,
    200_000, 500_000,
];

/// What the best commitments of searches are worth.
#[derive(Clone, Debug)]
pub struct Commitments {
    /// The name of the player who commits itself.
    pub leader: String,
    /// Where that stands.
    pub leader_place: Location,
    /// After how many rounds or programs it is looked what was found by then, ascending.
    pub after: Vec<u64>,
    /// Whether the values are held against the exact one.
    pub exact: bool,
    /// How long others took.
    published: Published,
}

/// So many numbers of a run stand after those on the way.
const OTHERS: usize = 4;

/// What the numbers of a run are; in the kept lines they stand after the values that were found on the way.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Numbers<'n> {
    /// What was found after each of `after`.
    on_the_way: &'n [f64],
    value: f64,
    /// No commitment is worth more.
    bound: f64,
    exact: f64,
    uniform: f64,
}

impl Numbers<'_> {
    /// Of a line that has as many as it should.
    fn of(numbers: &[f64]) -> Option<Numbers<'_>> {
        let (on_the_way, others) = numbers.split_last_chunk::<OTHERS>()?;
        let &[value, bound, exact, uniform] = others;
        Some(Numbers {
            on_the_way,
            value,
            bound,
            exact,
            uniform,
        })
    }
}

/// A game that commitments are to be found in.
pub struct Grounds {
    game: OpenLoop,
    leader: usize,
    /// What the exact commitment and the uniform strategy are worth; no numbers where nobody asked.
    exact: f64,
    uniform: f64,
    /// How long the exact one took.
    seconds: f64,
}

/// Why commitments cannot be looked for in a game.
pub enum Unready {
    Stopped,
    /// Its players learn something on the way.
    Unsuited,
    Unposed(Unposed),
}

impl Grounds {
    /// Gets a game ready, with the exact value if it is asked for.
    ///
    /// # Errors
    /// [`Unready`]
    pub fn new(
        machine: &Machine,
        leader: usize,
        exact: Option<&PoseOptions>,
        clock: &Clock,
        stop: &AtomicBool,
    ) -> Result<Grounds, Unready> {
        let game = explore(machine, stop).map_err(Unready::of_tree)?;
        let mut grounds = Grounds {
            game: game.ok_or(Unready::Unsuited)?,
            leader,
            exact: f64::NAN,
            uniform: f64::NAN,
            seconds: f64::NAN,
        };
        let Some(options) = exact else {
            return Ok(grounds);
        };
        let start = clock();
        let posed = pose(machine, leader, options, stop).map_err(|error| match error {
            Unposed::Tree(error) => Unready::of_tree(error),
            other => Unready::Unposed(other),
        })?;
        let found = multiple_lp::solve(&posed, &mut (), stop).map_err(Unready::of_tree)?;
        if !found.complete {
            return Err(Unready::Stopped);
        }
        grounds.exact = found.value + 0.0;
        grounds.uniform = posed.uniform()[0] + 0.0;
        grounds.seconds = (clock() - start).as_secs_f64();
        Ok(grounds)
    }
}

impl Unready {
    fn of_tree(error: TreeError) -> Unready {
        match error {
            TreeError::Stopped => Unready::Stopped,
            error => Unready::Unposed(Unposed::Tree(error)),
        }
    }
}

/// What a search found on the way.
struct Noted<'a> {
    clock: &'a Clock,
    /// After how many rounds or programs, after how many seconds, and what.
    found: Vec<(u64, f64, f64)>,
}

impl Progress for Noted<'_> {
    fn better(&mut self, count: u64, value: f64) {
        let seconds = (self.clock)().as_secs_f64();
        self.found.push((count, seconds, value + 0.0));
    }
}

impl Noted<'_> {
    /// The last value for which `by_then` holds.
    fn last(&self, by_then: impl Fn(&(u64, f64, f64)) -> bool) -> f64 {
        let known = self.found.iter().rev().find(|found| by_then(found));
        known.map_or(f64::NAN, |found| found.2)
    }
}

const TABLES: TableWords = TableWords {
    of: "",
    length: "after",
    values: "",
    value: "value",
    unit: "rounds or programs",
    heading: |_| String::new(),
    above: "",
    note: "",
    joins: false,
};

impl Runs for Commitments {
    type Ready = Grounds;
    type Report = CommitmentsSummary;

    const KIND: Kind = Kind {
        about: "commitments",
        words: Words {
            one: "search",
            many: "searches",
            unit: "run",
            cell: "player",
        },
        cells: "players",
        keys: &["leader", "after", "exact", "published"],
        needs_runs: false,
        asked: ["search by each player", "searches by each player"],
        tables: &TABLES,
        closing: "",
        closing_of: "",
    };

    fn read(reader: &Reader<'_>, tree: &Tree, rows: &[Row]) -> Result<Self, Box<Diagnostic>> {
        let leader = reader.need(tree, rows, "leader", "Defender")?;
        let leader_place = Location(leader.number());
        let leader = reader.line(leader, "leader", 40)?.to_string();
        let after = match find(rows, "after") {
            Some(list) => reader.ascending(list, "after", 1..=MOST_AFTER)?,
            None => Vec::new(),
        };
        let exact = match find(rows, "exact") {
            Some(tree) => reader.yes_or_no(tree, "exact")?,
            None => true,
        };
        Ok(Commitments {
            leader,
            leader_place,
            after,
            exact,
            published: published::read(reader, rows)?,
        })
    }

    fn refusal<'h>(spec: &PlayerSpec, _: Option<Refusal<'h>>) -> Option<Refusal<'h>> {
        let hint = "take one that does, such as `mixed_uct` or `double_oracle`";
        let Some(asked) = spec.committing() else {
            return Some(("looks for no commitment", hint));
        };
        if asked.leader.is_some() {
            return Some((
                "has a leader of its own",
                "`leader` of the experiment says who commits itself",
            ));
        }
        let seeded = asked.seed.is_some();
        seeded.then_some((
            "has a seed of its own",
            "the seed of a run is that of the experiment and its number",
        ))
    }

    fn misfit(spec: &PlayerSpec, machine: &Machine) -> Option<String> {
        let error = players::suits(spec, machine).err()?;
        let why = error.diagnostic().map(|d| d.message);
        Some(format!(": {}", why.unwrap_or_else(|| error.to_string())))
    }

    fn lengths(&self) -> &[u64] {
        &self.after
    }

    fn tables(&self) -> Vec<Option<u64>> {
        vec![None]
    }

    fn budgets(&self) -> Vec<Option<u64>> {
        vec![None]
    }

    fn count(&self) -> usize {
        self.after.len() + OTHERS
    }

    /// What is not known is no number.
    fn numbers(text: &str) -> Result<Vec<f64>, String> {
        let read = |word: &str| word.parse().ok().filter(|x: &f64| !x.is_infinite());
        split(text, read)
    }

    fn describe(&self, header: &mut Header) {
        header.leader = Some(self.leader.clone());
        header.after = self.after.clone();
        header.exact = Some(self.exact);
    }

    fn run(grounds: &Grounds, order: &Order<'_, Self>) -> Result<Option<Made>, ArenaError> {
        let Some(asked) = order.spec.committing() else {
            return Ok(None);
        };
        let clock = (order.clock)();
        let mut noted = Noted {
            clock: &clock,
            found: Vec::new(),
        };
        let task = SearchTask {
            game: &grounds.game,
            leader: grounds.leader,
            values: &asked.values,
            seed: order.first_seed.wrapping_add(order.number),
            stop: order.cancel,
        };
        let found = (asked.search)(&task, &mut noted);
        let Some(found) = found.filter(|_| !order.cancel.load(Ordering::Relaxed)) else {
            return Ok(None);
        };
        let value = found.values[0] + 0.0;
        let after = order.measure.after.iter();
        let mut numbers: Vec<f64> = after
            .map(|n| noted.last(|(count, ..)| count <= n))
            .collect();
        let bound = found.bound.map_or(f64::NAN, |bound| bound + 0.0);
        numbers.extend([value, bound, grounds.exact, grounds.uniform]);
        let total = clock().as_secs_f64();
        let mut seconds = vec![grounds.seconds, total];
        seconds.extend(MILLISECONDS.iter().map(|&ms| {
            let until = ms as f64 / 1000.0;
            match total <= until {
                true => value,
                false => noted.last(|(_, at, _)| *at <= until),
            }
        }));
        Ok(Some(Made { numbers, seconds }))
    }

    fn report(experiment: &Experiment<Self>, part: &Part<Self>) -> CommitmentsSummary {
        summary::sum_up(experiment, part)
    }

    fn times(
        experiment: &Experiment<Self>,
        part: &Part<Self>,
        seconds: &[(Unit, Vec<f64>)],
    ) -> Option<Texts> {
        times::texts(experiment, part, seconds)
    }
}
