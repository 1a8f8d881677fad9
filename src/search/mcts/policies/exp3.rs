//! Exp3 (Lanctot, Lisý & Winands 2013, section 3.2; Auer et al. 1995): every player runs an adversarial bandit on
//! statistics of their own, with payoffs between 0 and 1.
//!
//! The paper does not say what it takes for a reward where points count. Its γ of 0.01 there, against 0.2 for games that are
//! won or lost, goes with points as they are; `unit` is for that.

use super::{GAMMA, Selected, Selection, SelectionPolicy, Started, sample, shares};
use crate::machine::below;
use crate::random::Stream;
use crate::search::mcts::Setup;
use crate::search::mcts::cells::Link;
use crate::search::mcts::tree::{ActionIndices, Decision, DecisionMut, SimulationResult};
use crate::search::parameters::{Kind, Parameter};
use crate::search::supported_games;
use rand::RngExt;
use smallvec::SmallVec;

pub static EXP3: Selection = Selection {
    word: "exp3",
    doc: "Exp3",
    parameters: &[EXPLORATION, UNIT],
    games: &supported_games::ANY,
    start,
};

const EXPLORATION: Parameter = GAMMA.or("0.2");

const UNIT: Parameter = Parameter {
    name: "unit",
    kind: Kind::Positive,
    default: "the range of payoffs, which are then taken from the least one on",
    needs: &[],
    doc: "The payoff that counts as a reward of 1.",
};

fn start<'m>(setup: Setup<'m, '_>) -> Started<'m> {
    let values = &setup.options.values;
    setup.tree(Exp3 {
        gamma: values.number_of(&EXPLORATION),
        bounds: SmallVec::from_slice(&setup.machine.features().payoff_bounds),
        unit: values.number(UNIT.name),
    })
}

/// The columns are x̂(s, a) and n(s, a): the estimated sum of the rewards that the action would have brought, and visits.
#[derive(Clone, Debug)]
pub struct Exp3 {
    /// The share γ of exploration, from 0 to 1.
    pub gamma: f64,
    /// The least and the greatest payoff of each player.
    pub bounds: SmallVec<[(f64, f64); 8]>,
    /// The payoff that counts as a reward of 1, with payoffs as they are; `None`: rewards lie between 0 and 1.
    pub unit: Option<f64>,
}

/// exp(η w(s, a)) of all actions of a mover, and their sum.
type Weights = SmallVec<[f64; 16]>;

impl Exp3 {
    /// Equation 3, above the line: w is x̂ less the greatest x̂, so that nothing overflows.
    fn weights(&self, estimates: &[f64]) -> (Weights, f64) {
        let eta = self.gamma / estimates.len() as f64;
        let most = estimates.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // `exp` from libm gives the same bits on every platform, as `f64::exp` does not.
        let weights: Weights = estimates
            .iter()
            .map(|x| libm::exp(eta * (x - most)))
            .collect();
        let total = weights.iter().sum();
        (weights, total)
    }

    /// Equation 3: σ(s, a) from exp(η w(s, a)).
    fn probability(&self, weight: f64, total: f64, actions: usize) -> f64 {
        (1.0 - self.gamma) * weight / total + self.gamma / actions as f64
    }

    /// A payoff as a number from 0 to 1, or in the unit.
    fn reward(&self, player: usize, payoff: f64) -> f64 {
        if let Some(unit) = self.unit {
            return payoff / unit;
        }
        let (least, most) = self.bounds[player];
        if most > least {
            (payoff - least) / (most - least)
        } else {
            0.0
        }
    }
}

impl SelectionPolicy for Exp3 {
    /// The probability of each mover's action.
    type Trace = SmallVec<[f64; 2]>;
    type Cell = Link;

    fn select(
        &mut self,
        node: &Decision<'_, Self::Cell>,
        indices: &mut ActionIndices,
        rng: &mut Stream,
    ) -> Self::Trace {
        let mut trace = SmallVec::new();
        for m in 0..node.movers.len() {
            let [estimates, _] = node.columns(m);
            let n = estimates.len();
            let (weights, total) = self.weights(estimates);
            let place = if rng.random::<f64>() < self.gamma {
                below(rng, n as u64) as usize
            } else {
                sample(weights.iter().copied(), total, rng)
            };
            indices.push(place as u32);
            trace.push(self.probability(weights[place], total, n));
        }
        trace
    }

    fn update(
        &mut self,
        node: &mut DecisionMut<'_, Self::Cell>,
        step: &Selected<Self::Trace>,
        outcome: &SimulationResult,
    ) {
        for (m, &place) in step.indices.iter().enumerate() {
            let place = place as usize;
            let player = node.movers[m].player();
            let reward = self.reward(player, outcome.payoffs[player]);
            let [estimates, visits] = node.columns_mut(m);
            let probability = step.trace.get(m).copied().unwrap_or_else(|| {
                let (weights, total) = self.weights(estimates);
                self.probability(weights[place], total, weights.len())
            });
            visits[place] += 1.0;
            estimates[place] += reward / probability;
        }
    }

    /// Equation 4: the visits, less those that exploration brought, as shares.
    fn strategy(&self, node: &Decision<'_, Self::Cell>, mover: usize) -> Vec<f64> {
        let [_, visits] = node.columns(mover);
        let explored = self.gamma / visits.len() as f64 * visits.iter().sum::<f64>();
        let kept = || visits.iter().map(|n| (n - explored).max(0.0));
        // With γ = 1 all visits are exploration, and nothing is left.
        if kept().all(|n| n == 0.0) {
            return shares(visits.iter().copied());
        }
        shares(kept().collect::<Vec<_>>().into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exp3(gamma: f64) -> Exp3 {
        Exp3 {
            gamma,
            bounds: SmallVec::from_slice(&[(-1.0, 3.0), (2.0, 2.0)]),
            unit: None,
        }
    }

    #[test]
    fn probabilities_are_those_of_equation_3() {
        let exp3 = exp3(0.2);
        let (weights, total) = exp3.weights(&[10.0, 0.0]);
        let small = (-1.0f64).exp();
        for (weight, expected) in std::iter::zip(&weights, [1.0, small]) {
            assert!((weight - expected).abs() < 1e-15);
        }
        let p: Vec<f64> = weights
            .iter()
            .map(|&w| exp3.probability(w, total, 2))
            .collect();
        assert!((p[0] - (0.8 / (1.0 + small) + 0.1)).abs() < 1e-12);
        assert!((p[0] + p[1] - 1.0).abs() < 1e-12);
        // However large the estimates, nothing overflows.
        let (_, total) = exp3.weights(&[1e12, 0.0]);
        assert_eq!(total, 1.0);
    }

    #[test]
    fn rewards_lie_between_0_and_1() {
        let exp3 = exp3(0.2);
        assert_eq!(exp3.reward(0, -1.0), 0.0);
        assert_eq!(exp3.reward(0, 3.0), 1.0);
        assert_eq!(exp3.reward(0, 0.0), 0.25);
        assert_eq!(exp3.reward(1, 2.0), 0.0);
        let unit = Some(0.5);
        let as_they_are = Exp3 { unit, ..exp3 };
        assert_eq!(as_they_are.reward(0, -1.0), -2.0);
    }
}
