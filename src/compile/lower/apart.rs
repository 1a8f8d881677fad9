//! What must hold for an element of a loop to count, taken apart: what sets decide is asked of all elements at once, the rest of those
//! that are left; and what a loop inside asks of the element of the one around it alone is asked before it is begun.
//!
//! Only what cannot be an error of play is asked earlier than the text says, and only where nothing before it can be one.

use super::Builder;
use super::conditions::conjuncts;
use super::invariant::hangs_on;
use super::made::not;
use crate::ir::Operand;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, UnaryOp};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// The conditions of a fold, in the order in which they are asked.
pub(super) struct Apart<'e> {
    /// What sets decide, each for all elements that the one before has left.
    pub at_once: Vec<Cow<'e, Expr>>,
    pub one_by_one: Vec<Cow<'e, Expr>>,
    /// Of what loops inside ask, what is among these.
    pub ahead: Vec<Ahead<'e>>,
}

/// What is known to hold wherever a loop inside of another is run.
#[derive(Clone)]
pub(super) struct Ahead<'e> {
    fold: &'e Fold,
    holds: Vec<Cow<'e, Expr>>,
}

impl Builder<'_> {
    /// Takes the conditions of a fold apart; `None` where that changes nothing.
    pub(super) fn apart<'e>(&mut self, fold: &'e Fold) -> Option<Apart<'e>> {
        if self.marked() || self.is_unrolled(&fold.domain) {
            return None;
        }
        let own = conditions_of(fold);
        let known = own.len();
        let Found { conds, ahead } = self.with_those_inside(fold, own);
        let mut apart = Apart {
            at_once: Vec::new(),
            one_by_one: Vec::new(),
            ahead,
        };
        let mut total = true;
        for cond in self.left_of(fold, conds) {
            total &= self.is_total(&cond);
            match total && self.is_quickly_by_sets(fold.local, &fold.domain, &cond) {
                true => apart.at_once.push(cond),
                false => apart.one_by_one.push(cond),
            }
        }
        let pulled = apart.at_once.len() + apart.one_by_one.len() > known;
        (pulled || !apart.at_once.is_empty() || self.known_of(fold).is_some()).then_some(apart)
    }

    /// The elements that sets leave of those of a fold, `None` for all, and what is asked of each of them.
    pub(super) fn kept_apart<'e>(
        &mut self,
        fold: &Fold,
        apart: &'e Apart<'_>,
    ) -> (Option<Operand>, Vec<&'e Expr>) {
        let borrowed = |conds: &'e [Cow<'_, Expr>]| conds.iter().map(|cond| &**cond);
        let at_once: Vec<&Expr> = borrowed(&apart.at_once).collect();
        let one_by_one = borrowed(&apart.one_by_one);
        if at_once.is_empty() {
            return (None, one_by_one.collect());
        }
        // There may be no fuel left for the tables that this takes.
        match self.kept_one_by_one(fold.local, &fold.domain, &at_once) {
            Some(mut kept) => (kept.pop(), one_by_one.collect()),
            None => (None, at_once.into_iter().chain(one_by_one).collect()),
        }
    }

    /// What is still to be asked of the elements of a fold, beside what is known to hold where it is run.
    pub(super) fn left_of<'e>(
        &self,
        fold: &Fold,
        mut conds: Vec<Cow<'e, Expr>>,
    ) -> Vec<Cow<'e, Expr>> {
        if let Some(holds) = self.known_of(fold) {
            conds.retain(|cond| !holds.iter().any(|known| known.is_same(cond)));
        }
        conds
    }

    /// What is known to hold wherever a fold is run, where anything is.
    pub(super) fn known_of(&self, fold: &Fold) -> Option<&[Expr]> {
        let mut known = self.ahead.iter().rev();
        let (_, holds) = known.find(|(key, _)| std::ptr::eq(*key, fold))?;
        Some(holds)
    }

    /// The conditions of a fold, with what loops inside ask of no element of theirs, each before the loop.
    fn with_those_inside<'e>(&self, fold: &'e Fold, own: Vec<Cow<'e, Expr>>) -> Found<'e> {
        let mut found = Found {
            conds: Vec::new(),
            ahead: Vec::new(),
        };
        let mut total = true;
        for cond in own {
            if let Some(inner) = asked_by(&cond) {
                self.pull(inner, total, &mut found);
            }
            total &= self.is_total(&cond);
            found.conds.push(cond);
        }
        if let Some(inner) = added_up(fold) {
            self.pull(inner, total, &mut found);
        }
        found
    }

    fn pull<'e>(&self, inner: &'e Fold, total: bool, found: &mut Found<'e>) {
        if !total || !self.is_total(&inner.domain) {
            return;
        }
        let own: FxHashSet<_> = std::iter::once(inner.local).collect();
        let (mut total, mut holds) = (true, Vec::new());
        let inside = self.with_those_inside(inner, conditions_of(inner));
        for cond in inside.conds {
            total &= self.is_total(&cond);
            if total && !hangs_on(&cond, &own) {
                holds.push(cond);
            }
        }
        if !holds.is_empty() {
            found.conds.extend(holds.iter().cloned());
            found.ahead.push(Ahead { fold: inner, holds });
        }
    }

    /// Writes code that is reached only where all of this holds.
    pub(super) fn knowing<T>(
        &mut self,
        ahead: &[Ahead<'_>],
        write: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.ahead.len();
        let known = ahead.iter().map(|ahead| {
            let holds = ahead.holds.iter().map(|cond| cond.clone().into_owned());
            (std::ptr::from_ref(ahead.fold), holds.collect::<Vec<_>>())
        });
        self.ahead.extend(known);
        let written = write(self);
        self.ahead.truncate(before);
        written
    }
}

/// What a fold asks of its elements.
pub(super) fn conditions_of(fold: &Fold) -> Vec<Cow<'_, Expr>> {
    let mut conds: Vec<_> = fold.cond.iter().flat_map(conjuncts).collect();
    match fold.op {
        FoldOp::Every if asks(fold) => conds.extend(refutations(&fold.body)),
        _ if asks(fold) => conds.extend(conjuncts(&fold.body)),
        _ => {}
    }
    conds
}

/// What must hold for a condition not to hold, in order.
fn refutations(cond: &Expr) -> Vec<Cow<'_, Expr>> {
    match &cond.kind {
        ExprKind::Binary {
            op: BinaryOp::Or,
            left,
            right,
        } => {
            let mut found = refutations(left);
            found.extend(refutations(right));
            found
        }
        ExprKind::Unary {
            op: UnaryOp::Not,
            value,
        } => conjuncts(value),
        _ => vec![Cow::Owned(not(cond.clone()))],
    }
}

struct Found<'e> {
    conds: Vec<Cow<'e, Expr>>,
    ahead: Vec<Ahead<'e>>,
}

/// Whether the body of a fold is taken apart with its condition: one that finds an element for which it holds, or with `every` one for
/// which none of several things does.
pub(super) fn asks(fold: &Fold) -> bool {
    match fold.op {
        FoldOp::Some | FoldOp::No | FoldOp::Count => true,
        FoldOp::Every => matches!(
            fold.body.kind,
            ExprKind::Binary {
                op: BinaryOp::Or,
                ..
            }
        ),
        _ => false,
    }
}

/// The loop whose answer a condition is, where all that it asks of an element must hold.
fn asked_by<'e>(cond: &Cow<'e, Expr>) -> Option<&'e Fold> {
    // What is put together anew has no place of its own, by which the loop would be known again.
    let Cow::Borrowed(cond) = cond else {
        return None;
    };
    match &cond.kind {
        ExprKind::Fold(fold) if fold.op == FoldOp::Some => Some(fold),
        _ => None,
    }
}

/// The loop whose result is joined to that of the whole, where it has none if nothing holds.
fn added_up(fold: &Fold) -> Option<&Fold> {
    let body = match &fold.body.kind {
        ExprKind::Cast(inner) => &inner.kind,
        body => body,
    };
    let ExprKind::Fold(inner) = body else {
        return None;
    };
    let alike = match fold.op {
        FoldOp::Sum => matches!(inner.op, FoldOp::Sum | FoldOp::Count),
        FoldOp::Union => matches!(inner.op, FoldOp::Union | FoldOp::SetOf),
        FoldOp::Every => inner.op == FoldOp::Every,
        _ => false,
    };
    alike.then_some(inner)
}
