//! Expressions to straight-line code and small diamonds.

use super::super::codes;
use super::Builder;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, Index, MatchArm, VarId};
use crate::text::span::Span;

impl Builder<'_> {
    /// The value of an expression, in a slot that the caller must not write to.
    pub(super) fn value(&mut self, e: &Expr) -> Operand {
        if let Some(operand) = self.invariant(e) {
            return operand;
        }
        if let Some(operand) = self.demanded(e) {
            return operand;
        }
        if let Some(words) = self.cheap_constant(e) {
            return self.constant_operand(&e.ty, &words);
        }
        match &e.kind {
            ExprKind::Local(local) => {
                if let Some(operand) = self.locals.get(local) {
                    return *operand;
                }
                // Bound locals were constants above; anything else is bound before it is read.
                self.bind(*local)
            }
            ExprKind::Var { var, indices } => match self.static_element(*var, indices) {
                Some(operand) => operand,
                None => self.in_temporary(e),
            },
            ExprKind::Let { local, value, body } => {
                self.let_local(*local, value);
                self.value(body)
            }
            ExprKind::Shown { value, .. } => self.value(value),
            ExprKind::Cast(inner) if self.same_words(&inner.ty, &e.ty) => self.value(inner),
            _ => self.in_temporary(e),
        }
    }

    fn in_temporary(&mut self, e: &Expr) -> Operand {
        let dst = self.temporary(e.ty.words() as u16);
        self.compute(e, dst);
        dst
    }

    /// Binds a local to a value for the code that follows.
    pub(super) fn let_local(&mut self, local: crate::model::LocalId, value: &Expr) {
        if let Some(words) = self.constant(value) {
            self.locals.remove(&local);
            self.bound.insert(local, words);
            return;
        }
        let value = self.value(value);
        let dst = self.bind(local);
        self.copy(dst, value);
    }

    /// Constants that cost nothing to find: the evaluator is asked only where no variable can occur.
    fn cheap_constant(&self, e: &Expr) -> Option<Vec<u64>> {
        match &e.kind {
            ExprKind::Const(v) => Some(vec![*v as u64]),
            ExprKind::ConstSet(words) => Some(words.clone()),
            ExprKind::Local(local) => self.bound.get(local).cloned(),
            ExprKind::Var { .. } => None,
            _ => self.constant(e),
        }
    }

    pub(super) fn constant_operand(&mut self, ty: &Type, words: &[u64]) -> Operand {
        let dst = self.temporary(ty.words() as u16);
        self.set_constant(dst, ty, words);
        dst
    }

    pub(super) fn set_constant(&mut self, dst: Operand, ty: &Type, words: &[u64]) {
        if matches!(ty, Type::Set(_)) {
            let mut words = words.to_vec();
            words.resize(dst.words as usize, 0);
            self.emit(Instr::SetConst {
                dst: dst.slot,
                words,
            });
        } else {
            self.emit(Instr::Const {
                dst: dst.slot,
                value: words.first().copied().unwrap_or(0) as i64,
            });
        }
    }

    pub(super) fn copy(&mut self, dst: Operand, src: Operand) {
        if dst.slot != src.slot {
            self.emit(Instr::Copy {
                dst: dst.slot,
                src: src.slot,
                words: dst.words,
            });
        }
    }

    pub(super) fn equal(&mut self, a: Operand, b: Operand) -> Slot {
        let dst = self.scalar();
        self.emit(Instr::SetEq {
            dst,
            a: a.slot,
            b: b.slot,
            words: a.words,
        });
        dst
    }

    pub(super) fn immediate(&mut self, op: Op, a: Slot, value: i64) -> Slot {
        if matches!(op, Op::Add | Op::Sub) && value == 0 {
            return a;
        }
        let dst = self.scalar();
        self.emit(Instr::Immediate { op, dst, a, value });
        dst
    }

    /// The scalar `a op b`.
    pub(super) fn combined(&mut self, op: Op, a: Slot, b: Slot) -> Slot {
        let dst = self.scalar();
        self.emit(Instr::Binary { op, dst, a, b });
        dst
    }

    /// A scalar with this value.
    pub(super) fn number(&mut self, value: i64) -> Slot {
        let dst = self.scalar();
        self.emit(Instr::Const { dst, value });
        dst
    }

    /// The ordinal of a value within `ty`. A value outside is an error of play where its own type allows one.
    pub(super) fn ordinal(&mut self, e: &Expr, ty: &Type, span: Span) -> Slot {
        let value = self.value(e).slot;
        let Some((lo, hi)) = ty.bounds() else {
            return value;
        };
        if let (Type::Int { .. }, Some((from, to))) = (ty, e.ty.bounds())
            && (from < lo || to > hi)
        {
            let fault = self.fault(
                codes::OUT_OF_RANGE,
                span,
                format!("{{}} is no index here: the indices are {ty}"),
            );
            self.emit(Instr::Check {
                value,
                lo,
                hi,
                fault,
            });
        }
        match ty {
            Type::Int { lo, .. } => self.immediate(Op::Sub, value, *lo),
            _ => value,
        }
    }

    /// The element of a variable whose indices are all constants here.
    fn static_element(&self, var: VarId, indices: &[Expr]) -> Option<Operand> {
        let slots = &self.vars[var.0 as usize];
        let mut flat = 0;
        for (index, Index { ty, .. }) in indices.iter().zip(&self.d.var(var).indices) {
            let value = *self.constant(index)?.first()? as i64;
            let (lo, hi) = ty.bounds()?;
            if value < lo || value > hi {
                return None;
            }
            flat = flat * ty.size()? + ty.ordinal(value);
        }
        Some(Operand {
            slot: slots.base + flat as u32 * u32::from(slots.words),
            words: slots.words,
        })
    }

    /// The number of the element that some indices pick, row by row.
    pub(super) fn flat_index(&mut self, var: VarId, indices: &[Expr], span: Span) -> Slot {
        let d = self.d;
        let types = d.var(var).indices.iter().map(|index| &index.ty);
        let flat = self.row_of(indices.iter().zip(types), span);
        flat.unwrap_or_else(|| self.number(0))
    }

    /// Where a place lies: a fixed operand or a computed index.
    pub(super) fn element(&mut self, var: VarId, indices: &[Expr], span: Span) -> Element {
        match self.static_element(var, indices) {
            Some(operand) => Element::Fixed(operand),
            None => Element::Indexed(self.flat_index(var, indices, span)),
        }
    }

    /// Computes an expression into `dst`. Its operands are read before `dst` is written only where
    /// [`writes_last`] says so.
    pub(super) fn compute(&mut self, e: &Expr, dst: Operand) {
        if self.is_too_large() {
            return;
        }
        if let Some(words) = self.cheap_constant(e) {
            self.set_constant(dst, &e.ty, &words);
            return;
        }
        if let Some(operand) = self.invariant(e) {
            return self.copy(dst, operand);
        }
        if let Some(operand) = self.demanded(e) {
            return self.copy(dst, operand);
        }
        if self.tabulated_by_sets(e, dst) || self.tabulated_by_cases(e, dst) {
            return;
        }
        match &e.kind {
            ExprKind::Const(_) | ExprKind::ConstSet(_) => {}
            ExprKind::ConstArray(_) | ExprKind::Array { .. } => {
                // Arrays are read through `Element` only; `check` expands every other use.
            }
            ExprKind::Local(_) | ExprKind::Shown { .. } => {
                let value = self.value(e);
                self.copy(dst, value);
            }
            ExprKind::Var { var, indices } => match self.element(*var, indices, e.span) {
                Element::Fixed(operand) => self.copy(dst, operand),
                Element::Indexed(index) => {
                    let slots = &self.vars[var.0 as usize];
                    let (base, words, count) = (slots.base, slots.words, slots.elements);
                    self.emit(Instr::Load {
                        dst: dst.slot,
                        base,
                        index,
                        words,
                        count,
                    });
                }
            },
            ExprKind::Element { array, index } => self.array_element(array, index, dst, e.span),
            ExprKind::Unary { op, value: a } => self.unary(*op, a, dst),
            ExprKind::Binary {
                op,
                left: a,
                right: b,
            } => self.binary(*op, a, b, dst, e),
            ExprKind::If {
                cond,
                then: a,
                otherwise: b,
            } => self.conditional(cond, a, b, dst, e.span),
            ExprKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => self.match_expr(scrutinee, arms, otherwise.as_deref(), dst, e.span),
            ExprKind::Let { local, value, body } => {
                self.let_local(*local, value);
                self.compute(body, dst);
            }
            ExprKind::Field {
                record: inner,
                field,
            } => self.field(inner, *field, dst),
            ExprKind::Record(fields) => self.record(fields, &e.ty, dst, e.span),
            ExprKind::SetOf(elements) => {
                let work = self.temporary(dst.words);
                self.set_constant(work, &e.ty, &[]);
                for element in elements {
                    self.insert(work, &e.ty, element);
                }
                self.copy(dst, work);
            }
            ExprKind::RangeSet { low: a, high: b } => {
                let Some(element) = e.ty.element() else {
                    return;
                };
                let shift = element.value_at(0);
                let a = self.value(a).slot;
                let lo = self.immediate(Op::Sub, a, shift);
                let b = self.value(b).slot;
                let hi = self.immediate(Op::Sub, b, shift);
                self.emit(Instr::SetRange { dst, lo, hi });
            }
            ExprKind::Unwrap { value, checked } => self.unwrap(value, *checked, e, dst),
            ExprKind::Cast(inner) => self.cast(inner, &e.ty, dst, e.span),
            ExprKind::Fold(_) if self.tabulated(e, dst) => {}
            ExprKind::Fold(fold) => self.fold(fold, &e.ty, dst, e.span),
            ExprKind::Call { .. } => self.call(e, dst),
            ExprKind::After { body, value } => self.after(body, value, dst),
            ExprKind::Told { value, .. } => self.compute(value, dst),
            ExprKind::Reveal {
                site,
                value,
                viewers,
            } => {
                let value = self.value(value);
                let viewers = self.value(viewers).slot;
                self.event(*site, None, None, vec![(value, viewers)], None);
                self.copy(dst, value);
            }
        }
    }

    fn match_expr(
        &mut self,
        scrutinee: &Expr,
        arms: &[MatchArm<Expr>],
        otherwise: Option<&Expr>,
        dst: Operand,
        span: Span,
    ) {
        let value = self.value(scrutinee).slot;
        let join = self.new_block();
        let last = arms.len().saturating_sub(1);
        // A member of a family by its index is one thing in the text.
        let mark = |b: &mut Self, arm: usize, body: &Expr| {
            if body.span != span {
                b.mark_branch(CoveragePointKind::Arm(arm as u32), span, body);
            }
        };
        for (i, MatchArm { values, body }) in arms.iter().enumerate() {
            if i == last && otherwise.is_none() {
                mark(self, i, body);
                self.compute(body, dst);
                self.jump(join);
            } else {
                let next = self.match_arm(value, values);
                mark(self, i, body);
                self.compute(body, dst);
                self.jump(join);
                self.start(next);
            }
        }
        if let Some(body) = otherwise {
            mark(self, arms.len(), body);
            self.compute(body, dst);
            self.jump(join);
        }
        self.start(join);
    }

    fn field(&mut self, inner: &Expr, field: usize, dst: Operand) {
        let value = self.value(inner).slot;
        if let Type::Product(product) = &inner.ty {
            let after: u64 = product.fields[field + 1..]
                .iter()
                .map(|(_, t)| t.field_size().unwrap_or(1))
                .product();
            let ty = &product.fields[field].1;
            let quotient = if after == 1 {
                value
            } else {
                self.immediate(Op::Div, value, after as i64)
            };
            let ordinal = if field == 0 {
                quotient
            } else {
                self.immediate(Op::Mod, quotient, ty.field_size().unwrap_or(1) as i64)
            };
            let shifted = self.immediate(Op::Add, ordinal, ty.value_at(0));
            self.copy(dst, one(shifted));
        }
    }

    fn record(&mut self, fields: &[Expr], ty: &Type, dst: Operand, span: Span) {
        let Type::Product(product) = ty else {
            return;
        };
        let types = product.fields.iter().map(|(_, ty)| ty);
        let sum = self.row_of(fields.iter().zip(types), span);
        if let Some(sum) = sum {
            self.copy(dst, one(sum));
        }
    }

    /// The number of a combination of values of such types, the last one fastest; `None` for none.
    pub(super) fn row_of<'e>(
        &mut self,
        values: impl Iterator<Item = (&'e Expr, &'e Type)>,
        span: Span,
    ) -> Option<Slot> {
        let mut sum: Option<Slot> = None;
        for (value, ty) in values {
            let ordinal = match ty {
                // The bits of a set, as a number.
                Type::Set(_) => {
                    let (bits, set) = (one(self.scalar()), self.value(value));
                    self.copy(bits, set);
                    bits.slot
                }
                _ => self.ordinal(value, ty, span),
            };
            sum = Some(match sum {
                None => ordinal,
                Some(outer) => self.row_major(outer, ty, ordinal),
            });
        }
        sum
    }

    fn unwrap(&mut self, value: &Expr, checked: bool, e: &Expr, dst: Operand) {
        let mut optional = self.value(value).slot;
        if checked {
            let hi = value.ty.bounds().map_or(i64::MAX, |b| b.1);
            let fault = self.fault_with(
                codes::NOT_ONE,
                e.span,
                "`only` finds `none` here",
                Some("test with `!= none` first"),
            );
            self.emit(Instr::Check {
                value: optional,
                lo: 1,
                hi,
                fault,
            });
        } else {
            // What tests it may come later than what was moved out of a loop: some value, which then nobody asks for.
            optional = self.immediate(Op::Max, optional, 1);
        }
        let value = self.immediate(Op::Add, optional, e.ty.value_at(0) - 1);
        self.copy(dst, one(value));
    }

    /// Branches on `value` being one of `values`: goes on in the arm, and returns the block for the rest.
    pub(super) fn match_arm(&mut self, value: Slot, values: &[i64]) -> BlockId {
        let arm = self.new_block();
        let mut next = self.new_block();
        for (i, v) in values.iter().enumerate() {
            let same = self.immediate(Op::Eq, value, *v);
            self.branch(same, arm, next);
            if i + 1 < values.len() {
                self.start(next);
                next = self.new_block();
            }
        }
        if values.is_empty() {
            self.jump(next);
        }
        self.start(arm);
        next
    }

    /// One element of an array of constants or of a formula.
    fn array_element(&mut self, array: &Expr, index: &Expr, dst: Operand, span: Span) {
        match &array.kind {
            ExprKind::ConstArray(_) | ExprKind::Element { .. } => {
                self.table_element(array, index, dst, span);
            }
            ExprKind::Array { local, body } => {
                self.let_local(*local, index);
                self.compute(body, dst);
            }
            ExprKind::Var {
                var,
                indices: outer,
            } => {
                let mut indices = outer.clone();
                indices.push(index.clone());
                let whole = Expr {
                    kind: ExprKind::Var { var: *var, indices },
                    ty: self.d.var(*var).ty.clone(),
                    span,
                };
                let value = self.value(&whole);
                self.copy(dst, value);
            }
            ExprKind::Let { local, value, body } => {
                self.let_local(*local, value);
                self.array_element(body, index, dst, span);
            }
            ExprKind::If {
                cond,
                then: a,
                otherwise: b,
            } => {
                let cond = self.value(cond).slot;
                self.diamond(
                    cond,
                    |s| {
                        s.mark_branch(CoveragePointKind::Then, array.span, a);
                        s.array_element(a, index, dst, span);
                    },
                    |s| {
                        s.mark_branch(CoveragePointKind::Else, array.span, b);
                        s.array_element(b, index, dst, span);
                    },
                );
            }
            _ => {}
        }
    }

    /// One element of an array of constants with one or more indices, row by row.
    fn table_element(&mut self, array: &Expr, index: &Expr, dst: Operand, span: Span) {
        let mut indices = vec![index];
        let mut base = array;
        while let ExprKind::Element {
            array: outer,
            index: i,
        } = &base.kind
        {
            indices.push(i);
            base = outer;
        }
        let ExprKind::ConstArray(rows) = &base.kind else {
            return;
        };
        let mut ty = &base.ty;
        let mut flat: Option<Slot> = None;
        for index in indices.into_iter().rev() {
            let Type::Array {
                index: index_ty,
                element: inner,
            } = ty
            else {
                return;
            };
            let ordinal = self.ordinal(index, index_ty, span);
            flat = Some(match flat {
                None => ordinal,
                Some(outer) => self.row_major(outer, index_ty, ordinal),
            });
            ty = inner;
        }
        let Some(index) = flat else { return };
        let table = self.table_of(rows, dst.words);
        self.look_up(table, index, dst);
    }

    /// `outer · size + ordinal`: one more index of a row-major array, or one more field of a product.
    pub(super) fn row_major(&mut self, outer: Slot, ty: &Type, ordinal: Slot) -> Slot {
        let scaled = self.immediate(Op::Mul, outer, ty.field_size().unwrap_or(1) as i64);
        self.combined(Op::Add, scaled, ordinal)
    }

    pub(super) fn diamond(
        &mut self,
        cond: Slot,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(cond, yes, no);
        self.start(yes);
        then(self);
        self.jump(join);
        self.start(no);
        otherwise(self);
        self.jump(join);
        self.start(join);
    }

    fn conditional(&mut self, cond: &Expr, a: &Expr, b: &Expr, dst: Operand, whole: Span) {
        if let Some(known) = self.constant(cond) {
            let (kind, taken) = if known[0] != 0 {
                (CoveragePointKind::Then, a)
            } else {
                (CoveragePointKind::Else, b)
            };
            self.mark_branch(kind, whole, taken);
            return self.compute(taken, dst);
        }
        let cond = self.value(cond).slot;
        if is_simple(a) && is_simple(b) && !self.marked() {
            let a = self.value(a).slot;
            let b = self.value(b).slot;
            self.emit(Instr::Select {
                dst: dst.slot,
                cond,
                a,
                b,
                words: dst.words,
            });
            return;
        }
        let kept = self.scalar();
        self.copy(one(kept), one(cond));
        self.diamond(
            kept,
            |s| {
                s.mark_branch(CoveragePointKind::Then, whole, a);
                s.compute(a, dst);
            },
            |s| {
                s.mark_branch(CoveragePointKind::Else, whole, b);
                s.compute(b, dst);
            },
        );
    }

    /// Puts an element into a set that is being built.
    pub(super) fn insert(&mut self, set: Operand, set_ty: &Type, element: &Expr) {
        let ty = set_ty.element().cloned().unwrap_or(Type::Bool);
        let element = self.ordinal(element, &ty, element.span);
        self.emit(Instr::SetInsert { set, element });
    }
}

/// An element of a variable: fixed, or by a computed number.
pub(super) enum Element {
    Fixed(Operand),
    Indexed(Slot),
}

pub(super) fn one(slot: Slot) -> Operand {
    Operand { slot, words: 1 }
}

/// Cheap and harmless to compute even when it is not wanted.
pub(super) fn is_simple(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::ConstSet(_) | ExprKind::Local(_) => true,
        ExprKind::Var { indices, .. } => indices
            .iter()
            .all(|i| matches!(i.kind, ExprKind::Const(_) | ExprKind::Local(_))),
        ExprKind::Shown { value, .. } | ExprKind::Told { value, .. } => is_simple(value),
        _ => false,
    }
}

/// True when the value is written by the last instruction, after every operand has been read: such an expression may be
/// computed straight into a variable that it reads.
pub(super) fn writes_last(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_)
        | ExprKind::ConstSet(_)
        | ExprKind::Local(_)
        | ExprKind::Var { .. }
        | ExprKind::Record(_)
        | ExprKind::Field { .. }
        | ExprKind::SetOf(_)
        | ExprKind::Reveal { .. } => true,
        ExprKind::Unary { .. } | ExprKind::Call { table: None, .. } => true,
        ExprKind::Binary { op, right: b, .. } => {
            !matches!(op, BinaryOp::And | BinaryOp::Or) || is_simple(b)
        }
        _ => false,
    }
}
