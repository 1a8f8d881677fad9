//! What hangs on few small sets alone is found for all of them while the game is compiled: each set is a number, and what is
//! left is a table.

use super::Builder;
use super::expr::one;
use super::invariant::{binds, hangs_on};
use crate::ir::*;
use crate::model::types::Type;
use crate::model::visit::Visitor;
use crate::model::{BinaryOp, Expr, ExprKind, LocalId};
use rustc_hash::FxHashSet;

/// The most rows of a table.
const MOST_ROWS: u64 = 1 << 12;
/// The most steps that finding its values may take.
const STEPS_EACH: u64 = 600_000;
/// A look-up takes about as long as so many steps.
const WORTH: u64 = 10;
/// And as many more for each time that so many rows go into the table, which takes room in the caches.
const ROWS_A_STEP: u64 = 100;

impl Builder<'_> {
    /// Looks up a value that hangs on small sets; false where it has to be computed.
    pub(super) fn tabulated_by_sets(&mut self, e: &Expr, dst: Operand) -> bool {
        // Marks are reached by running; inside of what is run it is run.
        if self.marked() || !self.running.is_empty() || !is_candidate(e) {
            return false;
        }
        let Some(keys) = self.keys_of(e) else {
            return false;
        };
        let Some(table) = self.rows_by_sets(e, &keys) else {
            return false;
        };
        let index = self.row_of(keys.iter().map(|key| (key, &key.ty)), e.span);
        let Some(index) = index else {
            return false;
        };
        let table = self.table(table);
        self.look_up(table, index, dst);
        true
    }

    /// The outermost expressions without loops that a value reads, if it reads nothing else of the state and they have few values
    /// together; `None` also where there is no set among them.
    fn keys_of(&self, e: &Expr) -> Option<Vec<Expr>> {
        if e.reveals() || !self.is_total(e) {
            return None;
        }
        let mut search = Keys {
            builder: self,
            inner: FxHashSet::default(),
            found: Vec::new(),
            rows: 1,
            fails: false,
        };
        search.inside(e);
        let with_set = search.found.iter().any(|key| key.ty.element().is_some());
        (with_set && !search.fails).then_some(search.found)
    }

    /// The value for each combination of those of its keys, the last one fastest, where that is worth it.
    fn rows_by_sets(&mut self, e: &Expr, keys: &[Expr]) -> Option<Table> {
        let (before, mut given) = (self.named, Vec::new());
        let mut result = one(0);
        self.running.push(e);
        let mut code = self.ahead(|b| {
            for key in keys {
                let slot = b.temporary(1);
                given.push(slot);
                b.given.push((key.clone(), slot));
            }
            result = b.temporary(1);
            b.compute(e, result);
        });
        self.running.pop();
        if code.reads_below(before, &[]) {
            return None;
        }
        let keys: Vec<(&Type, Operand)> = keys.iter().map(|key| &key.ty).zip(given).collect();
        let sizes = keys.iter().map(|(ty, _)| ty.field_size());
        let rows = sizes.product::<Option<u64>>()?;
        let allowed = self.run_steps.min(STEPS_EACH);
        let mut left = allowed;
        let table = code.run_for_each((&keys, rows), result, &self.tables, &mut left);
        let steps = allowed - left;
        self.run_steps -= steps;
        let worth = steps / rows >= WORTH + rows / ROWS_A_STEP;
        table.filter(|_| worth)
    }
}

/// What may take many steps.
fn is_candidate(e: &Expr) -> bool {
    let long = matches!(
        e.kind,
        ExprKind::Fold(_)
            | ExprKind::If { .. }
            | ExprKind::Match { .. }
            | ExprKind::Binary {
                op: BinaryOp::And | BinaryOp::Or,
                ..
            }
    );
    long && matches!(
        e.ty,
        Type::Bool | Type::Int { .. } | Type::Enum(_) | Type::Player(_)
    )
}

/// Looks for what a value is looked up by.
struct Keys<'b, 'd> {
    builder: &'b Builder<'d>,
    /// What is bound inside.
    inner: FxHashSet<LocalId>,
    found: Vec<Expr>,
    /// How many combinations of their values there are.
    rows: u64,
    fails: bool,
}

/// The most values of a key that is no set.
const MOST_VALUES: u64 = 64;

impl Keys<'_, '_> {
    fn inside(&mut self, e: &Expr) {
        self.inner.extend(binds(e));
        e.walk(self);
    }

    /// How many values an expression has that may be a key.
    fn values(&self, e: &Expr) -> Option<u64> {
        let size = e.ty.field_size()?;
        let few = size <= MOST_VALUES || e.ty.element().is_some();
        (few && reads(e)? && !hangs_on(e, &self.inner)).then_some(size)
    }

    fn add(&mut self, e: &Expr, values: u64) {
        if !self.found.iter().any(|key| key.is_same(e)) {
            self.rows = self.rows.saturating_mul(values);
            self.fails |= self.rows > MOST_ROWS;
            self.found.push(e.clone());
        }
    }
}

impl<'e> Visitor<'e> for Keys<'_, '_> {
    fn expr(&mut self, e: &'e Expr) {
        if self.fails {
            return;
        }
        let known = |local| self.inner.contains(local) || self.builder.bound.contains_key(local);
        match &e.kind {
            ExprKind::Local(local) if known(local) => {}
            _ => match self.values(e) {
                Some(values) => self.add(e, values),
                None => match e.kind {
                    ExprKind::Local(_)
                    | ExprKind::Var { .. }
                    | ExprKind::After { .. }
                    | ExprKind::Told { .. }
                    | ExprKind::Shown { .. } => self.fails = true,
                    _ => self.inside(e),
                },
            },
        }
    }
}

/// Whether an expression of few steps reads anything; `None` where it may take more steps.
fn reads(e: &Expr) -> Option<bool> {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::ConstSet(_) => Some(false),
        ExprKind::Local(_) | ExprKind::Var { .. } => Some(true),
        ExprKind::Binary {
            op: BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Difference,
            left,
            right,
        } => Some(reads(left)? | reads(right)?),
        _ => None,
    }
}
