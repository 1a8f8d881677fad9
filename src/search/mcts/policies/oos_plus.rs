//! `oos_plus`, OOS⁺: online outcome sampling in which an action that was not taken is worth what the means of its children
//! are, and not 0.
//!
//! That makes regrets less noisy, and wrong as far as the means are. A child without a visit counts as 0, halfway between
//! the two players.

use super::outcome_sampling::{ActionValues, Reached, start};
use super::regret_matching::Matching;
use super::{GAMMA, Selected, Selection};
use crate::search::mcts::cells::Mean;
use crate::search::mcts::tree::{Decision, DecisionMut, stride};
use crate::search::parameters::Parameter;
use crate::search::supported_games;
use smallvec::SmallVec;

pub static OOS_PLUS: Selection = Selection {
    word: "oos_plus",
    doc: "online outcome sampling with means",
    parameters: &[MeanValues::EXPLORATION],
    games: &supported_games::CONSTANT_SUM,
    start: start::<MeanValues>,
};

#[derive(Default)]
struct MeanValues;

impl ActionValues for MeanValues {
    type Cell = Mean;
    const EXPLORATION: Parameter = GAMMA.or("0.55");

    fn add_regrets(
        &mut self,
        node: &mut DecisionMut<'_, Mean>,
        m: usize,
        step: &Selected<Reached>,
        value: f64,
        sign: f64,
    ) {
        let values = values(&node.read(), m, step, value);
        let [regrets, _] = node.columns_mut(m);
        let matching = Matching::new(regrets);
        let of_all = values.iter().enumerate();
        let expected: f64 = of_all.map(|(a, v)| matching.probability(a) * v).sum();
        for (regret, value) in std::iter::zip(regrets, &values) {
            *regret += sign * (value - expected) / step.trace.reach;
        }
    }
}

/// A number for each action of a player.
type Values = SmallVec<[f64; 16]>;

/// v(s, a) of all actions of a mover: the means of the children under the other player's strategy, with what the
/// simulation brought in the place of its own child.
fn values(node: &Decision<'_, Mean>, mover: usize, step: &Selected<Reached>, value: f64) -> Values {
    let other = (0..node.movers.len()).find(|&m| m != mover);
    let own = stride(node.movers, mover);
    let mean = |way: u64| {
        if way == step.way {
            value
        } else {
            node.cells.mean(way)
        }
    };
    let actions = 0..node.movers[mover].len() as u64;
    let Some(other) = other else {
        return actions.map(|a| mean(own * a)).collect();
    };
    let [regrets, _] = node.columns(other);
    let matching = Matching::new(regrets);
    let mut values: Values = actions.map(|_| 0.0).collect();
    for b in 0..regrets.len() {
        let probability = matching.probability(b);
        if probability > 0.0 {
            let first = stride(node.movers, other) * b as u64;
            for (a, sum) in values.iter_mut().enumerate() {
                *sum += probability * mean(first + own * a as u64);
            }
        }
    }
    values
}
