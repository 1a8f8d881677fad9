//! What an experiment measures.

use crate::arena::experiment::numbers::unsigned_zero;
use serde::Serialize;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The mean share of wins: 1 for a win, 1/k for the best payoff with k − 1 rivals.
    Share,
    Wins,
    Draws,
    Losses,
    /// The mean payoff, in units of payoff as the description states them.
    Payoff,
    /// The length of games in plies (choices, simultaneous choices and chance events).
    Length,
    /// How strong a player is over all its pairings, in points of Elo; it has no meaning in one pairing.
    Rating,
}

impl Metric {
    pub const ALL: [Metric; 7] = [
        Metric::Share,
        Metric::Wins,
        Metric::Draws,
        Metric::Losses,
        Metric::Payoff,
        Metric::Length,
        Metric::Rating,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Metric::Share => "share",
            Metric::Wins => "wins",
            Metric::Draws => "draws",
            Metric::Losses => "losses",
            Metric::Payoff => "payoff",
            Metric::Length => "length",
            Metric::Rating => "rating",
        }
    }

    /// What the numbers of a table are.
    pub fn title(self) -> &'static str {
        match self {
            Metric::Share => "Share of wins in %, draws shared",
            Metric::Wins => "Wins in %",
            Metric::Draws => "Draws in %",
            Metric::Losses => "Losses in %",
            Metric::Payoff => "Mean payoff",
            Metric::Length => "Mean length of games in plies",
            Metric::Rating => "Rating in points of Elo, 0 in the mean",
        }
    }

    /// Whether it is about winning, which needs payoffs that add up to a constant.
    pub fn compares(self) -> bool {
        !matches!(self, Metric::Payoff | Metric::Length)
    }

    /// Whether it lies between 0 and 1.
    pub fn is_share(self) -> bool {
        !matches!(self, Metric::Payoff | Metric::Length | Metric::Rating)
    }

    /// What a number is multiplied by for people, and how many decimals it then has.
    pub fn scale(self) -> (f64, usize) {
        match self {
            Metric::Payoff => (1.0, 3),
            Metric::Length => (1.0, 1),
            Metric::Rating => (1.0, 0),
            _ => (100.0, 1),
        }
    }

    /// A number for people, never `-0.0`.
    pub fn shown(self, x: f64) -> String {
        let (factor, decimals) = self.scale();
        unsigned_zero(format!("{:.decimals$}", x * factor))
    }
}
