//! What the players get in the end.

use super::PlayerSet;
use super::expression::Expr;
use crate::text::span::Span;

#[derive(Clone, Debug)]
pub struct Payoff {
    pub claim: Claim,
    /// One number a player, all with the same denominator.
    pub values: Vec<Expr>,
    /// What the claim counts once each: the teams, and the players without one.
    pub sides: Vec<PlayerSet>,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The payoffs add up to n/den; zero-sum is 0.
    ConstantSum {
        n: i64,
        den: i64,
    },
    GeneralSum,
}
