//! What a search found at its root, and how a move is picked from it.

use super::codes;
use crate::machine::{Action, Machine, PlayError};
use crate::random::Stream;
use crate::text::span::Span;
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
    /// The strategy that the search ends with: a probability for each of `actions`, 1 in all.
    pub strategy: Vec<f64>,
    /// The place in `actions` of the move to play, drawn from the strategy.
    pub chosen: usize,
    pub playouts: u64,
    /// Decision nodes in the tree, the root included.
    pub nodes: usize,
}

impl SearchResult {
    /// The searching player's mean payoff over all playouts, in units of payoff; `None` without a playout.
    pub fn value(&self) -> Option<f64> {
        let visits: u64 = self.actions.iter().map(|a| a.visits).sum();
        let sum = |a: &ActionStatistics| a.mean.unwrap_or(0.0) * a.visits as f64;
        (visits > 0).then(|| self.actions.iter().map(sum).sum::<f64>() / visits as f64)
    }
}

/// The error of a search for a player who does not move at its root.
pub(super) fn not_to_move(machine: &Machine, player: usize) -> PlayError {
    PlayError {
        code: codes::NOT_TO_MOVE,
        span: Span::default(),
        message: format!("{} has nothing to choose here", machine.player_name(player)),
        hint: None,
    }
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
    /// The probability with which [`FinalChoice::pick`] picks each action.
    pub fn strategy(self, actions: &[ActionStatistics]) -> Vec<f64> {
        let weights: Vec<f64> = match self {
            FinalChoice::Visits => greatest(actions, |a| a.visits as f64),
            FinalChoice::Mean => greatest(actions, |a| a.mean.unwrap_or(f64::NEG_INFINITY)),
            FinalChoice::Share if actions.iter().all(|a| a.visits == 0) => vec![1.0; actions.len()],
            FinalChoice::Share => actions.iter().map(|a| a.visits as f64).collect(),
        };
        let total: f64 = weights.iter().sum();
        weights.iter().map(|w| w / total).collect()
    }

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

/// 1 for each action with the greatest value, 0 for the others.
fn greatest(actions: &[ActionStatistics], value: impl Fn(&ActionStatistics) -> f64) -> Vec<f64> {
    let most = actions.iter().map(&value).fold(f64::NEG_INFINITY, f64::max);
    let is_greatest = |a| f64::from(u8::from(value(a) == most));
    actions.iter().map(is_greatest).collect()
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
    fn the_strategy_is_how_moves_are_picked() {
        let actions = found(&[(10, 0.1), (30, 0.9), (30, 0.2), (10, 0.9)]);
        assert_eq!(FinalChoice::Visits.strategy(&actions), [0.0, 0.5, 0.5, 0.0]);
        assert_eq!(FinalChoice::Mean.strategy(&actions), [0.0, 0.5, 0.0, 0.5]);
        let shares = FinalChoice::Share.strategy(&actions);
        assert_eq!(shares, [0.125, 0.375, 0.375, 0.125]);
        let untried = found(&[(0, 0.0), (0, 0.0)]);
        for rule in [FinalChoice::Visits, FinalChoice::Mean, FinalChoice::Share] {
            assert_eq!(rule.strategy(&untried), [0.5, 0.5]);
        }
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
