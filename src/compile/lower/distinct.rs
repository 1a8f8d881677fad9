//! Parts of a product that are different elements of one set: `a in S, b in S - a`, or `b in S where a != b`. Whatever the
//! earlier ones are, as many elements are left for the next one.

use super::Builder;
use super::invariant::hangs_on;
use super::made::{binary, expr};
use super::trial::Smaller;
use crate::model::{BinaryOp, Expr, ExprKind, FoldOp, LocalId, Part, UnaryOp};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

impl Builder<'_> {
    /// For each part of a product, of which these are the [conditions to leave out](Builder::conditions_to_leave_out), what an earlier one
    /// of the same set leaves, and those before that.
    pub(super) fn distinct(
        &mut self,
        parts: &[Part],
        conds: &[Cow<'_, Expr>],
    ) -> Vec<Option<Smaller>> {
        let all: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
        let mut bases: Vec<(Expr, Vec<LocalId>)> = Vec::new();
        for part in parts {
            let mut others = Vec::new();
            let set = match part.sizes {
                None => self.left_out(parts, &part.domain, &mut others),
                Some(_) => part.domain.clone(),
            };
            bases.push((set, others));
        }
        let mut said: Vec<Vec<Expr>> = parts.iter().map(|_| Vec::new()).collect();
        for cond in conds {
            if let Some((earlier, later)) = unequal(parts, cond) {
                bases[later].1.push(parts[earlier].local);
                said[later].push(cond.clone().into_owned());
            }
        }
        let place = |local: &LocalId| parts.iter().position(|part| part.local == *local);
        let same = |a: usize, b: usize| {
            let ((a, _), (b, _)) = (&bases[a], &bases[b]);
            a.ty == b.ty && a.is_same(b)
        };
        let mut found = Vec::new();
        for (i, (set, others)) in bases.iter().enumerate() {
            let mut places: Vec<usize> = others.iter().filter_map(place).collect();
            places.sort_unstable();
            places.dedup();
            let apart = |(at, later): (usize, &usize)| {
                let before = &places[..at];
                same(*later, i)
                    && before
                        .iter()
                        .all(|p| bases[*later].1.contains(&parts[*p].local))
            };
            let fits = places.last().is_some_and(|last| *last < i)
                && !hangs_on(set, &all)
                && self.is_total(set)
                && places.iter().enumerate().all(apart);
            found.push(fits.then(|| Smaller {
                domain: without(set, places.iter().map(|p| parts[*p].local)),
                size: self.size_of(set).without(places.len() as u64),
                said: std::mem::take(&mut said[i]),
            }));
        }
        found
    }

    /// The set of which a set is what is left without some parts, which are added to the `others`. What it is without besides
    /// stays out of it.
    fn left_out(&self, parts: &[Part], set: &Expr, others: &mut Vec<LocalId>) -> Expr {
        let ExprKind::Binary {
            op: BinaryOp::Difference,
            left,
            right,
        } = &set.kind
        else {
            return set.clone();
        };
        let Some(named) = self.elements_named(parts, right) else {
            return set.clone();
        };
        let is_part = |local: &LocalId| parts.iter().any(|part| part.local == *local);
        let (of_parts, further): (Vec<_>, Vec<_>) = named.into_iter().partition(is_part);
        others.extend(of_parts);
        let left = self.left_out(parts, left, others);
        without(&left, further.into_iter())
    }

    /// The names of the elements of a set, where it is made of such.
    fn elements_named(&self, parts: &[Part], set: &Expr) -> Option<Vec<LocalId>> {
        let element = set.ty.element()?;
        let named = |e: &Expr| match e.kind {
            ExprKind::Local(local) if e.ty == *element => Some(local),
            _ => None,
        };
        match &set.kind {
            ExprKind::SetOf(list) => list.iter().map(named).collect(),
            ExprKind::ConstSet(words) if words.iter().all(|word| *word == 0) => Some(Vec::new()),
            ExprKind::Cast(inner) => named(inner).map(|local| vec![local]),
            ExprKind::Fold(fold) if fold.op == FoldOp::SetOf => {
                self.each_as_known(parts, fold)?.iter().map(named).collect()
            }
            _ => None,
        }
    }
}

/// A set without some elements.
fn without(set: &Expr, others: impl Iterator<Item = LocalId>) -> Expr {
    let Some(element) = set.ty.element() else {
        return set.clone();
    };
    others.fold(set.clone(), |left, local| {
        let other = expr(ExprKind::Local(local), element, set);
        let other = expr(ExprKind::SetOf(vec![other]), &set.ty, set);
        binary(BinaryOp::Difference, left, other)
    })
}

/// The places of two parts of one type that must differ for a condition to hold.
fn unequal(parts: &[Part], cond: &Expr) -> Option<(usize, usize)> {
    let place = |e: &Expr| match e.kind {
        ExprKind::Local(local) => parts.iter().position(|part| part.local == local),
        _ => None,
    };
    let (op, left, right) = match &cond.kind {
        ExprKind::Binary { op, left, right } => (*op, left, right),
        ExprKind::Unary {
            op: UnaryOp::Not,
            value,
        } => match &value.kind {
            ExprKind::Binary {
                op: BinaryOp::Eq,
                left,
                right,
            } => (BinaryOp::Ne, left, right),
            _ => return None,
        },
        _ => return None,
    };
    let (a, b) = (place(left)?, place(right)?);
    let differ = op == BinaryOp::Ne && a != b && left.ty == right.ty;
    differ.then_some((a.min(b), a.max(b)))
}
