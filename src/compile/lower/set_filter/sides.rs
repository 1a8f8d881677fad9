//! The sets for which a plan says that its condition holds.

use super::{Cells, Plan, Sides};
use crate::compile::lower::Builder;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, Fold, LocalId};
use std::sync::Arc;

impl Builder<'_> {
    /// Where an array holds a value, in its one row or in that of an index.
    pub(super) fn where_holds(&mut self, cells: Cells<'_>, value: Slot, words: u16) -> Operand {
        let count = cells.count;
        self.places(cells, words, &|dst, base| Instr::SetWhere {
            dst,
            base,
            count,
            value,
        })
    }

    /// The places in an array, in its one row or in that of an index, that an instruction finds from where a row begins.
    pub(super) fn places(
        &mut self,
        cells: Cells<'_>,
        words: u16,
        find: &dyn Fn(Operand, Slot) -> Instr,
    ) -> Operand {
        let Cells { base, count, row } = cells;
        let of_row = |b: &mut Self, row: u32| {
            let dst = b.temporary(words);
            b.emit(find(dst, base + row * count));
            dst
        };
        let Some(index) = row else {
            return of_row(self, 0);
        };
        let rows = index.ty.size().unwrap_or(1) as u32;
        let ordinal = self.ordinal(index, &index.ty, index.span);
        let mut found = of_row(self, 0);
        for row in 1..rows {
            let here = of_row(self, row);
            let test = self.immediate(Op::Eq, ordinal, i64::from(row));
            let dst = self.temporary(words);
            self.select(dst, test, here, found);
            found = dst;
        }
        found
    }

    /// Computes the sides of a condition among the elements of a set.
    pub(super) fn sides(&mut self, plan: &Plan<'_>, all: Operand, element: &Type) -> Sides {
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
            Plan::Union(set) => exactly(self.value(set)),
            Plan::Holds { cells, value } => {
                let value = match value {
                    Some(value) => self.value(value).slot,
                    None => self.number(1),
                };
                exactly(self.where_holds(*cells, value, all.words))
            }
            Plan::OfHeld(held) => exactly(self.held_side(held, all)),
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
                let table = self.table(table.clone());
                exactly(self.row(table, index, all.words))
            }
            Plan::ByValue { value, table } => {
                let index = self.ordinal(value, &value.ty, value.span);
                let table = self.table(table.clone());
                exactly(self.row(table, index, all.words))
            }
            Plan::OfEach { fold, body, every } => {
                exactly(self.of_each_side(fold, body, *every, (all, element)))
            }
            Plan::OfSome { local, plans } => {
                exactly(self.of_some_side(*local, plans, (all, element)))
            }
            Plan::InLine(line) => {
                let found = self.in_line_side(line);
                Sides {
                    holds: found,
                    may: found,
                }
            }
            Plan::Steady(cond) => {
                let none = self.constant_operand(&Type::Set(Arc::new(element.clone())), &[]);
                match self.constant(cond) {
                    Some(known) if known[0] != 0 => return exactly(all),
                    Some(_) => return exactly(none),
                    None => {}
                }
                let (dst, holds) = (self.temporary(all.words), self.value(cond).slot);
                self.select(dst, holds, all, none);
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

    /// The elements for which a condition holds with one value of a local or another.
    fn of_some_side(
        &mut self,
        local: LocalId,
        plans: &[(u64, Plan<'_>)],
        (all, element): (Operand, &Type),
    ) -> Operand {
        let known = self.locals.remove(&local);
        let mut found = self.constant_operand(&Type::Set(Arc::new(element.clone())), &[]);
        let around = self.copies;
        self.copies = around.saturating_mul(plans.len().max(1));
        for (value, plan) in plans {
            self.bound.insert(local, vec![*value]);
            if let Some(holds) = self.sides(plan, all, element).holds {
                found = self.set_of_both(BinaryOp::Union, found, holds);
            }
        }
        self.copies = around;
        self.bound.remove(&local);
        self.locals.extend(known.map(|slot| (local, slot)));
        found
    }

    /// The elements for which a condition holds for some element of another set, or for every one.
    fn of_each_side(
        &mut self,
        fold: &Fold,
        body: &Plan<'_>,
        every: bool,
        (all, element): (Operand, &Type),
    ) -> Operand {
        let found = self.temporary(all.words);
        match every {
            true => self.copy(found, all),
            false => self.set_constant(found, &Type::Set(Arc::new(element.clone())), &[]),
        }
        let op = match every {
            true => BinaryOp::Intersect,
            false => BinaryOp::Union,
        };
        let known = self.locals.get(&fold.local).copied();
        let done = self.new_block();
        self.each_element(fold, done, &mut |b, next| {
            if let Some(holds) = b.sides(body, all, element).holds {
                b.set_binary(op, found, found, holds);
            }
            b.jump(next);
        });
        self.start(done);
        self.locals.remove(&fold.local);
        self.bound.remove(&fold.local);
        self.locals.extend(known.map(|slot| (fold.local, slot)));
        found
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

    pub(super) fn set_of_both(&mut self, op: BinaryOp, a: Operand, b: Operand) -> Operand {
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
