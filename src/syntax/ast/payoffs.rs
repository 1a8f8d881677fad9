//! `payoff …`: what everybody gets.

use super::{Expr, Name, Pattern};
use crate::syntax::visit::{Reference, Visitor};
use crate::text::span::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct Payoff {
    pub body: PayoffBody,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PayoffBody {
    /// `zero-sum: e`, `constant-sum 1: e`, `general-sum: e`, or with `{ X: e  Detectives: e }` in place of `: e`.
    Claimed {
        claim: Claim,
        value: PayoffValue,
        span: Span,
    },
    /// `match scoring { win_loss => zero-sum: …  … }`; the scrutinee is a constant.
    Match {
        scrutinee: Expr,
        arms: Vec<PayoffArm>,
        span: Span,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct PayoffArm {
    pub patterns: Vec<Pattern>,
    pub body: PayoffBody,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::enum_variant_names, reason = "the words of the language")]
pub enum Claim {
    ZeroSum(Span),
    ConstantSum { sum: Expr, span: Span },
    GeneralSum(Span),
}

#[derive(Clone, Debug, PartialEq)]
pub enum PayoffValue {
    /// An array over the players.
    Array(Expr),
    /// One entry a player or a team.
    Entries(Vec<(Name, Expr)>),
}

impl Payoff {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Payoff { body, span: _ } = self;
        v.payoff(body);
    }
}

impl PayoffBody {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        match self {
            PayoffBody::Claimed {
                claim,
                value,
                span: _,
            } => {
                match claim {
                    Claim::ZeroSum(_) | Claim::GeneralSum(_) => {}
                    Claim::ConstantSum { sum, span: _ } => v.expr(sum),
                }
                match value {
                    PayoffValue::Array(e) => v.expr(e),
                    PayoffValue::Entries(entries) => {
                        for (name, e) in entries {
                            v.refer(name, Reference::Player);
                            v.expr(e);
                        }
                    }
                }
            }
            PayoffBody::Match {
                scrutinee,
                arms,
                span: _,
            } => {
                v.expr(scrutinee);
                for PayoffArm {
                    patterns,
                    body,
                    span: _,
                } in arms
                {
                    Pattern::walk_all(patterns, v);
                    v.payoff(body);
                }
            }
        }
    }
}
