//! MCCFR with external sampling (Lanctot, Waugh, Zinkevich & Bowling 2009, "Monte Carlo sampling for regret minimization in
//! extensive games", section 3.2).
//!
//! An iteration walks once for each player: chance and the others are sampled, and all of the player's own choices are
//! followed. The average strategy of a player is added up on the walks of the others, where its decisions come up as often as
//! its own strategy leads there.

use super::RegretMinimizer;
use super::sampling::{RegretTables, sample};
use crate::random::{Stream, stream};
use crate::solve::profile::Profile;
use crate::solve::tree::{NodeKind, Tree};

/// A node on a walk.
#[derive(Copy, Clone)]
struct Visit {
    node: u32,
    /// The visit that this one comes from; its own number at the root.
    from: u32,
    /// For an own decision of the walking player: the visit of its first choice.
    first: u32,
    /// The probability with which the walking player goes here.
    probability: f64,
    /// What the walking player gets from here on.
    value: f64,
}

pub struct ExternalSampling<'a> {
    tree: &'a Tree,
    tables: RegretTables,
    /// The nodes of a walk, each after the one it comes from.
    visits: Vec<Visit>,
    rng: Stream,
    iterations: u64,
}

impl<'a> ExternalSampling<'a> {
    pub fn new(tree: &'a Tree, seed: u64) -> ExternalSampling<'a> {
        ExternalSampling {
            tree,
            tables: RegretTables::new(tree),
            visits: Vec::new(),
            rng: stream(seed, &[]),
            iterations: 0,
        }
    }

    fn traverse(&mut self, player: usize) {
        let tree = self.tree;
        self.visits.clear();
        self.visit(0, 0, 1.0);
        let mut at = 0;
        while at < self.visits.len() {
            let node = &tree.nodes()[self.visits[at].node as usize];
            match node.kind {
                NodeKind::Terminal(vector) => self.visits[at].value = tree.payoffs(vector)[player],
                NodeKind::Chance(_) => {
                    let outcome = sample(tree.probabilities(node), &mut self.rng);
                    self.visit(node.first + outcome as u32, at, 1.0);
                }
                NodeKind::Decision(state) => {
                    let state = &tree.information_states()[state as usize];
                    self.tables.at(state.range());
                    if state.player as usize == player {
                        self.visits[at].first = self.visits.len() as u32;
                        for choice in 0..state.choices {
                            let probability = self.tables.strategy[choice as usize];
                            self.visit(node.first + choice, at, probability);
                        }
                    } else {
                        self.tables.remember(state.range(), 1.0);
                        let strategy = &self.tables.strategy[..state.choices as usize];
                        let choice = sample(strategy, &mut self.rng);
                        self.visit(node.first + choice as u32, at, 1.0);
                    }
                }
            }
            at += 1;
        }
        // Values from the ends back. With perfect recall a walk meets an own information state once at most.
        for at in (0..self.visits.len()).rev() {
            let Visit {
                node,
                from,
                first,
                probability,
                value,
            } = self.visits[at];
            if let NodeKind::Decision(state) = tree.nodes()[node as usize].kind {
                let state = &tree.information_states()[state as usize];
                if state.player as usize == player {
                    let choices = &self.visits[first as usize..(first + state.choices) as usize];
                    let regrets = &mut self.tables.regrets[state.range()];
                    for (regret, choice) in std::iter::zip(regrets, choices) {
                        *regret += choice.value - value;
                    }
                }
            }
            if at > 0 {
                self.visits[from as usize].value += probability * value;
            }
        }
    }

    fn visit(&mut self, node: u32, from: usize, probability: f64) {
        self.visits.push(Visit {
            node,
            from: from as u32,
            first: 0,
            probability,
            value: 0.0,
        });
    }
}

impl RegretMinimizer for ExternalSampling<'_> {
    fn iterate(&mut self) {
        self.iterations += 1;
        for player in 0..self.tree.players() {
            self.traverse(player);
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> Profile {
        self.tables.average(self.tree)
    }
}
