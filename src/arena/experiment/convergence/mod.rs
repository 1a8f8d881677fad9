//! Experiments about convergence: how exploitable are the strategies that simultaneous-move tree searches hold, and does
//! more search make them less so (Lanctot, Lisý & Winands 2013, section 4.3)?
//!
//! Each player searches many times, each time in one tree from the start, and after so many simulations the strategy of
//! the whole tree is judged: against its best response over the whole game, or against the best response for a few nodes
//! with perfect play after them (Ex_d). A cell is a player of a variant, and a piece of work one search. `outline` reads the
//! file, `plan` makes the cells, `judge` measures one search, `summary` sums it up, and `markdown` and
//! `csv` show it.

pub mod csv;
pub mod judge;
pub mod markdown;
pub mod outline;
pub mod plan;
pub mod run;
pub mod summary;

pub use judge::Judge;
pub use outline::Outline;
pub use run::play;
pub use summary::ConvergenceSummary;

use super::header::Header;
use super::measure::{Measure, Words};
use super::part::Part;
use super::plan::{Experiment, Shard};
use super::runs::{self, Measured, Runs};

/// How exploitable the strategies of searches are, the longer they search.
#[derive(Clone, Debug)]
pub struct Convergence {
    /// After how many simulations it is measured, ascending.
    pub iterations: Vec<u64>,
    /// For how many nodes the strategy is followed; nothing for the whole game.
    pub depth: Vec<u32>,
}

/// The searches of one player in one variant.
#[derive(Copy, Clone, Debug)]
pub struct Searching {
    pub variant: usize,
    /// The place in the variant's list of players.
    pub player: usize,
}

impl Measure for Convergence {
    type Cell = Searching;
    /// For each of the iterations, what was measured at each depth.
    type Results = Measured;
    type Summary = ConvergenceSummary;

    const WORDS: Words = Words {
        one: "search",
        many: "searches",
        unit: "run",
        cell: "player",
    };

    fn describe(experiment: &Experiment<Convergence>, header: &mut Header) {
        header.runs = Some(experiment.each);
        header.iterations = experiment.measure.iterations.clone();
        header.depth = experiment.measure.depth.clone();
    }

    fn begin(experiment: &Experiment<Convergence>) -> Self::Results {
        runs::begin(experiment)
    }

    fn take(
        experiment: &Experiment<Convergence>,
        part: &mut Part<Convergence>,
        shard: Shard,
        line: &[u8],
    ) -> Result<bool, String> {
        runs::take(experiment, part, shard, line)
    }

    fn merge(results: &mut Self::Results, other: Self::Results) {
        runs::merge(results, other);
    }

    fn sum_up(experiment: &Experiment<Convergence>, part: &Part<Convergence>) -> Self::Summary {
        summary::sum_up(experiment, part)
    }
}

/// One number for each depth (one for the whole game) after each of `iterations`.
impl Runs for Convergence {
    fn count(experiment: &Experiment<Convergence>) -> usize {
        let measure = &experiment.measure;
        measure.iterations.len() * measure.depth.len().max(1)
    }
}
