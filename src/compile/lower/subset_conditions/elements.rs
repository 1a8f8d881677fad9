//! What a condition asks of each element of a subset.

use super::asked::Asked;
use crate::compile::lower::conditions::{conjuncts, is_light, within};
use crate::compile::lower::made::{binary, expr, is_nothing, not};
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId, UnaryOp};
use std::borrow::Cow;

/// What every element of a subset has to meet.
pub(super) enum OfElements<'e> {
    /// A condition on the element that has a name.
    Holds(LocalId, Expr),
    Among(&'e Expr),
    Outside(&'e Expr),
}

impl OfElements<'_> {
    /// Those elements of a set.
    pub fn of(self, set: &Expr) -> Option<Expr> {
        match self {
            OfElements::Holds(local, cond) => {
                let body = expr(ExprKind::Local(local), set.ty.element()?, set);
                let fold = Fold {
                    op: FoldOp::SetOf,
                    local,
                    domain: set.clone(),
                    cond: Some(cond),
                    body,
                };
                Some(expr(ExprKind::Fold(Box::new(fold)), &set.ty, set))
            }
            OfElements::Among(other) if other.ty == set.ty => {
                Some(binary(BinaryOp::Intersect, set.clone(), other.clone()))
            }
            OfElements::Outside(other) if other.ty == set.ty => {
                Some(binary(BinaryOp::Difference, set.clone(), other.clone()))
            }
            _ => None,
        }
    }
}

/// What `every` asks of each element, one condition after the other.
pub(super) fn of_each<'e>(cond: &Cow<'e, Expr>) -> Vec<Cow<'e, Expr>> {
    if let ExprKind::Let { local, value, body } = &cond.kind
        && is_light(value)
    {
        let each = of_each(&Cow::Borrowed(body)).into_iter();
        let lets = [(*local, &**value)];
        let each = each.map(|cond| Cow::Owned(within(&cond, &lets).into_owned()));
        return each.collect();
    }
    let ExprKind::Fold(fold) = &cond.kind else {
        return vec![cond.clone()];
    };
    if fold.op != FoldOp::Every || fold.cond.is_some() {
        return vec![cond.clone()];
    }
    let asked = conjuncts(&fold.body);
    if asked.len() < 2 {
        return vec![cond.clone()];
    }
    let every = |body: Cow<'_, Expr>| {
        let fold = Fold {
            body: body.into_owned(),
            ..(**fold).clone()
        };
        Cow::Owned(expr(ExprKind::Fold(Box::new(fold)), &Type::Bool, cond))
    };
    asked.into_iter().map(every).collect()
}

/// What a condition asks of each element of a subset, if it asks nothing else.
pub(super) fn of_elements<'e>(asked: &Asked<'e>) -> Option<OfElements<'e>> {
    let is_subset = |e: &Expr| asked.is_subset(e);
    let holds = |local: LocalId, cond: Expr| Some(OfElements::Holds(local, asked.apart(&cond)?));
    match &asked.cond.kind {
        ExprKind::Fold(fold) if is_subset(&fold.domain) => match fold.op {
            FoldOp::Every => {
                let body = fold.body.clone();
                let cond = match &fold.cond {
                    Some(cond) => binary(BinaryOp::Or, not(cond.clone()), body),
                    None => body,
                };
                holds(fold.local, cond)
            }
            FoldOp::No => holds(fold.local, not(all_of(fold))),
            _ => None,
        },
        ExprKind::Unary {
            op: UnaryOp::Not,
            value,
        } => match &value.kind {
            ExprKind::Fold(fold) if fold.op == FoldOp::Some && is_subset(&fold.domain) => {
                holds(fold.local, not(all_of(fold)))
            }
            _ => None,
        },
        ExprKind::Binary {
            op: BinaryOp::Subset,
            left,
            right,
        } if is_subset(left) && asked.lets.is_empty() => Some(OfElements::Among(right)),
        ExprKind::Binary {
            op: BinaryOp::Eq,
            left,
            right,
        } if asked.lets.is_empty() && is_nothing(right) => match &left.kind {
            ExprKind::Binary {
                op: BinaryOp::Intersect,
                left: one,
                right: other,
            } => match (is_subset(one), is_subset(other)) {
                (true, false) => Some(OfElements::Outside(other)),
                (false, true) => Some(OfElements::Outside(one)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// What a loop asks of one element.
fn all_of(fold: &Fold) -> Expr {
    match &fold.cond {
        Some(cond) => binary(BinaryOp::And, cond.clone(), fold.body.clone()),
        None => fold.body.clone(),
    }
}
