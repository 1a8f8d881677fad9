//! The condition of a product, taken apart: what it asks of the first parts is asked as soon as these have values, and not
//! once for each value of those that follow.
//!
//! Only what cannot be an error of play is asked earlier, and only where nothing that would come before it can be one: so
//! the same errors come as if all were asked at the end.

use super::Builder;
use super::invariant::hangs_on;
use super::made::binary;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, LocalId, Part};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// A condition by the parts after which it is asked.
#[derive(Default)]
pub(super) struct Conditions<'e> {
    /// What hangs on no part.
    pub before: Option<Cow<'e, Expr>>,
    /// What is asked once a part has its value; of the last one all that is left.
    pub after: Vec<Option<Cow<'e, Expr>>>,
}

impl Conditions<'_> {
    /// All of them.
    pub fn each(&self) -> impl Iterator<Item = &Expr> {
        let all = self.before.iter().chain(self.after.iter().flatten());
        all.map(|cond| &**cond)
    }
}

impl Builder<'_> {
    /// Takes the condition of a product apart.
    pub(super) fn conditions<'e>(&self, parts: &[Part], cond: Option<&'e Expr>) -> Conditions<'e> {
        let mut found = Conditions {
            before: None,
            after: parts.iter().map(|_| None).collect(),
        };
        let Some(cond) = cond else {
            return found;
        };
        // Marks are reached where the text says so.
        let conjuncts = match self.marked() {
            true => vec![Cow::Borrowed(cond)],
            false => self.each_of(parts, cond),
        };
        let (last, count) = (parts.len().saturating_sub(1), conjuncts.len());
        // From where on nothing is an error of play: the domains of all later parts.
        let partial = parts.iter().rposition(|part| !self.is_harmless_part(part));
        let safe = self.count_of_safe(parts, conjuncts.iter().map(|cond| &**cond));
        let mut left = Vec::new();
        for (i, conjunct) in conjuncts.into_iter().enumerate() {
            let total = i < safe && self.never_fails(parts, &conjunct);
            let read = last_read(&conjunct, parts);
            let early = match read {
                Some(part) => part < last && partial.is_none_or(|partial| partial <= part),
                None => partial.is_none() && !parts.is_empty(),
            };
            if !total || !early || self.marked() {
                left.push(conjunct);
                continue;
            }
            let place = match read {
                Some(part) => &mut found.after[part],
                None => &mut found.before,
            };
            *place = Some(both(place.take(), conjunct));
        }
        if left.is_empty() {
            return found;
        }
        // Where nothing is asked earlier it is asked as it stands.
        let joined = left.iter().filter(|_| left.len() < count);
        let joined = joined.fold(None, |all, c| Some(both(all, c.clone())));
        let rest = joined.unwrap_or(Cow::Borrowed(cond));
        match found.after.last_mut() {
            Some(place) => *place = Some(rest),
            None => found.before = Some(rest),
        }
        found
    }

    /// A choice of one part from a filter whose elements have to be looked at one by one, as a choice from the set that is
    /// filtered with a condition more, if that cannot be an error of play: for those who look for one of them alone.
    pub(super) fn unfiltered<'e>(
        &mut self,
        parts: &'e [Part],
        cond: Option<&'e Expr>,
    ) -> (Cow<'e, [Part]>, Option<Cow<'e, Expr>>) {
        let as_they_are = (Cow::Borrowed(parts), cond.map(Cow::Borrowed));
        let [part] = parts else {
            return as_they_are;
        };
        let ExprKind::Fold(fold) = &part.domain.kind else {
            return as_they_are;
        };
        let Some(filter) = fold.cond.as_ref().filter(|_| fold.is_filter()) else {
            return as_they_are;
        };
        if part.sizes.is_some()
            || self.marked()
            || !self.is_total(filter)
            || self.constant(&part.domain).is_some()
            || self.is_kept_at_once(fold)
        {
            return as_they_are;
        }
        let expr = |kind, ty: &Type| Expr {
            kind,
            ty: ty.clone(),
            span: filter.span,
        };
        let element = expr(ExprKind::Local(part.local), &fold.body.ty);
        let filter = expr(
            ExprKind::Let {
                local: fold.local,
                value: Box::new(element),
                body: Box::new(filter.clone()),
            },
            &Type::Bool,
        );
        let cond = cond.map_or(Cow::Owned(filter.clone()), |cond| {
            both(Some(Cow::Owned(filter)), Cow::Borrowed(cond))
        });
        let part = Part {
            domain: fold.domain.clone(),
            ..part.clone()
        };
        (Cow::Owned(vec![part]), Some(cond))
    }

    /// What the condition of a product asks, in order, as far as a trial need not ask it where it is said to hold: nothing that comes
    /// before it can be an error of play, which would be left out.
    pub(super) fn conditions_to_leave_out<'e>(
        &self,
        parts: &[Part],
        cond: Option<&'e Expr>,
    ) -> Vec<Cow<'e, Expr>> {
        let harmless = parts.iter().all(|part| self.is_harmless_part(part));
        let conds = cond.filter(|_| harmless).into_iter();
        let mut conds: Vec<_> = conds.flat_map(|cond| self.each_of(parts, cond)).collect();
        let safe = self.count_of_safe(parts, conds.iter().map(|cond| &**cond));
        conds.truncate(safe);
        conds.retain(|cond| self.never_fails(parts, cond));
        conds
    }

    /// What a condition asks besides what is `said` to hold.
    pub(super) fn besides<'e>(
        &self,
        parts: &[Part],
        said: &[&Expr],
        cond: &'e Expr,
    ) -> Option<Cow<'e, Expr>> {
        if said.is_empty() {
            return Some(Cow::Borrowed(cond));
        }
        // Nothing is written out where nothing of it is left out.
        let as_stated = conjuncts(cond);
        let is_stated = |said: &&Expr| as_stated.iter().any(|cond| said.is_same(cond));
        let all = match said.iter().all(is_stated) {
            true => as_stated,
            false => self.each_of(parts, cond),
        };
        let left = all.into_iter();
        let left = left.filter(|cond| !said.iter().any(|said| said.is_same(cond)));
        left.fold(None, |all, cond| Some(both(all, cond)))
    }

    pub(super) fn is_harmless_part(&self, part: &Part) -> bool {
        let sizes = part.sizes.as_ref();
        self.is_total(&part.domain) && sizes.is_none_or(|s| s.exprs().all(|e| self.is_total(e)))
    }
}

/// What must hold for a condition to hold, in order.
pub(super) fn conjuncts(cond: &Expr) -> Vec<Cow<'_, Expr>> {
    let mut found = Vec::new();
    collect(cond, &mut Vec::new(), &mut found);
    found
}

/// `lets`: what is bound around it.
fn collect<'e>(e: &'e Expr, lets: &mut Vec<(LocalId, &'e Expr)>, found: &mut Vec<Cow<'e, Expr>>) {
    match &e.kind {
        ExprKind::Binary {
            op: BinaryOp::And,
            left,
            right,
        } => {
            collect(left, lets, found);
            collect(right, lets, found);
        }
        // The arguments of a def: to bind such a thing twice costs nothing.
        ExprKind::Let { local, value, body } if is_light(value) => {
            lets.push((*local, value));
            collect(body, lets, found);
            lets.pop();
        }
        _ => found.push(within(e, lets)),
    }
}

pub(super) fn is_light(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Local(_) | ExprKind::Const(_))
}

/// An expression with what it reads of the bindings around it.
pub(super) fn within<'e>(e: &'e Expr, lets: &[(LocalId, &'e Expr)]) -> Cow<'e, Expr> {
    let mut whole = Cow::Borrowed(e);
    for (local, value) in lets.iter().rev() {
        if hangs_on(&whole, &std::iter::once(*local).collect()) {
            let (ty, span) = (e.ty.clone(), e.span);
            let kind = ExprKind::Let {
                local: *local,
                value: Box::new((*value).clone()),
                body: Box::new(whole.into_owned()),
            };
            whole = Cow::Owned(Expr { kind, ty, span });
        }
    }
    whole
}

pub(super) fn both<'e>(one: Option<Cow<'e, Expr>>, other: Cow<'e, Expr>) -> Cow<'e, Expr> {
    let Some(one) = one else {
        return other;
    };
    let (one, other) = (one.into_owned(), other.into_owned());
    Cow::Owned(binary(BinaryOp::And, one, other))
}

/// The last of the parts that an expression reads.
pub(super) fn last_read(e: &Expr, parts: &[Part]) -> Option<usize> {
    parts.iter().rposition(|part| {
        let own: FxHashSet<LocalId> = std::iter::once(part.local).collect();
        hangs_on(e, &own)
    })
}
