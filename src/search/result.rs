//! What a search found at its root, and how a move is picked from it.

use super::codes;
use crate::machine::{Action, Actions, Machine, PlayError};
use crate::text::span::Span;
use serde::Serialize;

/// What a search found out about one action of the searching player at the root.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionStatistics {
    /// The action.
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
    /// How many playouts were made.
    pub playouts: u64,
    /// Decision nodes in the tree, the root included.
    pub nodes: usize,
}

impl SearchResult {
    /// Where nothing could be searched: all actions are as likely, and one is drawn by its place.
    pub fn blind(actions: &Actions, chosen: usize) -> SearchResult {
        let statistics = actions.iter().map(|action| ActionStatistics {
            action: action.clone(),
            visits: 0,
            mean: None,
        });
        SearchResult {
            actions: statistics.collect(),
            strategy: vec![1.0 / actions.len() as f64; actions.len()],
            chosen,
            playouts: 0,
            nodes: 0,
        }
    }

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
