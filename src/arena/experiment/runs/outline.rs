//! The file of an experiment of runs: YAML to what it says. The games are not looked at.

use super::{Refusal, Runs};
use crate::arena::experiment::codes;
use crate::arena::experiment::reader::{Outline, Reader, Row, find};
use crate::players::spec::Budget;
use crate::text::diagnostics::Diagnostic;
use crate::text::yaml::Tree;

/// The most runs in a cell.
const MOST_RUNS: u64 = 1_000_000;

impl Reader<'_> {
    /// Reads an experiment of runs.
    pub(in crate::arena::experiment) fn runs<M: Runs>(
        &self,
        tree: &Tree,
    ) -> Result<Outline<M>, Box<Diagnostic>> {
        let mut keys = vec!["title", "game", "set", "variants", "players", "runs"];
        keys.extend(M::KIND.keys);
        keys.push("seed");
        let rows = self.table(tree, "an experiment", &keys)?;
        let runs = match find(rows, "runs") {
            None if !M::KIND.needs_runs => 1,
            _ => {
                let runs = self.need(tree, rows, "runs", "30")?;
                self.whole(runs, "runs", 1..=MOST_RUNS)?
            }
        };
        let measure = M::read(self, tree, rows)?;
        let budget = Budget {
            playouts: measure.lengths().last().copied(),
            ms: None,
        };
        let beginning = self.beginning(tree, &keys, budget)?;
        self.searching::<M>(rows, budget)?;
        if let Some(Tree::Table(variants, _)) = find(rows, "variants") {
            for (_, variant) in variants {
                if let Tree::Table(rows, _) = variant {
                    self.searching::<M>(rows, budget)?;
                }
            }
        }
        Ok(Outline {
            title: beginning.title,
            each: runs,
            seed: beginning.seed,
            variants: beginning.variants,
            measure,
        })
    }

    /// Refuses players of whom nothing can be measured, and those with a budget of their own.
    fn searching<M: Runs>(&self, rows: &[Row], budget: Budget) -> Result<(), Box<Diagnostic>> {
        let length = M::KIND.tables.length;
        let hint = format!("`{length}` says how long the players search");
        if let Some(own) = find(rows, "budget") {
            let message = format!("an experiment about {} has no budget", M::KIND.about);
            return Err(self.at(own.number(), codes::BAD_VALUE, message, &hint));
        }
        let Some(tree @ Tree::Table(places, _)) = find(rows, "players") else {
            return Ok(());
        };
        let players = self.players(tree, budget)?;
        for ((_, place), (name, spec)) in std::iter::zip(places, players) {
            let has_budget = spec.entry().parameter("playouts").is_some();
            let own =
                spec.depends_on_time() || has_budget && spec.count("playouts") != budget.playouts;
            let own: Option<Refusal<'_>> = own.then_some(("has a budget of its own", &hint));
            if let Some((what, hint)) = M::refusal(&spec, own) {
                let message = format!("`{name}` {what}");
                return Err(self.at(place.number(), codes::BAD_VALUE, message, hint));
            }
        }
        Ok(())
    }
}
