//! Which of the actions that are there a simulation takes.

use super::table::Arm;
use crate::random::Stream;
use crate::search::exploration::Constant;
use crate::search::mcts::policies::ucb1::{bound, ln};
use crate::search::mcts::policies::{any, argmax, sample};
use rand::RngExt;

/// How actions are selected.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Selection {
    /// UCB1.
    Ucb { c: Constant },
    /// Smooth UCT (Heinrich & Silver 2015, algorithm 1): with probability η(N) = max(γ, η / (1 + d·√N)) by UCB1, else by the
    /// shares of the visits so far.
    Smooth {
        c: Constant,
        eta: f64,
        gamma: f64,
        d: f64,
    },
}

impl Selection {
    pub fn c(self) -> Constant {
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
        let unvisited = there.iter().map(|&a| arms[a as usize].visits == 0.0);
        if let Some(new) = any(unvisited, rng) {
            return new;
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
        // Mostly all arms were there as often.
        let mut known = (visits, ln(visits));
        let biases = biases.iter().copied().chain(std::iter::repeat(0.0));
        let values = std::iter::zip(there, biases).map(|(&a, bias)| {
            let arm = &arms[a as usize];
            if counting == Counting::Available && arm.available != known.0 {
                known = (arm.available, ln(arm.available));
            }
            bound(arm.sum, arm.visits, known.1, c) + bias
        });
        argmax(values, rng)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    /// Actions with so many visits, the sum of what they brought, and how often they were there.
    fn selected(arms: [[f64; 3]; 3], counting: Counting, c: f64, biases: &[f64]) -> usize {
        let arms = arms.map(|[visits, sum, available]| Arm {
            visits,
            sum,
            available,
        });
        let here = Here {
            arms: &arms,
            there: &[2, 0, 1],
            visits: arms.iter().map(|arm| arm.visits).sum(),
            counting,
            c,
        };
        let selection = Selection::Ucb {
            c: Constant::default(),
        };
        selection.select(&here, biases, &mut stream(1, &[]))
    }

    /// By hand, of 16 visits with C = 0.5: 0.6 + 0.263, 0.5 + 0.416 and 0.1 + 0.589.
    #[test]
    fn the_greatest_bound_is_selected() {
        let arms = [[10.0, 6.0, 10.0], [4.0, 2.0, 4.0], [2.0, 0.2, 2.0]];
        let visits = |c, biases| selected(arms, Counting::Visits, c, biases);
        assert_eq!(visits(0.0, &[]), 1);
        assert_eq!(visits(0.5, &[]), 2);
        assert_eq!(visits(5.0, &[]), 0);
        assert_eq!(visits(0.5, &[0.0, 0.2, 0.0]), 1);
        assert_eq!(visits(0.5, &[0.5, 0.2, 0.0]), 0);
    }

    /// What was there more often is explored more.
    #[test]
    fn visits_are_held_against_how_often_an_action_was_there() {
        let arms = [[10.0, 5.0, 10.0], [10.0, 5.0, 1000.0], [10.0, 5.0, 20.0]];
        assert_eq!(selected(arms, Counting::Available, 1.0, &[]), 2);
    }

    #[test]
    fn what_has_no_visit_comes_first() {
        let arms = [[10.0, 9.0, 10.0], [0.0, 0.0, 1.0], [10.0, 9.0, 10.0]];
        assert_eq!(selected(arms, Counting::Visits, 1.0, &[]), 2);
    }
}
