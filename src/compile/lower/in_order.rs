//! Parts of a product that are elements of one set, one after another in its order: `a in S, b in S before a`. As many elements as
//! there are parts are drawn, and are then put in order.

use super::Builder;
use super::distinct::{Base, apart, without};
use super::expr::one;
use super::invariant::hangs_on;
use crate::ir::{Op, Slot};
use crate::model::{BinaryOp, Expr, ExprKind, LocalId, Part};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// The most parts that are put in order.
const MOST: usize = 4;

/// Parts that are in order.
pub(super) struct InOrder {
    /// Whose elements they are.
    pub set: Expr,
    /// Their places, from the least to the greatest.
    pub ascending: Vec<usize>,
}

impl InOrder {
    /// What the part at a place is drawn from, however many come before it.
    pub fn left_at(&self, parts: &[Part], place: usize) -> Expr {
        without(&self.set, parts[..place].iter().map(|part| part.local))
    }
}

impl Builder<'_> {
    /// Whether all that a product asks of its parts, whose conditions these are, is an order of all of them.
    pub(super) fn in_order(
        &self,
        parts: &[Part],
        cond: Option<&Expr>,
        conds: &[Cow<'_, Expr>],
    ) -> Option<InOrder> {
        let count = parts.len();
        if parts.iter().any(|part| part.sizes.is_some()) {
            return None;
        }
        if !(2..=MOST).contains(&count) || !self.asks_only_apart(parts, cond, conds) {
            return None;
        }
        let all: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
        let bases = self.bases(parts);
        let set = &bases.first()?.set;
        let same = |base: &Base| base.set.ty == set.ty && base.set.is_same(set);
        let plain = !matches!(set.kind, ExprKind::Fold(_));
        if !plain || !bases.iter().all(same) || hangs_on(set, &all) || !self.is_total(set) {
            return None;
        }
        // Which part is below which.
        let mut below = [[false; MOST]; MOST];
        for (place, base) in bases.iter().enumerate() {
            if let Some(other) = base.before {
                below[place][parts.iter().position(|part| part.local == other)?] = true;
            }
        }
        for cond in conds {
            let apart = apart(parts, cond)?;
            let (one, other) = apart.places;
            match apart.op {
                BinaryOp::Lt => below[one][other] = true,
                BinaryOp::Gt => below[other][one] = true,
                _ => {}
            }
        }
        for via in 0..count {
            for low in 0..count {
                for high in 0..count {
                    below[low][high] |= below[low][via] && below[via][high];
                }
            }
        }
        // The one at a place has as many others below it.
        let lower = |place: usize| (0..count).filter(|other| below[*other][place]).count();
        let at = |rank: usize| (0..count).find(|place| lower(*place) == rank);
        let ascending = (0..count).map(at).collect::<Option<Vec<usize>>>()?;
        Some(InOrder {
            set: set.clone(),
            ascending,
        })
    }

    /// Puts the values of some slots in order, the least into the first.
    pub(super) fn put_in_order(&mut self, slots: &[Slot]) {
        for last in (1..slots.len()).rev() {
            for at in 0..last {
                let (low, high) = (slots[at], slots[at + 1]);
                let least = self.combined(Op::Min, low, high);
                let greatest = self.combined(Op::Max, low, high);
                self.copy(one(low), one(least));
                self.copy(one(high), one(greatest));
            }
        }
    }
}
