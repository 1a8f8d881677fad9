//! `oos`: online outcome sampling in which actions that were not taken are worth 0, and the one that was taken is worth the
//! more the less likely it was, so that the regrets are right in the mean.

use super::outcome_sampling::{ActionValues, Reached, start};
use super::regret_matching::Matching;
use super::{GAMMA, Selected, Selection};
use crate::search::mcts::cells::Link;
use crate::search::mcts::tree::DecisionMut;
use crate::search::parameters::Parameter;
use crate::search::supported_games;

pub static OOS: Selection = Selection {
    word: "oos",
    doc: "online outcome sampling",
    parameters: &[SampledValues::EXPLORATION],
    games: &supported_games::CONSTANT_SUM,
    start: start::<SampledValues>,
};

struct SampledValues {
    /// x/q from below the present node to the end: the probability of the exploring player's choices by its strategy, over
    /// that of their being sampled. A roll-out follows the uniform strategy as it is, which makes it 1.
    tail: f64,
}

impl Default for SampledValues {
    fn default() -> SampledValues {
        SampledValues { tail: 1.0 }
    }
}

impl ActionValues for SampledValues {
    type Cell = Link;
    const EXPLORATION: Parameter = GAMMA.or("0.5");

    fn begin(&mut self) {
        self.tail = 1.0;
    }

    fn add_regrets(
        &mut self,
        node: &mut DecisionMut<'_, Link>,
        m: usize,
        step: &Selected<Reached>,
        value: f64,
        sign: f64,
    ) {
        let Reached { reach, probability } = step.trace;
        let taken = step.indices[m] as usize;
        let [regrets, _] = node.columns_mut(m);
        let followed = Matching::new(regrets).probability(taken);
        // v(s, a) of the action that was taken; of all others it is 0.
        let value = sign * value * self.tail / probability;
        let expected = followed * value;
        for regret in regrets.iter_mut() {
            *regret -= expected / reach;
        }
        regrets[taken] += value / reach;
        self.tail *= followed / probability;
    }
}
