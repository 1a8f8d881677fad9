//! Regret matching on the estimated matrix game of each node (Lanctot, Lisý & Winands 2013, section 3.3).
//!
//! An action's regret grows by what it would have brought against what the other player did, as far as the mean of that
//! child says, less what the simulation brought. A child without a visit counts as 0, halfway between the two players.

use super::regret_matching::{Matching, average, total as total_of};
use super::{GAMMA, Selected, Selection, SelectionPolicy, Started, shares};
use crate::random::Stream;
use crate::search::mcts::Setup;
use crate::search::mcts::cells::Mean;
use crate::search::mcts::tree::{ActionIndices, Decision, DecisionMut, SimulationResult, stride};
use crate::search::parameters::Parameter;
use crate::search::supported_games;
use smallvec::SmallVec;

pub static RM: Selection = Selection {
    word: "rm",
    doc: "regret matching",
    parameters: &[EXPLORATION],
    games: &supported_games::CONSTANT_SUM,
    start,
};

const EXPLORATION: Parameter = GAMMA.or("0.025");

fn start<'m>(setup: Setup<'m, '_>) -> Started<'m> {
    let gamma = setup.options.values.number_of(&EXPLORATION);
    setup.tree(RegretMatching { gamma })
}

/// The columns are r(s, a) and σ̄(s, a): regrets, and the sum of the strategies so far.
#[derive(Clone, Debug)]
pub struct RegretMatching {
    /// The share γ of exploration, from 0 to 1.
    pub gamma: f64,
}

impl SelectionPolicy for RegretMatching {
    /// R⁺ of each mover.
    type Trace = SmallVec<[f64; 2]>;
    type Cell = Mean;

    fn select(
        &mut self,
        node: &Decision<'_, Self::Cell>,
        indices: &mut ActionIndices,
        rng: &mut Stream,
    ) -> Self::Trace {
        let mut totals = SmallVec::new();
        for m in 0..node.movers.len() {
            let [regrets, _] = node.columns(m);
            let matching = Matching::new(regrets);
            indices.push(matching.explore(self.gamma, rng) as u32);
            totals.push(matching.total());
        }
        totals
    }

    /// Both players' regrets and average strategies, also where the matrix is being filled (lines 14 and 19).
    fn update(
        &mut self,
        node: &mut DecisionMut<'_, Self::Cell>,
        step: &Selected<Self::Trace>,
        outcome: &SimulationResult,
    ) {
        for (m, &place) in step.indices.iter().enumerate() {
            let place = place as usize;
            let (player, stride) = (node.movers[m].player(), stride(node.movers, m));
            let sign = if player == 0 { 1.0 } else { -1.0 };
            let u = sign * outcome.value;
            // The joint action in which this player takes its first action instead.
            let first = step.way - stride * place as u64;
            let cells = node.cells;
            let [regrets, strategy] = node.columns_mut(m);
            let total = step.trace.get(m).copied();
            let total = total.unwrap_or_else(|| total_of(regrets));
            average(strategy, regrets, total, 1.0);
            // reward(a) − u, which is 0 for the action that was taken.
            let taken = regrets[place];
            cells.means(first, stride, regrets, |regret, mean| {
                *regret += sign * mean - u;
            });
            regrets[place] = taken;
        }
    }

    /// The average strategy.
    fn strategy(&self, node: &Decision<'_, Self::Cell>, mover: usize) -> Vec<f64> {
        let [_, strategy] = node.columns(mover);
        shares(strategy.iter().copied())
    }
}
