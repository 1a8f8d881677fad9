//! Loops over sets inside expressions: quantifiers, sums, extremes, comprehensions. Small constant domains are unrolled.

use super::super::codes;
use super::Builder;
use super::apart::asks;
use crate::ir::*;
use crate::model::types::{Type, bits};
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp};
use crate::text::span::Span;

/// The elements of sets of so many words are taken out one by one; of larger ones the next one is looked for.
pub(super) const FEW_WORDS: u16 = 4;
/// A constant domain of so many elements is unrolled, where with the loops around it no more than so many copies of its body
/// are written.
const UNROLL: [(usize, usize); 2] = [(4, 64), (6, 36)];

/// The slots that a fold works with.
struct Work<'e> {
    /// What is built up: a number, a truth value or a set.
    result: Operand,
    /// For extremes: whether there is a value yet.
    any: Slot,
    /// For argmin and argmax: the best value yet.
    best: Operand,
    ty: Type,
    /// Where to go once the answer is certain.
    done: BlockId,
    /// Whether the first element that counts is the answer.
    first: bool,
    /// What is asked of each element that is gone through, in order.
    conds: Vec<&'e Expr>,
    /// Whether the body is among these.
    asks: bool,
}

/// A count of the elements for which the condition of a loop holds.
pub(super) fn counted(fold: &Fold) -> Option<Fold> {
    (fold.is_filter() || fold.op == FoldOp::Sum).then_some(())?;
    Some(Fold {
        op: FoldOp::Count,
        local: fold.local,
        domain: fold.domain.clone(),
        cond: None,
        body: fold.cond.clone()?,
    })
}

impl Builder<'_> {
    pub(super) fn fold(&mut self, fold: &Fold, ty: &Type, dst: Operand, span: Span) {
        self.fold_or(fold, ty, dst, span, None);
    }

    /// As [`Builder::fold`]; the least or greatest *element* is `otherwise` where there is none.
    pub(super) fn fold_or(
        &mut self,
        fold: &Fold,
        ty: &Type,
        dst: Operand,
        span: Span,
        otherwise: Option<i64>,
    ) {
        let one = matches!(fold.body.kind, ExprKind::Const(1));
        if one
            && fold.op == FoldOp::Sum
            && !self.marked()
            && self.known_of(fold).is_none()
            && let Some(counted) = counted(fold)
        {
            return self.fold(&counted, ty, dst, span);
        }
        if self.known_of(fold).is_none()
            && let Some(set) = self.kept_by(fold)
        {
            return self.copy(dst, set);
        }
        if self.folded_at_once(fold, dst) {
            return;
        }
        let apart = self.apart(fold);
        let (asked, conds) = match &apart {
            Some(apart) => self.kept_apart(fold, apart),
            None => match self.asked_at_once(fold) {
                Some(set) => (Some(set), Vec::new()),
                None => (None, fold.cond.iter().collect()),
            },
        };
        let done = self.new_block();
        let first = self.is_first(fold);
        let work = Work {
            result: self.temporary(dst.words),
            any: self.scalar(),
            best: self.temporary(fold.body.ty.words() as u16),
            ty: ty.clone(),
            done,
            first,
            conds,
            asks: apart.is_some() && asks(fold),
        };
        match fold.op {
            FoldOp::Union | FoldOp::SetOf | FoldOp::Argmin | FoldOp::Argmax => {
                self.set_constant(work.result, ty, &[]);
            }
            FoldOp::Every | FoldOp::No => self.set_constant(work.result, ty, &[1]),
            _ if let Some(value) = otherwise => {
                self.set_constant(work.result, ty, &[value as u64]);
            }
            _ => self.set_constant(work.result, ty, &[0]),
        }
        self.emit(Instr::Const {
            dst: work.any,
            value: 0,
        });
        if matches!(fold.op, FoldOp::Argmin | FoldOp::Argmax) {
            // Read only once there is a value; written here so that nothing seems to be wanted from before.
            self.set_constant(work.best, &fold.body.ty, &[0]);
        }
        let body = std::iter::once(&fold.body).filter(|_| !work.asks);
        let inside: Vec<&Expr> = work.conds.iter().copied().chain(body).collect();
        // The set that is gone through is known already.
        let known = self.invariants.len();
        let domain = std::ptr::from_ref(&fold.domain);
        self.invariants.extend(asked.map(|set| (domain, set)));
        let ahead = apart.as_ref().map_or(&[][..], |apart| &apart.ahead);
        self.around_loop(&[fold.local], &inside, |b| {
            let step = &mut |b: &mut Self, next| {
                b.knowing(ahead, |b| b.fold_step(fold, &work, next));
            };
            match first && fold.op == FoldOp::Max {
                true => b.each_from_the_last(fold, done, step),
                false => b.each_element(fold, done, step),
            }
        });
        self.invariants.truncate(known);
        self.start(done);
        if matches!(fold.op, FoldOp::Min | FoldOp::Max) && otherwise.is_none() {
            let word = if fold.op == FoldOp::Min {
                "least"
            } else {
                "greatest"
            };
            let fault = self.fault_with(
                codes::OF_NOTHING,
                span,
                format!("the {word} of no values"),
                Some("test that there is one first"),
            );
            self.emit(Instr::Check {
                value: work.any,
                lo: 1,
                hi: 1,
                fault,
            });
        }
        self.copy(dst, work.result);
    }

    /// Whether the least or greatest *element* is wanted, so that it can be looked for from its end of the set. Conditions
    /// of the others are not asked then: they must not fail.
    fn is_first(&self, fold: &Fold) -> bool {
        matches!(fold.op, FoldOp::Min | FoldOp::Max)
            && matches!(fold.body.kind, ExprKind::Local(local) if local == fold.local)
            && fold.domain.ty.element() == Some(&fold.body.ty)
            && fold.cond.as_ref().is_none_or(|cond| self.is_total(cond))
    }

    /// Whether a loop over a set is written out element by element.
    pub(super) fn is_unrolled(&self, domain: &Expr) -> bool {
        self.few_elements(domain).is_some()
    }

    /// The ordinals of the elements of a set, where a loop over it is written out.
    pub(super) fn few_elements(&self, domain: &Expr) -> Option<Vec<u64>> {
        let words = self.constant(domain)?;
        let [.., (most, _)] = UNROLL;
        let ordinals: Vec<u64> = bits(&words).take(most + 1).collect();
        let count = ordinals.len();
        let copies = self.copies.saturating_mul(count);
        let few = |(elements, most): &(usize, usize)| count <= *elements && copies <= *most;
        UNROLL.iter().any(few).then_some(ordinals)
    }

    /// Runs the local of a fold over its set: `step` writes what is done for one element, and is told where the next one
    /// comes; after the last one it goes on at `done`.
    pub(super) fn each_element(
        &mut self,
        fold: &Fold,
        done: BlockId,
        step: &mut dyn FnMut(&mut Self, BlockId),
    ) {
        match self.few_elements(&fold.domain) {
            Some(ordinals) => self.unrolled(fold, &ordinals, done, step),
            None => {
                let lo = fold.domain.ty.element().map_or(0, |t| t.value_at(0));
                let domain = self.value(&fold.domain);
                let local = self.bind(fold.local);
                let head = self.loop_over(local.slot, domain, lo, done);
                self.scope(|b| step(b, head));
            }
        }
    }

    /// As `each_element`, the greatest element first.
    fn each_from_the_last(
        &mut self,
        fold: &Fold,
        done: BlockId,
        step: &mut dyn FnMut(&mut Self, BlockId),
    ) {
        if let Some(mut ordinals) = self.few_elements(&fold.domain) {
            ordinals.reverse();
            return self.unrolled(fold, &ordinals, done, step);
        }
        let lo = fold.domain.ty.element().map_or(0, |t| t.value_at(0));
        let domain = self.value(&fold.domain);
        let left = self.temporary(domain.words);
        self.copy(left, domain);
        let local = self.bind(fold.local);
        let (head, body) = (self.new_block(), self.new_block());
        self.jump(head);
        self.start(head);
        let last = self.scalar();
        self.emit(Instr::SetLast {
            dst: last,
            set: left,
        });
        let over = self.immediate(Op::Le, last, -1);
        self.branch(over, done, body);
        self.start(body);
        self.take_out(local.slot, left, last, lo);
        self.scope(|b| step(b, head));
    }

    /// What is done for each of a few elements, one after the other.
    fn unrolled(
        &mut self,
        fold: &Fold,
        ordinals: &[u64],
        done: BlockId,
        step: &mut dyn FnMut(&mut Self, BlockId),
    ) {
        let element = fold.domain.ty.element().cloned().unwrap_or(Type::Bool);
        let around = self.copies;
        self.copies = around.saturating_mul(ordinals.len().max(1));
        for ordinal in ordinals {
            self.locals.remove(&fold.local);
            let value = element.value_at(*ordinal) as u64;
            self.bound.insert(fold.local, vec![value]);
            let next = self.new_block();
            self.scope(|b| step(b, next));
            self.start(next);
        }
        self.copies = around;
        self.jump(done);
    }

    /// Begins a loop in which a slot takes every element of a set, in order; after the last one it goes on at `exit`. Writes on in
    /// the body, and returns where the next round begins.
    pub(super) fn loop_over(
        &mut self,
        local: Slot,
        set: Operand,
        lo: i64,
        exit: BlockId,
    ) -> BlockId {
        let (head, body) = (self.new_block(), self.new_block());
        if set.words <= FEW_WORDS {
            let left = self.temporary(set.words);
            self.copy(left, set);
            self.jump(head);
            self.start(head);
            self.take_first(local, left, lo, body, exit);
        } else {
            self.emit(Instr::Const {
                dst: local,
                value: lo - 1,
            });
            self.jump(head);
            self.start(head);
            self.advance(local, set, lo, body, exit);
        }
        self.start(body);
        head
    }

    /// Takes the first element out of a set of few words: on to `body`, or to `exit` when there is none.
    pub(super) fn take_first(
        &mut self,
        local: Slot,
        left: Operand,
        lo: i64,
        body: BlockId,
        exit: BlockId,
    ) {
        self.scope(|b| {
            let (before, next) = (b.number(-1), b.scalar());
            b.emit(Instr::SetNext {
                dst: next,
                set: left,
                after: before,
            });
            let over = b.immediate(Op::Le, next, -1);
            let go = b.new_block();
            b.branch(over, exit, go);
            b.start(go);
            b.take_out(local, left, next, lo);
            b.jump(body);
        });
    }

    /// Takes an element, by its ordinal, out of what is left of a set.
    fn take_out(&mut self, local: Slot, left: Operand, element: Slot, lo: i64) {
        self.emit(Instr::SetRemove { set: left, element });
        self.emit(Instr::Immediate {
            op: Op::Add,
            dst: local,
            a: element,
            value: lo,
        });
    }

    /// Steps `local` to the next element of a set: on to `body`, or to `exit` when there is none.
    pub(super) fn advance(
        &mut self,
        local: Slot,
        set: Operand,
        lo: i64,
        body: BlockId,
        exit: BlockId,
    ) {
        self.scope(|b| {
            let after = b.immediate(Op::Sub, local, lo);
            let next = b.scalar();
            b.emit(Instr::SetNext {
                dst: next,
                set,
                after,
            });
            let found = b.immediate(Op::Le, next, -1);
            let go = b.new_block();
            b.branch(found, exit, go);
            b.start(go);
            b.emit(Instr::Immediate {
                op: Op::Add,
                dst: local,
                a: next,
                value: lo,
            });
            b.jump(body);
        });
    }

    /// What one element does to the result; ends with a jump to `next` or to `work.done`.
    fn fold_step(&mut self, fold: &Fold, work: &Work<'_>, next: BlockId) {
        for cond in &work.conds {
            let holds = self.value(cond).slot;
            let take = self.new_block();
            self.branch(holds, take, next);
            self.start(take);
        }
        let result = work.result;
        match fold.op {
            FoldOp::Some | FoldOp::Every | FoldOp::No => {
                if !work.asks {
                    let holds = self.value(&fold.body).slot;
                    let decided = self.new_block();
                    match fold.op {
                        FoldOp::Every => self.branch(holds, next, decided),
                        _ => self.branch(holds, decided, next),
                    }
                    self.start(decided);
                }
                self.emit(Instr::Const {
                    dst: result.slot,
                    value: i64::from(fold.op == FoldOp::Some),
                });
                self.jump(work.done);
                return;
            }
            FoldOp::Count if work.asks => self.emit(Instr::Immediate {
                op: Op::Add,
                dst: result.slot,
                a: result.slot,
                value: 1,
            }),
            FoldOp::Count | FoldOp::Sum => {
                let value = self.value(&fold.body).slot;
                self.emit(Instr::Binary {
                    op: Op::Add,
                    dst: result.slot,
                    a: result.slot,
                    b: value,
                });
            }
            FoldOp::Min | FoldOp::Max if matches!(work.ty, Type::Set(_)) => {
                let value = self.value(&fold.body);
                let less = self.set_less(result, value);
                let both = self.temporary(result.words);
                let (a, b) = if fold.op == FoldOp::Min {
                    (result, value)
                } else {
                    (value, result)
                };
                self.select(both, less, a, b);
                self.select(result, work.any, both, value);
                self.emit(Instr::Const {
                    dst: work.any,
                    value: 1,
                });
            }
            FoldOp::Min | FoldOp::Max if work.first => {
                let value = self.value(&fold.body);
                self.copy(result, value);
                self.emit(Instr::Const {
                    dst: work.any,
                    value: 1,
                });
                self.jump(work.done);
                return;
            }
            FoldOp::Min | FoldOp::Max => {
                let value = self.value(&fold.body).slot;
                let op = if fold.op == FoldOp::Min {
                    Op::Min
                } else {
                    Op::Max
                };
                let both = self.combined(op, result.slot, value);
                self.emit(Instr::Select {
                    dst: result.slot,
                    cond: work.any,
                    a: both,
                    b: value,
                    words: 1,
                });
                self.emit(Instr::Const {
                    dst: work.any,
                    value: 1,
                });
            }
            FoldOp::Argmin | FoldOp::Argmax => {
                self.extreme(fold, work, next);
                return;
            }
            FoldOp::Union => {
                let value = self.value(&fold.body);
                self.set_binary(BinaryOp::Union, result, result, value);
            }
            FoldOp::SetOf => self.insert(result, &work.ty, &fold.body),
        }
        self.jump(next);
    }

    /// One element of argmin or argmax: better starts the set anew, equal joins it.
    fn extreme(&mut self, fold: &Fold, work: &Work<'_>, next: BlockId) {
        let of_sets = matches!(fold.body.ty, Type::Set(_));
        let value = self.value(&fold.body);
        let (compare, start, join, tie) = (
            self.new_block(),
            self.new_block(),
            self.new_block(),
            self.new_block(),
        );
        self.branch(work.any, compare, start);
        self.start(compare);
        let (a, b) = if fold.op == FoldOp::Argmax {
            (work.best, value)
        } else {
            (value, work.best)
        };
        let better = if of_sets {
            self.set_less(a, b)
        } else {
            self.scalars(Op::Lt, a, b)
        };
        self.branch(better, start, tie);
        self.start(tie);
        let equal = if of_sets {
            self.equal(work.best, value)
        } else {
            self.scalars(Op::Eq, work.best, value)
        };
        self.branch(equal, join, next);
        self.start(start);
        self.copy(work.best, value);
        self.emit(Instr::Const {
            dst: work.any,
            value: 1,
        });
        self.set_constant(work.result, &work.ty, &[]);
        self.jump(join);
        self.start(join);
        let element = fold.domain.ty.element().cloned().unwrap_or(Type::Bool);
        let local = Expr {
            kind: ExprKind::Local(fold.local),
            ty: element,
            span: fold.body.span,
        };
        self.insert(work.result, &work.ty, &local);
        self.jump(next);
    }

    fn scalars(&mut self, op: Op, a: Operand, b: Operand) -> Slot {
        self.combined(op, a.slot, b.slot)
    }
}
