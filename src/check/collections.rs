//! Sets, and everything that runs a name over one.

use super::checker::{Checker, is_const};
use super::codes;
use super::convert::{join, ratio_parts, said};
use super::facts::stored_by;
use crate::model::evaluate::evaluate_within;
use crate::model::facts::{Fact, Key, key_of};
use crate::model::types::{Type, bits};
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId, UnaryOp};
use crate::syntax::ast::{self, Aggregate, Quantifier};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use rustc_hash::FxHashMap;

/// Of so many folds the names are kept, for whoever uses one too late.
const MOST_ENDED: usize = 4;

/// `x in S where c`, checked, with what was made in its reach.
pub struct Over<T> {
    pub local: LocalId,
    pub domain: Expr,
    pub cond: Option<Expr>,
    pub body: T,
}

/// Whether a set is known to have no element.
pub fn is_empty(set: &Expr) -> bool {
    matches!(&set.kind, ExprKind::ConstSet(words) if words.iter().all(|word| *word == 0))
}

/// The same, or that there can be none, as a range ends before it begins.
fn never_has_any(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::RangeSet { low, high } => between(high).1 < between(low).0,
        _ => is_empty(set),
    }
}

/// Between what an integer lies.
fn between(e: &Expr) -> (i64, i64) {
    match (&e.kind, &e.ty) {
        (ExprKind::Const(v), _) => (*v, *v),
        (_, Type::Int { lo, hi }) => (*lo, *hi),
        _ => (0, 0),
    }
}

impl<'a> Checker<'a> {
    // ---- sets ---------------------------------------------------------------------------------

    pub fn set_literal(
        &mut self,
        items: &'a [ast::Expr],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        if self.refuse_braced_range(items, span) {
            return None;
        }
        let element = want.and_then(Type::element).cloned();
        let has_none = items.iter().any(is_none) && !self.frame.viewers;
        if let Some(element) = element {
            let element = match has_none && element.is_scalar() {
                true => or_none(element),
                false => element,
            };
            let mut made = Vec::new();
            for item in items {
                made.push(self.expr_as(item, &element));
            }
            let made = made.into_iter().collect::<Option<Vec<_>>>()?;
            let ty = self.set_type(element, span)?;
            return Some(self.make(ExprKind::SetOf(made), ty, span));
        }
        let mut made: Vec<Option<Expr>> = vec![None; items.len()];
        let mut hint: Option<Type> = None;
        // What is plain by itself decides the type of what is not.
        for needy in [false, true] {
            for (i, item) in items.iter().enumerate() {
                if self.needy(item) == needy {
                    let plain = self.plain(item);
                    let value = match &hint {
                        Some(ty) if is_none(item) && has_none && ty.is_scalar() => {
                            self.expr(item, Some(&or_none(ty.clone())))
                        }
                        _ => self.expr(item, hint.as_ref().filter(|_| !plain)),
                    };
                    if hint.is_none()
                        && let Some(e) = &value
                    {
                        hint = Some(e.ty.clone());
                    }
                    made[i] = value;
                }
            }
        }
        let made = made.into_iter().collect::<Option<Vec<_>>>()?;
        let Some(first) = made.first() else {
            self.needs_type("{}", span);
            return None;
        };
        let mut element = first.ty.clone();
        for item in &made[1..] {
            match join(&element, &item.ty) {
                Some(ty) => element = ty,
                None => {
                    self.mismatch(item, &element);
                    return None;
                }
            }
        }
        let ty = self.set_type(element.clone(), span)?;
        let mut items = Vec::new();
        for item in made {
            items.push(self.coerce(item, &element)?);
        }
        Some(self.make(ExprKind::SetOf(items), ty, span))
    }

    pub fn range_set(&mut self, a: &'a ast::Expr, b: &'a ast::Expr, span: Span) -> Option<Expr> {
        let (low, high) = (self.expr(a, None), self.expr(b, None));
        let (low, high) = (low?, high?);
        if let Type::Set(_) = high.ty
            && let Some(end) = first_operand(b)
        {
            let whole = Span { end, ..span };
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    high.span,
                    "a range ends with an integer, and this is a set",
                )
                .label("`..` takes in all of this")
                .hint("put the range into brackets: `(1..6) - S`")
                .edit(
                    Span {
                        end: whole.start,
                        ..whole
                    },
                    "(",
                )
                .edit(Span { start: end, end }, ")"),
            );
            return None;
        }
        let (a, b) = (self.integer(low), self.integer(high));
        let (a, b) = (a?, b?);
        let (lo, hi) = (between(&a).0, between(&b).1);
        let ty = self.set_type(Type::Int { lo, hi: hi.max(lo) }, span)?;
        Some(self.make(
            ExprKind::RangeSet {
                low: Box::new(a),
                high: Box::new(b),
            },
            ty,
            span,
        ))
    }

    /// A value that must be an integer.
    pub fn integer(&mut self, e: Expr) -> Option<Expr> {
        let e = self.settled(e);
        match &e.ty {
            Type::Int { .. } => Some(e),
            Type::Optional(inner) if matches!(**inner, Type::Int { .. }) => {
                self.maybe_none(&e);
                None
            }
            ty => {
                let d =
                    Diagnostic::error(codes::TYPE_MISMATCH, e.span, "an integer is needed here")
                        .label(format!("this is {}", said(ty)));
                let d = match ty {
                    Type::Number { .. } => d.hint("`a div b` is the quotient rounded down"),
                    _ => d,
                };
                self.report(d);
                None
            }
        }
    }

    pub fn set_operation(
        &mut self,
        op: ast::BinaryOp,
        a: Expr,
        b: Expr,
        span: Span,
    ) -> Option<Expr> {
        let element = match (&a.ty, &b.ty) {
            (Type::Set(x), Type::Set(y)) => join(x, y),
            (Type::Set(x), y) | (y, Type::Set(x)) => join(x, y).map(|t| match (&t, &**x) {
                (Type::Optional(_), x) if !matches!(x, Type::Optional(_)) => x.clone(),
                _ => t,
            }),
            (x, y) => join(x, y),
        };
        let Some(element) = element else {
            let _: Option<(Expr, Expr, Type)> = self.unify(a, b, span);
            return None;
        };
        let ty = self.set_type(element.clone(), span)?;
        let (a, b) = (
            self.coerce_to_set(a, &element),
            self.coerce_to_set(b, &element),
        );
        let op = match op {
            ast::BinaryOp::Add => BinaryOp::Union,
            ast::BinaryOp::Sub => BinaryOp::Difference,
            _ => BinaryOp::Intersect,
        };
        let kind = ExprKind::Binary {
            op,
            left: Box::new(a?),
            right: Box::new(b?),
        };
        Some(self.make(kind, ty, span))
    }

    /// `a in b`: an element of a set, or a part of it.
    pub fn member(&mut self, a: &'a ast::Expr, b: &'a ast::Expr, span: Span) -> Option<Expr> {
        if writes_set(a) {
            let (part, set) = self.pair(a, b, None);
            return self.part_of(part?, set?, span);
        }
        let (x, set) = if self.needy(b) && !self.needy(a) {
            let x = self.expr(a, None)?;
            let want = match x.ty {
                Type::Set(_) => x.ty.clone(),
                _ => Type::set_of(x.ty.clone()),
            };
            let set = self.expr(b, Some(&want))?;
            (x, self.a_set(set)?)
        } else {
            let set = self.expr(b, None);
            let set = self.a_set(set?)?;
            let element = set.ty.element()?.clone();
            let element = match self.says_none(a) {
                true => or_none(element),
                false => element,
            };
            (self.expr(a, Some(&element))?, set)
        };
        if let Type::Set(_) = x.ty {
            return self.part_of(x, set, span);
        }
        let element = set.ty.element()?.clone();
        if let (Type::Optional(inner), false) = (&x.ty, matches!(element, Type::Optional(_))) {
            let inner = (**inner).clone();
            return self.optional_member(x, &inner, set, span);
        }
        self.value_member(x, set, span)
    }

    /// `x not in S`. Of a set it could be that not all of its elements are in `S`, or that none is.
    pub fn no_member(&mut self, a: &'a ast::Expr, b: &'a ast::Expr, span: Span) -> Option<Expr> {
        let member = self.member(a, b, span)?;
        if let ExprKind::Binary {
            op: BinaryOp::Subset,
            ..
        } = member.kind
        {
            let message = "of a set, `not in` could be that not all of it is in the other, or that nothing of it is";
            let problem = Diagnostic::error(codes::TYPE_MISMATCH, span, message);
            self.report(problem.hint(
                "write `not T in S` where not all of it may be, and `size(T & S) == 0` where nothing may",
            ));
            return None;
        }
        let kind = ExprKind::Unary {
            op: UnaryOp::Not,
            value: Box::new(member),
        };
        Some(self.make(kind, Type::Bool, span))
    }

    /// Whether all elements of one set are in another.
    fn part_of(&mut self, part: Expr, set: Expr, span: Span) -> Option<Expr> {
        let set = self.a_set(set)?;
        let (part, set, _) = self.unify(part, set, span)?;
        Some(self.truth(BinaryOp::Subset, part, set, span))
    }

    fn value_member(&mut self, x: Expr, set: Expr, span: Span) -> Option<Expr> {
        let element = set.ty.element()?.clone();
        if let (Type::Int { .. }, Type::Int { .. }) = (&x.ty, &element) {
            return Some(self.truth(BinaryOp::In, x, set, span));
        }
        // A value beyond those of the set is none of it.
        let wider = join(&x.ty, &element).filter(|ty| *ty != element);
        if let (Type::Optional(_), Some(wider)) = (&element, wider) {
            let x = self.coerce(x, &wider)?;
            return self.equals_one(x, set, &element, span);
        }
        let x = self.coerce(x, &element)?;
        Some(self.truth(BinaryOp::In, x, set, span))
    }

    /// Whether a value is one of the elements, which may be of a narrower type.
    fn equals_one(&mut self, x: Expr, set: Expr, element: &Type, span: Span) -> Option<Expr> {
        let id = self.new_local("", x.ty.clone(), x.span);
        let local = self.new_local("", element.clone(), set.span);
        let (value, own) = (self.local_expr(id, span), self.local_expr(local, span));
        let (value, own, _) = self.unify(value, own, span)?;
        let body = self.truth(BinaryOp::Eq, value, own, span);
        let over = Over {
            local,
            domain: set,
            cond: None,
            body,
        };
        let found = self.fold(FoldOp::Some, over, Type::Bool, span);
        Some(self.let_in(id, x, found))
    }

    /// `x in S` where x may be `none`, which is in no set of values.
    fn optional_member(&mut self, x: Expr, inner: &Type, set: Expr, span: Span) -> Option<Expr> {
        // Facts are about variables and locals; what else there is gets a name, and the set is worked out whatever x is.
        let mut names = Vec::new();
        let mut named = |this: &mut Self, e: Expr| {
            let plain = matches!(e.kind, ExprKind::Const(_) | ExprKind::ConstSet(_));
            if plain || key_of(&e).is_some_and(|key| !matches!(key, Key::Formula(_))) {
                return e;
            }
            let id = this.new_local("", e.ty.clone(), e.span);
            let local = this.local_expr(id, e.span);
            names.push((id, e));
            local
        };
        let (x, set) = (named(self, x), named(self, set));
        let none = self.scalar(0, x.ty.clone(), x.span);
        let is_some = self.truth(BinaryOp::Ne, x.clone(), none, x.span);
        let x_span = x.span;
        let kind = ExprKind::Unwrap {
            value: Box::new(x),
            checked: false,
        };
        let value = self.make(kind, inner.clone(), x_span);
        let is_member = self.value_member(value, set, span)?;
        let mut made = self.truth(BinaryOp::And, is_some, is_member, span);
        while let Some((id, value)) = names.pop() {
            made = self.let_in(id, value, made);
        }
        Some(made)
    }

    pub fn before(
        &mut self,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let set = self.expr(a, want)?;
        if !matches!(set.ty, Type::Set(_)) {
            let problem =
                Diagnostic::error(codes::TYPE_MISMATCH, set.span, "`before` takes from a set");
            let problem = problem.label(format!("this is {}", said(&set.ty)));
            if let (ast::ExprKind::Int(last), Type::Int { .. }) = (&a.kind, &set.ty) {
                let hint = format!(
                    "of a range brackets go around it, as in `(1..{last}) before x`; of two values that is `a < b`"
                );
                self.report(problem.hint(hint));
                return None;
            }
            self.report(problem.hint(
                "`S before x` are those of `S` that come before `x`, as in `for q in Player before p`; of two values that is `q < p`",
            ));
            return None;
        }
        let element = set.ty.element()?.clone();
        let x = self.expr_as(b, &element)?;
        let ty = set.ty.clone();
        let kind = ExprKind::Binary {
            op: BinaryOp::Before,
            left: Box::new(set),
            right: Box::new(x),
        };
        Some(self.make(kind, ty, span))
    }

    /// A value that must be a set.
    pub fn a_set(&mut self, e: Expr) -> Option<Expr> {
        if let Type::Set(_) = e.ty {
            return Some(e);
        }
        self.report(
            Diagnostic::error(codes::TYPE_MISMATCH, e.span, "a set is needed here")
                .label(format!("this is {}", said(&e.ty)))
                .hint("the set of one element is written `{ x }`"),
        );
        None
    }

    // ---- names that run over sets -------------------------------------------------------------

    /// Checks a domain, its condition, and what stands in their reach.
    pub fn over<T>(
        &mut self,
        binder: &'a ast::Binder,
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Over<T>> {
        self.over_or(binder, None, &[], body)
    }

    /// As [`over`](Self::over). Where there is `nothing` to be had in the place of the body, that takes its place if the domain is
    /// known to be empty: then what does not fit there is no error. `stmts` is what happens for one element after the other.
    pub fn over_or<T>(
        &mut self,
        binder: &'a ast::Binder,
        nothing: Option<T>,
        stmts: &'a [ast::Stmt],
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Over<T>> {
        let domain = self.quietly("the set that a name runs over", |this| {
            this.refuse_empty(&binder.domain)?;
            let e = this.expr(&binder.domain, None)?;
            this.a_set(e)
        });
        self.scoped(|this| {
            let element = domain.as_ref().and_then(|d| d.ty.element().cloned());
            let local = this.bind_local(&binder.name, element);
            if let (Some(local), Some(domain)) = (local, &domain)
                && let ExprKind::ConstSet(words) = &domain.kind
            {
                this.runs.insert(local, (words.clone(), binder));
            }
            let before = this.frame.facts.clone();
            // At an element the set is not empty, if it is still the one from before the loop.
            if let Some(key) = domain.as_ref().and_then(key_of) {
                let stored = stored_by(&this.names, &this.frame.names, stmts);
                let nonempty = true;
                if !stored.iter().any(|var| key.reads(*var)) {
                    this.frame.facts.push(Fact { key, nonempty });
                }
            }
            let both = |this: &mut Self| {
                let cond = binder
                    .cond
                    .as_ref()
                    .map(|c| this.quietly("a `where`", |this| this.condition(c)));
                let known = cond.clone().flatten();
                let body = this.assuming(known.as_ref(), true, body);
                (cond, body)
            };
            let nothing = nothing.filter(|_| domain.as_ref().is_some_and(never_has_any));
            let (cond, body) = match nothing {
                Some(nothing) => {
                    this.in_dead(both);
                    (None, Some(nothing))
                }
                None => both(this),
            };
            this.frame.facts = before;
            let cond = match cond {
                Some(cond) => Some(cond?),
                None => None,
            };
            Some(Over {
                local: local?,
                domain: domain?,
                cond,
                body: body?,
            })
        })
    }

    /// Checks something in which nothing may be revealed.
    pub fn quietly<T>(&mut self, what: &'static str, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.frame.no_reveal;
        self.frame.no_reveal = outer.or(Some(what));
        let result = body(self);
        self.frame.no_reveal = outer;
        result
    }

    fn fold(&mut self, op: FoldOp, over: Over<Expr>, ty: Type, span: Span) -> Expr {
        if is_empty(&over.domain) {
            match op {
                FoldOp::Every | FoldOp::No => return self.scalar(1, ty, span),
                FoldOp::Some | FoldOp::Count | FoldOp::Sum => return self.scalar(0, ty, span),
                FoldOp::SetOf | FoldOp::Union | FoldOp::Argmin | FoldOp::Argmax => {
                    return self.constant(vec![0; ty.words()], ty, span);
                }
                FoldOp::Min | FoldOp::Max => {}
            }
        }
        let fold = Fold {
            op,
            local: over.local,
            domain: over.domain,
            cond: over.cond,
            body: over.body,
        };
        self.make(ExprKind::Fold(Box::new(fold)), ty, span)
    }

    pub fn comprehension(
        &mut self,
        body: &'a ast::Expr,
        binders: &'a [ast::Binder],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let (binder, others) = binders.split_first()?;
        if !others.is_empty() {
            let over = self.over(binder, |this| this.comprehension(body, others, want, span))?;
            return self.aggregated(FoldOp::Union, over, span);
        }
        let element = want.and_then(Type::element);
        let mut over = self.over(binder, |this| {
            this.quietly("a set", |this| this.expr(body, element))
        })?;
        if let (Some(element @ Type::Optional(_)), false) =
            (element, matches!(over.body.ty, Type::Optional(_)))
        {
            over.body = self.coerce(over.body, element)?;
        }
        let ty = self.set_type(over.body.ty.clone(), span)?;
        Some(self.fold(FoldOp::SetOf, over, ty, span))
    }

    pub fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &'a [ast::Binder],
        body: &'a ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let (binder, others) = binders.split_first()?;
        if !others.is_empty() {
            let inner = match quantifier {
                Quantifier::No => Quantifier::Some,
                other => other,
            };
            let nothing = match quantifier {
                Quantifier::Count => self.scalar(0, Type::Int { lo: 0, hi: 0 }, span),
                _ => self.scalar(1, Type::Bool, span),
            };
            let over = self.over_or(binder, Some(nothing), &[], |this| {
                this.quantified(inner, others, body, span)
            })?;
            return match quantifier {
                Quantifier::Some => Some(self.fold(FoldOp::Some, over, Type::Bool, span)),
                Quantifier::Every => Some(self.fold(FoldOp::Every, over, Type::Bool, span)),
                Quantifier::No => Some(self.fold(FoldOp::No, over, Type::Bool, span)),
                Quantifier::Count => self.aggregated(FoldOp::Sum, over, span),
            };
        }
        let nothing = self.scalar(1, Type::Bool, span);
        let over = self.over_or(binder, Some(nothing), &[], |this| {
            this.quietly("something asked of each element", |this| {
                this.condition(body)
            })
        })?;
        self.note_set_of_now(body, &over, span);
        let (op, ty) = match quantifier {
            Quantifier::Some => (FoldOp::Some, Type::Bool),
            Quantifier::Every => (FoldOp::Every, Type::Bool),
            Quantifier::No => (FoldOp::No, Type::Bool),
            Quantifier::Count => (
                FoldOp::Count,
                Type::Int {
                    lo: 0,
                    hi: elements(&over.domain),
                },
            ),
        };
        Some(self.fold(op, over, ty, span))
    }

    pub fn aggregate(
        &mut self,
        op: Aggregate,
        binders: &'a [ast::Binder],
        body: &'a ast::Expr,
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let (binder, others) = binders.split_first()?;
        if !others.is_empty() {
            let over = self.aggregate_of(op, (binder, others), body, want, span);
            self.has_ended(&binder.name.text, span);
            return self.aggregated(folded(op), over?, span);
        }
        let hint = match op {
            Aggregate::Union => want,
            _ => None,
        };
        let nothing = match op {
            Aggregate::Sum => Some(self.scalar(0, Type::Int { lo: 0, hi: 0 }, span)),
            _ => None,
        };
        let over = self.over_or(binder, nothing, &[], |this| {
            this.quietly("something done for each element", |this| {
                this.expr(body, hint)
            })
        });
        self.has_ended(&binder.name.text, span);
        self.aggregated(folded(op), over?, span)
    }

    /// What is folded over the first of several names: the fold over the others. Of the least and the greatest only those
    /// values of the first name count for which the others have any.
    fn aggregate_of(
        &mut self,
        op: Aggregate,
        (binder, others): (&'a ast::Binder, &'a [ast::Binder]),
        body: &'a ast::Expr,
        want: Option<&Type>,
        span: Span,
    ) -> Option<Over<Expr>> {
        let extreme = match op {
            Aggregate::Sum | Aggregate::Union => false,
            Aggregate::Min | Aggregate::Max => true,
            Aggregate::Argmin | Aggregate::Argmax => {
                self.report(
                    Diagnostic::error(
                        codes::WRONG_ARGUMENTS,
                        span,
                        "`argmin` and `argmax` are elements of one set, and several names run here",
                    )
                    .hint("let one name run over the elements that are wanted: `argmax(x in S) max(y in T) …`"),
                );
                return None;
            }
        };
        let over = self.over(binder, |this| {
            let any = match extreme {
                true => Some(this.any_of(others, span)?),
                false => None,
            };
            let body = this.aggregate(op, others, body, want, span)?;
            Some((any, body))
        })?;
        let (any, body) = over.body;
        let any = any.filter(|any| !is_const(any));
        let cond = match (over.cond, any) {
            (Some(cond), Some(any)) => Some(self.truth(BinaryOp::And, cond, any, span)),
            (cond, any) => cond.or(any),
        };
        Some(Over {
            local: over.local,
            domain: over.domain,
            cond,
            body,
        })
    }

    /// Whether these names have any values.
    fn any_of(&mut self, binders: &'a [ast::Binder], span: Span) -> Option<Expr> {
        let Some((binder, others)) = binders.split_first() else {
            return Some(self.scalar(1, Type::Bool, span));
        };
        let over = self.over(binder, |this| this.any_of(others, span))?;
        Some(self.fold(FoldOp::Some, over, Type::Bool, span))
    }

    fn has_ended(&mut self, name: &str, span: Span) {
        if self.ended.len() == MOST_ENDED {
            self.ended.remove(0);
        }
        self.ended.push((name.to_string(), span));
    }

    /// A fold that is a value: `Sum`, `Union`, `Min`, `Max`, `Argmin` or `Argmax`.
    pub fn aggregated(&mut self, op: FoldOp, over: Over<Expr>, span: Span) -> Option<Expr> {
        let value = over.body.ty.clone();
        let ty = match op {
            FoldOp::Sum => {
                self.numeric(&over.body)?;
                match sum_of_each(&over) {
                    Some(ty) => ty,
                    None => self.sum_type(&over.body, elements(&over.domain), span)?,
                }
            }
            FoldOp::Union => {
                let body = over.body.clone();
                self.a_set(body)?;
                value
            }
            _ => {
                if let Type::Array { .. } = value {
                    self.report(
                        Diagnostic::error(
                            codes::TYPE_MISMATCH,
                            over.body.span,
                            "arrays have no least and no greatest",
                        )
                        .label(format!("this is {}", said(&value)))
                        .hint("compare one element of each, or their sums: `sum(…)`"),
                    );
                    return None;
                }
                match op {
                    FoldOp::Argmin | FoldOp::Argmax => over.domain.ty.clone(),
                    _ => value,
                }
            }
        };
        Some(self.fold(op, over, ty, span))
    }

    fn sum_type(&mut self, body: &Expr, n: i64, span: Span) -> Option<Type> {
        let (den, lo, hi) = ratio_parts(&body.ty)?;
        let (Some(lo), Some(hi)) = (lo.min(0).checked_mul(n), hi.max(0).checked_mul(n)) else {
            self.overflow(span);
            return None;
        };
        Some(match body.ty {
            Type::Number { .. } => Type::Number { den, lo, hi },
            _ => Type::Int { lo, hi },
        })
    }
}

/// So many elements are looked at one by one to see how great a sum over them can be, and so many steps are taken for it.
const MOST_SUMMED: usize = 64;
const SUM_FUEL: u64 = 2_000;

/// The type of a sum of integers that are known of each element: no element is there twice.
fn sum_of_each(over: &Over<Expr>) -> Option<Type> {
    let (ty, element) = (&over.body.ty, over.domain.ty.element()?);
    let own = over.body.free_locals()? == [over.local] && matches!(ty, Type::Int { .. });
    let ordinals: Vec<u64> = match &over.domain.kind {
        ExprKind::ConstSet(words) => bits(words).take(MOST_SUMMED + 1).collect(),
        _ => (0..element.size()?).take(MOST_SUMMED + 1).collect(),
    };
    if !own || ordinals.len() > MOST_SUMMED {
        return None;
    }
    let mut fuel = SUM_FUEL;
    let (mut lo, mut hi) = (0i64, 0i64);
    for ordinal in ordinals {
        let value = vec![element.value_at(ordinal) as u64];
        let known = FxHashMap::from_iter([(over.local, value)]);
        let value = *evaluate_within(&over.body, &known, &mut fuel)?.first()? as i64;
        lo = lo.checked_add(value.min(0))?;
        hi = hi.checked_add(value.max(0))?;
    }
    Some(Type::Int { lo, hi })
}

fn folded(op: Aggregate) -> FoldOp {
    match op {
        Aggregate::Sum => FoldOp::Sum,
        Aggregate::Union => FoldOp::Union,
        Aggregate::Min => FoldOp::Min,
        Aggregate::Max => FoldOp::Max,
        Aggregate::Argmin => FoldOp::Argmin,
        Aggregate::Argmax => FoldOp::Argmax,
    }
}

fn is_none(e: &ast::Expr) -> bool {
    matches!(e.kind, ast::ExprKind::None)
}

/// A type of which `none` is a value too.
fn or_none(ty: Type) -> Type {
    match ty {
        Type::Optional(_) => ty,
        ty => Type::optional(ty),
    }
}

/// The most elements that a set can have.
pub fn elements(set: &Expr) -> i64 {
    match &set.kind {
        ExprKind::ConstSet(words) => words.iter().map(|w| i64::from(w.count_ones())).sum(),
        _ => set.ty.element().and_then(Type::size).unwrap_or(0) as i64,
    }
}

/// Where the first operand of sums of sets ends; `None` where there are none.
fn first_operand(e: &ast::Expr) -> Option<u32> {
    use ast::BinaryOp as Op;
    match &e.kind {
        ast::ExprKind::Binary {
            op: Op::Add | Op::Sub | Op::Intersect,
            left,
            ..
        } => Some(first_operand(left).unwrap_or(left.span.end)),
        _ => None,
    }
}

/// Whether an expression is made of sets that are written out.
fn writes_set(e: &ast::Expr) -> bool {
    use ast::BinaryOp as Op;
    match &e.kind {
        ast::ExprKind::All | ast::ExprKind::Set(_) => true,
        ast::ExprKind::Binary {
            op: Op::Add | Op::Sub | Op::Intersect,
            left: a,
            right: b,
        } => writes_set(a) || writes_set(b),
        _ => false,
    }
}
