//! What a condition asks of the elements of a subset, and of how many there are: others need not be made.
//!
//! `s in subsets(hand, 1..3) where every c in s: c.suit == led` are the subsets of those cards of the hand; where
//! `size(s) == size(pile)` is asked beside other things, there is nothing to be looked at of any other size; and where
//! `every c in s: c.rank == min(s).rank` is, the others are of the rank of the greatest card.

mod asked;
mod elements;
mod like;
mod size;

use super::Builder;
use super::conditions::{both, conjuncts};
use super::expr::one;
use super::invariant::hangs_on;
use crate::ir::Slot;
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, LocalId, Part};
use asked::Asked;
use elements::{of_each, of_elements};
pub(super) use like::Like;
use rustc_hash::FxHashSet;
use size::Needs;
use std::borrow::Cow;

impl Builder<'_> {
    /// The parts and the condition of a product so that subsets are taken from those elements alone which it lets be in them.
    pub(super) fn subsets_of_fitting<'e>(
        &self,
        parts: &'e [Part],
        cond: Option<&'e Expr>,
    ) -> (Cow<'e, [Part]>, Option<Cow<'e, Expr>>) {
        let as_they_are = (Cow::Borrowed(parts), cond.map(Cow::Borrowed));
        let Some(cond) = cond else {
            return as_they_are;
        };
        let subsets = parts.iter().any(|part| part.sizes.is_some());
        if !subsets || self.marked() || !parts.iter().all(|part| self.is_harmless_part(part)) {
            return as_they_are;
        }
        let (safe, others) = self.by_safety(parts, cond);
        let (mut fitting, mut left, mut changed) = (parts.to_vec(), Vec::new(), false);
        for cond in safe.iter().flat_map(of_each) {
            let place = (0..parts.len())
                .find_map(|place| Some((place, self.fitting_elements(&fitting, place, &cond)?)));
            match place {
                Some((place, domain)) => (fitting[place].domain, changed) = (domain, true),
                None => left.push(cond),
            }
        }
        if !changed {
            return as_they_are;
        }
        let left = left.into_iter().chain(others);
        let left = left.fold(None, |all, cond| Some(both(all, cond)));
        (Cow::Owned(fitting), left)
    }

    /// What must hold for a condition to hold, as far as it is no error of play where that before it holds, and the rest.
    fn by_safety<'e>(
        &self,
        parts: &[Part],
        cond: &'e Expr,
    ) -> (Vec<Cow<'e, Expr>>, Vec<Cow<'e, Expr>>) {
        let mut conds = conjuncts(cond);
        let safe = self.count_of_safe(parts, conds.iter().map(|cond| &**cond));
        let others = conds.split_off(safe);
        (conds, others)
    }

    /// What a condition on all elements of a subset leaves of the set that it is taken from.
    fn fitting_elements(&self, parts: &[Part], place: usize, cond: &Expr) -> Option<Expr> {
        let part = &parts[place];
        part.sizes.as_ref()?;
        let domain = of_elements(&Asked::of(part.local, cond).inside()?)?.of(&part.domain)?;
        let later: FxHashSet<LocalId> = parts[place..].iter().map(|part| part.local).collect();
        (!hangs_on(&domain, &later) && self.never_fails(parts, &domain)).then_some(domain)
    }

    /// How the elements of any subset have to be like its greatest one for it to meet a condition, if that is not nothing, and
    /// all have elements.
    pub(super) fn alike(&self, part: &Part, cond: &Expr) -> Option<Like> {
        let least = part.sizes.as_ref()?.least.ty.bounds()?.0;
        if self.marked() || least < 1 {
            return None;
        }
        let (safe, _) = self.by_safety(std::slice::from_ref(part), cond);
        let safe = safe.iter().filter_map(|cond| {
            let like = Like::asked(&Asked::of(part.local, cond))?;
            like.all(&mut |e| self.is_total(e)).then_some(like)
        });
        safe.map(Some).reduce(Like::both).flatten()
    }

    /// What must hold for any subset of so many elements to meet a condition, where that is anything that hangs on how many
    /// there are.
    pub(super) fn of_size(&mut self, part: &Part, cond: &Expr, count: Slot) -> Option<Expr> {
        if self.marked() {
            return None;
        }
        let ty = Type::Int {
            lo: 0,
            hi: part.domain.ty.element()?.size()? as i64,
        };
        let count = self.slot_expr(one(count), ty, cond);
        let ExprKind::Local(local) = count.kind else {
            return None;
        };
        let (safe, _) = self.by_safety(std::slice::from_ref(part), cond);
        let mut needs = Needs {
            subset: std::iter::once(part.local).collect(),
            hanging: FxHashSet::default(),
            count: local,
        };
        let needed = safe.iter().filter_map(|cond| {
            let needed = needs.needed(cond, true)?;
            let useful = needed.reads_local(local) && self.is_total(&needed);
            useful.then_some(Cow::Owned(needed))
        });
        let needed = needed.fold(None, |all, cond| Some(both(all, cond)));
        needed.map(Cow::into_owned)
    }
}
