//! Filters under other operations on sets: `{ x for x in S where c } - T` is a filter of `S`, too.

use super::invariant::loops_in;
use super::made::{binary, bound_to, expr};
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp};

/// A set as a filter: the elements of a domain for which a condition holds that is asked of one after the other. `None`
/// where it is no filter of one set.
pub(super) fn as_filter(set: &Expr) -> Option<Fold> {
    match &set.kind {
        ExprKind::Fold(fold) => (fold.is_filter() && fold.cond.is_some()).then(|| (**fold).clone()),
        ExprKind::Binary {
            op: BinaryOp::Difference,
            left,
            right,
        } => within(as_filter(left)?, BinaryOp::Difference, right),
        ExprKind::Binary {
            op: BinaryOp::Intersect,
            left,
            right,
        } => match as_filter(left) {
            Some(fold) => within(fold, BinaryOp::Intersect, right),
            None => within(as_filter(right)?, BinaryOp::Intersect, left),
        },
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

/// The filter of what an operation with a set leaves of its domain, if that set is found without a loop.
fn within(fold: Fold, op: BinaryOp, set: &Expr) -> Option<Fold> {
    let is_simple = loops_in(set).0.is_empty();
    is_simple.then(|| Fold {
        domain: binary(op, fold.domain.clone(), set.clone()),
        ..fold
    })
}
