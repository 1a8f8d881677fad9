//! Payoffs: one number a player, and the share of them that accumulators have earned.

use super::super::accumulate::{accumulators, linear_part};
use super::super::codes;
use super::Builder;
use crate::ir::*;
use crate::model::Expr;
use crate::model::types::Type;

impl Builder<'_> {
    pub(super) fn payoff(&mut self) -> PayoffCode {
        let d = self.d;
        let den = d.payoff.values.iter().map(denominator).max().unwrap_or(1);
        let bounds = d
            .payoff
            .values
            .iter()
            .map(|e| {
                let scale = den / denominator(e).max(1);
                let (lo, hi) = e.ty.bounds().unwrap_or((0, 0));
                (lo.saturating_mul(scale), hi.saturating_mul(scale))
            })
            .collect();
        let mut values = Vec::new();
        let code = self.aside(|b| {
            b.mark(CoveragePointKind::Payoff, d.payoff.span);
            for e in &d.payoff.values {
                let slot = b.scaled(e, den);
                values.push(slot);
            }
        });
        let accumulators = accumulators(d);
        let accumulated = (!accumulators.is_empty()).then(|| {
            let mut slots = Vec::new();
            let earned = |b: &mut Self| {
                for e in &d.payoff.values {
                    let slot = match linear_part(e, &accumulators) {
                        Some(Some(part)) => b.scaled(&part, den),
                        _ => b.number(0),
                    };
                    slots.push(slot);
                }
            };
            let code = self.unmarked(|b| b.aside(earned));
            (code, slots)
        });
        let fault = self.fault(
            codes::BROKEN_SUM,
            d.payoff.span,
            "the payoffs add up to {}, which is not what the game claims",
        );
        PayoffCode {
            code,
            values,
            den,
            bounds,
            accumulated,
            accumulators,
            fault,
        }
    }

    /// A payoff in units of 1/`den`.
    fn scaled(&mut self, e: &Expr, den: i64) -> Slot {
        let value = self.value(e).slot;
        self.immediate(Op::Mul, value, den / denominator(e).max(1))
    }
}

fn denominator(e: &Expr) -> i64 {
    match e.ty {
        Type::Number { den, .. } => den,
        _ => 1,
    }
}
