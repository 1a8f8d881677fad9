//! Calls of functions: their operations as instructions.

use super::Builder;
use super::expr::one;
use super::fold::counted;
use crate::ir::*;
use crate::model::functions::{self, Call, Failure, Number, Operation, Operations, Set};
use crate::model::{BinaryOp, Expr, ExprKind, reach};
use crate::text::span::Span;

impl Builder<'_> {
    pub(super) fn call(&mut self, e: &Expr, dst: Operand) {
        let ExprKind::Call {
            function,
            args,
            table,
        } = &e.kind
        else {
            return;
        };
        let call = Call {
            args,
            table: table.as_ref(),
            ty: &e.ty,
        };
        if function.is_count()
            && !self.marked()
            && args.iter().all(|set| !self.is_computed_once(set))
            && let [
                Expr {
                    kind: ExprKind::Fold(fold),
                    ..
                },
            ] = &args[..]
            && let Some(counted) = counted(fold)
        {
            let kind = ExprKind::Fold(Box::new(counted));
            let (ty, span) = (e.ty.clone(), e.span);
            return self.compute(&Expr { kind, ty, span }, dst);
        }
        if let Some((fold, otherwise)) = self.first_that_fits(e) {
            return self.fold_or(&fold, &e.ty, dst, e.span, otherwise);
        }
        let mut writer = Writer {
            builder: self,
            span: e.span,
        };
        if let Some(last) = function.build(&call, &mut writer) {
            self.write(last, dst);
        }
    }

    /// Writes an operation so that its result is in `dst`.
    fn write(&mut self, operation: Operation<'_>, dst: Operand) {
        let instr = match operation {
            Operation::Number(n) => return self.copy(dst, one(n.0)),
            Operation::With { op, a, value } => Instr::Immediate {
                op: op_of(op),
                dst: dst.slot,
                a: a.0,
                value,
            },
            Operation::Binary { op, a, b } => Instr::Binary {
                op: op_of(op),
                dst: dst.slot,
                a: a.0,
                b: b.0,
            },
            Operation::Count(set) => Instr::SetCount {
                dst: dst.slot,
                set: operand(set),
            },
            Operation::First(set) => {
                let before = self.number(-1);
                Instr::SetNext {
                    dst: dst.slot,
                    set: operand(set),
                    after: before,
                }
            }
            Operation::Last(set) => Instr::SetLast {
                dst: dst.slot,
                set: operand(set),
            },
            Operation::Before(a, b) => {
                let less = self.set_less(operand(a), operand(b));
                return self.copy(dst, one(less));
            }
            Operation::Select {
                cond,
                then,
                otherwise,
            } => return self.select(dst, cond.0, operand(then), operand(otherwise)),
            Operation::Top { count, set } => Instr::SetTop {
                dst: dst.slot,
                src: operand(set),
                count: count.0,
            },
            Operation::Around { from, table } => {
                let (src, near) = (operand(from), self.temporary(dst.words));
                let table = self.table_of(table, dst.words);
                self.emit(Instr::SetNeighbours {
                    dst: near,
                    src,
                    table,
                });
                return self.set_binary(BinaryOp::Difference, dst, near, src);
            }
            Operation::Group {
                from,
                within,
                table,
            } => Instr::SetGroup {
                dst,
                from: operand(from),
                within: operand(within),
                table: self.table_of(table, dst.words),
            },
            Operation::Run {
                from,
                way,
                ways,
                within,
                both,
                table,
            } => Instr::SetRun {
                dst,
                from: from.0,
                way: way.0,
                within: operand(within),
                table: self.table_of(table, 1),
                ways: ways as u32,
                both,
            },
            Operation::Hops { from, to, table } => {
                let words = table.first().map_or(0, Vec::len) as u16;
                Instr::Hops {
                    dst: dst.slot,
                    from: from.0,
                    to: to.0,
                    table: self.table_of(table, words),
                    words,
                    bits: reach::distance_bits(table.len()),
                }
            }
        };
        self.emit(instr);
    }
}

struct Writer<'b, 'd> {
    builder: &'b mut Builder<'d>,
    /// Of the call.
    span: Span,
}

impl Operations for Writer<'_, '_> {
    fn number(&mut self, e: &Expr) -> Option<Number> {
        Some(Number(self.builder.value(e).slot))
    }

    fn ordinal(&mut self, e: &Expr) -> Option<Number> {
        Some(Number(self.builder.ordinal(e, &e.ty, e.span)))
    }

    fn set(&mut self, e: &Expr) -> Option<Set> {
        let Operand { slot, words } = self.builder.value(e);
        Some(Set { at: slot, words })
    }

    fn known(&mut self, e: &Expr) -> Option<i64> {
        let words = self.builder.constant(e)?;
        words.first().map(|word| *word as i64)
    }

    fn push(&mut self, operation: Operation<'_>) -> Option<Number> {
        Some(Number(match operation {
            Operation::Number(n) => n.0,
            Operation::With { op, a, value } => self.builder.immediate(op_of(op), a.0, value),
            Operation::Before(a, b) => self.builder.set_less(operand(a), operand(b)),
            _ => {
                let dst = self.builder.scalar();
                self.builder.write(operation, one(dst));
                dst
            }
        }))
    }

    fn check(&mut self, value: Number, lo: i64, hi: i64, failure: Failure) -> Option<()> {
        let Failure {
            code,
            message,
            hint,
        } = failure;
        let fault = self
            .builder
            .fault_with(code, self.span, message, Some(hint));
        self.builder.emit(Instr::Check {
            value: value.0,
            lo,
            hi,
            fault,
        });
        Some(())
    }
}

fn operand(set: Set) -> Operand {
    Operand {
        slot: set.at,
        words: set.words,
    }
}

fn op_of(op: functions::Op) -> Op {
    match op {
        functions::Op::Add => Op::Add,
        functions::Op::Mul => Op::Mul,
        functions::Op::Mod => Op::Mod,
        functions::Op::Min => Op::Min,
        functions::Op::Max => Op::Max,
    }
}
