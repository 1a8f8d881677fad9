//! Operators to instructions.

use super::Builder;
use super::expr::{is_simple, one};
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Builder<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, a: &Expr, dst: Operand) {
        let value = self.value(a);
        let dst1 = dst.slot;
        match op {
            UnaryOp::Neg => self.emit(Instr::Immediate {
                op: Op::Mul,
                dst: dst1,
                a: value.slot,
                value: -1,
            }),
            UnaryOp::Not => self.emit(Instr::Not {
                dst: dst1,
                a: value.slot,
            }),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, dst: Operand, e: &Expr) {
        use BinaryOp::*;
        match op {
            And | Or if !is_simple(b) => self.lazy(op, a, b, dst),
            In | Eq | Ne if self.asked(op, a, b, dst) => {}
            Union | Difference => self.changed(op, a, b, dst, e),
            Intersect => {
                let a = self.value(a);
                let b = self.value(b);
                self.set_binary(op, dst, a, b);
            }
            In => {
                let value = self.value(a).slot;
                let set = self.value(b);
                let lo = b.ty.element().map_or(0, |t| t.value_at(0));
                let element = self.immediate(Op::Sub, value, lo);
                self.emit(Instr::SetTest {
                    dst: dst.slot,
                    set,
                    element,
                });
            }
            Before => {
                let src = self.value(a);
                let value = self.value(b).slot;
                let lo = a.ty.element().map_or(0, |t| t.value_at(0));
                let element = self.immediate(Op::Sub, value, lo);
                self.emit(Instr::SetBefore {
                    dst: dst.slot,
                    src,
                    element,
                });
            }
            Subset => {
                let x = self.value(a);
                let y = self.value(b);
                self.emit(Instr::SetSubset {
                    dst: dst.slot,
                    a: x.slot,
                    b: y.slot,
                    words: x.words,
                });
            }
            Lt | Le | Gt | Ge if matches!(a.ty, Type::Set(_)) => {
                let (x, y) = (self.value(a), self.value(b));
                let (x, y) = if matches!(op, Lt | Ge) {
                    (x, y)
                } else {
                    (y, x)
                };
                let less = self.set_less(x, y);
                if matches!(op, Lt | Gt) {
                    self.copy(dst, one(less));
                } else {
                    self.emit(Instr::Not {
                        dst: dst.slot,
                        a: less,
                    });
                }
            }
            Eq | Ne if matches!(a.ty, Type::Set(_)) => {
                let x = self.value(a);
                let y = self.value(b);
                let same = self.equal(x, y);
                if op == Eq {
                    self.copy(dst, one(same));
                } else {
                    self.emit(Instr::Not {
                        dst: dst.slot,
                        a: same,
                    });
                }
            }
            _ => {
                let (op, a, b) = match op {
                    Gt => (Op::Lt, b, a),
                    Ge => (Op::Le, b, a),
                    Add => (Op::Add, a, b),
                    Sub => (Op::Sub, a, b),
                    Mul => (Op::Mul, a, b),
                    Div => (Op::Div, a, b),
                    Mod => (Op::Mod, a, b),
                    Eq => (Op::Eq, a, b),
                    Ne => (Op::Ne, a, b),
                    Lt => (Op::Lt, a, b),
                    Le => (Op::Le, a, b),
                    Or => (Op::Or, a, b),
                    _ => (Op::And, a, b),
                };
                let x = self.value(a).slot;
                if let Some(words) = self.constant(b) {
                    self.emit(Instr::Immediate {
                        op,
                        dst: dst.slot,
                        a: x,
                        value: words[0] as i64,
                    });
                    return;
                }
                let y = self.value(b).slot;
                self.emit(Instr::Binary {
                    op,
                    dst: dst.slot,
                    a: x,
                    b: y,
                });
            }
        }
    }

    /// The second side is looked at only where the first does not decide.
    fn lazy(&mut self, op: BinaryOp, a: &Expr, b: &Expr, dst: Operand) {
        let first = self.value(a).slot;
        self.copy(dst, one(first));
        let (more, join) = (self.new_block(), self.new_block());
        if op == BinaryOp::And {
            self.branch(dst.slot, more, join);
        } else {
            self.branch(dst.slot, join, more);
        }
        self.start(more);
        let second = self.temporary(1);
        self.compute(b, second);
        self.copy(dst, second);
        self.jump(join);
        self.start(join);
    }

    /// `S + x` and `S - x` for a single x change one bit.
    fn changed(&mut self, op: BinaryOp, a: &Expr, b: &Expr, dst: Operand, e: &Expr) {
        let work = self.value(a);
        if let ExprKind::SetOf(elements) = &b.kind
            && elements.len() == 1
            && self.constant(b).is_none()
        {
            let element = e.ty.element().cloned().unwrap_or(Type::Bool);
            let ordinal = self.ordinal(&elements[0], &element, e.span);
            let kept = self.temporary(dst.words);
            self.copy(kept, work);
            let element = ordinal;
            self.emit(if op == BinaryOp::Union {
                Instr::SetInsert { set: kept, element }
            } else {
                Instr::SetRemove { set: kept, element }
            });
            self.copy(dst, kept);
            return;
        }
        let other = self.value(b);
        self.set_binary(op, dst, work, other);
    }

    pub(super) fn select(&mut self, dst: Operand, cond: Slot, a: Operand, b: Operand) {
        self.emit(Instr::Select {
            dst: dst.slot,
            cond,
            a: a.slot,
            b: b.slot,
            words: dst.words,
        });
    }

    /// Whether a set comes before another of the same type: the greatest element that only one of them has is in `b`. The
    /// greatest element of an empty set is −1 here.
    pub(super) fn set_less(&mut self, a: Operand, b: Operand) -> Slot {
        let mut only_in = |in_: Operand, out: Operand| {
            let only = self.temporary(in_.words);
            self.set_binary(BinaryOp::Difference, only, in_, out);
            let greatest = self.scalar();
            self.emit(Instr::SetLast {
                dst: greatest,
                set: only,
            });
            greatest
        };
        let (x, y) = (only_in(a, b), only_in(b, a));
        self.combined(Op::Lt, x, y)
    }

    pub(super) fn set_binary(&mut self, op: BinaryOp, dst: Operand, a: Operand, b: Operand) {
        let op = match op {
            BinaryOp::Union => SetOp::Union,
            BinaryOp::Difference => SetOp::Difference,
            _ => SetOp::Intersect,
        };
        self.emit(Instr::SetBinary {
            op,
            dst: dst.slot,
            a: a.slot,
            b: b.slot,
            words: dst.words,
        });
    }
}
