//! Online outcome sampling (Lanctot, Lisý & Winands 2013, section 3.4): outcome-sampling MCCFR on the tree of the search
//! (Lanctot 2013, chapter 4; Lanctot et al. 2009).
//!
//! Actions that were not taken are worth 0 to it, and the one that was taken is worth the more the less likely it was, so
//! that the regrets are right in the mean. Where the matrix is being filled the simulation is on its own, as in a roll-out,
//! and nothing is learnt at that node.

use super::exploration::{Exploring, Reached};
use super::regret_matching::Matching;
use super::{GAMMA, Selected, Selection, SelectionPolicy, Started};
use crate::random::Stream;
use crate::search::mcts::Setup;
use crate::search::mcts::cells::Link;
use crate::search::mcts::tree::{ActionIndices, Decision, DecisionMut, SimulationResult};
use crate::search::parameters::Parameter;
use crate::search::supported_games;

pub static OOS: Selection = Selection {
    word: "oos",
    doc: "online outcome sampling",
    parameters: &[EXPLORATION],
    games: &supported_games::CONSTANT_SUM,
    start,
};

const EXPLORATION: Parameter = GAMMA.or("0.5");

fn start<'m>(setup: Setup<'m, '_>) -> Started<'m> {
    let gamma = setup.options.values.number_of(&EXPLORATION);
    setup.tree(Oos::new(gamma))
}

/// The columns are r(s, a) and σ̄(s, a): regrets, and the sum of the strategies so far.
#[derive(Clone, Debug)]
pub struct Oos {
    exploring: Exploring,
    /// x/q from below the present node to the end: the probability of the exploring player's choices by its strategy, over
    /// that of their being sampled. A roll-out follows the uniform strategy as it is, which makes it 1.
    tail: f64,
}

impl Oos {
    /// `gamma`: the share γ of exploration, from 0 to 1.
    pub fn new(gamma: f64) -> Oos {
        Oos {
            exploring: Exploring::new(gamma),
            tail: 1.0,
        }
    }
}

impl SelectionPolicy for Oos {
    type Trace = Reached;
    type Cell = Link;

    fn begin(&mut self) {
        self.exploring.begin();
        self.tail = 1.0;
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
        let u = if explorer == 0 {
            outcome.value
        } else {
            -outcome.value
        };
        let Reached { reach, probability } = step.trace;
        for (m, &place) in step.indices.iter().enumerate() {
            if node.movers[m].player() != explorer {
                self.exploring.average(node, m, step.trace);
                continue;
            }
            let [regrets, _] = node.columns_mut(m);
            let followed = Matching::new(regrets).probability(place as usize);
            // v(s, a) of the action that was taken; of all others it is 0.
            let value = u * self.tail / probability;
            let expected = followed * value;
            for regret in regrets.iter_mut() {
                *regret -= expected / reach;
            }
            regrets[place as usize] += value / reach;
            self.tail *= followed / probability;
        }
    }

    fn strategy(&self, node: &Decision<'_, Self::Cell>, mover: usize) -> Vec<f64> {
        Exploring::strategy(node, mover)
    }
}
