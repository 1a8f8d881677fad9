//! Conditions on the elements of a set, asked of all of them at once.
//!
//! `c in S where c != last and Board.next(c) & foes != {}` needs no look at each cell: the cells with a foe beside them are
//! a set, found by shifting `foes` over the board. What cannot be said of sets is asked one by one, of those elements for
//! which the rest has not decided.

use super::Builder;
use super::invariant::hangs_on;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId, UnaryOp};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Types with fewer values are gone through one by one.
const LEAST: u64 = 16;

/// An array is gone through as a whole where so large a share of its elements may be expected to be asked.
const WORTH_ALL: f64 = 0.25;

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
    /// An array of numbers holds a value at the element.
    Holds {
        base: Slot,
        count: u32,
        value: &'e Expr,
    },
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
}

/// What is known while a plan is made.
struct Planning<'t> {
    /// The names of the element.
    names: FxHashSet<LocalId>,
    element: &'t Type,
    /// How many elements may be expected to be asked.
    expected: f64,
    /// Nothing so far can be an error of play.
    total: bool,
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
        let plan = self.filter_plan(local, domain, cond)?;
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
            b.emit(Instr::Const {
                dst: slot,
                value: lo - 1,
            });
            let (head, body) = (b.new_block(), b.new_block());
            b.jump(head);
            b.start(head);
            b.advance(slot, rest, lo, body, done);
            b.start(body);
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

    /// A set, and the elements of it for which one condition after the other holds, each of what the one before has left; `None`
    /// where some element has to be looked at by itself.
    pub(super) fn kept_one_by_one(
        &mut self,
        local: LocalId,
        domain: &Expr,
        conds: &[&Expr],
    ) -> Option<Vec<Operand>> {
        let element = domain.ty.element()?;
        let mut plans = Vec::new();
        for cond in conds {
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

    /// As [`Self::kept`], of a comprehension that keeps some elements of its set.
    pub(super) fn kept_by(&mut self, fold: &Fold) -> Option<Operand> {
        let itself = matches!(fold.body.kind, ExprKind::Local(local) if local == fold.local);
        let cond = fold.cond.as_ref()?;
        match fold.op {
            FoldOp::SetOf if itself => self.kept(fold.local, &fold.domain, cond),
            _ => None,
        }
    }

    /// Whether [`Self::kept_by`] gives the set without a look at any element.
    pub(super) fn is_kept_at_once(&mut self, fold: &Fold) -> bool {
        let itself = matches!(fold.body.kind, ExprKind::Local(local) if local == fold.local);
        let cond = fold
            .cond
            .as_ref()
            .filter(|_| itself && fold.op == FoldOp::SetOf);
        cond.is_some_and(|cond| self.is_by_sets(fold.local, &fold.domain, cond))
    }

    /// Whether sets decide for which elements a condition holds.
    pub(super) fn is_by_sets(&mut self, local: LocalId, domain: &Expr, cond: &Expr) -> bool {
        let plan = self.filter_plan(local, domain, cond);
        plan.is_some_and(|plan| plan.says_all())
    }

    fn filter_plan<'e>(
        &mut self,
        local: LocalId,
        domain: &Expr,
        cond: &'e Expr,
    ) -> Option<Plan<'e>> {
        let element = domain.ty.element()?;
        if self.marked() || element.size()? < LEAST || self.d.local(local).ty != *element {
            return None;
        }
        // An unrolled loop leaves its last value behind.
        self.bound.remove(&local);
        let mut planning = Planning {
            names: std::iter::once(local).collect(),
            element,
            expected: self.size_of(domain).mean,
            total: true,
        };
        let plan = self.plan_of(cond, &mut planning);
        plan.says_anything().then_some(plan)
    }

    fn plan_of<'e>(&mut self, e: &'e Expr, p: &mut Planning<'_>) -> Plan<'e> {
        let known = match &e.kind {
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => {
                let plans = Box::new([self.plan_of(left, p), self.plan_of(right, p)]);
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
                if self.is_element(value, p) && self.d.local(*local).ty == *p.element {
                    p.names.insert(*local);
                    return self.plan_of(body, p);
                }
                if p.total && self.is_steady(value, p) {
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
            ExprKind::Fold(fold) if p.total && fold.cond.is_none() => self.some_in(fold, p),
            _ => None,
        };
        let known = match known {
            None if p.total => self.among(e, p),
            known => known,
        };
        p.total &= known.is_some() || self.is_total(e);
        known.unwrap_or(Plan::Unknown)
    }

    /// A condition that hangs on nothing but the element and other locals of few values.
    fn among<'e>(&mut self, e: &Expr, p: &Planning<'_>) -> Option<Plan<'e>> {
        if e.ty != Type::Bool || !hangs_on(e, &p.names) {
            return None;
        }
        let (mut locals, truths) = self.values_of(e, 1)?;
        let own = locals
            .iter()
            .position(|(local, _)| p.names.contains(local))?;
        let (_, ty) = locals.remove(own);
        // The others have a value where the sets are computed.
        let given = locals
            .iter()
            .all(|(local, _)| self.locals.contains_key(local));
        if ty != *p.element || !given || locals.iter().any(|(local, _)| p.names.contains(local)) {
            return None;
        }
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
            BinaryOp::Subset => self.meets(left, right, true, p).map(negated),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let turned = match op {
                    BinaryOp::Lt => BinaryOp::Gt,
                    BinaryOp::Le => BinaryOp::Ge,
                    BinaryOp::Gt => BinaryOp::Lt,
                    _ => BinaryOp::Le,
                };
                let plan = self.ordered(op, (left, right), p);
                plan.or_else(|| self.ordered(turned, (right, left), p))
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
                    _ => {
                        let plan = self.equals(left, right, p);
                        let plan = plan.or_else(|| self.equals(right, left, p));
                        let plan = plan.or_else(|| self.holds(left, right, p));
                        plan.or_else(|| self.holds(right, left, p))?
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

    /// `a[x] == value`, for an array of one word for each value of the element.
    fn holds<'e>(&self, of_element: &Expr, value: &'e Expr, p: &Planning<'_>) -> Option<Plan<'e>> {
        let ExprKind::Var { var, indices } = &of_element.kind else {
            return None;
        };
        let [index] = &indices[..] else {
            return None;
        };
        let [of] = &self.d.var(*var).indices[..] else {
            return None;
        };
        let slots = &self.vars[var.0 as usize];
        let all = f64::from(slots.elements);
        let fits = self.is_element(index, p)
            && p.expected >= WORTH_ALL * all
            && of.ty == *p.element
            && slots.words == 1
            && value.ty == of_element.ty
            && !matches!(value.ty, Type::Set(_));
        (fits && self.is_steady(value, p)).then_some(Plan::Holds {
            base: slots.base,
            count: slots.elements,
            value,
        })
    }

    /// What of the element is looked up in a table meets a set.
    fn meets<'e>(
        &mut self,
        of_element: &Expr,
        set: &'e Expr,
        outside: bool,
        p: &Planning<'_>,
    ) -> Option<Plan<'e>> {
        let words = set.ty.words();
        let size = p.element.size()?;
        if set.ty != of_element.ty
            || words != Type::Set(Arc::new(p.element.clone())).words()
            || !self.is_steady(set, p)
        {
            return None;
        }
        let (locals, table) = self.values_of(of_element, words as u16)?;
        let [(local, ty)] = &locals[..] else {
            return None;
        };
        if !p.names.contains(local)
            || ty != p.element
            || table.values.len() != words * size as usize
        {
            return None;
        }
        let values = set.ty.element()?.size()?;
        let mut back = Table {
            words: words as u16,
            values: vec![0; words * values as usize],
        };
        for (x, row) in table.values.chunks(words).enumerate() {
            for y in (0..values as usize).filter(|y| row[y / 64] >> (y % 64) & 1 == 1) {
                back.values[y * words + x / 64] |= 1 << (x % 64);
            }
        }
        // Others take a step for each value of the set, as the largest lattices do.
        Lattice::new(&back)?;
        Some(Plan::Meets { back, set, outside })
    }

    fn is_element(&self, e: &Expr, p: &Planning<'_>) -> bool {
        matches!(&e.kind, ExprKind::Local(local) if p.names.contains(local))
    }

    /// The same for all elements, and no error of play.
    fn is_steady(&self, e: &Expr, p: &Planning<'_>) -> bool {
        !hangs_on(e, &p.names) && self.is_total(e)
    }

    /// Computes the sides of a condition among the elements of a set.
    fn sides(&mut self, plan: &Plan<'_>, all: Operand, element: &Type) -> Sides {
        let exactly = |set| Sides {
            holds: Some(set),
            may: Some(set),
        };
        match plan {
            Plan::Unknown => Sides {
                holds: None,
                may: None,
            },
            Plan::Member(set) => exactly(self.value(set)),
            Plan::Holds { base, count, value } => {
                let (dst, value) = (self.temporary(all.words), self.value(value).slot);
                self.emit(Instr::SetWhere {
                    dst,
                    base: *base,
                    count: *count,
                    value,
                });
                exactly(dst)
            }
            Plan::Before { value, too } => {
                let lo = element.value_at(0) - i64::from(*too);
                let value = self.value(value).slot;
                let bound = self.immediate(Op::Sub, value, lo);
                let dst = self.temporary(all.words);
                self.emit(Instr::SetBefore {
                    dst: dst.slot,
                    src: all,
                    element: bound,
                });
                exactly(dst)
            }
            Plan::Among { locals, table } => {
                let ty = Type::Set(Arc::new(element.clone()));
                let index = self.table_index(locals, self.d.payoff.span);
                let Some(index) = index else {
                    return exactly(self.constant_operand(&ty, &table.values));
                };
                let (dst, words) = (self.temporary(all.words), all.words);
                let table = self.table(table.clone());
                self.emit(Instr::Table {
                    dst: dst.slot,
                    table,
                    index,
                    words,
                });
                exactly(dst)
            }
            Plan::Equal { value, optional } => exactly(self.singleton(value, *optional, all.words)),
            Plan::Meets { back, set, outside } => {
                let mut src = self.value(set);
                if *outside {
                    let others = self.temporary(src.words);
                    let every = self.every_value(&set.ty);
                    self.set_binary(BinaryOp::Difference, others, every, src);
                    src = others;
                }
                let (dst, table) = (self.temporary(all.words), self.table(back.clone()));
                self.emit(Instr::SetNeighbours { dst, src, table });
                exactly(dst)
            }
            Plan::Not(plan) => {
                let Sides { holds, may } = self.sides(plan, all, element);
                let same = holds.map(|set| set.slot) == may.map(|set| set.slot);
                let mut without = |set: Option<Operand>| {
                    set.map(|set| self.set_of_both(BinaryOp::Difference, all, set))
                };
                let fails = without(may);
                Sides {
                    holds: fails,
                    may: if same { fails } else { without(holds) },
                }
            }
            Plan::Both(plans) => self.both_sides(plans, (all, element), BinaryOp::Intersect),
            Plan::Either(plans) => self.both_sides(plans, (all, element), BinaryOp::Union),
            Plan::With { local, value, body } => {
                self.let_local(*local, value);
                self.sides(body, all, element)
            }
        }
    }

    /// For certain is what all say, or with a union what one says; where nothing is said, `None` is the empty set on the one
    /// side and the whole one on the other.
    fn both_sides(
        &mut self,
        plans: &[Plan<'_>; 2],
        (all, element): (Operand, &Type),
        op: BinaryOp,
    ) -> Sides {
        let [a, b] = [0, 1].map(|i| self.sides(&plans[i], all, element));
        let mut joined = |a: Option<Operand>, b: Option<Operand>, rests: bool| match (a, b) {
            (Some(a), Some(b)) => Some(self.set_of_both(op, a, b)),
            (one, other) if rests => one.or(other),
            _ => None,
        };
        let holds = joined(a.holds, b.holds, op == BinaryOp::Union);
        let exact = plans.iter().all(Plan::says_all);
        Sides {
            holds,
            may: match exact {
                true => holds,
                false => joined(a.may, b.may, op == BinaryOp::Intersect),
            },
        }
    }

    fn set_of_both(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        let dst = self.temporary(a.words);
        self.set_binary(op, dst, a, b);
        dst
    }

    fn every_value(&mut self, ty: &Type) -> Operand {
        let size = ty.element().and_then(Type::size).unwrap_or(0);
        let words: Vec<u64> = (0..ty.words() as u64)
            .map(|w| match size.saturating_sub(64 * w) {
                64.. => u64::MAX,
                left => (1 << left) - 1,
            })
            .collect();
        self.constant_operand(ty, &words)
    }

    /// The set of a value of the element type, or of what an optional value is.
    fn singleton(&mut self, value: &Expr, optional: bool, words: u16) -> Operand {
        let set = self.temporary(words);
        self.emit(Instr::SetConst {
            dst: set.slot,
            words: vec![0; words.into()],
        });
        if !optional {
            let element = self.ordinal(value, &value.ty, value.span);
            self.emit(Instr::SetInsert { set, element });
            return set;
        }
        // An optional value is its ordinal plus one, and 0 for none.
        let value = self.value(value).slot;
        let (some, join) = (self.new_block(), self.new_block());
        let there = self.immediate(Op::Ne, value, 0);
        self.branch(there, some, join);
        self.start(some);
        let element = self.immediate(Op::Sub, value, 1);
        self.emit(Instr::SetInsert { set, element });
        self.jump(join);
        self.start(join);
        set
    }
}

fn negated(plan: Plan<'_>) -> Plan<'_> {
    Plan::Not(Box::new(plan))
}
