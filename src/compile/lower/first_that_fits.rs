//! The least or the greatest element of a filter is looked for from its end of the set, and not gathered with all others first.

use super::Builder;
use super::as_filter::as_filter;
use super::made::expr;
use crate::model::types::{Type, bits};
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp};

impl Builder<'_> {
    /// `min(S)` or `max(S)` as a loop over the set that `S` filters, which ends with the first element that fits; with what the
    /// result is where none does, for `{ … } + n` with a constant beyond all others. `None`: the set is better made as a whole.
    pub(super) fn first_that_fits(&mut self, call: &Expr) -> Option<(Fold, Option<i64>)> {
        let ExprKind::Call { function, args, .. } = &call.kind else {
            return None;
        };
        let (op, [set]) = (function.extreme()?, &args[..]) else {
            return None;
        };
        // What hangs on no state is looked up, and what a loop around it has computed is at hand.
        let mut known = set.free_locals().is_some();
        set.for_each(|e| known |= self.is_computed_once(e));
        if self.marked() || known {
            return None;
        }
        let (filter, otherwise) = match &set.kind {
            ExprKind::Binary {
                op: BinaryOp::Union,
                left,
                right,
            } => {
                let filter = of_one_set(left.uncast())?;
                let value = self.beyond(op, &filter, right)?;
                (filter, Some(value))
            }
            _ => (of_one_set(set)?, None),
        };
        let fold = Fold { op, ..filter };
        let element = fold.domain.ty.element()?.clone();
        let same = otherwise.is_none() || matches!(element, Type::Int { .. });
        let cond = fold.cond.as_ref()?;
        if !same
            || fold.body.ty != element
            || !self.is_total(cond)
            || !self.is_total(&fold.domain)
            || self.is_kept_at_once(&Fold {
                op: FoldOp::SetOf,
                ..fold.clone()
            })
        {
            return None;
        }
        let body = expr(ExprKind::Local(fold.local), &element, call);
        Some((Fold { body, ..fold }, otherwise))
    }

    /// Of some constants the first that counts, if it comes after all elements that a filter may have.
    fn beyond(&self, op: FoldOp, filter: &Fold, constants: &Expr) -> Option<i64> {
        let ty = constants.ty.element()?;
        let words = self.constant(constants)?;
        let (lo, hi) = filter.domain.ty.element()?.bounds()?;
        let values = bits(&words).map(|i| ty.value_at(i));
        match op {
            FoldOp::Min => values.min().filter(|value| *value >= hi),
            _ => values.max().filter(|value| *value <= lo),
        }
    }
}

/// A set as a filter, unless which filter it is has to be found out first: for each element that would be asked again.
fn of_one_set(set: &Expr) -> Option<Fold> {
    fn chooses(set: &Expr) -> bool {
        match &set.kind {
            ExprKind::Binary { left, right, .. } => chooses(left) || chooses(right),
            kind => matches!(kind, ExprKind::If { .. }),
        }
    }
    as_filter(set).filter(|_| !chooses(set))
}
