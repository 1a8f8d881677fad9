//! What the sampling variants share: tables of regrets and of strategies so far, and choosing at random.

use super::regret_matching::regret_matching;
use crate::random::{Stream, place};
use crate::solve::profile::Profile;
use crate::solve::tree::Tree;
use rand::RngExt;
use std::ops::Range;

/// One number a choice, each. The choices of an information state stand next to one another.
#[derive(Clone, Debug, Default)]
pub struct RegretTables {
    pub regrets: Vec<f64>,
    /// Weighted sums of strategies.
    pub sums: Vec<f64>,
    /// The strategy at one information state, for use by one node at a time.
    pub strategy: Vec<f64>,
}

impl RegretTables {
    /// For all information states of a tree.
    pub fn new(tree: &Tree) -> RegretTables {
        let none = vec![0.0; tree.choice_count()];
        let widest = tree.information_states().iter().map(|s| s.choices).max();
        RegretTables {
            regrets: none.clone(),
            sums: none,
            strategy: vec![0.0; widest.unwrap_or(0) as usize],
        }
    }

    /// Room for one information state more: its choices.
    pub fn add(&mut self, choices: usize) -> Range<usize> {
        let first = self.regrets.len();
        self.regrets.resize(first + choices, 0.0);
        self.sums.resize(first + choices, 0.0);
        if self.strategy.len() < choices {
            self.strategy.resize(choices, 0.0);
        }
        first..first + choices
    }

    /// The strategy at the information state with these choices now, which stays in `strategy` until the next call.
    pub fn at(&mut self, choices: Range<usize>) -> &[f64] {
        let strategy = &mut self.strategy[..choices.len()];
        regret_matching(&self.regrets[choices], strategy);
        strategy
    }

    /// Counts the strategy that is in `strategy` with a weight.
    pub fn remember(&mut self, choices: Range<usize>, weight: f64) {
        let sums = &mut self.sums[choices];
        for (sum, p) in std::iter::zip(sums, &self.strategy) {
            *sum += weight * p;
        }
    }

    pub fn average(&self, tree: &Tree) -> Profile {
        Profile::from_weights(tree, &self.sums)
    }
}

/// A place at random, by probabilities that add up to 1.
pub fn sample(probabilities: &[f64], rng: &mut Stream) -> usize {
    place(probabilities.iter().copied(), rng.random())
}
