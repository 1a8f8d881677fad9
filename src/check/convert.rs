//! From one type to another: what two types have in common, and values where another type is expected.

use super::checker::Checker;
use super::codes;
use crate::model::evaluate::ordinal;
use crate::model::types::{ProductType, Type, bits};
pub use crate::model::types::{lcm, ratio_parts, said};
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::sync::Arc;

/// Whether both are integers or numbers, so that only their size can keep them apart.
pub fn are_numbers(a: &Type, b: &Type) -> bool {
    ratio_parts(a).is_some() && ratio_parts(b).is_some()
}

/// The type with `none`; there is none of fractions.
pub fn optional_of(ty: &Type) -> Option<Type> {
    match ty {
        Type::Number { .. } => None,
        ty => Some(Type::optional(ty.clone())),
    }
}

/// The least type that both can be cast to.
pub fn join(a: &Type, b: &Type) -> Option<Type> {
    if a == b {
        return Some(a.clone());
    }
    Some(match (a, b) {
        (Type::Int { lo, hi }, Type::Int { lo: l, hi: h }) => Type::Int {
            lo: *lo.min(l),
            hi: *hi.max(h),
        },
        (Type::Number { .. }, Type::Number { .. } | Type::Int { .. })
        | (Type::Int { .. }, Type::Number { .. }) => {
            let ((d, lo, hi), (e, l, h)) = (ratio_parts(a)?, ratio_parts(b)?);
            let den = lcm(d, e)?;
            let (m, n) = (den / d, den / e);
            Type::Number {
                den,
                lo: lo.checked_mul(m)?.min(l.checked_mul(n)?),
                hi: hi.checked_mul(m)?.max(h.checked_mul(n)?),
            }
        }
        (Type::Optional(x), Type::Optional(y)) => optional_of(&join(x, y)?)?,
        (Type::Optional(x), y) | (y, Type::Optional(x)) if y.is_scalar() => {
            optional_of(&join(x, y)?)?
        }
        (Type::Set(x), Type::Set(y)) => Type::set_of(join(x, y)?),
        (Type::Product(p), Type::Product(q)) => {
            if p.fields.len() != q.fields.len() {
                return None;
            }
            let fields = p.fields.iter().zip(&q.fields);
            let fields = fields
                .map(|((n, t), (m, u))| Some((n.clone(), join(t, u).filter(|_| n == m)?)))
                .collect::<Option<Vec<_>>>()?;
            match (&p.name, &q.name) {
                (Some(_), _) => a.clone(),
                (None, Some(_)) => b.clone(),
                // Neither is declared: the ranges of both fit.
                (None, None) => Type::Product(Arc::new(ProductType {
                    name: None,
                    fields,
                    text: None,
                })),
            }
        }
        _ => return None,
    })
}

/// Whether one type is another with `none`.
fn or_none(ty: &Type, other: &Type) -> bool {
    matches!(other, Type::Optional(inner) if join(inner, ty).is_some())
}

impl<'a> Checker<'a> {
    /// The same value where `to` is expected.
    pub fn coerce(&mut self, e: Expr, to: &Type) -> Option<Expr> {
        if e.ty == *to {
            return Some(e);
        }
        let span = e.span;
        let e = match to {
            Type::Optional(_) => e,
            _ => self.settled(e),
        };
        match (&e.ty, to) {
            (same, to) if same == to => Some(e),
            (Type::Int { lo, hi }, Type::Int { lo: l, hi: h }) => {
                let (lo, hi) = match e.kind {
                    ExprKind::Const(v) => (v, v),
                    _ => (*lo, *hi),
                };
                if hi < *l || lo > *h {
                    self.never_fits(span, lo, hi, to);
                    return None;
                }
                if let ExprKind::Const(v) = e.kind {
                    return Some(self.scalar(v, to.clone(), span));
                }
                Some(self.make(ExprKind::Cast(Box::new(e)), to.clone(), span))
            }
            (Type::Int { .. } | Type::Number { .. }, Type::Number { .. }) => self.as_number(e, 1),
            (Type::Optional(a), Type::Optional(b)) if join(a, b).is_some() => {
                self.coerce_optional(e, &b.clone(), to)
            }
            (Type::Optional(a), _) if to.is_scalar() && join(a, to).is_some() => {
                self.maybe_none(&e);
                None
            }
            (_, Type::Optional(inner)) => {
                if !e.ty.is_scalar() || join(&e.ty, inner).as_ref().and_then(optional_of).is_none()
                {
                    self.mismatch(&e, to);
                    return None;
                }
                let inner = self.coerce(e, &inner.clone())?;
                Some(self.make(ExprKind::Cast(Box::new(inner)), to.clone(), span))
            }
            (Type::Set(a), Type::Set(b)) if !matches!(**a, Type::Optional(_)) && or_none(a, b) => {
                let element = (**b).clone();
                self.set_with_none(e, &element)
            }
            (Type::Set(a), Type::Set(b)) => self.coerce_set_of_ints(e.clone(), a, b, to),
            (Type::Product(p), Type::Product(q)) if join(&e.ty, to).is_some() => {
                let (p, q) = (p.clone(), q.clone());
                let id = self.new_local("", e.ty.clone(), span);
                let mut fields = Vec::new();
                for (i, (_, ty)) in q.fields.iter().enumerate() {
                    let whole = self.local_expr(id, span);
                    let kind = ExprKind::Field {
                        record: Box::new(whole),
                        field: i,
                    };
                    let field = self.make(kind, p.fields[i].1.clone(), span);
                    fields.push(self.coerce(field, ty)?);
                }
                let record = self.make(ExprKind::Record(fields), to.clone(), span);
                Some(self.let_in(id, e, record))
            }
            _ => {
                self.mismatch(&e, to);
                None
            }
        }
    }

    /// An optional constant that has a value as that value. Where the params rule this place out, any value does.
    pub fn settled(&self, e: Expr) -> Expr {
        let (ExprKind::Const(v), Type::Optional(inner)) = (&e.kind, &e.ty) else {
            return e;
        };
        let place = match *v {
            0 if self.dead == 0 => return e,
            v => v.max(1) as u64 - 1,
        };
        self.scalar(inner.value_at(place), (**inner).clone(), e.span)
    }

    /// `let id = value; body` as an expression.
    pub fn let_in(&mut self, id: crate::model::LocalId, value: Expr, body: Expr) -> Expr {
        let (ty, span) = (body.ty.clone(), body.span);
        let kind = ExprKind::Let {
            local: id,
            value: Box::new(value),
            body: Box::new(body),
        };
        self.make(kind, ty, span)
    }

    fn coerce_optional(&mut self, e: Expr, inner: &Type, to: &Type) -> Option<Expr> {
        let span = e.span;
        let Type::Optional(from) = e.ty.clone() else {
            return None;
        };
        if let ExprKind::Const(v) = e.kind {
            if v == 0 {
                return Some(self.scalar(0, to.clone(), span));
            }
            let value = self.scalar(from.value_at(v as u64 - 1), (*from).clone(), span);
            return self.coerce(value, to);
        }
        let id = self.new_local("", e.ty.clone(), span);
        let (whole, again) = (self.local_expr(id, span), self.local_expr(id, span));
        let none = self.scalar(0, e.ty.clone(), span);
        let kind = ExprKind::Binary {
            op: BinaryOp::Eq,
            left: Box::new(whole),
            right: Box::new(none),
        };
        let is_none = self.make(kind, Type::Bool, span);
        let kind = ExprKind::Unwrap {
            value: Box::new(again),
            checked: false,
        };
        let value = self.make(kind, (*from).clone(), span);
        let value = self.coerce(value, inner)?;
        let value = self.make(ExprKind::Cast(Box::new(value)), to.clone(), span);
        let nothing = self.scalar(0, to.clone(), span);
        let kind = ExprKind::If {
            cond: Box::new(is_none),
            then: Box::new(nothing),
            otherwise: Box::new(value),
        };
        let body = self.make(kind, to.clone(), span);
        Some(self.let_in(id, e, body))
    }

    /// A set of values as one that may hold `none` too.
    fn set_with_none(&mut self, e: Expr, element: &Type) -> Option<Expr> {
        let span = e.span;
        let local = self.new_local("", e.ty.element()?.clone(), span);
        let body = self.local_expr(local, span);
        let fold = Fold {
            op: FoldOp::SetOf,
            local,
            domain: e,
            cond: None,
            body: self.coerce(body, element)?,
        };
        let ty = self.set_type(element.clone(), span)?;
        Some(self.make(ExprKind::Fold(Box::new(fold)), ty, span))
    }

    fn coerce_set_of_ints(&mut self, e: Expr, a: &Type, b: &Type, to: &Type) -> Option<Expr> {
        let (Type::Int { lo, hi }, Type::Int { lo: l, hi: h }) = (a, b) else {
            self.mismatch(&e, to);
            return None;
        };
        if let ExprKind::ConstSet(words) = &e.kind {
            let outside = bits(words)
                .map(|i| a.value_at(i))
                .find(|v| ordinal(b, *v).is_none());
            if let Some(v) = outside {
                self.never_fits(e.span, v, v, b);
                return None;
            }
        } else if hi < l || lo > h {
            self.never_fits(e.span, *lo, *hi, b);
            return None;
        }
        let span = e.span;
        Some(self.make(ExprKind::Cast(Box::new(e)), to.clone(), span))
    }

    /// A set, or one element standing for the set of it.
    pub fn coerce_to_set(&mut self, e: Expr, element: &Type) -> Option<Expr> {
        let to = self.set_type(element.clone(), e.span)?;
        if let Type::Set(_) = e.ty {
            return self.coerce(e, &to);
        }
        if join(&e.ty, element).is_none() {
            self.mismatch(&e, &to);
            return None;
        }
        let span = e.span;
        let item = self.coerce(e, element)?;
        Some(self.make(ExprKind::SetOf(vec![item]), to, span))
    }

    /// An integer or a number as a number whose denominator is a multiple of `den`.
    pub fn as_number(&mut self, e: Expr, den: i64) -> Option<Expr> {
        let span = e.span;
        let e = self.settled(e);
        let Some((d, lo, hi)) = ratio_parts(&e.ty) else {
            if let Type::Optional(_) = e.ty {
                self.maybe_none(&e);
                return None;
            }
            self.mismatch(
                &e,
                &Type::Number {
                    den: 1,
                    lo: 0,
                    hi: 0,
                },
            );
            return None;
        };
        let scaled = lcm(d, den).and_then(|den| {
            let m = den / d;
            Some(Type::Number {
                den,
                lo: lo.checked_mul(m)?,
                hi: hi.checked_mul(m)?,
            })
        });
        let Some(to) = scaled else {
            self.overflow(span);
            return None;
        };
        if e.ty == to {
            return Some(e);
        }
        Some(self.make(ExprKind::Cast(Box::new(e)), to, span))
    }

    /// Both values in the least type that holds them.
    pub fn unify(&mut self, a: Expr, b: Expr, span: Span) -> Option<(Expr, Expr, Type)> {
        let Some(ty) = join(&a.ty, &b.ty) else {
            self.cannot_join(&a, &b, span);
            return None;
        };
        if let Type::Number { den, .. } = ty {
            let (a, b) = (self.as_number(a, den)?, self.as_number(b, den)?);
            return Some((a, b, ty));
        }
        if let Type::Set(element) = &ty {
            self.set_type((**element).clone(), span)?;
        }
        let (a, b) = (self.coerce(a, &ty)?, self.coerce(b, &ty)?);
        Some((a, b, ty))
    }

    // ---- messages -----------------------------------------------------------------------------

    pub fn mismatch(&mut self, e: &Expr, to: &Type) {
        let mut d = Diagnostic::error(
            codes::TYPE_MISMATCH,
            e.span,
            format!("{} is needed here", said(to)),
        )
        .label(format!("this is {}", said(&e.ty)));
        if let (Type::Set(element), Some(_)) = (&e.ty, join(&e.ty, &Type::set_of(to.clone())))
            && **element == *to
        {
            d = d.hint("`only(…)` is the single element of a set; `min(…)` the least");
        }
        if let (Type::Set(own), Type::Set(wanted)) = (&e.ty, to) {
            if matches!(&**own, Type::Optional(own) if own == wanted) {
                d = d.hint("`none` may be among them: of what cannot be `none` there, `only(…)` is the value");
            } else if matches!((&**own, &**wanted), (Type::Product(own), Type::Product(_)) if own.name.is_none())
            {
                d = d.hint(format!(
                    "say of which type the set is where it is made: `let S: {to} = …`"
                ));
            }
        }
        if let (Type::Set(element), Type::Optional(inner)) = (&e.ty, to)
            && join(element, inner).is_some()
        {
            let (start, end) = (e.span.start, e.span.end);
            d = d
                .hint("`only(…)` is the single element of a set; in play it is an error where there are several")
                .edit(Span { start, end: start }, "only(")
                .edit(Span { start: end, end }, ")");
        }
        d = match to {
            Type::Bool => match (self.after_in, &e.ty) {
                (Some((at, and)), Type::Set(_)) if at == e.span => d.hint(match and {
                    true => "whether something is in both sets is asked by `x in A & B`",
                    false => "whether something is in one of two sets is asked by `x in A + B`",
                }),
                _ => instead_of_truth(d, e),
            },
            _ => largest_of(d, e, to),
        };
        if let (Type::Number { .. }, Type::Int { .. }) = (&e.ty, to) {
            d = d.hint("`div` divides integers, and rounds down");
        }
        self.report(d);
    }

    /// There is no type that holds both: they differ, or they are numbers that are too large over a common denominator.
    fn cannot_join(&mut self, a: &Expr, b: &Expr, span: Span) {
        if are_numbers(&a.ty, &b.ty) {
            return self.too_fine(span);
        }
        let [one, other] = [&a.ty, &b.ty].map(said);
        let problem = Diagnostic::error(
            codes::TYPE_MISMATCH,
            span,
            "these two are of different types",
        );
        let alike = one == other;
        let problem = problem
            .note(a.span, format!("this is {one}"))
            .note(b.span, format!("this is {other}"));
        self.report(match alike {
            true => problem.hint(
                "each is a type of its own, whose values read otherwise: declare one, `enum Name { … }`, and name it in both places",
            ),
            false => problem,
        });
    }

    pub fn maybe_none(&mut self, e: &Expr) {
        self.report_live(
            Diagnostic::error(codes::MAYBE_NONE, e.span, "this may be `none`")
                .label(format!("this is a `{}`", e.ty))
                .hint("use it inside `if … != none { … }`, or write `only(…)` where it cannot be"),
        );
    }

    pub fn never_fits(&mut self, span: Span, lo: i64, hi: i64, to: &Type) {
        let what = if lo == hi {
            format!("{lo}")
        } else {
            format!("an integer in {lo}..{hi}")
        };
        self.report_live(
            Diagnostic::error(codes::NEVER_FITS, span, format!("{what} never fits `{to}`"))
                .label("outside the range")
                .hint("change the value, or widen the range"),
        );
    }

    /// An integer below zero where how many or how much is told.
    pub fn below_zero(&mut self, span: Span, lo: i64, hi: i64) {
        let what = match lo == hi {
            true => format!("{lo}"),
            false => format!("an integer in {lo}..{hi}"),
        };
        let message = format!("0 or more is needed here, and this is {what}");
        let problem = Diagnostic::error(codes::NEVER_FITS, span, message);
        let hint = "give it a value that is 0 or more";
        self.report_live(problem.label("below zero").hint(hint));
    }

    /// Numbers that do not fit over a common denominator.
    pub fn too_fine(&mut self, span: Span) {
        let problem = may_overflow(span).label("too large over a common denominator");
        self.report_live(
            problem
                .hint("use fractions with smaller denominators, or give the values smaller ranges"),
        );
    }

    pub fn overflow(&mut self, span: Span) {
        self.report_live(may_overflow(span).hint("give the values smaller ranges"));
    }
}

/// How a value that is no truth value becomes a condition.
fn instead_of_truth(problem: Diagnostic, e: &Expr) -> Diagnostic {
    let end = e.span.end;
    let after = Span { start: end, end };
    match &e.ty {
        Type::Optional(_) => problem
            .hint("compare it: `… != none` where there is one, `… == none` where there is none")
            .edit(after, " != none"),
        Type::Set(_) => problem
            .hint("compare it: `… != {}` where something is in it, `… == {}` where nothing is")
            .edit(after, " != {}"),
        Type::Int { .. } => problem.hint(
            "compare it: `n > 0`, `n == 1`; for one of several `n in { 1, 2 }`, or `n == 1 or n == 2`",
        ),
        _ => problem,
    }
}

/// The largest value stands where the one is meant that has it.
fn largest_of(problem: Diagnostic, e: &Expr, to: &Type) -> Diagnostic {
    let ExprKind::Fold(fold) = &e.uncast().kind else {
        return problem;
    };
    let word = match fold.op {
        FoldOp::Max => "max",
        FoldOp::Min => "min",
        _ => return problem,
    };
    let element = fold.domain.ty.element();
    if element.is_none_or(|element| join(element, to).is_none()) {
        return problem;
    }
    let Span { start, end } = e.span;
    problem
        .hint(format!(
            "`{word}` gives the value, and `arg{word}(x in S) …` the set of those who have it: `min(arg{word}(x in S) …)` is the first of them"
        ))
        .edit(Span { start, end: start }, "min(arg")
        .edit(Span { start: end, end }, ")")
}

fn may_overflow(span: Span) -> Diagnostic {
    let message = "the results of this may not fit 64 bits";
    Diagnostic::error(codes::OVERFLOW, span, message)
}
