//! What a selection policy is: how a joint action is selected, what is learnt from a simulation, and which strategy is
//! played in the end.

use super::tree::{Decision, Outcome, Places};
use crate::random::Stream;
use rand::RngExt;

/// A simulation on its way through a node.
#[derive(Clone, Debug, Default)]
pub struct Step<T> {
    /// What was chosen: the number of the joint action, and the places of the movers' actions. At a chance node the number
    /// of the outcome, and no places.
    pub way: u64,
    pub places: Places,
    /// It was chosen to fill the matrix (Algorithm 1, lines 10 to 15), not selected by the policy (lines 16 to 20).
    pub filling: bool,
    /// What the policy wants to remember of its selection.
    pub trace: T,
}

/// Selection and update of Algorithm 1 (Lanctot, Lisý & Winands 2013), lines 14, 16 and 19, and the final decision.
///
/// A policy is told of the beginning of each simulation, then selects at the decision nodes from the root down, then
/// updates them from the last one up.
pub trait Policy {
    type Trace: Clone + Default;

    /// A simulation begins.
    fn begin(&mut self) {}

    /// Selects an action for each mover and puts their places into `places`, which is empty.
    fn select(&mut self, node: &Decision, places: &mut Places, rng: &mut Stream) -> Self::Trace;

    /// Learns from the outcome. The cells of the node do not know of it yet; its visits do.
    fn update(&mut self, node: &mut Decision, step: &Step<Self::Trace>, outcome: &Outcome);

    /// The strategy to play: a probability for each action of a mover (by its place among the movers), 1 in all.
    fn strategy(&self, node: &Decision, mover: usize) -> Vec<f64>;
}

/// A place at random by weights, none of them negative, that add up to `total`.
pub fn draw(weights: impl Iterator<Item = f64>, total: f64, rng: &mut Stream) -> usize {
    let mut left = rng.random::<f64>() * total;
    // Where rounding leads past the end, the last place with a weight.
    let mut last = 0;
    for (i, weight) in weights.enumerate() {
        if weight > 0.0 {
            if left < weight {
                return i;
            }
            left -= weight;
            last = i;
        }
    }
    last
}

/// Weights as shares of their sum; equal shares where they are all 0.
pub fn shares(weights: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let total: f64 = weights.clone().sum();
    if total > 0.0 {
        weights.map(|w| w / total).collect()
    } else {
        let n = weights.clone().count() as f64;
        weights.map(|_| 1.0 / n).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn draws_follow_the_weights() {
        let mut rng = stream(1, &[]);
        let weights = [0.0, 1.0, 3.0, 0.0];
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[draw(weights.into_iter(), 4.0, &mut rng)] += 1;
        }
        assert_eq!((counts[0], counts[3]), (0, 0));
        assert!((900..1100).contains(&counts[1]), "{counts:?}");
        // A total that is too large by rounding leads to the last place with a weight.
        let all: Vec<usize> = (0..50)
            .map(|_| draw([1.0, 0.0].into_iter(), 9.0, &mut rng))
            .collect();
        assert!(all.iter().all(|&i| i == 0));
    }

    #[test]
    fn shares_add_up() {
        assert_eq!(shares([1.0, 3.0].into_iter()), [0.25, 0.75]);
        assert_eq!(shares([0.0, 0.0].into_iter()), [0.5, 0.5]);
    }
}
