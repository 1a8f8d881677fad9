//! Conditions that hang on the value which an array holds at the element, and on nothing else of it: each value is asked about once,
//! and the elements that hold one of those for which it holds are found together. `man[c] != none and side(man[c]) == me` needs a look at each kind of man.

use super::{Cells, Planning};
use crate::compile::lower::Builder;
use crate::compile::lower::invariant::{binds, hangs_on, loops_in};
use crate::ir::*;
use crate::model::{Expr, ExprKind};
use rustc_hash::FxHashSet;

/// So many elements take as long, one by one, as it takes to find all that hold some values.
const WORTH_PASS: f64 = 8.0;
/// And so many a condition on a value.
const WORTH_COND: f64 = 1.0;

/// For which values, as bits, the condition holds.
pub(super) struct Held<'e> {
    cells: Cells<'e>,
    /// Whatever the state.
    always: u64,
    /// Where another condition holds.
    sometimes: Vec<(u64, Expr)>,
}

impl Held<'_> {
    /// Whether no loop is needed.
    pub fn is_quick(&self) -> bool {
        let mut conds = self.sometimes.iter();
        conds.all(|(_, cond)| loops_in(cond).0.is_empty())
    }
}

impl Builder<'_> {
    /// A condition on elements, by the values of an array; `None` where it hangs on something else of them, or where to look at
    /// each element is as fast.
    pub(super) fn of_held<'e>(&mut self, e: &'e Expr, p: &Planning<'_>) -> Option<Held<'e>> {
        // What is bound inside has no value where the sets are found.
        let mut inner = FxHashSet::default();
        e.for_each(|e| inner.extend(binds(e)));
        let mut read: Option<&'e Expr> = None;
        e.for_each(|e| {
            if let ExprKind::Var { indices, .. } = &e.kind
                && indices
                    .last()
                    .is_some_and(|index| self.is_element(index, p))
            {
                read = read.or(Some(e));
            }
        });
        let read = read.filter(|read| !hangs_on(read, &inner))?;
        let cells = self.cells(read, p)?;
        let size = read.ty.size().filter(|size| *size <= 64)?;
        let mut always = 0;
        let mut sometimes = Vec::new();
        for ordinal in 0..size {
            let value = read.ty.value_at(ordinal);
            let bit = u32::try_from(value)
                .ok()
                .and_then(|v| 1u64.checked_shl(v))?;
            let given = Expr::scalar(value, read.ty.clone(), read.span);
            let mut cond = e.clone();
            put(&given, read, &mut cond)?;
            if hangs_on(&cond, &p.names) {
                return None;
            }
            match self.constant(&cond) {
                Some(holds) if holds[0] != 0 => always |= bit,
                Some(_) => {}
                None if self.is_total(&cond) => sometimes.push((bit, cond)),
                None => return None,
            }
        }
        let looks = WORTH_PASS + WORTH_COND * sometimes.len() as f64;
        (looks <= p.expected).then_some(Held {
            cells,
            always,
            sometimes,
        })
    }

    /// The elements that hold one of the values.
    pub(super) fn held_side(&mut self, held: &Held<'_>, all: Operand) -> Operand {
        if held.sometimes.is_empty() && held.always.is_power_of_two() {
            let value = self.number(i64::from(held.always.trailing_zeros()));
            return self.where_holds(held.cells, value, all.words);
        }
        let values = self.number(held.always as i64);
        for (bit, cond) in &held.sometimes {
            let holds = self.value(cond).slot;
            let bit = self.immediate(Op::Mul, holds, *bit as i64);
            self.emit(Instr::Binary {
                op: Op::Or,
                dst: values,
                a: values,
                b: bit,
            });
        }
        let count = held.cells.count;
        self.places(held.cells, all.words, &|dst, base| Instr::SetAmong {
            dst,
            base,
            count,
            values,
        })
    }
}

/// Puts a value in the place of all that is written as `read`; `None` where there are statements.
fn put(value: &Expr, read: &Expr, e: &mut Expr) -> Option<()> {
    if e.is_same(read) {
        *e = value.clone();
        return Some(());
    }
    let children = e.kind.children_mut()?;
    children.into_iter().try_for_each(|e| put(value, read, e))
}
