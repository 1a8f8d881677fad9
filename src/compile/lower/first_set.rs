//! The set that a trial draws its first part from, where an array of the state decides something of what is asked of it: with
//! `c in Board, d in Board.next(c) where man[c] == me`, `c` is drawn from the cells with a man of `me`, which are found at once.

use super::Builder;
use super::invariant::hangs_on;
use super::made::{binary, expr};
use super::trial::Smaller;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId, Part};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

impl Builder<'_> {
    /// Of the first part of a product, of which these are the [conditions to leave out](Builder::conditions_to_leave_out), those
    /// elements for which all hold that hang on it alone and that sets decide soon.
    pub(super) fn first_by_sets(
        &mut self,
        parts: &[Part],
        conds: &[Cow<'_, Expr>],
    ) -> Option<Smaller> {
        let (part, others) = parts.split_first()?;
        if part.sizes.is_some()
            || self
                .constant(&part.domain)
                .is_some_and(|_| conds.is_empty())
        {
            return None;
        }
        let filter = match &part.domain.kind {
            ExprKind::Fold(fold) if fold.is_filter() => fold.cond.as_ref().map(|cond| (fold, cond)),
            _ => None,
        };
        if let Some((fold, cond)) = filter
            && !self.is_quickly_by_sets(fold.local, &fold.domain, cond)
        {
            return None;
        }
        // What stands in tables is asked of one element as soon as of all.
        let mut in_array = filter.is_some_and(|(fold, cond)| reads_array(cond, fold.local));
        let others: FxHashSet<LocalId> = others.iter().map(|part| part.local).collect();
        let mut size = self.size_of(&part.domain);
        let mut said: Vec<Expr> = Vec::new();
        for cond in conds {
            let alone = cond.reads_local(part.local) && !hangs_on(cond, &others);
            if alone && self.is_quickly_by_sets(part.local, &part.domain, cond) {
                in_array |= reads_array(cond, part.local);
                size.mean *= self.share_of(part, cond);
                said.push(cond.clone().into_owned());
            }
        }
        let one_word = part.domain.ty.words() == 1 && !said.is_empty();
        if !in_array && !one_word {
            return None;
        }
        let cond = said.iter().cloned();
        let domain = match cond.reduce(|one, other| binary(BinaryOp::And, one, other)) {
            None => filter.map(|_| part.domain.clone())?,
            Some(cond) => {
                let body = expr(
                    ExprKind::Local(part.local),
                    part.domain.ty.element()?,
                    &cond,
                );
                let fold = Fold {
                    op: FoldOp::SetOf,
                    local: part.local,
                    domain: part.domain.clone(),
                    cond: Some(cond),
                    body,
                };
                expr(
                    ExprKind::Fold(Box::new(fold)),
                    &part.domain.ty,
                    &part.domain,
                )
            }
        };
        Some(Smaller {
            domain,
            size,
            said,
            filter: None,
            left_of: None,
        })
    }
}

/// Whether a condition reads an array of the state at the element, by its name or by that of an argument.
fn reads_array(cond: &Expr, element: LocalId) -> bool {
    let mut names = FxHashSet::from_iter([element]);
    cond.for_each(|e| {
        if let ExprKind::Let { local, value, .. } = &e.kind
            && matches!(value.kind, ExprKind::Local(of) if names.contains(&of))
        {
            names.insert(*local);
        }
    });
    cond.any(|e| match &e.kind {
        ExprKind::Var { indices, .. } => indices.iter().any(|index| hangs_on(index, &names)),
        _ => false,
    })
}
