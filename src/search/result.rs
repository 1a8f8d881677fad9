//! What a search found at its root, and how a move is picked from it.

use crate::machine::Action;
use crate::random::Stream;
use rand::RngExt;
use serde::Serialize;

/// What a search found out about one action of the searching player at the root.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionStatistics {
    pub action: Action,
    /// The playouts that started with this action.
    pub visits: u64,
    /// The searching player's mean payoff over them, in units of payoff as the description states them; `None` without
    /// a visit.
    pub mean: Option<f64>,
}

/// The outcome of one search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResult {
    /// Every action of the searching player, in the order of `Machine::legal`.
    pub actions: Vec<ActionStatistics>,
    /// The place in `actions` of the move to play.
    pub chosen: usize,
    pub playouts: u64,
    /// Decision nodes in the tree, the root included.
    pub nodes: usize,
}

/// How the move is picked when the search is over.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum FinalChoice {
    /// The action with the most visits ("robust").
    #[default]
    Visits,
    /// The action with the highest mean payoff ("max"; DUCT(max) in Lanctot, Lisý & Winands 2013, section 3.1).
    Mean,
    /// At random by the shares of the visits (DUCT(mix) in the same section).
    Share,
}

impl FinalChoice {
    /// The place of the move to play; ties are broken at random. `actions` must not be empty.
    pub fn pick(self, actions: &[ActionStatistics], rng: &mut Stream) -> usize {
        match self {
            FinalChoice::Visits => argmax(actions.iter().map(|a| a.visits as f64), rng),
            FinalChoice::Mean => argmax(
                actions.iter().map(|a| a.mean.unwrap_or(f64::NEG_INFINITY)),
                rng,
            ),
            FinalChoice::Share => {
                let total: u64 = actions.iter().map(|a| a.visits).sum();
                if total == 0 {
                    return argmax(actions.iter().map(|_| 0.0), rng);
                }
                let mut at = rng.random_range(0..total);
                for (i, a) in actions.iter().enumerate() {
                    if at < a.visits {
                        return i;
                    }
                    at -= a.visits;
                }
                0
            }
        }
    }
}

/// The place of the greatest value; ties at random, each with the same probability. 0 for nothing.
pub(super) fn argmax(values: impl Iterator<Item = f64>, rng: &mut Stream) -> usize {
    let mut best = f64::NEG_INFINITY;
    let mut at = 0;
    let mut ties = 0u32;
    for (i, value) in values.enumerate() {
        if ties == 0 || value > best {
            (best, at, ties) = (value, i, 1);
        } else if value == best {
            ties += 1;
            if rng.random_range(0..ties) == 0 {
                at = i;
            }
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    fn found(list: &[(u64, f64)]) -> Vec<ActionStatistics> {
        list.iter()
            .map(|&(visits, mean)| ActionStatistics {
                action: Action::default(),
                visits,
                mean: (visits > 0).then_some(mean),
            })
            .collect()
    }

    #[test]
    fn each_rule_picks_its_own_move() {
        let actions = found(&[(10, 0.1), (30, 0.2), (5, 0.9), (0, 0.0)]);
        let mut rng = stream(1, &[]);
        assert_eq!(FinalChoice::Visits.pick(&actions, &mut rng), 1);
        assert_eq!(FinalChoice::Mean.pick(&actions, &mut rng), 2);
    }

    #[test]
    fn shares_follow_the_visits() {
        let actions = found(&[(10, 0.0), (30, 0.0), (0, 0.0)]);
        let mut rng = stream(2, &[]);
        let mut counts = [0; 3];
        for _ in 0..4000 {
            counts[FinalChoice::Share.pick(&actions, &mut rng)] += 1;
        }
        assert_eq!(counts[2], 0);
        assert!((900..1100).contains(&counts[0]), "{counts:?}");
    }

    #[test]
    fn ties_are_broken_evenly() {
        let mut rng = stream(3, &[]);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[argmax([1.0, 2.0, 2.0, 2.0].into_iter(), &mut rng)] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!(
            counts[1..].iter().all(|n| (1200..1470).contains(n)),
            "{counts:?}"
        );
    }
}
