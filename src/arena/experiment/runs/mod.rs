//! Measures whose pieces of work are runs of a player's search that each give a few numbers, after shorter and after longer
//! searches: what is read, kept and shown of them. A [`Runs`] says what differs.
//!
//! A cell is a player of a variant, or one with a budget. `outline` reads the file, `play` makes the runs, `lines` keeps what
//! they measured, and `summary` sums it up.

mod lines;
mod outline;
mod play;
mod summary;

pub(super) use lines::of_cell;
pub use lines::{Measured, line};
pub use play::{Order, Watching, play};
pub use summary::RunsSummary;
pub(super) use summary::sum_up;

use super::codes;
use super::header::Header;
use super::measure::{Measure, Summary, Texts, Words};
use super::numbers::numbers;
use super::part::Part;
use super::plan::{Asked, Experiment, Shard, Unit};
use super::reader::{Reader, Row};
use crate::arena::error::ArenaError;
use crate::machine::Machine;
use crate::players::PlayerSpec;
use crate::text::diagnostics::Diagnostic;
use crate::text::plural::{counted, plural};
use crate::text::yaml::Tree;
use serde::Serialize;

/// Such a measure. The numbers of a run stand in tables with a column for each length of the search: all cells of a player, one
/// after the other, have those of the first column by table, then those of the second, and so on.
pub trait Runs: Clone {
    /// What the runs of a variant have in common, and takes a while to make.
    type Ready: Sync;
    /// What the runs mean.
    type Report: Summary + Serialize;

    const KIND: Kind;

    /// Reads what the file says of this measure alone.
    ///
    /// # Errors
    /// The first thing that is wrong.
    fn read(reader: &Reader<'_>, tree: &Tree, rows: &[Row]) -> Result<Self, Box<Diagnostic>>;

    /// What is wrong with a player, whatever the game; `own_budget` is that it has a budget of its own, where it has one.
    fn refusal<'h>(spec: &PlayerSpec, own_budget: Option<Refusal<'h>>) -> Option<Refusal<'h>>;

    /// What is wrong with a player in this game, as what comes after its name.
    fn misfit(spec: &PlayerSpec, machine: &Machine) -> Option<String>;

    /// How long the players search, ascending: for each a column.
    fn lengths(&self) -> &[u64];

    /// What the tables are of; at least one, and `None` where they are of nothing that has a number.
    fn tables(&self) -> Vec<Option<u64>>;

    /// The budgets with which a player has a cell each; `None` where one cell is about all lengths.
    fn budgets(&self) -> Vec<Option<u64>>;

    /// Adds what the results follow from to a first line.
    fn describe(&self, header: &mut Header);

    /// Makes a run; `None` when it was cancelled.
    ///
    /// # Errors
    /// Those of play and of the search.
    fn run(ready: &Self::Ready, order: &Order<'_, Self>) -> Result<Option<Made>, ArenaError>;

    /// Sums up what is finished.
    fn report(experiment: &Experiment<Self>, part: &Part<Self>) -> Self::Report;

    /// What the seconds say that runs took, those of which they are known; `None` of a measure that keeps none.
    fn times(_: &Experiment<Self>, _: &Part<Self>, _: &[(Unit, Vec<f64>)]) -> Option<Texts> {
        None
    }

    /// The numbers of a line.
    ///
    /// # Errors
    /// When it has others; in words.
    fn numbers(text: &str) -> Result<Vec<f64>, String> {
        numbers(text)
    }

    /// How many numbers a run gives.
    fn count(&self) -> usize {
        self.tables().len() * self.lengths().len() / self.budgets().len()
    }
}

/// What a run gave.
pub struct Made {
    /// Its results, which follow from its seed.
    pub numbers: Vec<f64>,
    /// What depends on the machine and on how busy it was: nothing, where seconds are not measured.
    pub seconds: Vec<f64>,
}

impl Made {
    /// What a run gave of which no seconds are measured.
    pub fn of(numbers: Vec<f64>) -> Made {
        let seconds = Vec::new();
        Made { numbers, seconds }
    }
}

/// What is wrong, and a hint.
pub type Refusal<'h> = (&'static str, &'h str);

/// A measure of runs in words.
pub struct Kind {
    /// What the experiment is about.
    pub about: &'static str,
    pub words: Words,
    /// The cells, for somebody who has too many of them.
    pub cells: &'static str,
    /// What the file has besides what all have and `runs`.
    pub keys: &'static [&'static str],
    /// Whether the file must have `runs`; otherwise it is one run.
    pub needs_runs: bool,
    /// How often each player searches, as what follows the number, of one and of several.
    pub asked: [&'static str; 2],
    pub tables: &'static TableWords,
    /// What the numbers are, below all tables.
    pub closing: &'static str,
    /// The same of tables that are of something.
    pub closing_of: &'static str,
}

/// The words for what a table has.
pub struct TableWords {
    /// The names of what a table is of, of a length of search, of all its values and of one.
    pub of: &'static str,
    pub length: &'static str,
    pub values: &'static str,
    pub value: &'static str,
    /// What is counted of a length, for people.
    pub unit: &'static str,
    pub heading: fn(Option<u64>) -> String,
    /// What comes after the heading above a table, and above a plot.
    pub above: &'static str,
    pub note: &'static str,
    /// Whether tables with one column are shown as one, side by side.
    pub joins: bool,
}

/// The runs of one player in one variant.
#[derive(Copy, Clone, Debug)]
pub struct Searching {
    pub variant: usize,
    /// The place in the variant's list of players.
    pub player: usize,
    /// The budget of its cell, if it has one.
    pub playouts: Option<u64>,
}

impl<M: Runs> Measure for M {
    type Outline = M;
    type Cell = Searching;
    type Results = Measured;
    type Summary = M::Report;

    const WORDS: Words = M::KIND.words;

    fn new(outline: &M) -> M {
        outline.clone()
    }

    fn cells(&mut self, asked: &Asked<'_, M>) -> Result<Vec<Searching>, Box<Diagnostic>> {
        let mut cells = Vec::new();
        for (player, (name, spec)) in asked.variant.players.iter().enumerate() {
            if let Some(misfit) = M::misfit(spec, asked.machine) {
                let (place, message) = (asked.variant.place, format!("`{name}`{misfit}"));
                let hint = "leave it out, or take another game";
                return Err(place.report(asked.text, codes::BAD_VALUE, message, hint));
            }
            cells.extend(self.budgets().into_iter().map(|playouts| Searching {
                variant: asked.number,
                player,
                playouts,
            }));
        }
        Ok(cells)
    }

    fn amount(experiment: &Experiment<M>) -> String {
        let cells = counted(experiment.cells.len() as u64, M::KIND.cells);
        format!("{cells} and {}", plural(experiment.total(), "run"))
    }

    fn describe(experiment: &Experiment<M>, header: &mut Header) {
        header.runs = Some(experiment.each);
        experiment.measure.describe(header);
    }

    fn begin(experiment: &Experiment<M>) -> Measured {
        vec![None; experiment.total() as usize]
    }

    fn take(
        experiment: &Experiment<M>,
        part: &mut Part<M>,
        shard: Shard,
        line: &[u8],
    ) -> Result<bool, String> {
        lines::take(experiment, part, shard, line)
    }

    fn merge(known: &mut Measured, other: Measured) {
        for (known, more) in std::iter::zip(known, other) {
            if more.is_some() {
                *known = more;
            }
        }
    }

    fn sum_up(experiment: &Experiment<M>, part: &Part<M>) -> M::Report {
        M::report(experiment, part)
    }

    fn times(
        experiment: &Experiment<M>,
        part: &Part<M>,
        seconds: &[(Unit, Vec<f64>)],
    ) -> Option<Texts> {
        <M as Runs>::times(experiment, part, seconds)
    }
}
