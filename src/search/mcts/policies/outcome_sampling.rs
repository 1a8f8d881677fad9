//! Online outcome sampling (Lanctot, Lisý & Winands 2013, section 3.4): outcome-sampling MCCFR on the tree of the search
//! (Lanctot 2013, chapter 4; Lanctot et al. 2009). `oos` and `oos_plus` differ in what an action was worth.
//!
//! One player explores in each simulation, and the probability of what it did on the way is kept. Where the matrix is
//! being filled the simulation is on its own, as in a roll-out, and nothing is learnt at that node.

use super::regret_matching::{Matching, average, total};
use super::{Selected, SelectionPolicy, Started, shares};
use crate::random::Stream;
use crate::search::mcts::Setup;
use crate::search::mcts::cells::Cell;
use crate::search::mcts::tree::{ActionIndices, Decision, DecisionMut, SimulationResult};
use crate::search::parameters::Parameter;

/// What the actions of the exploring player were worth in a simulation.
pub trait ActionValues: Default + Send {
    type Cell: Cell + Send;

    /// The share γ of exploration, from 0 to 1.
    const EXPLORATION: Parameter;

    /// A simulation begins.
    fn begin(&mut self) {}

    /// Adds to the regrets of the exploring player, the `m`-th mover. `value` is what the simulation brought to the first
    /// player; times `sign` it is the exploring player's.
    fn add_regrets(
        &mut self,
        node: &mut DecisionMut<'_, Self::Cell>,
        m: usize,
        step: &Selected<Reached>,
        value: f64,
        sign: f64,
    );
}

pub fn start<'m, V: ActionValues + 'static>(setup: Setup<'m, '_>) -> Started<'m> {
    let gamma = setup.options.values.number_of(&V::EXPLORATION);
    setup.tree(OutcomeSampling {
        gamma,
        player: 1,
        reach: 1.0,
        values: V::default(),
    })
}

/// The columns are r(s, a) and σ̄(s, a): regrets, and the sum of the strategies so far.
struct OutcomeSampling<V> {
    gamma: f64,
    /// i_exp, who explores. The players take turns from simulation to simulation.
    player: usize,
    /// π: the probability of the exploring player's choices so far.
    reach: f64,
    values: V,
}

/// What is remembered of a selection.
#[derive(Copy, Clone, Debug, Default)]
pub struct Reached {
    /// π before it.
    pub reach: f64,
    /// The probability p(s, a) with which the exploring player's action was taken.
    pub probability: f64,
}

impl<V: ActionValues> SelectionPolicy for OutcomeSampling<V> {
    type Trace = Reached;
    type Cell = V::Cell;

    /// The other player explores now.
    fn begin(&mut self) {
        self.player = 1 - self.player;
        self.reach = 1.0;
        self.values.begin();
    }

    /// The exploring player takes any action with probability γ and follows its strategy otherwise; the other player
    /// always follows its own.
    fn select(
        &mut self,
        node: &Decision<'_, Self::Cell>,
        indices: &mut ActionIndices,
        rng: &mut Stream,
    ) -> Reached {
        let mut reached = Reached {
            reach: self.reach,
            probability: 1.0,
        };
        for (m, mover) in node.movers.iter().enumerate() {
            let [regrets, _] = node.columns(m);
            let matching = Matching::new(regrets);
            let place = if mover.player() == self.player {
                let place = matching.explore(self.gamma, rng);
                reached.probability = matching.exploring(place, self.gamma);
                self.reach *= reached.probability;
                place
            } else {
                matching.play(rng)
            };
            indices.push(place as u32);
        }
        reached
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
        let explorer = self.player;
        let sign = if explorer == 0 { 1.0 } else { -1.0 };
        // First the regrets: they are against the strategy by which the other player played.
        if let Some(m) = node.movers.iter().position(|m| m.player() == explorer) {
            self.values.add_regrets(node, m, step, outcome.value, sign);
        }
        // σ̄ⱼ(s, a) ← σ̄ⱼ(s, a) + σⱼ(s, a) / π, for the player j who does not explore.
        for m in 0..node.movers.len() {
            if node.movers[m].player() != explorer {
                let [regrets, strategy] = node.columns_mut(m);
                average(strategy, regrets, total(regrets), 1.0 / step.trace.reach);
            }
        }
    }

    /// The average strategy.
    fn strategy(&self, node: &Decision<'_, Self::Cell>, mover: usize) -> Vec<f64> {
        let [_, strategy] = node.columns(mover);
        shares(strategy.iter().copied())
    }
}
