//! Loops inside expressions that need no look at each element: how many there are, whether there is one, and what all of them
//! have beside them.

use super::Builder;
use super::apart::conditions_of;
use super::expr::one;
use crate::ir::*;
use crate::model::{Expr, Fold, FoldOp};
use std::borrow::Cow;

impl Builder<'_> {
    /// Writes a fold without a loop; false where it takes one.
    pub(super) fn folded_at_once(&mut self, fold: &Fold, dst: Operand) -> bool {
        match fold.op {
            FoldOp::Count | FoldOp::Some | FoldOp::No | FoldOp::Every => {
                let whole = fold.op == FoldOp::Every || self.known_of(fold).is_none();
                let left = match whole {
                    true => fold.cond.iter().map(Cow::Borrowed).collect(),
                    false => self.left_of(fold, conditions_of(fold)),
                };
                let mut conds: Vec<&Expr> = left.iter().map(|cond| &**cond).collect();
                conds.extend(whole.then_some(&fold.body));
                let kept = match (&conds[..], fold.op) {
                    ([cond], FoldOp::Some | FoldOp::No) => {
                        let any = self.any_kept(fold.local, &fold.domain, cond);
                        any.map(|any| vec![any])
                    }
                    _ => self.kept_one_by_one(fold.local, &fold.domain, &conds),
                };
                let kept = kept.unwrap_or_default();
                let mut kept = kept.iter().rev();
                let Some(last) = kept.next() else {
                    return false;
                };
                self.told_of(fold, (*kept.next().unwrap_or(last), *last), dst);
                true
            }
            FoldOp::Union if fold.cond.is_none() => self.beside(fold, dst),
            _ => false,
        }
    }

    /// What is asked of the elements for which the body holds, and of all.
    fn told_of(&mut self, fold: &Fold, (all, kept): (Operand, Operand), dst: Operand) {
        if fold.op == FoldOp::Count {
            return self.emit(Instr::SetCount {
                dst: dst.slot,
                set: kept,
            });
        }
        if fold.op == FoldOp::Every {
            let same = self.equal(all, kept);
            return self.copy(dst, one(same));
        }
        let none = self.constant_operand(&fold.domain.ty, &[]);
        let empty = self.equal(kept, none);
        match fold.op {
            FoldOp::Some => self.emit(Instr::Not {
                dst: dst.slot,
                a: empty,
            }),
            _ => self.copy(dst, one(empty)),
        }
    }

    /// The union of what a table has for each element, where that is found by shifts.
    fn beside(&mut self, fold: &Fold, dst: Operand) -> bool {
        if self.marked() || fold.body.ty.words() != fold.domain.ty.words() {
            return false;
        }
        let words = dst.words;
        let Some(element) = fold.domain.ty.element() else {
            return false;
        };
        if self.type_of_local(fold.local) != element || !self.is_total(&fold.body) {
            return false;
        }
        self.bound.remove(&fold.local);
        let Some((locals, table)) = self.values_of(&fold.body, words) else {
            return false;
        };
        let alone = matches!(&locals[..], [(local, ty)] if *local == fold.local && ty == element);
        let rows = element.size().unwrap_or(0) * u64::from(words);
        if !alone || table.values.len() as u64 != rows || Lattice::new(&table).is_none() {
            return false;
        }
        let src = self.value(&fold.domain);
        let (found, table) = (self.temporary(words), self.table(table));
        self.emit(Instr::SetNeighbours {
            dst: found,
            src,
            table,
        });
        self.copy(dst, found);
        true
    }

    /// The elements of the set of a fold for which its condition holds, where no element has to be looked at by itself and the
    /// loop is not written out.
    pub(super) fn asked_at_once(&mut self, fold: &Fold) -> Option<Operand> {
        let cond = fold.cond.as_ref()?;
        if self.is_unrolled(&fold.domain) {
            return None;
        }
        self.kept_at_once(fold.local, &fold.domain, cond)
    }
}
