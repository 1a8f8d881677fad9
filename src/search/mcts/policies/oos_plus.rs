//! OOS⁺ (Lanctot, Lisý & Winands 2013, section 3.4): online outcome sampling in which an action that was not taken is
//! worth what the means of its children say, not 0.
//!
//! That makes regrets less noisy, and wrong as far as the means are. A child without a visit counts as 0, halfway between
//! the two players. As in `oos`, nothing is learnt at the node whose matrix is being filled.

use super::exploration::{Exploring, Reached};
use super::regret_matching::Matching;
use super::{GAMMA, Selected, Selection, SelectionPolicy, Started};
use crate::random::Stream;
use crate::search::mcts::Setup;
use crate::search::mcts::cells::Mean;
use crate::search::mcts::tree::{ActionIndices, Decision, DecisionMut, SimulationResult};
use crate::search::parameters::Parameter;
use crate::search::supported_games;
use smallvec::SmallVec;

pub static OOS_PLUS: Selection = Selection {
    word: "oos_plus",
    doc: "online outcome sampling with means",
    parameters: &[EXPLORATION],
    games: &supported_games::CONSTANT_SUM,
    start,
};

const EXPLORATION: Parameter = GAMMA.or("0.55");

fn start<'m>(setup: Setup<'m, '_>) -> Started<'m> {
    let gamma = setup.options.values.number_of(&EXPLORATION);
    setup.tree(OosPlus::new(gamma))
}

/// The columns are r(s, a) and σ̄(s, a): regrets, and the sum of the strategies so far.
#[derive(Clone, Debug)]
pub struct OosPlus {
    exploring: Exploring,
}

/// A number for each action of a player.
type Values = SmallVec<[f64; 16]>;

impl OosPlus {
    /// `gamma`: the share γ of exploration, from 0 to 1.
    pub fn new(gamma: f64) -> OosPlus {
        OosPlus {
            exploring: Exploring::new(gamma),
        }
    }

    /// v(s, a) of all actions of a mover: the means of the children under the other player's strategy, with what the
    /// simulation brought in the place of its own child.
    fn values(
        &self,
        node: &Decision<'_, Mean>,
        mover: usize,
        step: &Selected<Reached>,
        value: f64,
    ) -> Values {
        let other = (0..node.movers.len()).find(|&m| m != mover);
        let own = node.movers[mover].stride;
        let mean = |way: u64| {
            if way == step.way {
                value
            } else {
                node.cells.mean(way)
            }
        };
        let actions = 0..node.movers[mover].actions.len() as u64;
        let Some(other) = other else {
            return actions.map(|a| mean(own * a)).collect();
        };
        let [regrets, _] = node.columns(other);
        let matching = Matching::new(regrets);
        let mut values: Values = actions.map(|_| 0.0).collect();
        for b in 0..regrets.len() {
            let probability = matching.probability(b);
            if probability > 0.0 {
                let first = node.movers[other].stride * b as u64;
                for (a, sum) in values.iter_mut().enumerate() {
                    *sum += probability * mean(first + own * a as u64);
                }
            }
        }
        values
    }
}

impl SelectionPolicy for OosPlus {
    type Trace = Reached;
    type Cell = Mean;

    fn begin(&mut self) {
        self.exploring.begin();
    }

    fn select(
        &mut self,
        node: &Decision<'_, Self::Cell>,
        indices: &mut ActionIndices,
        rng: &mut Stream,
    ) -> Reached {
        self.exploring.select(node, indices, rng)
    }

    fn update(
        &mut self,
        node: &mut DecisionMut<'_, Self::Cell>,
        step: &Selected<Reached>,
        outcome: &SimulationResult,
    ) {
        if step.filling {
            return;
        }
        let explorer = self.exploring.player;
        let sign = if explorer == 0 { 1.0 } else { -1.0 };
        // First the regrets: they are against the strategy by which the other player played.
        if let Some(m) = node.movers.iter().position(|m| m.player() == explorer) {
            let values = self.values(&node.read(), m, step, outcome.value);
            let [regrets, _] = node.columns_mut(m);
            let matching = Matching::new(regrets);
            let of_all = values.iter().enumerate();
            let expected: f64 = of_all.map(|(a, v)| matching.probability(a) * v).sum();
            for (regret, value) in std::iter::zip(regrets, &values) {
                *regret += sign * (value - expected) / step.trace.reach;
            }
        }
        for m in 0..node.movers.len() {
            if node.movers[m].player() != explorer {
                self.exploring.average(node, m, step.trace);
            }
        }
    }

    fn strategy(&self, node: &Decision<'_, Self::Cell>, mover: usize) -> Vec<f64> {
        Exploring::strategy(node, mover)
    }
}
