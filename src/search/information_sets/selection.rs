//! Which of the actions that are there a simulation takes.

use super::table::Arm;
use crate::random::Stream;
use crate::search::mcts::policies::{argmax, sample};
use rand::RngExt;
use smallvec::SmallVec;

/// How actions are selected.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Selection {
    /// UCB1, with C in units of payoff; `None`: the range of the player's payoffs times 1/√2.
    Ucb { c: Option<f64> },
    /// Smooth UCT (Heinrich & Silver 2015, algorithm 1): with probability η(N) = max(γ, η / (1 + d·√N)) by UCB1, else by the
    /// shares of the visits so far.
    Smooth {
        c: Option<f64>,
        eta: f64,
        gamma: f64,
        d: f64,
    },
}

impl Selection {
    pub fn c(self) -> Option<f64> {
        match self {
            Selection::Ucb { c } | Selection::Smooth { c, .. } => c,
        }
    }

    /// A place in `there`, the arms of a node that can be taken now. `biases` are added to what UCB1 says of them; none: 0.
    pub fn select(self, here: &Here<'_>, biases: &[f64], rng: &mut Stream) -> usize {
        let Here {
            arms,
            there,
            visits,
            counting,
            c,
        } = *here;
        let new = there.iter().filter(|&&a| arms[a as usize].visits == 0.0);
        let new = new.count();
        if new > 0 {
            let skip = rng.random_range(0..new as u64) as usize;
            let mut unvisited = (0..there.len()).filter(|&i| arms[there[i] as usize].visits == 0.0);
            return unvisited.nth(skip).unwrap_or(0);
        }
        if there.len() == 1 {
            return 0;
        }
        if let Selection::Smooth { eta, gamma, d, .. } = self {
            let explore = (eta / (1.0 + d * visits.sqrt())).max(gamma);
            if rng.random::<f64>() >= explore {
                let weights = there.iter().map(|&a| arms[a as usize].visits);
                let total = weights.clone().sum();
                return sample(weights, total, rng);
            }
        }
        let whole = libm::log(visits.max(1.0));
        let biases = biases.iter().copied().chain(std::iter::repeat(0.0));
        let values: SmallVec<[f64; 64]> = std::iter::zip(there, biases)
            .map(|(&a, bias)| {
                let arm = &arms[a as usize];
                let ln = match counting {
                    Counting::Available => libm::log(arm.available.max(1.0)),
                    Counting::Visits => whole,
                };
                arm.sum / arm.visits + c * (ln / arm.visits).sqrt() + bias
            })
            .collect();
        argmax(values.iter().copied(), rng)
    }
}

/// A node as a simulation passes it.
#[derive(Copy, Clone, Debug)]
pub struct Here<'a> {
    pub arms: &'a [Arm],
    /// The places of those that can be taken now.
    pub there: &'a [u32],
    /// Of the node.
    pub visits: f64,
    pub counting: Counting,
    /// C, in units of payoff.
    pub c: f64,
}

/// What UCB1 holds the visits of an action against.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Counting {
    /// How often the action was there when the node was passed (Cowling, Powley & Whitehouse 2012, section IV).
    Available,
    /// The visits of the node.
    Visits,
}
