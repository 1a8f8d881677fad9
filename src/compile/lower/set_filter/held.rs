//! Conditions that hang on the value which an array holds at the element, and on nothing else of it: each value is asked about once,
//! and the elements that hold it are found together. `man[c] != none and side(man[c]) == me` needs a look at each kind of man.

use super::{Cells, Planning};
use crate::compile::lower::Builder;
use crate::compile::lower::invariant::{binds, hangs_on};
use crate::ir::*;
use crate::model::{BinaryOp, Expr, ExprKind};
use rustc_hash::FxHashSet;

/// The most values that an array may hold.
const MOST_VALUES: u64 = 32;
/// So many elements take as long, one by one, as it takes to find all that hold a value.
const WORTH_VALUE: f64 = 6.0;

/// For which values the condition holds.
pub(super) struct Held<'e> {
    cells: Cells<'e>,
    /// Whatever the state. With `outside` it holds for all values but these.
    always: Vec<i64>,
    outside: bool,
    /// Where another condition holds.
    sometimes: Vec<(i64, Expr)>,
}

impl Held<'_> {
    pub fn is_quick(&self) -> bool {
        self.sometimes.is_empty()
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
        let size = read.ty.size().filter(|size| *size <= MOST_VALUES)?;
        let mut known = [Vec::new(), Vec::new()];
        let mut sometimes = Vec::new();
        for ordinal in 0..size {
            let value = read.ty.value_at(ordinal);
            let given = Expr::scalar(value, read.ty.clone(), read.span);
            let mut cond = e.clone();
            put(&given, read, &mut cond)?;
            if hangs_on(&cond, &p.names) {
                return None;
            }
            match self.constant(&cond) {
                Some(holds) => known[usize::from(holds[0] != 0)].push(value),
                None if self.is_total(&cond) => sometimes.push((value, cond)),
                None => return None,
            }
        }
        let [fails, holds] = known;
        let outside = sometimes.is_empty() && holds.len() > fails.len();
        let always = if outside { fails } else { holds };
        let looks = (always.len() + 2 * sometimes.len()) as f64;
        (looks * WORTH_VALUE <= p.expected).then_some(Held {
            cells,
            always,
            outside,
            sometimes,
        })
    }

    /// The elements that hold one of the values.
    pub(super) fn held_side(&mut self, held: &Held<'_>, all: Operand) -> Operand {
        let words = all.words;
        let mut found: Option<Operand> = None;
        for value in &held.always {
            let value = self.number(*value);
            let here = self.where_holds(held.cells, value, words);
            found = Some(match found {
                Some(found) => self.set_of_both(BinaryOp::Union, found, here),
                None => here,
            });
        }
        let found = match (found, &held.sometimes[..]) {
            (Some(found), []) => found,
            (found, sometimes) => self.held_sometimes(held.cells, found, sometimes, words),
        };
        match held.outside {
            true => self.set_of_both(BinaryOp::Difference, all, found),
            false => found,
        }
    }

    /// With those that hold one of some values for which a condition holds now.
    fn held_sometimes(
        &mut self,
        cells: Cells<'_>,
        before: Option<Operand>,
        sometimes: &[(i64, Expr)],
        words: u16,
    ) -> Operand {
        let found = self.temporary(words);
        match before {
            Some(before) => self.copy(found, before),
            None => self.emit(Instr::SetConst {
                dst: found.slot,
                words: vec![0; words.into()],
            }),
        }
        for (value, cond) in sometimes {
            let (holds, next) = (self.value(cond).slot, self.new_block());
            let look = self.new_block();
            self.branch(holds, look, next);
            self.start(look);
            let value = self.number(*value);
            let here = self.where_holds(cells, value, words);
            self.set_binary(BinaryOp::Union, found, found, here);
            self.jump(next);
            self.start(next);
        }
        found
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
