//! Sets in which a condition says that a part of a product is: with `b in Board where b in Board.next(a)`, `b` is drawn from the
//! neighbours of `a`.

use super::Builder;
use super::estimate::Size;
use super::invariant::hangs_on;
use super::made::{binary, expr};
use super::trial::{Smaller, set_asked};
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, LocalId, Part};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::sync::Arc;

/// No more values are looked at to find the set for each value of another part.
const MOST_ROWS: u64 = 1 << 13;

/// Up to such a share of all values, one is drawn from those that fit.
const FROM_ALL: f64 = 0.8;

impl Builder<'_> {
    /// For each part of a product, of which these are the [conditions to leave out](Builder::conditions_to_leave_out), a set of fewer
    /// elements, mostly half as many.
    pub(super) fn narrowed(
        &mut self,
        parts: &[Part],
        conds: &[Cow<'_, Expr>],
        within_bounds: bool,
    ) -> Vec<Option<Smaller>> {
        let mut all = Vec::new();
        for place in 0..parts.len() {
            let mut best: Option<Smaller> = match within_bounds {
                true => self.in_ranges(parts, place, conds),
                false => None,
            };
            for cond in conds {
                let Some((size, domain)) = self.within_fewer(parts, place, cond) else {
                    continue;
                };
                if best.as_ref().is_none_or(|best| size.mean < best.size.mean) {
                    let said = vec![cond.clone().into_owned()];
                    best = Some(Smaller {
                        domain,
                        size,
                        said,
                        filter: None,
                        left_of: None,
                    });
                }
            }
            all.push(best);
        }
        all
    }

    /// The values of a part that are within bounds of the state, and in the sets of constants in which it is besides: how many these are
    /// is known before any part is drawn.
    fn in_ranges(
        &mut self,
        parts: &[Part],
        place: usize,
        conds: &[Cow<'_, Expr>],
    ) -> Option<Smaller> {
        let part = &parts[place];
        let own: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
        let range = |part: &Part, cond: &Expr| {
            range_said(part, cond).filter(|range| !hangs_on(range, &own))
        };
        let is_ranged = |part: &Part| conds.iter().any(|cond| range(part, cond).is_some());
        // Of the last of all parts a listing takes the values in bulk.
        let several = parts.iter().filter(|part| is_ranged(part)).count() > 1;
        if !several || part.sizes.is_some() || !is_ranged(part) {
            return None;
        }
        let mut domain = part.domain.clone();
        let mut said = Vec::new();
        for cond in conds {
            let set = match range(part, cond) {
                Some(range) => Some(range),
                None => {
                    let set = self.rows_said(parts, place, cond, u64::MAX);
                    set.filter(|set| matches!(set.kind, ExprKind::ConstSet(_)))
                }
            };
            if let Some(set) = set {
                domain = binary(BinaryOp::Intersect, domain, set);
                said.push(cond.clone().into_owned());
            }
        }
        let size = self.size_of(&domain);
        self.is_ahead(&domain, &own).then_some(Smaller {
            domain,
            size,
            said,
            filter: None,
            left_of: None,
        })
    }

    fn within_fewer(&mut self, parts: &[Part], place: usize, cond: &Expr) -> Option<(Size, Expr)> {
        let part = &parts[place];
        if part.sizes.is_some() || matches!(part.domain.kind, ExprKind::Fold(_)) {
            return None;
        }
        let all = self.size_of(&part.domain);
        let set = self.set_said(parts, place, cond, all.most / 2)?;
        let whole = part.domain.ty.element()?.size()? == all.most;
        // Of all values there are, to draw from the set takes no more.
        let (domain, share) = match self.constant(&part.domain) {
            Some(_) if whole => (set, FROM_ALL),
            _ => (binary(BinaryOp::Intersect, part.domain.clone(), set), 0.5),
        };
        let size = self.size_of(&domain);
        // Of the first part it need not be known how many values there are.
        let known = place == 0 || size.known && size.most <= all.most / 2;
        (known && size.mean <= all.mean * share).then_some((size, domain))
    }

    /// The set in which a part is if a condition holds, as far as that hangs on no later part.
    fn set_said(&mut self, parts: &[Part], place: usize, cond: &Expr, most: u64) -> Option<Expr> {
        let later: FxHashSet<LocalId> = parts[place..].iter().map(|part| part.local).collect();
        let part = &parts[place];
        match set_asked(part.local, cond) {
            Some((set, true)) => {
                let fits = set.ty == part.domain.ty && !hangs_on(set, &later);
                fits.then(|| set.clone())
            }
            _ => self.rows_said(parts, place, cond, most),
        }
    }

    /// The same of a condition on the part and at most one earlier one: a set of constants for each value of that.
    fn rows_said(&mut self, parts: &[Part], place: usize, cond: &Expr, most: u64) -> Option<Expr> {
        let part = &parts[place];
        let (free, rows) = self.rows_for(cond)?;
        let is_part = |(local, ty): &(LocalId, Type)| {
            *local == part.local && part.domain.ty.element() == Some(ty)
        };
        let own = free.iter().position(is_part)?;
        let other = match &free[..] {
            [_] => None,
            [_, _] => {
                let (local, ty) = &free[1 - own];
                let earlier = parts[..place].iter().any(|part| part.local == *local);
                Some((*local, ty.clone())).filter(|_| earlier)
            }
            _ => None,
        };
        if rows > MOST_ROWS || free.len() != 1 + usize::from(other.is_some()) {
            return None;
        }
        let found = self.values_of(cond, 1);
        let (_, truths) = found.or_else(|| self.run_for_all(cond, 1))?;
        let (size, words) = (free[own].1.size()? as usize, part.domain.ty.words());
        let others = truths.values.len() / size.max(1);
        let mut sets = vec![vec![0u64; words]; others];
        for (at, _) in truths.values.iter().enumerate().filter(|(_, v)| **v != 0) {
            let (row, x) = match own {
                0 => (at % others, at / others),
                _ => (at / size, at % size),
            };
            *sets.get_mut(row)?.get_mut(x / 64)? |= 1 << (x % 64);
        }
        let count = |set: &Vec<u64>| set.iter().map(|word| u64::from(word.count_ones())).sum();
        if sets
            .iter()
            .map(count)
            .max()
            .is_none_or(|found: u64| found > most)
        {
            return None;
        }
        let ty = &part.domain.ty;
        Some(match other {
            None => expr(ExprKind::ConstSet(sets.pop()?), ty, cond),
            Some((local, index)) => {
                let all = Type::Array {
                    index: Arc::new(index.clone()),
                    element: Arc::new(ty.clone()),
                };
                let array = Box::new(expr(ExprKind::ConstArray(Arc::new(sets)), &all, cond));
                let index = Box::new(expr(ExprKind::Local(local), &index, cond));
                expr(ExprKind::Element { array, index }, ty, cond)
            }
        })
    }
}

/// The integers up to a bound, or from one on, among which a part is if a condition holds.
fn range_said(part: &Part, cond: &Expr) -> Option<Expr> {
    let ExprKind::Binary { op, left, right } = &cond.kind else {
        return None;
    };
    let ty = part.domain.ty.element()?;
    let (lo, hi) = matches!(ty, Type::Int { .. }).then(|| ty.bounds())??;
    let is_part =
        |e: &Expr| matches!(e.uncast().kind, ExprKind::Local(local) if local == part.local);
    let integer = |e: &Expr| matches!(e.ty, Type::Int { .. });
    let (op, bound) = match (is_part(left), is_part(right)) {
        (true, false) => (*op, right),
        (false, true) => (turned(*op)?, left),
        _ => return None,
    };
    let end = |value| expr(ExprKind::Const(value), &Type::constant(value), cond);
    let (low, high) = match op {
        BinaryOp::Le => (end(lo), (**bound).clone()),
        BinaryOp::Ge => ((**bound).clone(), end(hi)),
        _ => return None,
    };
    let kind = ExprKind::RangeSet {
        low: Box::new(low),
        high: Box::new(high),
    };
    integer(bound).then(|| expr(kind, &part.domain.ty, cond))
}

/// A comparison with its sides exchanged.
fn turned(op: BinaryOp) -> Option<BinaryOp> {
    match op {
        BinaryOp::Le => Some(BinaryOp::Ge),
        BinaryOp::Ge => Some(BinaryOp::Le),
        _ => None,
    }
}
