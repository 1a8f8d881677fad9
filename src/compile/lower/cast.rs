//! Values of one type as values of another, checked where they might not fit.

use super::super::codes;
use super::Builder;
use super::expr::one;
use crate::ir::*;
use crate::model::types::{ProductType, Type};
use crate::model::{Expr, ExprKind};
use crate::text::span::Span;

impl Builder<'_> {
    /// True for casts that leave the words as they are.
    pub(super) fn same_words(&self, from: &Type, to: &Type) -> bool {
        match (from, to) {
            (Type::Int { lo, hi }, Type::Int { lo: l, hi: h }) => l <= lo && hi <= h,
            (Type::Set(a), Type::Set(b)) => a == b,
            (Type::Number { den: a, .. }, Type::Number { den: b, .. }) => a == b,
            (Type::Int { .. }, Type::Number { den, .. }) => *den == 1,
            (Type::Optional(a), Type::Optional(b)) => a == b,
            (a, b) => a == b,
        }
    }

    pub(super) fn cast(&mut self, inner: &Expr, to: &Type, dst: Operand, span: Span) {
        let from = &inner.ty;
        match (from, to) {
            (Type::Int { .. }, Type::Int { lo, hi }) => {
                let value = self.value(inner).slot;
                if self.lies_within(inner, to) {
                    return self.copy(dst, one(value));
                }
                let fault = self.fault(codes::OUT_OF_RANGE, span, format!("{{}} is not in {to}"));
                self.emit(Instr::Check {
                    value,
                    lo: *lo,
                    hi: *hi,
                    fault,
                });
                self.copy(dst, one(value));
            }
            (Type::Int { .. }, Type::Number { den, .. }) => {
                let value = self.value(inner).slot;
                self.emit(Instr::Immediate {
                    op: Op::Mul,
                    dst: dst.slot,
                    a: value,
                    value: *den,
                });
            }
            (Type::Number { den: from, .. }, Type::Number { den: to, .. }) => {
                let value = self.value(inner).slot;
                self.emit(Instr::Immediate {
                    op: Op::Mul,
                    dst: dst.slot,
                    a: value,
                    value: to / from,
                });
            }
            (Type::Product(a), Type::Product(b)) if a != b => {
                let value = self.value(inner);
                let whole = self.slot_expr(value, from.clone(), inner);
                self.cast_fields(&whole, (a, b), to, dst, span);
            }
            (Type::Optional(a), Type::Optional(b)) if a != b && from != &**b => {
                let value = self.value(inner).slot;
                self.cast_optional(value, (a, b), dst.slot, span);
            }
            (_, Type::Optional(target)) if from != to => {
                let ordinal = self.ordinal(inner, target, span);
                self.emit(Instr::Immediate {
                    op: Op::Add,
                    dst: dst.slot,
                    a: ordinal,
                    value: 1,
                });
            }
            (Type::Set(a), Type::Set(b)) => {
                let src = self.value(inner);
                let fault = self.fault(
                    codes::OUTSIDE_SET,
                    span,
                    format!("the set holds {{}}, which is not in {b}"),
                );
                self.emit(Instr::SetShift {
                    dst,
                    src,
                    lo: a.value_at(0),
                    by: a.value_at(0) - b.value_at(0),
                    size: b.size().unwrap_or(0),
                    fault,
                });
            }
            (_, Type::Set(_)) => {
                let work = self.temporary(dst.words);
                self.set_constant(work, to, &[]);
                self.insert(work, to, inner);
                self.copy(dst, work);
            }
            _ => {
                let value = self.value(inner);
                self.copy(dst, value);
            }
        }
    }

    /// A product of which each field is cast.
    fn cast_fields(
        &mut self,
        whole: &Expr,
        (from, fields): (&ProductType, &ProductType),
        to: &Type,
        dst: Operand,
        span: Span,
    ) {
        let expr = |kind, ty: &Type| Expr {
            kind,
            ty: ty.clone(),
            span,
        };
        let fields = from.fields.iter().zip(&fields.fields).enumerate();
        let fields = fields.map(|(field, ((_, from), (_, to)))| {
            let record = Box::new(whole.clone());
            let field = expr(ExprKind::Field { record, field }, from);
            expr(ExprKind::Cast(Box::new(field)), to)
        });
        let fields = fields.collect();
        self.compute(&expr(ExprKind::Record(fields), to), dst);
    }

    /// `none` stays; a value is renumbered from one range to the other.
    fn cast_optional(&mut self, value: Slot, (from, to): (&Type, &Type), dst: Slot, span: Span) {
        let shift = from.value_at(0) - to.value_at(0);
        let moved = self.immediate(Op::Add, value, shift);
        let kept = self.scalar();
        self.copy(one(kept), one(moved));
        let hi = to.size().unwrap_or(0) as i64;
        let some = self.immediate(Op::Ne, value, 0);
        let zero = self.number(0);
        let checked = self.scalar();
        let one_slot = self.number(1);
        self.emit(Instr::Select {
            dst: checked,
            cond: some,
            a: kept,
            b: one_slot,
            words: 1,
        });
        let fault = self.fault(codes::OUT_OF_RANGE, span, format!("this is not in {to}"));
        self.emit(Instr::Check {
            value: checked,
            lo: 1,
            hi,
            fault,
        });
        self.emit(Instr::Select {
            dst,
            cond: some,
            a: kept,
            b: zero,
            words: 1,
        });
    }
}
