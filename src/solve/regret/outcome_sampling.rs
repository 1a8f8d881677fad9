//! MCCFR with outcome sampling (Lanctot, Waugh, Zinkevich & Bowling 2009, "Monte Carlo sampling for regret minimization in
//! extensive games", section 3.1): an iteration plays one game for each player, who explores in it.

use super::RegretMinimizer;
use super::outcome_walk::{OutcomeSampler, Place, Walk};
use super::sampling::RegretTables;
use crate::random::{Stream, stream};
use crate::solve::profile::Profile;
use crate::solve::tree::{NodeKind, Tree};
use std::convert::Infallible;

pub struct OutcomeSampling<'a> {
    tree: &'a Tree,
    sampler: OutcomeSampler,
    rng: Stream,
    iterations: u64,
}

impl<'a> OutcomeSampling<'a> {
    /// The exploration of the paper's experiments.
    pub const EXPLORATION: f64 = 0.6;

    /// Without baselines. `exploration` is ε, above 0 and at most 1.
    pub fn new(tree: &'a Tree, exploration: f64, seed: u64) -> OutcomeSampling<'a> {
        OutcomeSampling {
            tree,
            sampler: OutcomeSampler::new(RegretTables::new(tree), exploration),
            rng: stream(seed, &[]),
            iterations: 0,
        }
    }

    /// The same with baselines.
    #[must_use]
    pub fn with_baselines(mut self) -> OutcomeSampling<'a> {
        self.sampler = self.sampler.with_baselines(self.tree.players());
        self
    }
}

/// A way down a tree.
struct TreeWalk<'a> {
    tree: &'a Tree,
    node: u32,
}

impl Walk for TreeWalk<'_> {
    type Error = Infallible;

    fn players(&self) -> usize {
        self.tree.players()
    }

    fn place(&mut self, _: &mut RegretTables, _: &mut Stream) -> Result<Place, Infallible> {
        let node = &self.tree.nodes()[self.node as usize];
        Ok(match node.kind {
            NodeKind::Terminal(_) => Place::End,
            NodeKind::Chance(_) => Place::Chance,
            NodeKind::Decision(state) => {
                let state = &self.tree.information_states()[state as usize];
                Place::Decision {
                    player: state.player as usize,
                    choices: state.range(),
                }
            }
        })
    }

    fn chances(&self) -> &[f64] {
        let node = &self.tree.nodes()[self.node as usize];
        self.tree.probabilities(node)
    }

    fn history(&mut self, _: usize) -> Option<usize> {
        Some(self.tree.nodes()[self.node as usize].first as usize)
    }

    fn go(&mut self, choice: usize, _: &mut Stream) -> Result<(), Infallible> {
        self.node = self.tree.nodes()[self.node as usize].first + choice as u32;
        Ok(())
    }

    fn payoff(&self, player: usize) -> f64 {
        match self.tree.nodes()[self.node as usize].kind {
            NodeKind::Terminal(vector) => self.tree.payoffs(vector)[player],
            _ => 0.0,
        }
    }
}

impl RegretMinimizer for OutcomeSampling<'_> {
    fn iterate(&mut self) {
        self.iterations += 1;
        for player in 0..self.tree.players() {
            let mut walk = TreeWalk {
                tree: self.tree,
                node: 0,
            };
            let Ok(()) = self.sampler.play(&mut walk, player, &mut self.rng);
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> Profile {
        self.sampler.tables.average(self.tree)
    }
}
