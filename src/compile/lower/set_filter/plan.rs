//! What of a condition can be said of sets.

use super::held::Held;
use super::{Cells, Plan, Planning};
use crate::compile::lower::Builder;
use crate::compile::lower::invariant::{hangs_on, loops_in};
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId, UnaryOp};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// An array is gone through as a whole where so large a share of its elements may be expected to be asked.
const WORTH_ALL: f64 = 0.25;

/// Of an array of so many rows all are gone through, one of which is then taken.
const MOST_LINES: u64 = 4;

/// Of so many elements it is found by sets, one for each element of another set, which of them have such an element.
const WORTH_EACH: f64 = 4.0;

/// Of what has more loops in it, it is not asked whether they are soon answered.
const MOST_ASKED: usize = 4;

impl Builder<'_> {
    pub(super) fn plan_of<'e>(&mut self, e: &'e Expr, p: &mut Planning<'_>) -> Plan<'e> {
        let known = match &e.kind {
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => {
                // Both of one array are asked about together.
                if p.total
                    && let Some(held) = self.of_held(e, p).filter(Held::is_quick)
                {
                    return Plan::OfHeld(held);
                }
                let around = p.beside;
                p.beside |= *op == BinaryOp::Or;
                let plans = Box::new([self.plan_of(left, p), self.plan_of(right, p)]);
                p.beside = around;
                return match op {
                    BinaryOp::And => Plan::Both(plans),
                    _ => Plan::Either(plans),
                };
            }
            ExprKind::Unary {
                op: UnaryOp::Not,
                value,
            } => return Plan::Not(Box::new(self.plan_of(value, p))),
            ExprKind::Let { local, value, body } => {
                // An unrolled loop may have left a value behind.
                self.bound.remove(local);
                if self.is_element(value, p) && self.type_of_local(*local) == p.element {
                    p.names.insert(*local);
                    return self.plan_of(body, p);
                }
                if p.total && self.is_steady(value, p) {
                    p.given.insert(*local);
                    let body = Box::new(self.plan_of(body, p));
                    return Plan::With {
                        local: *local,
                        value,
                        body,
                    };
                }
                None
            }
            ExprKind::Binary { op, left, right } if p.total => self.compared(*op, left, right, p),
            ExprKind::Var { .. } if p.total && e.ty == Type::Bool => self.holds(e, None, p),
            ExprKind::Fold(fold) if p.total && fold.cond.is_none() => {
                let met = self.some_in(fold, p).or_else(|| self.steady(e, p));
                met.or_else(|| self.of_each(fold, p))
            }
            _ => None,
        };
        let known = match known {
            None if p.total => {
                let known = self.among(e, p).or_else(|| self.steady(e, p));
                known.or_else(|| self.of_held(e, p).map(Plan::OfHeld))
            }
            known => known,
        };
        p.total &= known.is_some() || self.is_total(e);
        known.unwrap_or(Plan::Unknown)
    }

    /// A condition that does not hang on the element at all, where it was put in so that sets decide the rest, or where it is soon
    /// answered and stands beside others with `or`. Else such conditions stay where they are asked if those before them hold.
    fn steady<'e>(&mut self, e: &'e Expr, p: &Planning<'_>) -> Option<Plan<'e>> {
        let fits = (p.restated || p.beside) && e.ty == Type::Bool && self.is_steady(e, p);
        (fits && (p.restated || self.is_soon_answered(e))).then_some(Plan::Steady(e))
    }

    /// Whether no loop is needed for an expression that sets do not spare.
    fn is_soon_answered(&mut self, e: &Expr) -> bool {
        let (folds, boards) = loops_in(e);
        // Each of them is planned here, and asks this of those in it.
        !boards
            && folds.len() <= MOST_ASKED
            && folds.iter().all(|fold| {
                let asked = match &fold.cond {
                    Some(cond) if fold.is_filter() => cond,
                    None if fold.body.ty == Type::Bool => &fold.body,
                    _ => return false,
                };
                self.is_quickly_by_sets(fold.local, &fold.domain, asked)
            })
    }

    /// A condition that hangs on nothing but the element and other locals of few values.
    fn among<'e>(&mut self, e: &Expr, p: &Planning<'_>) -> Option<Plan<'e>> {
        if e.ty != Type::Bool || !hangs_on(e, &p.names) {
            return None;
        }
        let (mut locals, _) = self.rows_for(e)?;
        let own = locals
            .iter()
            .position(|(local, _)| p.names.contains(local))?;
        let (_, ty) = locals.remove(own);
        // The others have a value where the sets are computed.
        let given = locals
            .iter()
            .all(|(local, _)| self.locals.contains_key(local) || p.given.contains(local));
        if ty != *p.element || !given || locals.iter().any(|(local, _)| p.names.contains(local)) {
            return None;
        }
        let found = self.values_of(e, 1);
        let (_, truths) = found.or_else(|| self.run_for_all(e, 1))?;
        let size = |ty: &Type| ty.size().unwrap_or(1) as usize;
        let inner: usize = locals[own..].iter().map(|(_, ty)| size(ty)).product();
        let words = Type::Set(Arc::new(ty.clone())).words();
        let rows = truths.values.len() / size(&ty).max(1);
        let mut values = vec![0; rows * words];
        for (place, _) in truths.values.iter().enumerate().filter(|(_, v)| **v != 0) {
            let (outer, rest) = (place / (inner * size(&ty)), place % (inner * size(&ty)));
            let (x, row) = (rest / inner, outer * inner + rest % inner);
            *values.get_mut(row * words + x / 64)? |= 1 << (x % 64);
        }
        let words = words as u16;
        Some(Plan::Among {
            locals,
            table: Table { words, values },
        })
    }

    /// `x < value`, and its relatives.
    fn ordered<'e>(
        &self,
        op: BinaryOp,
        (x, value): (&Expr, &'e Expr),
        p: &Planning<'_>,
    ) -> Option<Plan<'e>> {
        // Numbers are compared as they are, whatever range they are taken to be of.
        let number = |ty: &Type| matches!(ty, Type::Int { .. });
        let x = match &x.kind {
            ExprKind::Cast(inner) if number(&x.ty) && number(&inner.ty) => inner,
            _ => x,
        };
        let numbers = number(&value.ty) && number(p.element);
        let same = value.ty == *p.element && value.ty.words() == 1;
        let fits = self.is_element(x, p) && x.ty.bounds().is_some() && (numbers || same);
        if !fits || value.ty.bounds().is_none() || !self.is_steady(value, p) {
            return None;
        }
        let before = |too| Plan::Before { value, too };
        match op {
            BinaryOp::Lt => Some(before(false)),
            BinaryOp::Le => Some(before(true)),
            BinaryOp::Ge => Some(negated(before(false))),
            BinaryOp::Gt => Some(negated(before(true))),
            _ => None,
        }
    }

    fn compared<'e>(
        &mut self,
        op: BinaryOp,
        left: &'e Expr,
        right: &'e Expr,
        p: &Planning<'_>,
    ) -> Option<Plan<'e>> {
        match op {
            BinaryOp::In if self.is_element(left, p) => {
                let same = right.ty.element() == Some(p.element);
                (same && self.is_steady(right, p)).then_some(Plan::Member(right))
            }
            BinaryOp::In => self.meets_at(left, right, p),
            BinaryOp::Subset => self.meets(left, right, true, p).map(negated),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let turned = match op {
                    BinaryOp::Lt => BinaryOp::Gt,
                    BinaryOp::Le => BinaryOp::Ge,
                    BinaryOp::Gt => BinaryOp::Lt,
                    _ => BinaryOp::Le,
                };
                let plan = self.ordered(op, (left, right), p);
                let plan = plan.or_else(|| self.ordered(turned, (right, left), p));
                let plan = plan.or_else(|| self.in_line(op, (left, right), p));
                let plan = plan.or_else(|| self.in_line(turned, (right, left), p));
                let plan = plan.or_else(|| self.by_value(op, (left, right), p));
                plan.or_else(|| self.by_value(turned, (right, left), p))
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let plan = match &left.kind {
                    ExprKind::Binary {
                        op: BinaryOp::Intersect,
                        left: a,
                        right: b,
                    } if self.is_empty(right) => {
                        let found = self.meets(a, b, false, p);
                        negated(found.or_else(|| self.meets(b, a, false, p))?)
                    }
                    _ if self.is_empty(right) && matches!(left.kind, ExprKind::Call { .. }) => {
                        negated(self.begins_run(left, p)?)
                    }
                    _ => {
                        let plan = self.equals(left, right, p);
                        let plan = plan.or_else(|| self.equals(right, left, p));
                        let plan = plan.or_else(|| self.holds(left, Some(right), p));
                        let plan = plan.or_else(|| self.holds(right, Some(left), p));
                        let plan = plan.or_else(|| self.in_line(BinaryOp::Eq, (left, right), p));
                        let plan = plan.or_else(|| self.in_line(BinaryOp::Eq, (right, left), p));
                        let plan = plan.or_else(|| self.by_value(BinaryOp::Eq, (left, right), p));
                        plan.or_else(|| self.by_value(BinaryOp::Eq, (right, left), p))?
                    }
                };
                Some(match op {
                    BinaryOp::Eq => plan,
                    _ => negated(plan),
                })
            }
            _ => None,
        }
    }

    /// `some d in table[x]: d in set`, and its relatives.
    fn some_in<'e>(&mut self, fold: &'e Fold, p: &Planning<'_>) -> Option<Plan<'e>> {
        let ExprKind::Binary {
            op: BinaryOp::In,
            left,
            right,
        } = &fold.body.kind
        else {
            return None;
        };
        let own = matches!(left.kind, ExprKind::Local(local) if local == fold.local);
        let of_own: FxHashSet<LocalId> = std::iter::once(fold.local).collect();
        if !own || hangs_on(right, &of_own) || right.ty != fold.domain.ty {
            return None;
        }
        let outside = fold.op == FoldOp::Every;
        let plan = self.meets(&fold.domain, right, outside, p)?;
        match fold.op {
            FoldOp::Some => Some(plan),
            FoldOp::No | FoldOp::Every => Some(negated(plan)),
            _ => None,
        }
    }

    /// `some d in set: …`, and its relatives, where sets decide what is asked for each `d`.
    fn of_each<'e>(&mut self, fold: &'e Fold, p: &mut Planning<'_>) -> Option<Plan<'e>> {
        let asks = matches!(fold.op, FoldOp::Some | FoldOp::No | FoldOp::Every);
        if !asks || p.expected < WORTH_EACH || !self.is_steady(&fold.domain, p) {
            return None;
        }
        self.bound.remove(&fold.local);
        if fold.op == FoldOp::Some
            && let Some(ordinals) = self.few_elements(&fold.domain)
        {
            return self.of_some(fold, &ordinals, p);
        }
        p.given.insert(fold.local);
        let around = std::mem::take(&mut p.beside);
        let body = self.plan_of(&fold.body, p);
        p.beside = around;
        // What of it can fail is asked about once more, as a part of the whole.
        p.total = true;
        if !body.says_all() {
            return None;
        }
        let every = fold.op == FoldOp::Every;
        let plan = match body {
            Plan::Member(set) if !every => Plan::Union(Box::new(union_of(fold, set))),
            body => Plan::OfEach {
                fold,
                body: Box::new(body),
                every,
            },
        };
        Some(match fold.op {
            FoldOp::No => negated(plan),
            _ => plan,
        })
    }

    /// The same where the set is of a few known elements.
    fn of_some<'e>(
        &mut self,
        fold: &'e Fold,
        ordinals: &[u64],
        p: &mut Planning<'_>,
    ) -> Option<Plan<'e>> {
        let element = fold.domain.ty.element()?;
        let (around, mut plans) = (self.copies, Vec::new());
        self.copies = around.saturating_mul(ordinals.len().max(1));
        for ordinal in ordinals {
            let value = element.value_at(*ordinal) as u64;
            self.bound.insert(fold.local, vec![value]);
            plans.push((value, self.plan_of(&fold.body, p)));
            // As in the loop that is not written out.
            p.total = true;
        }
        self.copies = around;
        self.bound.remove(&fold.local);
        let all = plans.iter().all(|(_, plan)| plan.says_all());
        let local = fold.local;
        all.then_some(Plan::OfSome { local, plans })
    }

    fn equals<'e>(&self, x: &Expr, value: &'e Expr, p: &Planning<'_>) -> Option<Plan<'e>> {
        let (optional, fits) = match &x.kind {
            ExprKind::Cast(inner) => {
                let optional = Type::Optional(Arc::new(p.element.clone()));
                let cast = self.is_element(inner, p) && x.ty == optional;
                (true, cast && value.ty == optional)
            }
            _ => (false, self.is_element(x, p) && value.ty == *p.element),
        };
        (fits && self.is_steady(value, p)).then_some(Plan::Equal { value, optional })
    }

    /// `a[x] == value`, or `a[x]`.
    fn holds<'e>(
        &self,
        of_element: &'e Expr,
        value: Option<&'e Expr>,
        p: &Planning<'_>,
    ) -> Option<Plan<'e>> {
        let value_fits = value.is_none_or(|value| {
            value.ty == of_element.ty
                && !matches!(value.ty, Type::Set(_))
                && self.is_steady(value, p)
        });
        let cells = self.cells(of_element, p).filter(|_| value_fits)?;
        Some(Plan::Holds { cells, value })
    }

    /// `a[x]`, for an array of one word for each value of the element, or for few rows of such.
    pub(super) fn cells<'e>(&self, of_element: &'e Expr, p: &Planning<'_>) -> Option<Cells<'e>> {
        let ExprKind::Var { var, indices } = &of_element.kind else {
            return None;
        };
        let (index, before) = indices.split_last()?;
        let of = &self.d.var(*var).indices;
        let slots = &self.vars[var.0 as usize];
        let row = match (before, &of[..]) {
            ([], [_]) => None,
            ([row], [rows, _]) => Some((row, rows)),
            _ => return None,
        };
        let rows = row.map_or(Some(1), |(row, rows)| {
            let few = rows.ty.size().filter(|rows| *rows <= MOST_LINES);
            few.filter(|_| row.ty == rows.ty && self.is_steady(row, p))
        })?;
        let count = slots.elements / rows as u32;
        let fits = self.is_element(index, p)
            && p.expected >= WORTH_ALL * f64::from(count)
            && of.last().is_some_and(|of| of.ty == *p.element)
            && slots.words == 1;
        fits.then_some(Cells {
            base: slots.base,
            count,
            row: row.map(|(row, _)| row),
        })
    }

    pub(super) fn is_element(&self, e: &Expr, p: &Planning<'_>) -> bool {
        matches!(&e.kind, ExprKind::Local(local) if p.names.contains(local))
    }

    /// The same for all elements, and no error of play.
    pub(super) fn is_steady(&self, e: &Expr, p: &Planning<'_>) -> bool {
        !hangs_on(e, &p.names) && self.is_total(e)
    }
}

pub(super) fn negated(plan: Plan<'_>) -> Plan<'_> {
    Plan::Not(Box::new(plan))
}

/// The union of a set that hangs on the element of a fold.
fn union_of(fold: &Fold, set: &Expr) -> Expr {
    let union = Fold {
        op: FoldOp::Union,
        local: fold.local,
        domain: fold.domain.clone(),
        cond: None,
        body: set.clone(),
    };
    Expr {
        kind: ExprKind::Fold(Box::new(union)),
        ty: set.ty.clone(),
        span: set.span,
    }
}
