//! How the elements of a subset have to be like one of them for a condition to hold.

use super::asked::Asked;
use super::elements::{OfElements, of_elements};
use crate::compile::lower::conditions::conjuncts;
use crate::compile::lower::made::{binary, expr, with_local};
use crate::model::{BinaryOp, Expr, ExprKind, FoldOp, LocalId};

/// What has to hold of each element and the greatest one.
pub(in crate::compile::lower) enum Like {
    /// A value is the same of both; the name of the element in it.
    Same(LocalId, Expr),
    /// A condition on the element alone.
    Holds(LocalId, Expr),
    Both(Box<[Like; 2]>),
    Either(Box<[Like; 2]>),
}

impl Like {
    /// What a condition asks of the elements; `None` where that is nothing for some subsets.
    pub(super) fn asked(asked: &Asked<'_>) -> Option<Like> {
        let asked = asked.inside()?;
        match &asked.cond.kind {
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => {
                let [left, right] = [left, right].map(|cond| {
                    Like::asked(&Asked {
                        cond,
                        ..asked.clone()
                    })
                });
                match op {
                    BinaryOp::And => Like::both(left, right),
                    _ => Some(Like::Either(Box::new([left?, right?]))),
                }
            }
            ExprKind::Fold(fold)
                if fold.op == FoldOp::Every
                    && fold.cond.is_none()
                    && asked.is_subset(&fold.domain) =>
            {
                let all = conjuncts(&fold.body).into_iter().map(|cond| {
                    let same = same_as_end(&asked, fold.local, &cond);
                    let same = same.map(|value| Like::Same(fold.local, value));
                    same.or_else(|| Some(Like::Holds(fold.local, asked.apart(&cond)?)))
                });
                all.reduce(Like::both).flatten()
            }
            ExprKind::Binary {
                op: BinaryOp::Eq,
                left,
                right,
            } if matches!(right.kind, ExprKind::Const(1)) => match &left.kind {
                ExprKind::Call { function, args, .. } if function.is_count() => match &args[..] {
                    [
                        Expr {
                            kind: ExprKind::Fold(fold),
                            ..
                        },
                    ] if fold.op == FoldOp::SetOf
                        && fold.cond.is_none()
                        && asked.is_subset(&fold.domain) =>
                    {
                        Some(Like::Same(fold.local, asked.apart(&fold.body)?))
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => match of_elements(&asked)? {
                OfElements::Holds(local, cond) => Some(Like::Holds(local, cond)),
                _ => None,
            },
        }
    }

    /// Both of two, as far as they are known.
    pub(super) fn both(one: Option<Like>, other: Option<Like>) -> Option<Like> {
        match (one, other) {
            (Some(one), Some(other)) => Some(Like::Both(Box::new([one, other]))),
            (one, other) => one.or(other),
        }
    }

    /// Whether all expressions in it are such.
    pub(super) fn all(&self, test: &mut impl FnMut(&Expr) -> bool) -> bool {
        match self {
            Like::Same(_, e) | Like::Holds(_, e) => test(e),
            Like::Both(two) | Like::Either(two) => two.iter().all(|like| like.all(test)),
        }
    }

    /// The elements of a set before one of them that are like that one; `None` where what is asked cannot be asked of it.
    pub fn before(&self, set: Expr, greatest: &Expr) -> Option<Expr> {
        let local = self.local();
        let element = expr(ExprKind::Local(local), &greatest.ty, greatest);
        let cond = self.cond(&element, greatest)?;
        let ty = set.ty.clone();
        let kind = ExprKind::Binary {
            op: BinaryOp::Before,
            left: Box::new(set),
            right: Box::new(greatest.clone()),
        };
        OfElements::Holds(local, cond).of(&expr(kind, &ty, greatest))
    }

    /// A name that an element has.
    fn local(&self) -> LocalId {
        match self {
            Like::Same(local, _) | Like::Holds(local, _) => *local,
            Like::Both(two) | Like::Either(two) => two[0].local(),
        }
    }

    fn cond(&self, element: &Expr, greatest: &Expr) -> Option<Expr> {
        let of_two = |op, two: &[Like; 2]| {
            let [one, other] = two.each_ref().map(|like| like.cond(element, greatest));
            Some(binary(op, one?, other?))
        };
        match self {
            Like::Same(local, value) => Some(binary(
                BinaryOp::Eq,
                with_local(value, *local, element)?,
                with_local(value, *local, greatest)?,
            )),
            Like::Holds(local, cond) => with_local(cond, *local, element),
            Like::Both(two) => of_two(BinaryOp::And, two),
            Like::Either(two) => of_two(BinaryOp::Or, two),
        }
    }
}

/// The value that is the same of an element as of the least or greatest one, if that is what a condition says.
fn same_as_end(asked: &Asked<'_>, local: LocalId, cond: &Expr) -> Option<Expr> {
    let ExprKind::Binary {
        op: BinaryOp::Eq,
        left,
        right,
    } = &cond.kind
    else {
        return None;
    };
    let is_end = |e: &Expr| {
        matches!(&e.kind, ExprKind::Call { function, args, .. }
            if function.is_total_of_elements() && matches!(&args[..], [set] if asked.is_subset(set)))
    };
    let mut sides = [(left, right), (right, left)].into_iter();
    let (own, _) = sides.find(|(own, other)| {
        let same = other
            .find(is_end)
            .and_then(|end| with_local(own, local, end));
        same.is_some_and(|same| same.is_same(other))
    })?;
    asked.apart(own)
}
