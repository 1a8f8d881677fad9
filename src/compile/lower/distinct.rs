//! Parts of a product that are different elements of one set: `a in S, b in S - a`, `b in S before a`, or `b in S where a != b`.
//! Whatever the earlier ones are, as many elements are left for the next one.

use super::Builder;
use super::invariant::hangs_on;
use super::made::{binary, expr};
use super::trial::Smaller;
use crate::model::{BinaryOp, Expr, ExprKind, FoldOp, LocalId, Part, UnaryOp};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// The set that a part is an element of, whatever other parts leave of it.
pub(super) struct Base {
    pub set: Expr,
    /// The parts that it differs from.
    others: Vec<LocalId>,
    /// The part that it comes before.
    pub before: Option<LocalId>,
}

impl Builder<'_> {
    /// For each part of a product, of which these are the [conditions to leave out](Builder::conditions_to_leave_out), what an earlier one
    /// of the same set leaves, and those before that.
    pub(super) fn distinct(
        &mut self,
        parts: &[Part],
        conds: &[Cow<'_, Expr>],
    ) -> Vec<Option<Smaller>> {
        let all: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
        let mut bases = self.bases(parts);
        let mut said: Vec<Vec<Expr>> = parts.iter().map(|_| Vec::new()).collect();
        for cond in conds {
            if let Some(Apart { places, op }) = apart(parts, cond) {
                let (earlier, later) = places;
                bases[later].others.push(parts[earlier].local);
                if op == BinaryOp::Ne {
                    said[later].push(cond.clone().into_owned());
                }
            }
        }
        let place = |local: &LocalId| parts.iter().position(|part| part.local == *local);
        let same = |a: usize, b: usize| {
            let (a, b) = (&bases[a].set, &bases[b].set);
            a.ty == b.ty && a.is_same(b)
        };
        let mut found = Vec::new();
        for (i, base) in bases.iter().enumerate() {
            let set = &base.set;
            let mut places: Vec<usize> = base.others.iter().filter_map(place).collect();
            places.sort_unstable();
            places.dedup();
            let different = |(at, later): (usize, &usize)| {
                let before = &places[..at];
                same(*later, i)
                    && before
                        .iter()
                        .all(|p| bases[*later].others.contains(&parts[*p].local))
            };
            let fits = places.last().is_some_and(|last| *last < i)
                && !hangs_on(set, &all)
                && self.is_total(set)
                && places.iter().enumerate().all(different);
            found.push(fits.then(|| Smaller {
                domain: without(set, places.iter().map(|p| parts[*p].local)),
                size: self.size_of(set).without(places.len() as u64),
                said: std::mem::take(&mut said[i]),
                filter: base.before.and_then(|other| less(&parts[i], other)),
                left_of: Some((set.clone(), places.len() as u64)),
            }));
        }
        found
    }

    /// For each part of a product the set that it is taken from, as its own set says.
    pub(super) fn bases(&self, parts: &[Part]) -> Vec<Base> {
        let of_part = |part: &Part| {
            let mut others = Vec::new();
            let before = before_another(parts, part);
            let set = match (part.sizes.is_none(), before) {
                (true, None) => self.left_out(parts, &part.domain, &mut others),
                (true, Some((left, other))) => {
                    others.push(other);
                    self.left_out(parts, left, &mut others)
                }
                (false, _) => part.domain.clone(),
            };
            Base {
                set,
                others,
                before: before.map(|(_, other)| other),
            }
        };
        parts.iter().map(of_part).collect()
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

    /// Whether a product, whose conditions these are, asks of its parts no more than that some differ or in which order they are.
    pub(super) fn asks_only_apart(
        &self,
        parts: &[Part],
        cond: Option<&Expr>,
        conds: &[Cow<'_, Expr>],
    ) -> bool {
        let only = conds.iter().all(|cond| apart(parts, cond).is_some());
        only && cond.is_none_or(|cond| self.each_of(parts, cond).len() == conds.len())
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
pub(super) fn without(set: &Expr, others: impl Iterator<Item = LocalId>) -> Expr {
    let Some(element) = set.ty.element() else {
        return set.clone();
    };
    others.fold(set.clone(), |left, local| {
        let other = expr(ExprKind::Local(local), element, set);
        let other = expr(ExprKind::SetOf(vec![other]), &set.ty, set);
        binary(BinaryOp::Difference, left, other)
    })
}

/// The set `S` and the other part `x` where a part is in `S before x`.
fn before_another<'e>(parts: &[Part], part: &'e Part) -> Option<(&'e Expr, LocalId)> {
    let ExprKind::Binary {
        op: BinaryOp::Before,
        left,
        right,
    } = &part.domain.kind
    else {
        return None;
    };
    let element = left.ty.element()?;
    match right.kind {
        ExprKind::Local(local) if right.ty == *element && element.bounds().is_some() => {
            let is_part = parts.iter().any(|part| part.local == local);
            is_part.then_some((&**left, local))
        }
        _ => None,
    }
}

/// Whether a part comes before another.
fn less(part: &Part, other: LocalId) -> Option<Expr> {
    let ty = part.domain.ty.element()?;
    let local = |local| expr(ExprKind::Local(local), ty, &part.domain);
    Some(binary(BinaryOp::Lt, local(part.local), local(other)))
}

/// What a condition says of two parts.
pub(super) struct Apart {
    /// Where they are, in order.
    pub places: (usize, usize),
    /// The earlier one is unequal, less or greater.
    pub op: BinaryOp,
}

/// Whether two parts of one type must differ for a condition to hold.
pub(super) fn apart(parts: &[Part], cond: &Expr) -> Option<Apart> {
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
    let op = match (op, a < b) {
        (BinaryOp::Ne, _) => BinaryOp::Ne,
        (BinaryOp::Lt, true) | (BinaryOp::Gt, false) => BinaryOp::Lt,
        (BinaryOp::Gt, true) | (BinaryOp::Lt, false) => BinaryOp::Gt,
        _ => return None,
    };
    let places = (a.min(b), a.max(b));
    (a != b && left.ty == right.ty).then_some(Apart { places, op })
}
