//! Expressions that the compiler makes up.

use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, LocalId, UnaryOp};

/// An expression that stands for a part of another, or for all of it.
pub(super) fn expr(kind: ExprKind, ty: &Type, like: &Expr) -> Expr {
    Expr {
        kind,
        ty: ty.clone(),
        span: like.span,
    }
}

/// Of two of the type of the first, or with a comparison a condition.
pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    use BinaryOp::{Difference, Intersect, Union};
    let ty = match op {
        Union | Difference | Intersect => left.ty.clone(),
        _ => Type::Bool,
    };
    let span = left.span;
    let (left, right) = (Box::new(left), Box::new(right));
    let kind = ExprKind::Binary { op, left, right };
    Expr { kind, ty, span }
}

/// The condition that holds where another does not.
pub(super) fn not(cond: Expr) -> Expr {
    let span = cond.span;
    let value = match cond.kind {
        ExprKind::Unary {
            op: UnaryOp::Not,
            value,
        } => return *value,
        ExprKind::Binary {
            op: op @ (BinaryOp::Eq | BinaryOp::Ne),
            left,
            right,
        } => {
            let op = match op {
                BinaryOp::Eq => BinaryOp::Ne,
                _ => BinaryOp::Eq,
            };
            let kind = ExprKind::Binary { op, left, right };
            return Expr { kind, ..cond };
        }
        kind => Box::new(Expr { kind, ..cond }),
    };
    let kind = ExprKind::Unary {
        op: UnaryOp::Not,
        value,
    };
    Expr {
        kind,
        ty: Type::Bool,
        span,
    }
}

/// An expression in which a name stands for a value.
pub(super) fn bound_to(local: LocalId, value: &Expr, body: Expr) -> Expr {
    let (ty, span) = (body.ty.clone(), body.span);
    let (value, body) = (Box::new(value.clone()), Box::new(body));
    let kind = ExprKind::Let { local, value, body };
    Expr { kind, ty, span }
}

/// Whether an expression is the empty set, as it is written.
pub(super) fn is_nothing(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::ConstSet(words) => words.iter().all(|word| *word == 0),
        ExprKind::SetOf(list) => list.is_empty(),
        ExprKind::Cast(inner) => is_nothing(inner),
        _ => false,
    }
}

/// What is put in the place of names may make an expression of so many parts.
const MOST_PARTS: usize = 500;

/// An expression with another in the place of a name; `None` where that cannot be put there, or what is read several times
/// would grow too long: names that stand for one another double it each.
pub(super) fn with_local(e: &Expr, local: LocalId, value: &Expr) -> Option<Expr> {
    fn put(e: &mut Expr, local: LocalId, value: &Expr) -> Option<()> {
        if matches!(e.kind, ExprKind::Local(of) if of == local) {
            e.clone_from(value);
            return Some(());
        }
        let mut children = e.kind.children_mut()?.into_iter();
        children.try_for_each(|child| put(child, local, value))
    }
    let (mut parts, mut reads, mut of_value) = (0, 0, 0);
    value.for_each(|_| of_value += 1);
    e.for_each(|e| {
        parts += 1;
        reads += usize::from(matches!(e.kind, ExprKind::Local(of) if of == local));
    });
    if parts + reads * of_value > MOST_PARTS {
        return None;
    }
    let mut e = e.clone();
    put(&mut e, local, value)?;
    Some(e)
}
