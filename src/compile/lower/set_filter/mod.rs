//! Conditions on the elements of a set, asked of all of them at once.
//!
//! `c in S where c != last and Board.next(c) & foes != {}` needs no look at each cell: the cells with a foe beside them are
//! a set, found by shifting `foes` over the board. What cannot be said of sets is asked one by one, of those elements for
//! which the rest has not decided.

mod held;
mod lines;
mod of_element;
mod plan;
mod restated;
mod sides;

use super::Builder;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, Fold, LocalId};
use held::Held;
use lines::InLine;
pub(super) use restated::seen_through;
use restated::{Restating, Worded};
use rustc_hash::FxHashSet;

/// Types with fewer values are gone through one by one, but where no more is asked than an operation on sets each.
const LEAST: u64 = 16;
/// And those with fewer than so many in any case: loops over them are unrolled.
const UNROLLED: u64 = 6;

/// The numbers of an array, one for each value of the element: one row, or one of few by the value of an index.
#[derive(Copy, Clone)]
struct Cells<'e> {
    base: Slot,
    count: u32,
    row: Option<&'e Expr>,
}

/// A condition, as far as it can be said of sets.
enum Plan<'e> {
    Unknown,
    /// The element is in a set.
    Member(&'e Expr),
    /// The element is a value; of the type of elements, or with `optional` of the optional type over it.
    Equal {
        value: &'e Expr,
        optional: bool,
    },
    /// An array of numbers holds a value at the element, or `true`.
    Holds {
        cells: Cells<'e>,
        value: Option<&'e Expr>,
    },
    /// It hangs on the value that an array holds at the element.
    OfHeld(Held<'e>),
    /// The element comes before a value, or with `too` is that.
    Before {
        value: &'e Expr,
        too: bool,
    },
    /// The element is in the set that a table has for the values of other locals.
    Among {
        locals: Vec<(LocalId, Type)>,
        table: Table,
    },
    /// What a table has for the element meets a set, or with `outside` leaves it. The table holds the way back: the elements
    /// for each value.
    Meets {
        back: Table,
        set: &'e Expr,
        outside: bool,
    },
    /// The element is in the set that a table has for a value.
    ByValue {
        value: &'e Expr,
        table: Table,
    },
    /// The element is in a union, which the compiler has made up.
    Union(Box<Expr>),
    /// The condition holds for some element of another set, or with `every` for all of them.
    OfEach {
        fold: &'e Fold,
        body: Box<Plan<'e>>,
        every: bool,
    },
    /// The condition holds for some element of another set, which are few: a condition for each of their values, which the local
    /// then has.
    OfSome {
        local: LocalId,
        plans: Vec<(u64, Plan<'e>)>,
    },
    /// The element stands in line with so many of a set.
    InLine(InLine<'e>),
    /// It is the same for all elements.
    Steady(&'e Expr),
    Not(Box<Plan<'e>>),
    Both(Box<[Plan<'e>; 2]>),
    Either(Box<[Plan<'e>; 2]>),
    With {
        local: LocalId,
        value: &'e Expr,
        body: Box<Plan<'e>>,
    },
}

impl Plan<'_> {
    fn says_anything(&self) -> bool {
        match self {
            Plan::Not(plan) | Plan::With { body: plan, .. } => plan.says_anything(),
            Plan::Both(plans) | Plan::Either(plans) => plans.iter().any(Plan::says_anything),
            plan => !matches!(plan, Plan::Unknown),
        }
    }

    fn says_all(&self) -> bool {
        match self {
            Plan::Not(plan) | Plan::With { body: plan, .. } => plan.says_all(),
            Plan::Both(plans) | Plan::Either(plans) => plans.iter().all(Plan::says_all),
            plan => !matches!(plan, Plan::Unknown),
        }
    }

    fn is_quick(&self) -> bool {
        match self {
            Plan::Not(plan) => plan.is_quick(),
            Plan::Both(plans) | Plan::Either(plans) => plans.iter().all(Plan::is_quick),
            Plan::OfHeld(held) => held.is_quick(),
            Plan::Union(_) | Plan::OfEach { .. } | Plan::OfSome { .. } | Plan::With { .. } => false,
            _ => true,
        }
    }
}

impl Plan<'_> {
    /// Whether an operation on sets says each part of it.
    fn is_light(&self) -> bool {
        match self {
            Plan::Member(_)
            | Plan::Equal { .. }
            | Plan::Before { .. }
            | Plan::Among { .. }
            | Plan::InLine(_) => true,
            Plan::Not(plan) => plan.is_light(),
            Plan::Both(plans) | Plan::Either(plans) => plans.iter().all(Plan::is_light),
            _ => false,
        }
    }
}

/// What is known while a plan is made.
struct Planning<'t> {
    /// The names of the element.
    names: FxHashSet<LocalId>,
    element: &'t Type,
    /// What is bound inside of the condition, and stays the same for all elements.
    given: FxHashSet<LocalId>,
    /// How many elements may be expected to be asked.
    expected: f64,
    /// Nothing so far can be an error of play.
    total: bool,
    /// The condition is in other words than those of the text.
    restated: bool,
    /// Conditions beside with `or`, of the same element, are asked of sets.
    beside: bool,
}

/// The elements for which a condition holds for certain, `None` for none, and those for which it may hold, `None` for all.
#[derive(Copy, Clone)]
struct Sides {
    holds: Option<Operand>,
    may: Option<Operand>,
}

impl Builder<'_> {
    /// The elements of a set for which a condition on them holds, where more than a look at each of them leads there.
    pub(super) fn kept(&mut self, local: LocalId, domain: &Expr, cond: &Expr) -> Option<Operand> {
        let worded = self.worded(local, domain, cond);
        let plan = self.filter_plan(local, domain, &worded)?;
        let element = domain.ty.element()?;
        let set = self.value(domain);
        let sides = self.sides(&plan, set, element);
        let kept = self.temporary(set.words);
        match sides.holds {
            Some(holds) => self.set_binary(BinaryOp::Intersect, kept, set, holds),
            None => self.set_constant(kept, &domain.ty, &[]),
        }
        if plan.says_all() {
            return Some(kept);
        }
        let may = match sides.may {
            Some(may) => self.set_of_both(BinaryOp::Intersect, set, may),
            None => set,
        };
        let rest = self.set_of_both(BinaryOp::Difference, may, kept);
        let lo = domain.ty.element().map_or(0, |t| t.value_at(0));
        let (known, done) = (self.locals.get(&local).copied(), self.new_block());
        self.around_loop(&[local], &[cond], |b| {
            let slot = b.bind(local).slot;
            let head = b.loop_over(slot, rest, lo, done);
            b.scope(|b| {
                let holds = b.value(cond).slot;
                let take = b.new_block();
                b.branch(holds, take, head);
                b.start(take);
                let element = b.immediate(Op::Sub, slot, lo);
                b.emit(Instr::SetInsert { set: kept, element });
                b.jump(head);
            });
        });
        self.start(done);
        self.locals.remove(&local);
        self.locals.extend(known.map(|slot| (local, slot)));
        Some(kept)
    }

    /// As [`Self::kept`], only where no element has to be looked at by itself.
    pub(super) fn kept_at_once(
        &mut self,
        local: LocalId,
        domain: &Expr,
        cond: &Expr,
    ) -> Option<Operand> {
        self.kept_one_by_one(local, domain, &[cond])?.pop()
    }

    /// As [`Self::kept_at_once`], where the condition is one of the compiler's own, that may ask as well what hangs on no element.
    pub(super) fn kept_by_own(
        &mut self,
        local: LocalId,
        domain: &Expr,
        cond: &Expr,
    ) -> Option<Operand> {
        let element = domain.ty.element()?;
        let worded = self.worded_anew(local, domain, cond)?;
        // What may be worked out ahead may be used up by now.
        let plan = self.filter_plan(local, domain, &worded);
        let plan = plan.filter(Plan::says_all)?;
        let all = self.value(domain);
        let holds = self.sides(&plan, all, element).holds?;
        Some(self.set_of_both(BinaryOp::Intersect, all, holds))
    }

    /// Whether [`Self::kept_by_own`] gives a set.
    pub(super) fn is_kept_by_own(&mut self, local: LocalId, domain: &Expr, cond: &Expr) -> bool {
        self.worded_anew(local, domain, cond).is_some()
    }

    /// Words for a condition in which sets decide it, and of what hangs on no element it is asked at once.
    fn worded_anew(
        &mut self,
        local: LocalId,
        domain: &Expr,
        cond: &Expr,
    ) -> Option<Worded<'static>> {
        let mut restating = Restating::of(local);
        let restated = restating.condition(cond);
        let words = [cond.clone(), restated].map(Worded::Anew);
        words.into_iter().find(|worded| {
            let plan = self.filter_plan(local, domain, worded);
            plan.is_some_and(|plan| plan.says_all())
        })
    }

    /// Some of the elements of a set for which a condition holds, if there are any; `None` where some element has to be looked at by
    /// itself.
    pub(super) fn any_kept(
        &mut self,
        local: LocalId,
        domain: &Expr,
        cond: &Expr,
    ) -> Option<Operand> {
        let element = domain.ty.element()?;
        let worded = self.worded(local, domain, cond);
        let plan = self.filter_plan(local, domain, &worded);
        let mut plan = plan.filter(Plan::says_all)?;
        plan.ask_for_any(domain);
        let all = self.value(domain);
        let holds = self.sides(&plan, all, element).holds?;
        Some(self.set_of_both(BinaryOp::Intersect, all, holds))
    }

    /// A set, and the elements of it for which one condition after the other holds, each of what the one before has left; `None`
    /// where some element has to be looked at by itself.
    pub(super) fn kept_one_by_one(
        &mut self,
        local: LocalId,
        domain: &Expr,
        conds: &[&Expr],
    ) -> Option<Vec<Operand>> {
        let element = domain.ty.element()?;
        let worded = conds.iter().map(|cond| self.worded(local, domain, cond));
        let worded: Vec<Worded<'_>> = worded.collect();
        let mut plans = Vec::new();
        for cond in &worded {
            let plan = self.filter_plan(local, domain, cond);
            plans.push(plan.filter(Plan::says_all)?);
        }
        let mut kept = vec![self.value(domain)];
        for plan in &plans {
            let all = kept[kept.len() - 1];
            let holds = self.sides(plan, all, element).holds?;
            kept.push(self.set_of_both(BinaryOp::Intersect, all, holds));
        }
        Some(kept)
    }

    /// As [`Self::kept`], of a comprehension that keeps some elements of its set, or all.
    pub(super) fn kept_by(&mut self, fold: &Fold) -> Option<Operand> {
        match &fold.cond {
            _ if !fold.is_filter() => None,
            None => Some(self.value(&fold.domain)),
            Some(cond) => self.kept(fold.local, &fold.domain, cond),
        }
    }

    /// Whether [`Self::kept_by`] gives the set without a look at any element.
    pub(super) fn is_kept_at_once(&mut self, fold: &Fold) -> bool {
        match &fold.cond {
            _ if !fold.is_filter() => false,
            None => true,
            Some(cond) => self.is_by_sets(fold.local, &fold.domain, cond),
        }
    }

    /// Whether sets decide for which elements a condition holds.
    pub(super) fn is_by_sets(&mut self, local: LocalId, domain: &Expr, cond: &Expr) -> bool {
        let worded = self.worded(local, domain, cond);
        let plan = self.filter_plan(local, domain, &worded);
        plan.is_some_and(|plan| plan.says_all())
    }

    /// Whether sets decide that without going through another set.
    pub(super) fn is_quickly_by_sets(
        &mut self,
        local: LocalId,
        domain: &Expr,
        cond: &Expr,
    ) -> bool {
        let as_it_is = Worded::AsItIs(cond);
        let plan = self.filter_plan(local, domain, &as_it_is);
        plan.is_some_and(|plan| plan.says_all() && plan.is_quick())
    }

    /// A condition in the words in which sets decide it, if they do in any; else as it is.
    fn worded<'e>(&mut self, local: LocalId, domain: &Expr, cond: &'e Expr) -> Worded<'e> {
        let as_it_is = Worded::AsItIs(cond);
        let plan = self.filter_plan(local, domain, &as_it_is);
        if plan.is_some_and(|plan| plan.says_all()) {
            return as_it_is;
        }
        let mut restating = Restating::of(local);
        let restated = Worded::Anew(restating.condition(cond));
        if !restating.changed {
            return as_it_is;
        }
        let plan = self.filter_plan(local, domain, &restated);
        match plan.is_some_and(|plan| plan.says_all()) {
            true => restated,
            false => as_it_is,
        }
    }

    fn filter_plan<'e>(
        &mut self,
        local: LocalId,
        domain: &Expr,
        worded: &'e Worded<'_>,
    ) -> Option<Plan<'e>> {
        let element = domain.ty.element()?;
        let values = element.size()?;
        if self.marked() || values < UNROLLED || self.type_of_local(local) != element {
            return None;
        }
        // An unrolled loop leaves its last value behind.
        self.bound.remove(&local);
        let mut planning = Planning {
            names: std::iter::once(local).collect(),
            element,
            given: FxHashSet::default(),
            expected: self.size_of(domain).mean,
            total: true,
            restated: matches!(worded, Worded::Anew(_)),
            beside: false,
        };
        let plan = self.plan_of(worded.cond(), &mut planning);
        let fits = match values < LEAST {
            true => plan.is_light(),
            false => plan.says_anything(),
        };
        fits.then_some(plan)
    }
}
