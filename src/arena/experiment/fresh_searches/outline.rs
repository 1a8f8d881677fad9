//! The file of an experiment about fresh searches: YAML to what it says. The games are not looked at.

use crate::arena::experiment::codes;
use crate::arena::experiment::reader::{Reader, Row, VariantOutline, find};
use crate::players::by_information_state;
use crate::players::spec::Budget;
use crate::text::diagnostics::Diagnostic;
use crate::text::yaml::Tree;

/// The most strategies of one player with one budget.
pub const MOST_RUNS: u64 = 1_000_000;
/// The most searches at one information state.
pub const MOST_SEARCHES: u64 = 1_000_000;
/// The most playouts of a search.
pub const MOST_PLAYOUTS: u64 = 1_000_000_000;

const KEYS: [&str; 9] = [
    "title", "game", "set", "variants", "players", "runs", "searches", "playouts", "seed",
];

/// What an experiment about fresh searches says.
#[derive(Clone, Debug)]
pub struct Outline {
    pub title: Option<String>,
    /// How often a strategy is made, for each player and budget.
    pub runs: u64,
    /// How many searches make up a strategy, ascending; at least one.
    pub searches: Vec<u64>,
    /// With how many playouts each search is made, ascending; at least one.
    pub playouts: Vec<u64>,
    pub seed: u64,
    pub variants: Vec<VariantOutline>,
}

impl Reader<'_> {
    /// Reads an experiment about fresh searches.
    pub(in crate::arena::experiment) fn fresh_searches(
        &self,
        tree: &Tree,
    ) -> Result<Outline, Box<Diagnostic>> {
        let rows = self.table(tree, "an experiment", &KEYS)?;
        let runs = match find(rows, "runs") {
            Some(runs) => self.whole(runs, "runs", 1..=MOST_RUNS)?,
            None => 1,
        };
        let searches = self.need(tree, rows, "searches", "5")?;
        let searches = self.ascending(searches, "searches", 1..=MOST_SEARCHES)?;
        let playouts = self.need(tree, rows, "playouts", "[100, 1000, 10000]")?;
        let playouts = self.ascending(playouts, "playouts", 1..=MOST_PLAYOUTS)?;
        let budget = Budget {
            playouts: playouts.last().copied(),
            ms: None,
        };
        let beginning = self.beginning(tree, &KEYS, budget)?;
        self.searching(rows, budget)?;
        if let Some(Tree::Table(variants, _)) = find(rows, "variants") {
            for (_, variant) in variants {
                if let Tree::Table(rows, _) = variant {
                    self.searching(rows, budget)?;
                }
            }
        }
        Ok(Outline {
            title: beginning.title,
            runs,
            searches,
            playouts,
            seed: beginning.seed,
            variants: beginning.variants,
        })
    }

    /// Refuses players whose choices do not follow from what they saw, and those with a budget of their own.
    fn searching(&self, rows: &[Row], budget: Budget) -> Result<(), Box<Diagnostic>> {
        if let Some(own) = find(rows, "budget") {
            let message = "an experiment about fresh searches has no budget".to_string();
            let hint = "`playouts` says how long the players search";
            return Err(self.at(own.number(), codes::BAD_VALUE, message, hint));
        }
        let Some(tree @ Tree::Table(places, _)) = find(rows, "players") else {
            return Ok(());
        };
        let players = self.players(tree, budget)?;
        for ((_, place), (name, spec)) in std::iter::zip(places, players) {
            let wrong = |message: String, hint: &str| {
                Err(self.at(place.number(), codes::BAD_VALUE, message, hint))
            };
            let has_budget = spec.entry().parameter("playouts").is_some();
            let own = has_budget && spec.count("playouts") != budget.playouts;
            if spec.depends_on_time() || own {
                let message = format!("`{name}` has a budget of its own");
                return wrong(message, "`playouts` says how long the players search");
            }
            if by_information_state(&spec).is_none() {
                let message = format!("`{name}` does not search");
                return wrong(message, "take a search, such as `ismcts` or `oos`");
            }
        }
        Ok(())
    }
}
