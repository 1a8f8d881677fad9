//! What `oos` and `oos_plus` share: one player explores in each simulation, and the probability of what it did on the way
//! is kept (Lanctot, Lisý & Winands 2013, section 3.4).

use super::regret_matching::{Matching, average, total};
use super::shares;
use crate::random::Stream;
use crate::search::mcts::tree::{ActionIndices, Decision, DecisionMut};

/// The exploring player of a simulation and how it got where it is.
#[derive(Clone, Debug)]
pub struct Exploring {
    /// The share γ of exploration, from 0 to 1.
    gamma: f64,
    /// i_exp. The players take turns from simulation to simulation.
    pub player: usize,
    /// π: the probability of the exploring player's choices so far.
    reach: f64,
}

/// What is remembered of a selection.
#[derive(Copy, Clone, Debug, Default)]
pub struct Reached {
    /// π before it.
    pub reach: f64,
    /// The probability p(s, a) with which the exploring player's action was taken.
    pub probability: f64,
}

impl Exploring {
    pub fn new(gamma: f64) -> Exploring {
        Exploring {
            gamma,
            player: 1,
            reach: 1.0,
        }
    }

    /// The other player explores now.
    pub fn begin(&mut self) {
        self.player = 1 - self.player;
        self.reach = 1.0;
    }

    /// The exploring player takes any action with probability γ and follows its strategy otherwise; the other player
    /// always follows its own.
    pub fn select<C>(
        &mut self,
        node: &Decision<'_, C>,
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

    /// σ̄ⱼ(s, a) ← σ̄ⱼ(s, a) + σⱼ(s, a) / π, for the player j who does not explore.
    pub fn average<C>(&self, node: &mut DecisionMut<'_, C>, mover: usize, reached: Reached) {
        let [regrets, strategy] = node.columns_mut(mover);
        average(strategy, regrets, total(regrets), 1.0 / reached.reach);
    }

    /// The average strategy.
    pub fn strategy<C>(node: &Decision<'_, C>, mover: usize) -> Vec<f64> {
        let [_, strategy] = node.columns(mover);
        shares(strategy.iter().copied())
    }
}
