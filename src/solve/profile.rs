//! Strategies of all players of a tree: how likely each choice is at each information state.

use super::sequences::Sequences;
use super::tree::Tree;

/// A behaviour strategy for every player: one probability a choice, in the order of the choices of the tree. The choices of
/// an information state add up to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pub probabilities: Vec<f64>,
}

impl Profile {
    /// Every choice at an information state is as likely as every other.
    pub fn uniform(tree: &Tree) -> Profile {
        let states = tree.information_states().iter();
        let probabilities =
            states.flat_map(|s| std::iter::repeat_n(1.0 / f64::from(s.choices), s.range().len()));
        Profile {
            probabilities: probabilities.collect(),
        }
    }

    /// From weights of choices, none below 0: shares of their sum at each information state, and even shares where all are 0.
    pub fn from_weights(tree: &Tree, weights: &[f64]) -> Profile {
        let mut probabilities = vec![0.0; tree.choice_count()];
        for state in tree.information_states() {
            let range = state.range();
            shares(&weights[range.clone()], &mut probabilities[range]);
        }
        Profile { probabilities }
    }

    /// From realization plans of all players, as in [`plan`](super::sequences::PlayerSequences::plan); nothing in them may
    /// be below 0. Where a player never comes by its own choices, every choice is as likely as every other.
    pub fn from_plans(tree: &Tree, plans: &[Vec<f64>]) -> Profile {
        let mut weights = Vec::with_capacity(tree.choice_count());
        for plan in plans {
            weights.extend_from_slice(&plan[1..]);
        }
        Profile::from_weights(tree, &weights)
    }

    /// Takes the strategy of one player from another profile of the same tree.
    pub fn adopt(&mut self, tree: &Tree, player: usize, from: &Profile) {
        let range = tree.choices_of(player);
        self.probabilities[range.clone()].copy_from_slice(&from.probabilities[range]);
    }

    /// The realization plans of all players.
    pub fn plans(&self, sequences: &Sequences) -> Vec<Vec<f64>> {
        sequences
            .players
            .iter()
            .map(|form| {
                let mut plan = vec![0.0; form.sequences];
                form.plan(&self.probabilities[form.choices.clone()], &mut plan);
                plan
            })
            .collect()
    }
}

/// The shares of weights that are not below 0, even shares where all are 0.
pub fn shares(weights: &[f64], into: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 {
        for (share, weight) in std::iter::zip(into, weights) {
            *share = weight / sum;
        }
    } else {
        let even = 1.0 / into.len() as f64;
        into.fill(even);
    }
}
