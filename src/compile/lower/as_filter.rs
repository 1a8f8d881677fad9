//! Filters under other operations on sets: `{ x for x in S where c } - T` is a filter of `S`, too.

use super::invariant::loops_in;
use super::made::{binary, bound_to, expr, not};
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId};

/// A set as a filter: the elements of a domain for which a condition holds that is asked of one after the other. `None`
/// where it is no filter of one set.
pub(super) fn as_filter(set: &Expr) -> Option<Fold> {
    match &set.kind {
        ExprKind::Fold(fold) => (fold.is_filter() && fold.cond.is_some()).then(|| (**fold).clone()),
        ExprKind::Binary {
            op: BinaryOp::Difference,
            left,
            right,
        } if is_simple(right) => {
            let fold = as_filter(left)?;
            let kept = not(member(fold.local, right)?);
            Some(and(fold, kept))
        }
        ExprKind::Binary {
            op: BinaryOp::Intersect,
            left,
            right,
        } => {
            let (fold, other) = match as_filter(left) {
                Some(fold) => (fold, right),
                None => (as_filter(right)?, left),
            };
            let kept = member(fold.local, other).filter(|_| is_simple(other))?;
            Some(and(fold, kept))
        }
        ExprKind::If {
            cond,
            then,
            otherwise,
        } => {
            let (one, other) = (as_filter(then)?, as_filter(otherwise)?);
            if !one.domain.is_same(&other.domain) {
                return None;
            }
            let element = one.body.clone();
            let otherwise = bound_to(other.local, &element, other.cond?);
            let kept = ExprKind::If {
                cond: cond.clone(),
                then: Box::new(one.cond?),
                otherwise: Box::new(otherwise),
            };
            Some(Fold {
                cond: Some(expr(kept, &Type::Bool, set)),
                op: FoldOp::SetOf,
                local: one.local,
                domain: one.domain,
                body: element,
            })
        }
        _ => None,
    }
}

/// Whether a set is found without a loop, so that it may be asked for each element.
fn is_simple(set: &Expr) -> bool {
    loops_in(set).0.is_empty()
}

fn member(element: LocalId, set: &Expr) -> Option<Expr> {
    let element = expr(ExprKind::Local(element), set.ty.element()?, set);
    Some(binary(BinaryOp::In, element, set.clone()))
}

fn and(fold: Fold, kept: Expr) -> Fold {
    let cond = match fold.cond {
        Some(cond) => binary(BinaryOp::And, cond, kept),
        None => kept,
    };
    Fold {
        cond: Some(cond),
        ..fold
    }
}
