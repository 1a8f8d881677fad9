//! What a product would be if nothing were asked of the state but a few small values: as few tuples as that leaves, and what
//! is still to be asked of each.
//!
//! `fare in fares(d), to in via(at[d], fare) - taken` is so `fare in Fare, to in via(at[d], fare)` for each value of `at[d]`, and
//! `fare in fares(d) and not (to in taken)`.

use super::Builder;
use super::conditions::{both, conjuncts};
use super::invariant::{binds, hangs_on};
use super::made::{binary, bound_to, expr, not};
use super::trial::Product;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, LocalId, Part};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// The most combinations of values of keys.
const MOST_KEYS: u64 = 1 << 10;
/// The most values that the elements of small sets may have, taken together.
const MOST_ELEMENTS: u64 = 5;

/// A product without what it asks of the state.
pub(super) struct Relaxed {
    /// With supersets of their sets.
    pub parts: Vec<Part>,
    pub cond: Option<Expr>,
    /// The values of the state that these read: scalars, which no part stands in.
    pub keys: Vec<Expr>,
    /// Parts that are elements of small sets of the state.
    pub sets: Vec<(usize, Expr)>,
    /// What is to be asked of a tuple besides, with the part that it is asked of, in order.
    pub rest: Vec<(usize, Expr)>,
}

/// The superset of a set, and what its elements have to meet. `None` for all of the type.
struct Superset {
    set: Option<Expr>,
    rest: Vec<Expr>,
}

/// What is known where an expression stands.
struct Scope {
    /// What the product binds, in whatever place.
    varying: FxHashSet<LocalId>,
    /// Those of them whose values hang on parts and keys alone.
    known: FxHashSet<LocalId>,
    keys: Vec<Expr>,
}

impl Builder<'_> {
    /// `None` where there are subsets, weights or what can be an error of play, and where too much of the state is read. With
    /// `small`, small sets are keys; else they are asked of each tuple.
    pub(super) fn relaxed(&mut self, product: Product<'_>, small: bool) -> Option<Relaxed> {
        let Product {
            parts,
            cond,
            weight,
        } = product;
        let domains = parts.iter().map(|part| &part.domain);
        let mut all = domains.clone().chain(cond);
        let subsets = parts.iter().any(|part| part.sizes.is_some());
        if weight.is_some() || subsets || parts.is_empty() || !all.all(|e| self.is_total(e)) {
            return None;
        }
        let known: FxHashSet<LocalId> = parts.iter().map(|part| part.local).collect();
        let mut varying = known.clone();
        let all = domains.chain(cond);
        all.for_each(|e| e.for_each(|e| varying.extend(binds(e))));
        let mut scope = Scope {
            varying,
            known,
            keys: Vec::new(),
        };
        let (mut supersets, mut rest) = (Vec::new(), Vec::new());
        let (mut sets, mut elements) = (Vec::new(), 0);
        for (i, part) in parts.iter().enumerate() {
            let size = part.domain.ty.element().and_then(Type::size)?;
            let keyed = self.is_keyed(&part.domain, &mut scope);
            let fits = small && elements + size <= MOST_ELEMENTS;
            if !keyed && fits && !hangs_on(&part.domain, &scope.varying) {
                elements += size;
                sets.push((i, part.domain.clone()));
                let domain = everything(&part.domain)?;
                supersets.push(Part {
                    domain,
                    ..part.clone()
                });
                continue;
            }
            let element = expr(
                ExprKind::Local(part.local),
                part.domain.ty.element()?,
                &part.domain,
            );
            let found = self.superset(&part.domain, &element, &mut scope);
            let domain = match found.set {
                Some(set) => set,
                None => everything(&part.domain)?,
            };
            rest.extend(found.rest.into_iter().map(|cond| (i, cond)));
            supersets.push(Part {
                domain,
                ..part.clone()
            });
        }
        let mut kept = None;
        for cond in cond.iter().flat_map(|cond| conjuncts(cond)) {
            if self.is_keyed(&cond, &mut scope) {
                kept = Some(both(kept, cond));
            } else {
                let last = parts.iter().rposition(|part| cond.reads_local(part.local));
                rest.push((last.unwrap_or(0), cond.into_owned()));
            }
        }
        Some(Relaxed {
            parts: supersets,
            cond: kept.map(Cow::into_owned),
            keys: scope.keys,
            sets,
            rest,
        })
    }

    /// Whether an expression reads nothing of the state but keys, to which some may be added.
    fn is_keyed(&self, e: &Expr, scope: &mut Scope) -> bool {
        let (keys, known) = (scope.keys.len(), scope.known.clone());
        let is = self.keys_in(e, scope);
        if !is {
            scope.keys.truncate(keys);
            scope.known = known;
        }
        is
    }

    fn keys_in(&self, e: &Expr, scope: &mut Scope) -> bool {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::ConstSet(_) | ExprKind::ConstArray(_) => return true,
            ExprKind::Local(local) if scope.known.contains(local) => return true,
            // What an unrolled loop has left behind of a name that is bound inside says nothing.
            ExprKind::Local(local) if scope.varying.contains(local) => return false,
            ExprKind::Local(local) if self.bound.contains_key(local) => return true,
            ExprKind::After { .. }
            | ExprKind::Reveal { .. }
            | ExprKind::Told { .. }
            | ExprKind::Shown { .. } => return false,
            _ => {}
        }
        if self.is_key(e, scope) {
            if !scope.keys.iter().any(|key| key.is_same(e)) {
                scope.keys.push(e.clone());
            }
            let sizes = scope.keys.iter().filter_map(|key| key.ty.size());
            return sizes.fold(1, u64::saturating_mul) <= MOST_KEYS;
        }
        if matches!(e.kind, ExprKind::Var { .. } | ExprKind::Local(_)) {
            return false;
        }
        // A name is known once its value is; what a fold binds takes all values of a set.
        let (mut all, mut first) = (true, true);
        e.for_each_child(|child| {
            all = all && self.keys_in(child, scope);
            if std::mem::take(&mut first) {
                scope.known.extend(binds(e));
            }
        });
        all
    }

    /// Whether an expression is one small value of the state, whatever the tuple.
    fn is_key(&self, e: &Expr, scope: &Scope) -> bool {
        let small = e.ty.bounds().is_some() && e.ty.size().is_some_and(|size| size <= MOST_KEYS);
        let of_state = |e: &Expr| match &e.kind {
            ExprKind::Var { .. } => true,
            ExprKind::Local(local) => !self.bound.contains_key(local),
            _ => false,
        };
        small && e.any(of_state) && !hangs_on(e, &scope.varying) && self.is_total(e)
    }

    /// What a set is a part of, and what is to be asked of an `element` of that.
    fn superset(&self, e: &Expr, element: &Expr, scope: &mut Scope) -> Superset {
        if self.is_keyed(e, scope) {
            return Superset {
                set: Some(e.clone()),
                rest: Vec::new(),
            };
        }
        let unknown = || Superset {
            set: None,
            rest: vec![member(element, e)],
        };
        match &e.kind {
            ExprKind::Binary {
                op: BinaryOp::Difference,
                left,
                right,
            } => {
                let mut found = self.superset(left, element, scope);
                match &found.set {
                    Some(set) if self.is_keyed(right, scope) => {
                        found.set =
                            Some(binary(BinaryOp::Difference, set.clone(), (**right).clone()));
                    }
                    _ => found.rest.push(not(member(element, right))),
                }
                found
            }
            ExprKind::Binary {
                op: BinaryOp::Intersect,
                left,
                right,
            } => {
                let mut found = self.superset(left, element, scope);
                let other = self.superset(right, element, scope);
                found.rest.extend(other.rest);
                found.set = match (found.set, other.set) {
                    (Some(set), Some(other)) => Some(binary(BinaryOp::Intersect, set, other)),
                    (set, other) => set.or(other),
                };
                found
            }
            ExprKind::Let { local, value, body } => {
                if self.is_keyed(value, scope) {
                    scope.known.insert(*local);
                }
                let mut found = self.superset(body, element, scope);
                let within = |body: Expr| match body.reads_local(*local) {
                    false => body,
                    true => bound_to(*local, value, body),
                };
                found.set = found.set.map(within);
                found.rest = found.rest.into_iter().map(within).collect();
                found
            }
            ExprKind::Fold(fold) if fold.is_filter() => self
                .superset_of_filter(e, fold, element, scope)
                .unwrap_or_else(unknown),
            _ => unknown(),
        }
    }

    fn superset_of_filter(
        &self,
        e: &Expr,
        fold: &Fold,
        element: &Expr,
        scope: &mut Scope,
    ) -> Option<Superset> {
        let mut found = self.superset(&fold.domain, element, scope);
        scope.known.insert(fold.local);
        let mut kept = None;
        for cond in fold.cond.iter().flat_map(conjuncts) {
            if self.is_keyed(&cond, scope) {
                kept = Some(both(kept, cond));
            } else {
                let cond = cond.into_owned();
                found.rest.push(bound_to(fold.local, element, cond));
            }
        }
        if let Some(cond) = kept {
            let domain = match found.set {
                Some(set) => set,
                None => everything(&fold.domain)?,
            };
            let fold = Fold {
                domain,
                cond: Some(cond.into_owned()),
                ..fold.clone()
            };
            found.set = Some(expr(ExprKind::Fold(Box::new(fold)), &e.ty, e));
        }
        Some(found)
    }
}

/// The set of all values of the elements of a set.
fn everything(set: &Expr) -> Option<Expr> {
    let size = set.ty.element()?.size()?;
    let mut words = vec![0; set.ty.words()];
    (0..size).try_for_each(|i| {
        *words.get_mut(i as usize / 64)? |= 1 << (i % 64);
        Some(())
    })?;
    Some(expr(ExprKind::ConstSet(words), &set.ty, set))
}

fn member(element: &Expr, set: &Expr) -> Expr {
    binary(BinaryOp::In, element.clone(), set.clone())
}
