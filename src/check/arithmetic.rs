//! Integers and exact numbers: the ranges of results, denominators, division.

use super::checker::Checker;
use super::codes;
use super::convert::{lcm, ratio_parts, said};
use crate::model::evaluate::floor_div;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::sync::Arc;

/// How many divisors a varying division may have, since its results share a denominator.
const MAX_DIVISORS: u64 = 4096;

fn hull(values: impl IntoIterator<Item = Option<i64>>) -> Option<(i64, i64)> {
    let mut range: Option<(i64, i64)> = None;
    for v in values {
        let v = v?;
        range = Some(range.map_or((v, v), |(lo, hi)| (lo.min(v), hi.max(v))));
    }
    range
}

/// The range of the results of an operation on two ranges; `None` where it does not fit 64 bits.
pub fn interval(op: BinaryOp, a: (i64, i64), b: (i64, i64)) -> Option<(i64, i64)> {
    match op {
        BinaryOp::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        BinaryOp::Sub => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
        BinaryOp::Mul => hull([
            a.0.checked_mul(b.0),
            a.0.checked_mul(b.1),
            a.1.checked_mul(b.0),
            a.1.checked_mul(b.1),
        ]),
        BinaryOp::Div => hull([
            floor_div(a.0, b.0),
            floor_div(a.0, b.1),
            floor_div(a.1, b.0),
            floor_div(a.1, b.1),
        ]),
        BinaryOp::Mod => {
            if a.0 == a.1 && b.0 == b.1 {
                let r = a.0.checked_sub(floor_div(a.0, b.0)?.checked_mul(b.0)?)?;
                return Some((r, r));
            }
            if b.0 > 0 {
                let top = b.1 - 1;
                let inside = a.0 >= 0 && a.1 <= top && a.1 < b.0;
                Some(if inside {
                    a
                } else {
                    (0, if a.0 >= 0 { top.min(a.1) } else { top })
                })
            } else {
                Some((b.0.checked_add(1)?, 0))
            }
        }
        _ => None,
    }
}

impl<'a> Checker<'a> {
    /// An operand that must be an integer or a number.
    pub fn numeric(&mut self, e: &Expr) -> Option<()> {
        match &e.ty {
            Type::Int { .. } | Type::Number { .. } => Some(()),
            Type::Optional(_) => {
                self.maybe_none(e);
                None
            }
            ty => {
                let d = Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    e.span,
                    "an integer or a number is needed here",
                )
                .label(format!("this is {}", said(ty)));
                self.report(match ty {
                    Type::Enum(_) | Type::Player(_) | Type::Product(_) => d.hint(
                        "`next(x, 1)` is the value after x, and `next(x, -1)` the one before",
                    ),
                    Type::Set(_) => d.hint("`size(S)` is how many elements it has"),
                    _ => d,
                });
                None
            }
        }
    }

    /// `+ - * div mod` on integers and numbers.
    pub fn arithmetic(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Option<Expr> {
        let (a, b) = (self.settled(a), self.settled(b));
        let (x, y) = (self.numeric(&a), self.numeric(&b));
        x.and(y)?;
        if let (Type::Int { lo, hi }, Type::Int { lo: l, hi: h }) = (&a.ty, &b.ty) {
            if matches!(op, BinaryOp::Div | BinaryOp::Mod) && *l <= 0 && *h >= 0 {
                self.divides_by_zero(&b);
                return None;
            }
            let Some((lo, hi)) = interval(op, (*lo, *hi), (*l, *h)) else {
                self.overflow(span);
                return None;
            };
            let kind = ExprKind::Binary {
                op,
                left: Box::new(a),
                right: Box::new(b),
            };
            return Some(self.make(kind, Type::Int { lo, hi }, span));
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Mod) {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    span,
                    "`div` and `mod` are for integers",
                )
                .hint("`/` divides exactly"),
            );
            return None;
        }
        let (a, b) = if op == BinaryOp::Mul {
            (self.as_number(a, 1)?, self.as_number(b, 1)?)
        } else {
            let (a, b, _) = self.unify(a, b, span)?;
            (a, b)
        };
        let (Some((d, lo, hi)), Some((e, l, h))) = (ratio_parts(&a.ty), ratio_parts(&b.ty)) else {
            return None;
        };
        let den = if op == BinaryOp::Mul {
            d.checked_mul(e)
        } else {
            Some(d)
        };
        let range = interval(op, (lo, hi), (l, h));
        let (Some(den), Some((lo, hi))) = (den, range) else {
            self.overflow(span);
            return None;
        };
        let kind = ExprKind::Binary {
            op,
            left: Box::new(a),
            right: Box::new(b),
        };
        Some(self.make(kind, Type::Number { den, lo, hi }, span))
    }

    pub fn negate(&mut self, a: Expr, span: Span) -> Option<Expr> {
        let a = self.settled(a);
        self.numeric(&a)?;
        let (_, lo, hi) = ratio_parts(&a.ty)?;
        let (Some(lo), Some(hi)) = (hi.checked_neg(), lo.checked_neg()) else {
            self.overflow(span);
            return None;
        };
        let ty = a.ty.with_bounds(lo, hi);
        let kind = ExprKind::Unary {
            op: UnaryOp::Neg,
            value: Box::new(a),
        };
        Some(self.make(kind, ty, span))
    }

    /// Exact division: by a constant, or by an integer with few values.
    pub fn divide(&mut self, a: Expr, b: Expr, span: Span) -> Option<Expr> {
        let (a, b) = (self.settled(a), self.settled(b));
        let (x, y) = (self.numeric(&a), self.numeric(&b));
        x.and(y)?;
        let a = self.as_number(a, 1)?;
        if let ExprKind::Const(n) = b.kind {
            let (d, ..) = ratio_parts(&b.ty)?;
            if n == 0 {
                self.divides_by_zero(&b);
                return None;
            }
            let ratio = num_rational::Ratio::new(d, 1) / num_rational::Ratio::new(n, 1);
            let (num, den) = (*ratio.numer(), *ratio.denom());
            let ty = Type::Number {
                den,
                lo: num,
                hi: num,
            };
            let factor = self.scalar(num, ty, b.span);
            return self.arithmetic(BinaryOp::Mul, a, factor, span);
        }
        let Type::Int { lo, hi } = b.ty else {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    b.span,
                    "a divisor is an integer, or a constant number",
                )
                .hint("scale both sides by its denominator first"),
            );
            return None;
        };
        if lo <= 0 && hi >= 0 {
            self.divides_by_zero(&b);
            return None;
        }
        let count = b.ty.size().unwrap_or(u64::MAX);
        if count > MAX_DIVISORS {
            self.report_live(
                Diagnostic::error(
                    codes::TOO_LARGE,
                    b.span,
                    format!(
                        "this divisor has {count} values; at most {MAX_DIVISORS} can be divided by"
                    ),
                )
                .hint("give it a smaller range, or use `div`"),
            );
            return None;
        }
        let den = (lo..=hi).try_fold(1i64, |d, v| lcm(d, v.checked_abs()?));
        let Some(den) = den else {
            self.overflow(span);
            return None;
        };
        let factors: Vec<i64> = (lo..=hi).map(|v| den / v).collect();
        let factor = self.looked_up(factors, den, b, span);
        self.arithmetic(BinaryOp::Mul, a, factor, span)
    }

    /// An element of a table of numerators over one denominator, one for each value of the index.
    pub fn looked_up(&mut self, table: Vec<i64>, den: i64, index: Expr, span: Span) -> Expr {
        let lo = table.iter().copied().min().unwrap_or(0);
        let hi = table.iter().copied().max().unwrap_or(0);
        let ty = Type::Number { den, lo, hi };
        let words = table.into_iter().map(|v| vec![v as u64]).collect();
        let array = Expr {
            kind: ExprKind::ConstArray(Arc::new(words)),
            ty: Type::Array {
                index: Arc::new(index.ty.clone()),
                element: Arc::new(ty.clone()),
            },
            span,
        };
        self.make(
            ExprKind::Element {
                array: Box::new(array),
                index: Box::new(index),
            },
            ty,
            span,
        )
    }

    fn divides_by_zero(&mut self, b: &Expr) {
        let hint = match &b.uncast().kind {
            ExprKind::Call { function, .. } if function.is_count() => {
                "ask first whether the set has an element, `if S != {}`, or divide by `max(1, …)`"
            }
            _ => "give it a range without 0, for example `max(1, …)`",
        };
        self.report_live(
            Diagnostic::error(codes::DIVISION_BY_ZERO, b.span, "this divisor may be 0")
                .label(format!("this is {}", said(&b.ty)))
                .hint(hint),
        );
    }
}
