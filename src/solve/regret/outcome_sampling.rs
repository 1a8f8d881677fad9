//! MCCFR with outcome sampling (Lanctot, Waugh, Zinkevich & Bowling 2009, "Monte Carlo sampling for regret minimization in
//! extensive games", section 3.1).
//!
//! An iteration plays one game for each player. In its own game a player explores: with probability ε it chooses uniformly.
//! Chance and the others play as they are, so that their probabilities cancel out of equation 10, and what is left is the
//! payoff over the probability of the player's own choices. The average strategy of a player is added up on the games of the
//! others, over the probability with which those chose to come there.

use super::RegretMinimizer;
use super::sampling::{RegretTables, sample};
use crate::random::{Stream, stream};
use crate::solve::profile::Profile;
use crate::solve::tree::{NodeKind, Tree};
use rand::RngExt;

/// A decision of the player on its way through a game.
#[derive(Copy, Clone)]
struct Taken {
    information_state: u32,
    choice: u32,
    /// The probability of the choice by the strategy, not the exploration.
    probability: f64,
}

pub struct OutcomeSampling<'a> {
    tree: &'a Tree,
    exploration: f64,
    tables: RegretTables,
    way: Vec<Taken>,
    rng: Stream,
    iterations: u64,
}

impl<'a> OutcomeSampling<'a> {
    /// The exploration of the paper's experiments.
    pub const EXPLORATION: f64 = 0.6;

    /// `exploration` is ε, above 0 and at most 1.
    pub fn new(tree: &'a Tree, exploration: f64, seed: u64) -> OutcomeSampling<'a> {
        OutcomeSampling {
            tree,
            exploration,
            tables: RegretTables::new(tree),
            way: Vec::new(),
            rng: stream(seed, &[]),
            iterations: 0,
        }
    }

    fn play(&mut self, player: usize) {
        let tree = self.tree;
        self.way.clear();
        // The probability of the player's own choices so far, exploration included.
        let mut sampled = 1.0;
        let mut at = 0;
        let payoff = loop {
            let node = &tree.nodes()[at as usize];
            match node.kind {
                NodeKind::Terminal(vector) => break tree.payoffs(vector)[player],
                NodeKind::Chance(_) => {
                    at = node.first + sample(tree.probabilities(node), &mut self.rng) as u32;
                }
                NodeKind::Decision(information_state) => {
                    let state = &tree.information_states()[information_state as usize];
                    self.tables.at(state);
                    let strategy = &self.tables.strategy[..state.choices as usize];
                    if state.player as usize == player {
                        let choice = if self.rng.random::<f64>() < self.exploration {
                            self.rng.random_range(0..state.choices)
                        } else {
                            sample(strategy, &mut self.rng) as u32
                        };
                        let probability = strategy[choice as usize];
                        let even = 1.0 / f64::from(state.choices);
                        sampled *= self.exploration * even + (1.0 - self.exploration) * probability;
                        self.way.push(Taken {
                            information_state,
                            choice,
                            probability,
                        });
                        at = node.first + choice;
                    } else {
                        at = node.first + sample(strategy, &mut self.rng) as u32;
                        self.tables.remember(state, 1.0 / sampled);
                    }
                }
            }
        };
        let worth = payoff / sampled;
        // The probability of the player's own choices from here to the end.
        let mut tail = 1.0;
        for taken in self.way.iter().rev() {
            let state = &tree.information_states()[taken.information_state as usize];
            let regrets = &mut self.tables.regrets[state.range()];
            let mean = worth * tail * taken.probability;
            for (choice, regret) in (0..).zip(regrets) {
                let value = if choice == taken.choice {
                    worth * tail
                } else {
                    0.0
                };
                *regret += value - mean;
            }
            tail *= taken.probability;
        }
    }
}

impl RegretMinimizer for OutcomeSampling<'_> {
    fn iterate(&mut self) {
        self.iterations += 1;
        for player in 0..self.tree.players() {
            self.play(player);
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> Profile {
        self.tables.average(self.tree)
    }
}
