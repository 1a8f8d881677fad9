//! An experiment as a list of pieces of work. Each follows from the seed, its cell and its number there, and from nothing
//! else; so it does not matter who does it, and when.

use super::header::Header;
use super::measure::Measure;
use crate::machine::Machine;
use crate::players::PlayerSpec;
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
}

/// A machine for a variant, and the fingerprint of what it was made from.
pub type Game = (Arc<Machine>, String);

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
    /// All pieces of work.
    pub fn total(&self) -> u64 {
        self.each.saturating_mul(self.cells.len() as u64)
    }

    /// Whether there is more than an experiment may have.
    pub(super) fn is_too_large(&self) -> bool {
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
