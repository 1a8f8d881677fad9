//! Experiments about fresh searches: how exploitable is a player that searches anew wherever it is asked, by what it saw, and
//! does a longer search make it less so?
//!
//! At every information state of the game the player searches some times, each time from nothing, and plays the mean of the
//! strategies that it ends with. What the players could gain against these by best responses is NashConv. A cell is a player
//! of a variant with a budget, and a run one such strategy for the whole game, which `strategies` makes and measures.

pub mod strategies;

pub use strategies::Questions;

use super::header::Header;
use super::measure::Words;
use super::part::Part;
use super::plan::Experiment;
use super::reader::{Reader, Row};
use super::runs::{Kind, Made, Order, Refusal, Runs, RunsSummary, TableWords, sum_up};
use crate::arena::error::ArenaError;
use crate::machine::Machine;
use crate::players::{self, PlayerSpec, by_information_state};
use crate::text::diagnostics::Diagnostic;
use crate::text::yaml::Tree;

/// The most searches at one information state.
const MOST_SEARCHES: u64 = 1_000_000;
/// The most playouts of a search.
const MOST_PLAYOUTS: u64 = 1_000_000_000;

/// How exploitable players are that search anew wherever they are asked.
#[derive(Clone, Debug)]
pub struct FreshSearches {
    /// How many searches make up a strategy, ascending; at least one.
    pub searches: Vec<u64>,
    /// With how many playouts each search is made, ascending; at least one.
    pub playouts: Vec<u64>,
}

const TABLES: TableWords = TableWords {
    of: "searches",
    length: "playouts",
    values: "nash_conv",
    value: "nash_conv",
    unit: "playouts of each search",
    heading,
    above: "with so many playouts each",
    note: "",
    joins: false,
};

/// What was measured of the mean of so many searches.
fn heading(searches: Option<u64>) -> String {
    match searches.unwrap_or(1) {
        1 => "NashConv of one search".to_string(),
        n => format!("NashConv of the mean of {n} searches"),
    }
}

/// For each number of searches, NashConv.
impl Runs for FreshSearches {
    type Ready = Questions;

    type Report = RunsSummary;

    const KIND: Kind = Kind {
        about: "fresh searches",
        words: Words {
            one: "strategy",
            many: "strategies",
            unit: "run",
            cell: "player",
        },
        cells: "players with their budgets",
        keys: &["searches", "playouts"],
        needs_runs: false,
        asked: ["run of each player", "runs of each player"],
        tables: &TABLES,
        closing: "The players search anew at every information state. NashConv: what all players together would gain by \
                  best responses, in units of payoff; ± is half the 95 % interval.",
        closing_of: "",
    };

    fn read(reader: &Reader<'_>, tree: &Tree, rows: &[Row]) -> Result<Self, Box<Diagnostic>> {
        let searches = reader.need(tree, rows, "searches", "5")?;
        let searches = reader.ascending(searches, "searches", 1..=MOST_SEARCHES)?;
        let playouts = reader.need(tree, rows, "playouts", "[100, 1000, 10000]")?;
        let playouts = reader.ascending(playouts, "playouts", 1..=MOST_PLAYOUTS)?;
        Ok(FreshSearches { searches, playouts })
    }

    /// Its choices must follow from what it saw.
    fn refusal<'h>(spec: &PlayerSpec, own_budget: Option<Refusal<'h>>) -> Option<Refusal<'h>> {
        let hint = "take a search, such as `ismcts` or `oos`";
        let searches = || by_information_state(spec).is_some();
        own_budget.or_else(|| (!searches()).then_some(("does not search", hint)))
    }

    fn misfit(spec: &PlayerSpec, machine: &Machine) -> Option<String> {
        let error = players::suits(spec, machine).err()?;
        let why = error
            .diagnostic()
            .map_or_else(|| error.to_string(), |d| d.message);
        Some(format!(": {why}"))
    }

    fn lengths(&self) -> &[u64] {
        &self.playouts
    }

    fn tables(&self) -> Vec<Option<u64>> {
        self.searches.iter().map(|&n| Some(n)).collect()
    }

    fn budgets(&self) -> Vec<Option<u64>> {
        self.playouts.iter().map(|&n| Some(n)).collect()
    }

    fn describe(&self, header: &mut Header) {
        header.playouts = self.playouts.clone();
        header.searches = self.searches.clone();
    }

    fn run(questions: &Questions, order: &Order<'_, Self>) -> Result<Option<Made>, ArenaError> {
        let (Some(search), Some(playouts)) =
            (by_information_state(order.spec), order.cell.playouts)
        else {
            return Ok(None);
        };
        let search = search.with_playouts(playouts);
        let searches = &order.measure.searches;
        let measured = questions.nash_conv(&search, searches, order.seed, order.cancel);
        let measured = measured.map_err(|(seat, error)| ArenaError::Player {
            game: None,
            seat,
            error,
        })?;
        Ok(measured.map(Made::of))
    }

    fn report(experiment: &Experiment<Self>, part: &Part<Self>) -> RunsSummary {
        sum_up(experiment, part)
    }
}
