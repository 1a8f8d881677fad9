//! The file of an experiment about convergence: YAML to what it says. The games are not looked at.

use crate::arena::experiment::codes;
use crate::arena::experiment::reader::{Reader, Row, VariantOutline, find};
use crate::players::spec::Budget;
use crate::text::diagnostics::Diagnostic;
use crate::text::yaml::Tree;

/// The most searches of one player.
pub const MOST_RUNS: u64 = 1_000_000;
/// The most simulations of a search.
pub const MOST_ITERATIONS: u64 = 1_000_000_000_000;
const DEEPEST: u64 = 1000;

const KEYS: [&str; 9] = [
    "title",
    "game",
    "set",
    "variants",
    "players",
    "runs",
    "iterations",
    "depth",
    "seed",
];

/// What an experiment about convergence says.
#[derive(Clone, Debug)]
pub struct Outline {
    pub title: Option<String>,
    /// How often each player searches.
    pub runs: u64,
    /// After how many simulations it is measured, ascending; at least one.
    pub iterations: Vec<u64>,
    /// For how many nodes the strategy is followed, ascending; nothing for the whole game.
    pub depth: Vec<u32>,
    pub seed: u64,
    pub variants: Vec<VariantOutline>,
}

impl Reader<'_> {
    /// Reads an experiment about convergence.
    pub(in crate::arena::experiment) fn convergence(
        &self,
        tree: &Tree,
    ) -> Result<Outline, Box<Diagnostic>> {
        let rows = self.table(tree, "an experiment", &KEYS)?;
        let runs = self.need(tree, rows, "runs", "30")?;
        let runs = self.whole(runs, "runs", 1..=MOST_RUNS)?;
        let iterations = self.need(tree, rows, "iterations", "[100, 1000, 10000]")?;
        let iterations = self.ascending(iterations, "iterations", 1..=MOST_ITERATIONS)?;
        let budget = Budget {
            playouts: iterations.last().copied(),
            ms: None,
        };
        let beginning = self.beginning(tree, &KEYS, budget)?;
        let depth = match find(rows, "depth") {
            Some(list) => self.ascending(list, "depth", 0..=DEEPEST)?,
            None => Vec::new(),
        };
        self.suited(rows, budget)?;
        if let Some(Tree::Table(variants, _)) = find(rows, "variants") {
            for (_, variant) in variants {
                if let Tree::Table(rows, _) = variant {
                    self.suited(rows, budget)?;
                }
            }
        }
        Ok(Outline {
            title: beginning.title,
            runs,
            iterations,
            depth: depth.into_iter().map(|d| d as u32).collect(),
            seed: beginning.seed,
            variants: beginning.variants,
        })
    }

    /// Refuses players whose search cannot be looked into while it goes on, and those with a budget of their own.
    fn suited(&self, rows: &[Row], budget: Budget) -> Result<(), Box<Diagnostic>> {
        if let Some(own) = find(rows, "budget") {
            let message = "an experiment about convergence has no budget".to_string();
            let hint = "`iterations` says how long the players search";
            return Err(self.at(own.number(), codes::BAD_VALUE, message, hint));
        }
        let Some(tree) = find(rows, "players") else {
            return Ok(());
        };
        let Tree::Table(places, _) = tree else {
            return Ok(());
        };
        let players = self.players(tree, budget)?;
        for ((_, place), (name, spec)) in std::iter::zip(places, players) {
            let wrong = |message: String, hint: &str| {
                Err(self.at(place.number(), codes::BAD_VALUE, message, hint))
            };
            if spec.searcher().is_none_or(|s| s.tree().is_none()) {
                let message = format!("`{name}` keeps no strategy for a whole tree");
                return wrong(
                    message,
                    "take `smmcts`, such as `{ smmcts: { select: oos } }`",
                );
            }
            if spec.depends_on_time() || spec.count("playouts") != budget.playouts {
                let message = format!("`{name}` has a budget of its own");
                return wrong(message, "`iterations` says how long the players search");
            }
        }
        Ok(())
    }
}
