//! An experiment as a list of pieces of work. Each follows from the seed, its cell and its number there, and from nothing
//! else; so it does not matter who does it, and when.

use super::codes;
use super::header::Header;
use super::measure::Measure;
use super::reader::{Family, Outline, VariantOutline};
use crate::machine::Machine;
use crate::players::{Clock, PlayerSpec};
use crate::text::diagnostics::Diagnostic;
use std::sync::Arc;

/// The most pieces of work in an experiment; which of them are finished is kept in memory.
pub const MOST_UNITS: u64 = 20_000_000;
/// The most cells, over all variants.
pub const MOST_CELLS: usize = 10_000;

/// What is to be done.
#[derive(Clone)]
pub struct Experiment<M: Measure> {
    pub title: Option<String>,
    pub seed: u64,
    /// Pieces of work in each cell.
    pub each: u64,
    pub variants: Vec<Variant>,
    /// The cells of the first variant, then those of the second, and so on.
    pub cells: Vec<M::Cell>,
    pub measure: M,
}

/// The settings of one table.
#[derive(Clone)]
pub struct Variant {
    pub name: Option<String>,
    pub machine: Arc<Machine>,
    /// The fingerprint of the description.
    pub description: String,
    pub players: Vec<(String, PlayerSpec)>,
    pub family: Family,
}

/// A machine for a variant, and the fingerprint of what it was made from.
pub type Game = (Arc<Machine>, String);

/// A variant whose cells are to be made.
pub struct Asked<'a, M: Measure> {
    /// The file of the experiment, and what it says.
    pub text: &'a str,
    pub outline: &'a Outline<M>,
    /// The variant's place in the experiment.
    pub number: usize,
    pub variant: &'a VariantOutline,
    pub machine: &'a Arc<Machine>,
    /// For players with a budget in milliseconds.
    pub clock: &'a Clock,
}

/// One piece of work.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The place in [`Experiment::cells`].
    pub cell: usize,
    /// Its number in the cell, from 0.
    pub number: u64,
}

/// A part of an experiment: number `number` (from 1) of `of`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    pub number: u64,
    pub of: u64,
}

impl Shard {
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl<M: Measure> Experiment<M> {
    /// Puts an experiment together from what its file says and the games of its variants, in their order. `text` is the
    /// file; players with a budget in milliseconds look at `clock`.
    ///
    /// # Errors
    /// When there is too much to do, or what is asked for does not suit a game; the span is in `text`.
    pub fn new(
        text: &str,
        outline: &Outline<M>,
        games: Vec<Game>,
        clock: &Clock,
    ) -> Result<Experiment<M>, Box<Diagnostic>> {
        let mut experiment = Experiment {
            title: outline.title.clone(),
            seed: outline.seed,
            each: outline.each,
            variants: Vec::new(),
            cells: Vec::new(),
            measure: M::new(&outline.measure),
        };
        for (variant, (machine, description)) in std::iter::zip(&outline.variants, games) {
            let cells = experiment.measure.cells(&Asked {
                text,
                outline,
                number: experiment.variants.len(),
                variant,
                machine: &machine,
                clock,
            })?;
            experiment.cells.extend(cells);
            experiment.variants.push(Variant {
                name: variant.name.clone(),
                machine,
                description,
                players: variant.players.clone(),
                family: variant.family.clone(),
            });
            if experiment.is_too_large() {
                let message = format!("{} are too many", M::amount(&experiment));
                let (cell, unit) = (M::WORDS.cell, M::WORDS.unit);
                let hint = format!("at most {MOST_CELLS} {cell}s, and {MOST_UNITS} {unit}s in all");
                return Err(variant.place.report(text, codes::BAD_VALUE, message, &hint));
            }
        }
        Ok(experiment)
    }

    /// All pieces of work.
    pub fn total(&self) -> u64 {
        self.each.saturating_mul(self.cells.len() as u64)
    }

    /// Whether another run gives the same results as what there is of a part: all of it, and nothing hung on a clock.
    pub fn is_reproducible(&self, finished: u64, asked: u64) -> bool {
        finished == asked && !M::depends_on_time(self)
    }

    /// Whether there is more than an experiment may have.
    fn is_too_large(&self) -> bool {
        self.cells.len() > MOST_CELLS || self.total() > MOST_UNITS
    }

    /// The work of a part, in the order in which it is done: all cells grow together.
    pub fn units(&self, shard: Shard) -> impl Iterator<Item = Unit> {
        let all = (0..self.each)
            .flat_map(|number| (0..self.cells.len()).map(move |cell| Unit { cell, number }));
        all.filter(move |unit| self.holds(shard, *unit))
    }

    /// Whether a piece of work belongs to a part. Whole rounds stay together, and every part has its share of each cell.
    pub fn holds(&self, shard: Shard, unit: Unit) -> bool {
        let round = unit.number / M::round(&self.cells[unit.cell]);
        (round + unit.cell as u64) % shard.of == shard.number - 1
    }

    /// The number of a piece of work among all.
    pub fn index(&self, unit: Unit) -> usize {
        unit.number as usize * self.cells.len() + unit.cell
    }

    /// The first line of the results of a part.
    pub fn header(&self, shard: Shard) -> Header {
        let mut header = Header::new(shard, self.seed);
        for variant in &self.variants {
            header.add(variant);
        }
        M::describe(self, &mut header);
        header
    }
}
