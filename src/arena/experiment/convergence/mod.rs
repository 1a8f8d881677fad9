//! Experiments about convergence: how exploitable are the strategies that simultaneous-move tree searches hold, and does
//! more search make them less so (Lanctot, Lisý & Winands 2013, section 4.3)?
//!
//! Each player searches many times, each time in one tree from the start, and after so many simulations the strategy of
//! the whole tree is judged: against its best response over the whole game, or against the best response for a few nodes
//! with perfect play after them (Ex_d). A run is one search, and `judge` measures it.

pub mod judge;

pub use judge::Judge;

use super::header::Header;
use super::measure::Words;
use super::part::Part;
use super::plan::Experiment;
use super::reader::{Reader, Row, find};
use super::runs::{Kind, Made, Order, Refusal, Runs, RunsSummary, TableWords, sum_up};
use crate::arena::error::ArenaError;
use crate::machine::Machine;
use crate::players::PlayerSpec;
use crate::text::diagnostics::Diagnostic;
use crate::text::yaml::Tree;

/// The most simulations of a search.
const MOST_ITERATIONS: u64 = 1_000_000_000_000;
const DEEPEST: u64 = 1000;

/// How exploitable the strategies of searches are, the longer they search.
#[derive(Clone, Debug)]
pub struct Convergence {
    /// After how many simulations it is measured, ascending; at least one.
    pub iterations: Vec<u64>,
    /// For how many nodes the strategy is followed, ascending; nothing for the whole game.
    pub depth: Vec<u32>,
}

const TABLES: TableWords = TableWords {
    of: "depth",
    length: "iterations",
    values: "losses",
    value: "loss",
    unit: "simulations",
    heading,
    above: "after so many simulations",
    note: ", mean of the seats",
    joins: true,
};

/// What the numbers of a table for this depth are.
fn heading(depth: Option<u64>) -> String {
    match depth {
        Some(depth) => format!("Ex_{depth}"),
        None => "Exploitability".to_string(),
    }
}

/// One number for each depth (one for the whole game) after each of `iterations`.
impl Runs for Convergence {
    type Ready = Judge;

    type Report = RunsSummary;

    const KIND: Kind = Kind {
        about: "convergence",
        words: Words {
            one: "search",
            many: "searches",
            unit: "run",
            cell: "player",
        },
        cells: "players",
        keys: &["iterations", "depth"],
        needs_runs: true,
        asked: ["search by each player", "searches by each player"],
        tables: &TABLES,
        closing: "What a player loses to the best response against the strategy of its tree, beyond the value of the game, \
                  in units of payoff and in the mean of the seats; ± is half the 95 % interval.",
        closing_of: "Ex_d: the strategy is followed for d nodes, chance included, and play is perfect after them.\n",
    };

    fn read(reader: &Reader<'_>, tree: &Tree, rows: &[Row]) -> Result<Self, Box<Diagnostic>> {
        let iterations = reader.need(tree, rows, "iterations", "[100, 1000, 10000]")?;
        let iterations = reader.ascending(iterations, "iterations", 1..=MOST_ITERATIONS)?;
        let depth = match find(rows, "depth") {
            Some(list) => reader.ascending(list, "depth", 0..=DEEPEST)?,
            None => Vec::new(),
        };
        Ok(Convergence {
            iterations,
            depth: depth.into_iter().map(|d| d as u32).collect(),
        })
    }

    /// Its search is looked into while it goes on.
    fn refusal<'h>(spec: &PlayerSpec, own_budget: Option<Refusal<'h>>) -> Option<Refusal<'h>> {
        let hint = "take `smmcts`, such as `{ smmcts: { select: oos } }`";
        match spec.searcher().is_none_or(|s| s.tree().is_none()) {
            true => Some(("keeps no strategy for a whole tree", hint)),
            false => own_budget,
        }
    }

    fn misfit(spec: &PlayerSpec, machine: &Machine) -> Option<String> {
        let unsuited = spec.searcher()?.suits(machine).err()?;
        Some(format!(" needs {}, and {}", unsuited.needs, unsuited.but))
    }

    fn lengths(&self) -> &[u64] {
        &self.iterations
    }

    fn tables(&self) -> Vec<Option<u64>> {
        match self.depth.as_slice() {
            [] => vec![None],
            list => list.iter().map(|&d| Some(u64::from(d))).collect(),
        }
    }

    fn budgets(&self) -> Vec<Option<u64>> {
        vec![None]
    }

    fn describe(&self, header: &mut Header) {
        header.iterations = self.iterations.clone();
        header.depth = self.depth.clone();
    }

    fn run(judge: &Judge, order: &Order<'_, Self>) -> Result<Option<Made>, ArenaError> {
        let searcher = order.spec.searcher();
        let options = searcher.as_ref().and_then(|s| s.tree());
        let measured = judge.run(&judge::Order {
            options: &options.cloned().unwrap_or_default(),
            iterations: &order.measure.iterations,
            seed: order.seed,
            cancel: order.cancel,
        });
        let game = order.number;
        let measured = measured.map_err(|error| ArenaError::Rules { game, error })?;
        Ok(measured.map(Made::of))
    }

    fn report(experiment: &Experiment<Self>, part: &Part<Self>) -> RunsSummary {
        sum_up(experiment, part)
    }
}
