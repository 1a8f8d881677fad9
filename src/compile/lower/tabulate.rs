//! Loops whose result depends on a few small values alone are run beforehand, for all of these: what is left is a table.

use super::Builder;
use crate::ir::*;
use crate::model::evaluate::evaluate_within;
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, LocalId};
use crate::text::span::Span;
use rustc_hash::FxHashMap;

/// The most rows of such a table, and the most words.
pub(super) const MOST_ROWS: u64 = 1 << 10;
pub(super) const MOST_WORDS: u64 = 1 << 13;
/// The most steps that finding the values may take, for one table and for all of a game.
pub(super) const FUEL_EACH: u64 = 50_000;
pub(super) const FUEL: u64 = 400_000;
/// The same where the values are found by code.
const MOST_ROWS_RUN: u64 = 1 << 14;
const MOST_WORDS_RUN: u64 = 1 << 16;
const STEPS_EACH: u64 = 2_000_000;
pub(super) const STEPS: u64 = 8_000_000;

impl Builder<'_> {
    /// Looks a fold up in a table of its values; false where it has to be run.
    pub(super) fn tabulated(&mut self, e: &Expr, dst: Operand) -> bool {
        // Marks are reached by running.
        if self.marked() {
            return false;
        }
        let found = self.values_of(e, dst.words);
        let Some((locals, table)) = found.or_else(|| self.run_for_all(e, dst.words)) else {
            return false;
        };
        let index = self.table_index(&locals, e.span);
        let Some(index) = index else {
            return false;
        };
        let table = self.table(table);
        self.look_up(table, index, dst);
        true
    }

    /// The row of a table for the values of some locals, the last one fastest; `None` for no locals.
    pub(super) fn table_index(&mut self, locals: &[(LocalId, Type)], span: Span) -> Option<Slot> {
        let values = locals.iter().map(|(local, ty)| Expr {
            kind: ExprKind::Local(*local),
            ty: ty.clone(),
            span,
        });
        let values: Vec<Expr> = values.collect();
        self.row_of(values.iter().map(|value| (value, &value.ty)), span)
    }

    /// The locals that a value depends on, and how many combinations of theirs there are; `None` for no locals.
    pub(super) fn rows_for(&self, e: &Expr) -> Option<(Vec<(LocalId, Type)>, u64)> {
        let locals: Vec<(LocalId, Type)> = e
            .free_locals()?
            .into_iter()
            .filter(|local| !self.bound.contains_key(local))
            .map(|local| (local, self.local_type(local)))
            .collect();
        let mut rows: u64 = 1;
        for (_, ty) in &locals {
            ty.bounds()?;
            rows = rows.checked_mul(ty.size()?)?;
        }
        (!locals.is_empty()).then_some((locals, rows))
    }

    /// As [`Self::values_of`] where that is too much for the evaluator: by the code itself.
    pub(super) fn run_for_all(
        &mut self,
        e: &Expr,
        words: u16,
    ) -> Option<(Vec<(LocalId, Type)>, Table)> {
        let (locals, rows) = self.rows_for(e)?;
        if self.running.contains(&std::ptr::from_ref(e))
            || rows > MOST_ROWS_RUN
            || rows * u64::from(words) > MOST_WORDS_RUN
            || e.reveals()
        {
            return None;
        }
        let (mut slots, mut result) = (Vec::new(), None);
        self.running.push(e);
        let mut code = self.ahead(|b| {
            for (local, _) in &locals {
                let slot = b.temporary(1);
                b.locals.insert(*local, slot);
                slots.push(slot);
            }
            let dst = b.temporary(words);
            b.compute(e, dst);
            result = Some(dst);
        });
        self.running.pop();
        let given = self.run_steps.min(STEPS_EACH);
        let mut left = given;
        let types = locals.iter().map(|(_, ty)| ty);
        let keys: Vec<(&Type, Operand)> = std::iter::zip(types, slots).collect();
        let table = code.run_for_each((&keys, rows), result?, &self.tables, &mut left);
        self.run_steps -= given - left;
        Some((locals, table?))
    }

    /// The locals that a value depends on, and its value for each combination of theirs, the last local fastest.
    pub(super) fn values_of(
        &mut self,
        e: &Expr,
        words: u16,
    ) -> Option<(Vec<(LocalId, Type)>, Table)> {
        let (locals, rows) = self.rows_for(e)?;
        if rows > MOST_ROWS || rows * u64::from(words) > MOST_WORDS {
            return None;
        }
        let mut given = self.bound.clone();
        let given_out = self.fuel.min(FUEL_EACH);
        let mut fuel = given_out;
        let values = rows_of(e, &locals, (rows, words), &mut given, &mut fuel);
        self.fuel -= given_out - fuel;
        Some((
            locals,
            Table {
                words,
                values: values?,
            },
        ))
    }
}

/// The values of an expression for each combination of those of some locals.
pub(super) fn rows_of(
    e: &Expr,
    locals: &[(LocalId, Type)],
    (rows, words): (u64, u16),
    given: &mut FxHashMap<LocalId, Vec<u64>>,
    fuel: &mut u64,
) -> Option<Vec<u64>> {
    let mut values = Vec::with_capacity(rows as usize * usize::from(words));
    for row in 0..rows {
        let mut rest = row;
        for (local, ty) in locals.iter().rev() {
            let size = ty.size()?;
            given.insert(*local, vec![ty.value_at(rest % size) as u64]);
            rest /= size;
        }
        let mut value = evaluate_within(e, given, fuel)?;
        value.resize(usize::from(words), 0);
        values.append(&mut value);
    }
    Some(values)
}
