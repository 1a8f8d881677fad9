//! Experiments about fresh searches: how exploitable is a player that searches anew wherever it is asked, by what it saw, and
//! does a longer search make it less so?
//!
//! At every information state of the game the player searches some times, each time from nothing, and plays the mean of the
//! strategies that it ends with. What the players could gain against these by best responses is NashConv. A cell is a player
//! of a variant with a budget, and a piece of work (a run) one such strategy for the whole game. `outline` reads the file,
//! `plan` makes the cells, `strategies` makes the strategies of a run and measures them, and `summary`
//! sums it up.

pub mod outline;
pub mod plan;
pub mod run;
pub mod strategies;
pub mod summary;

pub use outline::Outline;
pub use run::play;
pub use strategies::Questions;
pub use summary::FreshSearchesSummary;

use super::header::Header;
use super::measure::{Measure, Words};
use super::part::Part;
use super::plan::{Experiment, Shard};
use super::runs::{self, Measured, Runs};

/// How exploitable players are that search anew wherever they are asked.
#[derive(Clone, Debug)]
pub struct FreshSearches {
    /// With how many playouts each search is made, ascending.
    pub playouts: Vec<u64>,
    /// How many searches make up a strategy, ascending.
    pub searches: Vec<u64>,
}

/// The strategies of one player in one variant.
#[derive(Copy, Clone, Debug)]
pub struct Searching {
    pub variant: usize,
    /// The place in the variant's list of players.
    pub player: usize,
    pub playouts: u64,
}

impl Measure for FreshSearches {
    type Cell = Searching;
    /// For each number of searches, NashConv.
    type Results = Measured;
    type Summary = FreshSearchesSummary;

    const WORDS: Words = Words {
        one: "strategy",
        many: "strategies",
        unit: "run",
        cell: "player",
    };

    fn describe(experiment: &Experiment<FreshSearches>, header: &mut Header) {
        header.runs = Some(experiment.each);
        header.playouts = experiment.measure.playouts.clone();
        header.searches = experiment.measure.searches.clone();
    }

    fn begin(experiment: &Experiment<FreshSearches>) -> Self::Results {
        runs::begin(experiment)
    }

    fn take(
        experiment: &Experiment<FreshSearches>,
        part: &mut Part<FreshSearches>,
        shard: Shard,
        line: &[u8],
    ) -> Result<bool, String> {
        runs::take(experiment, part, shard, line)
    }

    fn merge(results: &mut Self::Results, other: Self::Results) {
        runs::merge(results, other);
    }

    fn sum_up(experiment: &Experiment<FreshSearches>, part: &Part<FreshSearches>) -> Self::Summary {
        summary::sum_up(experiment, part)
    }
}

impl Runs for FreshSearches {
    fn count(experiment: &Experiment<FreshSearches>) -> usize {
        experiment.measure.searches.len()
    }
}
