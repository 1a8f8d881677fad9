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
/// After so many rows it is seen whether the others can be found in the steps that are left, if they take no more than half as
/// many each.
pub(super) const FIRST_ROWS: u64 = 8;

/// So many formulas in one place are kept, the latest: those of a def for other arguments.
const MOST_ALIKE: usize = 16;

/// The tables that were looked for, by where the formulas stand, by how many words a row has and by whether code was run. A
/// formula of a def stands in one place and is written for each call, with names of its own.
pub(super) type LookedFor = FxHashMap<(Span, u16, bool), Vec<Found>>;

pub(super) struct Found {
    of: Expr,
    locals: Vec<(LocalId, Type)>,
    /// The names in it that stood for a constant, which differs from place to place.
    bound: Vec<(LocalId, Vec<u64>)>,
    table: Option<Table>,
}

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

    /// The same for what is made by loops of several kinds: the formula of a def, as a rule.
    pub(super) fn tabulated_by_cases(&mut self, e: &Expr, dst: Operand) -> bool {
        let by_cases = matches!(
            e.kind,
            ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Let { .. }
        );
        by_cases && e.any(|e| matches!(e.kind, ExprKind::Fold(_))) && self.tabulated(e, dst)
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
        let table = self.once((e, words, true), &locals, |b| {
            b.by_code(e, words, (&locals, rows))
        });
        Some((locals, table?))
    }

    fn by_code(
        &mut self,
        e: &Expr,
        words: u16,
        (locals, rows): (&[(LocalId, Type)], u64),
    ) -> Option<Table> {
        let (mut slots, mut result) = (Vec::new(), None);
        self.running.push(e);
        let mut code = self.ahead(|b| {
            for (local, _) in locals {
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
        table
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
        let table = self.once((e, words, false), &locals, |b| {
            let mut given = b.bound.clone();
            let given_out = b.fuel.min(FUEL_EACH);
            let mut fuel = given_out;
            let values = rows_of(e, &locals, (rows, words), &mut given, &mut fuel);
            b.fuel -= given_out - fuel;
            values.map(|values| Table { words, values })
        });
        Some((locals, table?))
    }

    /// The table of a formula, which is looked for once for all that are alike.
    fn once(
        &mut self,
        (e, words, run): (&Expr, u16, bool),
        locals: &[(LocalId, Type)],
        find: impl FnOnce(&mut Self) -> Option<Table>,
    ) -> Option<Table> {
        let bound = self.bound_in(e);
        let before = self.looked_for.get(&(e.span, words, run)).into_iter();
        for found in before.flatten() {
            let pairs = || std::iter::zip(&found.locals, locals);
            if found.bound == bound
                && found.locals.len() == locals.len()
                && pairs().all(|(a, b)| a.1 == b.1)
                && (found.of).is_same_for(e, pairs().map(|(a, b)| (a.0, b.0)).collect())
            {
                return found.table.clone();
            }
        }
        let table = find(self);
        let found = Found {
            of: e.clone(),
            locals: locals.to_vec(),
            bound,
            table: table.clone(),
        };
        let all = self.looked_for.entry((e.span, words, run)).or_default();
        if all.len() == MOST_ALIKE {
            all.remove(0);
        }
        all.push(found);
        table
    }

    /// The names in an expression that stand for a constant here.
    fn bound_in(&self, e: &Expr) -> Vec<(LocalId, Vec<u64>)> {
        let mut bound = Vec::new();
        e.for_each(|e| {
            if let ExprKind::Local(local) = e.kind
                && let Some(words) = self.bound.get(&local)
                && !bound.iter().any(|(known, _)| *known == local)
            {
                bound.push((local, words.clone()));
            }
        });
        bound
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
    let given_out = *fuel;
    for row in 0..rows {
        if row == FIRST_ROWS && is_too_long(given_out - *fuel, *fuel, rows) {
            return None;
        }
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

/// Whether the steps that are left are too few for the other rows, by what the first ones took.
pub(super) fn is_too_long(taken: u64, left: u64, rows: u64) -> bool {
    taken / 2 * (rows - FIRST_ROWS) / FIRST_ROWS > left
}
