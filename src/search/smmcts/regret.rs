//! Regret matching on the estimated matrix game of each node (Lanctot, Lisý & Winands 2013, section 3.3).
//!
//! An action's regret grows by what it would have brought against what the other player did, as far as the mean of that
//! child tells, less what the simulation brought. A child without a visit counts as 0, halfway between the two players.

use super::matching::{Matching, share, total};
use super::policy::{Policy, Step, shares};
use super::tree::{Columns, ColumnsMut, Decision, Outcome, Places};
use crate::random::Stream;

/// The columns are r(s, a) and σ̄(s, a): regrets, and the sum of the strategies so far.
#[derive(Clone, Debug)]
pub struct RegretMatching {
    /// The share γ of exploration, from 0 to 1.
    pub gamma: f64,
}

impl Policy for RegretMatching {
    type Trace = ();

    fn select(&mut self, node: &Decision, places: &mut Places, rng: &mut Stream) {
        for m in 0..node.movers.len() {
            let Columns(regrets, _) = node.columns(m);
            places.push(Matching::new(regrets).explore(self.gamma, rng) as u32);
        }
    }

    /// Both players' regrets and average strategies, also where the matrix is being filled (lines 14 and 19).
    fn update(&mut self, node: &mut Decision, step: &Step<()>, outcome: &Outcome) {
        for (m, &place) in step.places.iter().enumerate() {
            let place = place as usize;
            let (player, stride) = (node.movers[m].player, node.movers[m].stride);
            let sign = if player == 0 { 1.0 } else { -1.0 };
            let u = sign * outcome.value;
            // The joint action in which this player takes its first action instead.
            let first = step.way - stride * place as u64;
            let (ColumnsMut(regrets, strategy), cells) = node.columns_mut(m);
            let (total, n) = (total(regrets), regrets.len());
            let mut learn = |a: usize, mean: f64| {
                strategy[a] += share(regrets[a], total, n);
                // reward(a) − u, which is 0 for the action that was taken.
                if a != place {
                    regrets[a] += sign * mean - u;
                }
            };
            match cells.full() {
                Some(cells) => {
                    let line = cells[first as usize..].iter().step_by(stride as usize);
                    for (a, cell) in line.take(n).enumerate() {
                        learn(a, cell.mean);
                    }
                }
                None => {
                    for a in 0..n {
                        learn(a, cells.mean(first + stride * a as u64));
                    }
                }
            }
        }
    }

    /// The average strategy.
    fn strategy(&self, node: &Decision, mover: usize) -> Vec<f64> {
        let Columns(_, strategy) = node.columns(mover);
        shares(strategy.iter().copied())
    }
}
