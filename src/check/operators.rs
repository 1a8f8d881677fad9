//! Operators, comparisons and `if`: two sides that decide each other's types.

use super::checker::{Checker, is_const};
use super::codes;
use super::convert::{optional_of, said};
use super::declare::Decl;
use super::expr::base;
use crate::model::facts::decided;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// Whether a side of a comparison may be `none` is asked of so many arms, and of those of defs.
const MOST_LOOKED_AT: u32 = 100;

impl<'a> Checker<'a> {
    pub fn unary(&mut self, op: ast::UnaryOp, a: &'a ast::Expr, span: Span) -> Option<Expr> {
        match op {
            ast::UnaryOp::Not => {
                let a = self.condition(a)?;
                let kind = ExprKind::Unary {
                    op: UnaryOp::Not,
                    value: Box::new(a),
                };
                Some(self.make(kind, Type::Bool, span))
            }
            ast::UnaryOp::Neg => {
                let a = self.expr(a, None)?;
                self.negate(a, span)
            }
        }
    }

    pub fn binary(
        &mut self,
        op: ast::BinaryOp,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        use ast::BinaryOp as Op;
        match op {
            Op::And | Op::Or => self.junction(op, a, b, span),
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => self.compare(op, a, b, span),
            Op::In => self.member(a, b, span),
            Op::NotIn => self.no_member(a, b, span),
            Op::Before => self.before(a, b, want, span),
            Op::Over => {
                let (a, b) = (self.expr(a, None), self.expr(b, None));
                self.divide(a?, b?, span)
            }
            Op::Mul | Op::Div | Op::Mod => {
                let (a, b) = (self.expr(a, None), self.expr(b, None));
                let op = match op {
                    Op::Mul => BinaryOp::Mul,
                    Op::Div => BinaryOp::Div,
                    _ => BinaryOp::Mod,
                };
                self.arithmetic(op, a?, b?, span)
            }
            Op::Add | Op::Sub | Op::Intersect => {
                let hint = want.filter(|t| matches!(t, Type::Set(_)));
                let (x, y) = self.pair(a, b, hint);
                let (x, y) = (x?, y?);
                let of_sets = matches!(x.ty, Type::Set(_)) || matches!(y.ty, Type::Set(_));
                let numeric = |e: &Expr| matches!(e.ty, Type::Int { .. } | Type::Number { .. });
                if of_sets || op == Op::Intersect || (hint.is_some() && !numeric(&x)) {
                    return self.set_operation(op, x, y, span);
                }
                let op = if op == Op::Add {
                    BinaryOp::Add
                } else {
                    BinaryOp::Sub
                };
                self.arithmetic(op, x, y, span)
            }
        }
    }

    fn junction(
        &mut self,
        op: ast::BinaryOp,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let and = op == ast::BinaryOp::And;
        if !and && self.refuse_bare_value(a, b) {
            return None;
        }
        let x = self.condition(a);
        if let Some(x) = &x
            && decided(x) == Some(!and)
        {
            self.in_dead(|this| this.condition(b));
            return Some(Expr { span, ..x.clone() });
        }
        let outer = self.after_in.take();
        self.after_in = ends_with_in(a).then_some((b.span, and));
        let y = self.assuming(x.as_ref(), and, |this| this.condition(b));
        self.after_in = outer;
        if let (false, Some(x), Some(y)) = (and, &x, &y) {
            self.note_half_asked((a, b), (x, y), span);
        }
        let op = if and { BinaryOp::And } else { BinaryOp::Or };
        let kind = ExprKind::Binary {
            op,
            left: Box::new(x?),
            right: Box::new(y?),
        };
        Some(self.make(kind, Type::Bool, span))
    }

    /// Two expressions, of which either may decide the type of the other.
    pub fn pair(
        &mut self,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        want: Option<&Type>,
    ) -> (Option<Expr>, Option<Expr>) {
        let hinted = |made: &Option<Expr>| made.as_ref().map(|e| e.ty.clone());
        if self.needy(a) && !self.needy(b) {
            let y = self.expr(b, want);
            if y.is_none() {
                return (None, None);
            }
            let ty = hinted(&y);
            let want = set_hint(want, ty.as_ref(), a);
            return (self.expr(a, want.as_ref()), y);
        }
        // A product written out has the ranges of its own values, which do not meet those of a declared one.
        if writes_products(a) && !writes_products(b) && !self.needy(b) {
            let y = self.expr(b, want);
            let ty = hinted(&y).and_then(|ty| product_hint(&ty, a));
            let x = self.expr(a, ty.as_ref().or(want));
            return (x, y);
        }
        let x = self.expr(a, want);
        if x.is_none() && self.needy(b) {
            return (None, None);
        }
        // What is plain has a type of its own, and a set of integers a range of its own, which must not narrow that of the
        // other; both then meet in the least that holds them.
        let ty = hinted(&x).filter(|ty| self.needy(b) || !is_integers(ty));
        let want = if self.plain(b) {
            // A product written out has no say in the type of another.
            let known = ty.as_ref().filter(|_| !writes_products(a));
            known.or(want).and_then(|ty| product_hint(ty, b))
        } else {
            set_hint(want, ty.as_ref(), b)
        };
        let y = self.expr(b, want.as_ref());
        (x, y)
    }

    /// Whether an expression is a set or a product written out, of parts that all mean something by themselves.
    pub fn plain(&self, e: &ast::Expr) -> bool {
        use ast::ExprKind as E;
        let part = |e: &ast::Expr| match e.kind {
            E::Set(_) | E::Record(_) => self.plain(e),
            _ => !self.needy(e),
        };
        match &e.kind {
            E::Set(items) => !items.is_empty() && items.iter().all(part),
            E::Record(fields) => fields.iter().all(|(_, e)| part(e)),
            _ => false,
        }
    }

    /// Whether an expression means nothing without an expected type.
    pub fn needy(&self, e: &ast::Expr) -> bool {
        use ast::ExprKind as E;
        match &e.kind {
            E::All | E::None => true,
            E::Set(items) => items.iter().all(|i| self.needy(i)),
            E::Name(ast::Name { text: name, .. }) if self.lookup_local(name).is_some() => false,
            E::Name(ast::Name { text: name, .. }) => {
                match self.names.enum_values.get(name.as_str()) {
                    Some(found) => found.len() > 1,
                    None => {
                        !self.names.decls.contains_key(name.as_str())
                            && self.board_values(name).len() > 1
                    }
                }
            }
            E::If {
                then: a,
                otherwise: b,
                ..
            } => self.needy(a) && self.needy(b),
            E::Binary {
                op: ast::BinaryOp::Add | ast::BinaryOp::Sub | ast::BinaryOp::Intersect,
                left: a,
                right: b,
            } => self.needy(a) && self.needy(b),
            _ => false,
        }
    }

    fn compare(
        &mut self,
        op: ast::BinaryOp,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        use ast::BinaryOp as Op;
        let (x, y) = self.compared(a, b)?;
        let (x, y) = (raw(x, a, b), raw(y, b, a));
        let (x, y) = self.settled_by_type(x, y);
        let (x, y, _) = self.unify(x, y, span)?;
        let op = match op {
            Op::Lt => BinaryOp::Lt,
            Op::Le => BinaryOp::Le,
            Op::Gt => BinaryOp::Gt,
            Op::Ge => BinaryOp::Ge,
            _ => equality(op),
        };
        Some(self.truth(op, x, y, span))
    }

    /// Two numbers as constants, if neither can be another one: of a range that a param leaves one value.
    fn settled_by_type(&mut self, x: Expr, y: Expr) -> (Expr, Expr) {
        let Some((a, b)) = only_value(&x).zip(only_value(&y)) else {
            return (x, y);
        };
        let (p, q) = (x.span, y.span);
        (self.scalar(a, x.ty, p), self.scalar(b, y.ty, q))
    }

    /// The two sides of a comparison; `none` takes the optional type of the other side.
    fn compared(&mut self, a: &'a ast::Expr, b: &'a ast::Expr) -> Option<(Expr, Expr)> {
        for (one, other, first) in [(a, b, false), (b, a, true)] {
            if !matches!(other.kind, ast::ExprKind::None) {
                continue;
            }
            let value = self.expr(one, None)?;
            let value = raw(value, one, other);
            if !matches!(value.ty, Type::Optional(_)) {
                self.report(
                    Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        other.span,
                        format!("{} is never `none`", said(&value.ty)),
                    )
                    .label("compared with `none`")
                    .hint(if matches!(value.ty, Type::Set(_)) {
                        "the empty set is `{}`"
                    } else {
                        "leave the comparison out, or declare the type with `?`"
                    }),
                );
                return None;
            }
            let none = self.scalar(0, value.ty.clone(), other.span);
            return Some(if first { (none, value) } else { (value, none) });
        }
        // A side that may be `none` says so by its own arms, whatever the other one is.
        let mut left = MOST_LOOKED_AT;
        let [none_in_a, none_in_b] = [a, b].map(|e| self.writes_none(e, &mut left));
        let (known, open) = match (none_in_a, none_in_b) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            _ => {
                let (x, y) = self.pair(a, b, None);
                return Some((x?, y?));
            }
        };
        if self.needy(known) {
            let (x, y) = self.pair(a, b, None);
            return Some((x?, y?));
        }
        let x = self.expr(known, None)?;
        let optional = match &x.ty {
            ty @ (Type::Optional(_) | Type::Set(_)) => Some(ty.clone()),
            ty => optional_of(ty),
        };
        let y = self.expr(open, optional.as_ref())?;
        Some(if none_in_b { (x, y) } else { (y, x) })
    }

    /// Whether an arm of an expression is the word `none`, or one of a def that it names.
    pub fn says_none(&self, e: &ast::Expr) -> bool {
        self.writes_none(e, &mut MOST_LOOKED_AT.clone())
    }

    /// The same; looks at so many expressions.
    fn writes_none(&self, e: &ast::Expr, left: &mut u32) -> bool {
        use ast::ExprKind as E;
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let mut writes = |e: &ast::Expr| matches!(e.kind, E::None) || self.writes_none(e, left);
        match &e.kind {
            E::If {
                then, otherwise, ..
            } => writes(then) || writes(otherwise),
            E::Match { arms, .. } => arms.iter().any(|arm| writes(&arm.body)),
            E::Let { body, .. } => writes(body),
            E::Name(name) if self.lookup_local(&name.text).is_none() => {
                match self.names.decls.get(name.text.as_str()) {
                    Some(Decl::Def(def)) if def.params.is_empty() && def.ty.is_none() => {
                        writes(&def.body)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    pub fn truth(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let kind = ExprKind::Binary {
            op,
            left: Box::new(a),
            right: Box::new(b),
        };
        self.make(kind, Type::Bool, span)
    }

    pub fn if_expr(
        &mut self,
        c: &'a ast::Expr,
        a: &'a ast::Expr,
        b: &'a ast::Expr,
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let cond = self.condition(c)?;
        if let Some(holds) = decided(&cond) {
            let (taken, other) = if holds { (a, b) } else { (b, a) };
            if self.needy(taken) && !self.needy(other) {
                let y = self.in_dead(|this| this.expr(other, want));
                let ty = self.arm_hint(want, y.as_ref(), taken);
                let x = self.expr(taken, ty.as_ref())?;
                return Some(self.once_asked(cond, x));
            }
            let x = self.expr(taken, want);
            let ty = match self.needy(other) {
                true => self.arm_hint(want, x.as_ref(), other),
                false => want.cloned(),
            };
            self.in_dead(|this| this.expr(other, ty.as_ref()));
            return Some(self.once_asked(cond, x?));
        }
        // An arm that says nothing of its type takes that of the other.
        let (x, y) = if self.needy(a) && !self.needy(b) {
            let y = self.assuming(Some(&cond), false, |this| this.expr(b, want));
            let ty = self.arm_hint(want, y.as_ref(), a);
            let x = self.assuming(Some(&cond), true, |this| this.expr(a, ty.as_ref()));
            (x?, y?)
        } else {
            let x = self.assuming(Some(&cond), true, |this| this.expr(a, want));
            let ty = self.arm_hint(want, x.as_ref(), b);
            let y = self.assuming(Some(&cond), false, |this| this.expr(b, ty.as_ref()));
            (x?, y?)
        };
        let (x, y) = self.singletons(x, y, want)?;
        let (x, y, ty) = self.unify(x, y, span)?;
        let kind = ExprKind::If {
            cond: Box::new(cond),
            then: Box::new(x),
            otherwise: Box::new(y),
        };
        Some(self.make(kind, ty, span))
    }

    /// The arm that a condition certainly takes. What stands in the condition is computed all the same: it may tell
    /// somebody something, or be an error of play.
    pub fn once_asked(&mut self, cond: Expr, taken: Expr) -> Expr {
        if is_const(&cond) {
            return taken;
        }
        let unread = self.new_local("", Type::Bool, cond.span);
        self.let_in(unread, cond, taken)
    }

    /// What one arm of an `if` is expected to be, given another. What has a type of its own takes none from the other, whose
    /// range might be too narrow for it: both then meet in the least type that holds them.
    pub fn arm_hint(
        &self,
        want: Option<&Type>,
        other: Option<&Expr>,
        arm: &ast::Expr,
    ) -> Option<Type> {
        if let Some(want) = want {
            return Some(want.clone());
        }
        let ty = &other?.ty;
        match (&arm.kind, ty) {
            (ast::ExprKind::None, ty) if ty.is_scalar() && !matches!(ty, Type::Optional(_)) => {
                Some(optional_of(ty).unwrap_or_else(|| ty.clone()))
            }
            _ if self.typed(arm) && !is_declared(ty) => None,
            _ if self.typed(arm) => product_hint(ty, arm),
            _ => Some(ty.clone()),
        }
    }

    /// Whether an expression has a type of its own, whatever is expected.
    fn typed(&self, e: &ast::Expr) -> bool {
        use ast::ExprKind as E;
        match &e.kind {
            E::Set(_) | E::Record(_) => self.plain(e),
            E::If {
                then: a,
                otherwise: b,
                ..
            }
            | E::Binary {
                op: ast::BinaryOp::Add | ast::BinaryOp::Sub | ast::BinaryOp::Intersect,
                left: a,
                right: b,
            } => self.typed(a) && self.typed(b),
            E::Match { arms, .. } => arms.iter().all(|arm| self.typed(&arm.body)),
            E::Let { body, .. } | E::Comprehension { body, .. } => self.typed(body),
            E::Reveal { value, .. } | E::After { value, .. } => self.typed(value),
            // Of a def without a type, what is looked at is its body.
            E::Name(name) | E::Call { function: name, .. } => {
                match self.names.decls.get(name.text.as_str()) {
                    Some(Decl::Def(def)) => def.ty.is_some() || self.plain(&def.body),
                    _ => !self.needy(e),
                }
            }
            _ => !self.needy(e),
        }
    }

    /// Where a set is expected and one arm is an element, both become sets.
    pub fn singletons(&mut self, x: Expr, y: Expr, want: Option<&Type>) -> Option<(Expr, Expr)> {
        if let Some(Type::Set(element)) = want
            && self.frame.viewers
        {
            return Some((
                self.coerce_to_set(x, element)?,
                self.coerce_to_set(y, element)?,
            ));
        }
        Some((x, y))
    }
}

/// Under a comparison with `none` a narrowed optional is read as it is stored.
fn raw(e: Expr, _at: &ast::Expr, other: &ast::Expr) -> Expr {
    match (e.kind, &other.kind) {
        (
            ExprKind::Unwrap {
                value,
                checked: false,
            },
            ast::ExprKind::None,
        ) => *value,
        (kind, _) => Expr {
            kind,
            ty: e.ty,
            span: e.span,
        },
    }
}

fn equality(op: ast::BinaryOp) -> BinaryOp {
    if op == ast::BinaryOp::Eq {
        BinaryOp::Eq
    } else {
        BinaryOp::Ne
    }
}

/// What the second of two operands is expected to be: as the first, and a set where only a set can be meant.
fn set_hint(want: Option<&Type>, other: Option<&Type>, e: &ast::Expr) -> Option<Type> {
    let ty = other.or(want)?;
    let set = matches!(
        e.kind,
        ast::ExprKind::All | ast::ExprKind::Set(_) | ast::ExprKind::Binary { .. }
    );
    Some(match ty {
        Type::Set(_) => ty.clone(),
        _ if set && matches!(e.kind, ast::ExprKind::All | ast::ExprKind::Set(_)) => {
            Type::set_of(base(ty).clone())
        }
        _ => ty.clone(),
    })
}

/// Whether a type is a declared product, or a set of such.
fn is_declared(ty: &Type) -> bool {
    let ty = base(ty.element().unwrap_or(ty));
    matches!(ty, Type::Product(product) if product.name.is_some())
}

fn is_integers(ty: &Type) -> bool {
    matches!(ty.element(), Some(Type::Int { .. }))
}

/// Whether an expression is made of products that are written out.
fn writes_products(e: &ast::Expr) -> bool {
    use ast::BinaryOp as Op;
    match &e.kind {
        ast::ExprKind::Record(_) => true,
        ast::ExprKind::Set(items) => items.iter().any(writes_products),
        ast::ExprKind::Binary {
            op: Op::Add | Op::Sub | Op::Intersect,
            left: a,
            right: b,
        } => writes_products(a) && writes_products(b),
        _ => false,
    }
}

/// What a product written out, or a set of such, is expected to be beside a value of type `ty`.
fn product_hint(ty: &Type, e: &ast::Expr) -> Option<Type> {
    let product = base(ty.element().unwrap_or(ty));
    let set = !matches!(e.kind, ast::ExprKind::Record(_));
    match product {
        Type::Product(_) if writes_products(e) && set => Some(Type::set_of(product.clone())),
        Type::Product(_) if writes_products(e) => Some(product.clone()),
        _ => None,
    }
}

/// The only integer that something can be: a constant, or a variable of a range with one value.
fn only_value(e: &Expr) -> Option<i64> {
    let plain = |index: &Expr| matches!(index.kind, ExprKind::Const(_) | ExprKind::Local(_));
    match (&e.kind, &e.ty) {
        (ExprKind::Const(v), Type::Int { .. }) => Some(*v),
        (ExprKind::Var { indices, .. }, Type::Int { lo, hi }) if lo == hi => {
            indices.iter().all(plain).then_some(*lo)
        }
        _ => None,
    }
}

/// Whether a condition ends with a question to a set, so that another set may be meant to go on with it.
fn ends_with_in(e: &ast::Expr) -> bool {
    match &e.kind {
        ast::ExprKind::Binary { op, right, .. } if e.span.end == right.span.end => match op {
            ast::BinaryOp::In => true,
            ast::BinaryOp::And | ast::BinaryOp::Or => ends_with_in(right),
            _ => false,
        },
        _ => false,
    }
}
