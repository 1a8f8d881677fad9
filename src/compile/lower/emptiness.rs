//! Questions to a set that need not be made for them: whether it has an element at all, and whether it has a certain one.
//!
//! Sets by formulas are gone through until the answer is certain. That leaves out the rest of them, so it is done only where
//! nothing in them can be an error of play.

use super::Builder;
use super::expr::one;
use super::made;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp};

/// What is asked of a set.
#[derive(Copy, Clone)]
enum Question {
    /// Whether it has an element.
    Any,
    /// Whether it has an element of another set of its type.
    AnyOf(Operand),
    /// Whether it has the element with a value.
    Has(Slot),
}

impl Builder<'_> {
    /// Writes `a in b`, or whether `a` is empty, without making the set; false where the set is to be made.
    pub(super) fn asked(&mut self, op: BinaryOp, a: &Expr, b: &Expr, dst: Operand) -> bool {
        let found = self.scalar();
        match op {
            BinaryOp::In if self.is_searched(b) => {
                let value = self.value(a).slot;
                self.ask(b, Question::Has(value), found);
            }
            BinaryOp::Eq | BinaryOp::Ne if self.is_empty(b) && self.is_searched(a) => {
                self.ask(a, Question::Any, found);
            }
            _ => return false,
        }
        match op {
            BinaryOp::Eq => self.emit(Instr::Not {
                dst: dst.slot,
                a: found,
            }),
            _ => self.copy(dst, one(found)),
        }
        true
    }

    /// Whether an answer may be found without making the whole set.
    fn is_searched(&self, e: &Expr) -> bool {
        // Marks are reached where the text says so.
        if self.marked() || self.is_computed_once(e) || self.constant(e).is_some() {
            return false;
        }
        match &e.kind {
            ExprKind::Fold(fold) => {
                matches!(fold.op, FoldOp::SetOf | FoldOp::Union) && self.is_total(e)
            }
            ExprKind::If {
                then, otherwise, ..
            } => self.is_searched(then) || self.is_searched(otherwise),
            ExprKind::Let { body, .. } => self.is_searched(body),
            ExprKind::Cast(inner) => self.same_words(&inner.ty, &e.ty) && self.is_searched(inner),
            ExprKind::Binary {
                op: BinaryOp::Union | BinaryOp::Intersect,
                left,
                right,
            } => {
                self.is_total(left)
                    && self.is_total(right)
                    && (self.is_searched(left) || self.is_searched(right))
            }
            _ => false,
        }
    }

    /// Whether a set is known to have no element.
    pub(super) fn is_empty(&self, e: &Expr) -> bool {
        let words = matches!(e.ty, Type::Set(_)).then(|| self.constant(e));
        words
            .flatten()
            .is_some_and(|words| words.iter().all(|w| *w == 0))
    }

    fn ask(&mut self, e: &Expr, question: Question, dst: Slot) {
        if !self.is_searched(e) {
            let set = self.value(e);
            return self.answer(e, set, question, dst);
        }
        match &e.kind {
            ExprKind::Fold(fold) => {
                let set = self.temporary(e.ty.words() as u16);
                if self.tabulated(e, set) {
                    self.answer(e, set, question, dst);
                } else if !matches!(question, Question::Has(_)) && self.is_kept_at_once(fold) {
                    self.fold(fold, &e.ty, set, e.span);
                    self.answer(e, set, question, dst);
                } else {
                    self.ask_fold(e, fold, question, dst);
                }
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => match self.constant(cond) {
                Some(known) => {
                    let taken = if known[0] != 0 { then } else { otherwise };
                    self.ask(taken, question, dst);
                }
                None => {
                    let kept = self.scalar();
                    let cond = self.value(cond).slot;
                    self.copy(one(kept), one(cond));
                    self.diamond(
                        kept,
                        |b| b.ask(then, question, dst),
                        |b| b.ask(otherwise, question, dst),
                    );
                }
            },
            ExprKind::Let { local, value, body } => {
                self.let_local(*local, value);
                self.ask(body, question, dst);
            }
            ExprKind::Cast(inner) => self.ask(inner, question, dst),
            ExprKind::Binary { op, left, right } => self.ask_both(*op, left, right, question, dst),
            _ => {}
        }
    }

    /// The answer for a set that is made.
    fn answer(&mut self, e: &Expr, set: Operand, question: Question, dst: Slot) {
        let tested = match question {
            Question::Has(value) => {
                let lo = e.ty.element().map_or(0, |t| t.value_at(0));
                let element = self.immediate(Op::Sub, value, lo);
                return self.emit(Instr::SetTest { dst, set, element });
            }
            Question::Any => set,
            Question::AnyOf(other) => {
                let both = self.temporary(set.words);
                self.set_binary(BinaryOp::Intersect, both, set, other);
                both
            }
        };
        let empty = self.constant_operand(&e.ty, &[]);
        let same = self.equal(tested, empty);
        self.emit(Instr::Not { dst, a: same });
    }

    fn ask_both(&mut self, op: BinaryOp, left: &Expr, right: &Expr, question: Question, dst: Slot) {
        let has = matches!(question, Question::Has(_));
        if op == BinaryOp::Intersect && !has {
            let (searched, whole) = match self.is_searched(left) {
                true => (left, right),
                false => (right, left),
            };
            let mut other = self.value(whole);
            if let Question::AnyOf(more) = question {
                let both = self.temporary(other.words);
                self.set_binary(BinaryOp::Intersect, both, other, more);
                other = both;
            }
            return self.ask(searched, Question::AnyOf(other), dst);
        }
        self.ask(left, question, dst);
        let (more, join) = (self.new_block(), self.new_block());
        match op {
            BinaryOp::Intersect => self.branch(dst, more, join),
            _ => self.branch(dst, join, more),
        }
        self.start(more);
        self.ask(right, question, dst);
        self.jump(join);
        self.start(join);
    }

    fn ask_fold(&mut self, e: &Expr, fold: &Fold, question: Question, dst: Slot) {
        if let (Question::Has(value), FoldOp::SetOf) = (question, fold.op)
            && matches!(fold.body.kind, ExprKind::Local(local) if local == fold.local)
        {
            return self.ask_filter(fold, value, dst);
        }
        if let (Question::Has(value), FoldOp::Union) = (question, fold.op)
            && let Some(cond) = &fold.cond
            && matches!(fold.body.kind, ExprKind::Element { .. })
            && let Some(element) = e.ty.element()
        {
            let value = self.slot_expr(one(value), element.clone(), e);
            let has = made::binary(BinaryOp::In, value, fold.body.clone());
            let fold = Fold {
                op: FoldOp::Some,
                cond: None,
                body: made::binary(BinaryOp::And, has, cond.clone()),
                ..fold.clone()
            };
            return self.fold(&fold, &Type::Bool, one(dst), e.span);
        }
        let done = self.new_block();
        self.emit(Instr::Const { dst, value: 0 });
        let inside: Vec<&Expr> = fold.cond.iter().chain([&fold.body]).collect();
        self.around_loop(&[fold.local], &inside, |b| {
            b.each_element(fold, done, &mut |b, next| {
                b.ask_step(e, fold, question, dst, next);
                b.jump(done);
            });
        });
        self.start(done);
    }

    /// One element of a loop; goes to `next` unless it gives the answer.
    fn ask_step(&mut self, e: &Expr, fold: &Fold, question: Question, dst: Slot, next: BlockId) {
        if let Some(cond) = &fold.cond {
            let holds = self.value(cond).slot;
            let take = self.new_block();
            self.branch(holds, take, next);
            self.start(take);
        }
        let found = self.scalar();
        match (fold.op, question) {
            (FoldOp::Union, _) => self.ask(&fold.body, question, found),
            (_, Question::Any) => {
                self.emit(Instr::Const { dst, value: 1 });
                return;
            }
            (_, Question::AnyOf(set)) => {
                let element =
                    e.ty.element()
                        .cloned()
                        .unwrap_or_else(|| fold.body.ty.clone());
                let element = self.ordinal(&fold.body, &element, fold.body.span);
                self.emit(Instr::SetTest {
                    dst: found,
                    set,
                    element,
                });
            }
            (_, Question::Has(value)) => {
                let body = self.value(&fold.body).slot;
                self.emit(Instr::Binary {
                    op: Op::Eq,
                    dst: found,
                    a: body,
                    b: value,
                });
            }
        }
        let yes = self.new_block();
        self.branch(found, yes, next);
        self.start(yes);
        self.emit(Instr::Const { dst, value: 1 });
    }

    /// `value in { x in domain where cond }`: the condition is asked of that value alone.
    fn ask_filter(&mut self, fold: &Fold, value: Slot, dst: Slot) {
        self.ask(&fold.domain, Question::Has(value), dst);
        let Some(cond) = &fold.cond else {
            return;
        };
        let (more, join) = (self.new_block(), self.new_block());
        self.branch(dst, more, join);
        self.start(more);
        let local = self.bind(fold.local);
        self.copy(local, one(value));
        self.scope(|b| {
            let holds = b.value(cond).slot;
            b.copy(one(dst), one(holds));
        });
        self.jump(join);
        self.start(join);
    }
}
