//! What follows for other values when a branch is decided.

use super::super::bounds::{Bounds, FULL, intersection};
use super::{Args, Kind, Value, Values};
use crate::ir::*;
use rustc_hash::FxHashMap;

/// How far what a branch says is followed back.
const MOST_DEEP: u32 = 6;

impl Values<'_> {
    /// What follows for other values when a branch on a value is decided. `own`: closer bounds than those that always hold.
    pub fn implied(
        &mut self,
        value: Value,
        yes: bool,
        own: &FxHashMap<Value, Bounds>,
    ) -> Vec<(Value, Bounds)> {
        let mut implied = Vec::new();
        self.imply(value, yes, own, MOST_DEEP, &mut implied);
        implied
    }

    fn imply(
        &mut self,
        value: Value,
        yes: bool,
        own: &FxHashMap<Value, Bounds>,
        deep: u32,
        implied: &mut Vec<(Value, Bounds)>,
    ) {
        let said = i64::from(yes);
        implied.push((value, (said, said)));
        let Kind::Computed { by, .. } = self.kinds[value as usize] else {
            return;
        };
        if deep == 0 {
            return;
        }
        let c = &self.computations[by as usize];
        let (op, a, b) = match (&c.instr, &c.args[..]) {
            (Instr::Not { .. }, &[a]) => {
                // What is negated may be any number other than 0.
                if yes || self.bounds(a) == (0, 1) {
                    self.imply(a, !yes, own, deep - 1, implied);
                }
                return;
            }
            (Instr::Binary { op, .. }, &[a, b]) => (*op, a, b),
            (Instr::SetEq { words: 1, .. }, &[a, b]) => (Op::Eq, a, b),
            (Instr::Immediate { op, value, .. }, &[a]) => {
                let (op, value) = (*op, *value);
                (op, a, self.known(value as u64))
            }
            _ => return,
        };
        let bounds = |v: Value| intersection(self.bounds(v), own.get(&v).copied().unwrap_or(FULL));
        let (x, y) = (bounds(a), bounds(b));
        // Which of them is less than the other, and by how much at least.
        let (less, more, by) = match (op, yes) {
            (Op::And, true) | (Op::Or, false) => {
                if self.bounds(a) == (0, 1) && self.bounds(b) == (0, 1) {
                    self.imply(a, yes, own, deep - 1, implied);
                    self.imply(b, yes, own, deep - 1, implied);
                }
                return;
            }
            (Op::Eq, true) | (Op::Ne, false) => return implied.extend([(a, y), (b, x)]),
            (Op::Eq, false) | (Op::Ne, true) => {
                return implied.extend([(a, without(x, y)), (b, without(y, x))]);
            }
            (Op::Lt, true) => (a, b, 1),
            (Op::Lt, false) => (b, a, 0),
            (Op::Le, true) => (a, b, 0),
            (Op::Le, false) => (b, a, 1),
            _ => return,
        };
        let (x, y) = (bounds(less), bounds(more));
        implied.push((less, (i64::MIN, y.1.saturating_sub(by))));
        implied.push((more, (x.0.saturating_add(by), i64::MAX)));
        if self.constant(less).is_some() || self.constant(more).is_some() {
            return;
        }
        let follows = [
            (Op::Le, less, more, 1),
            (Op::Lt, more, less, 0),
            (Op::Lt, less, more, 1),
            (Op::Le, more, less, 0),
            (Op::Eq, less, more, 0),
            (Op::Ne, less, more, 1),
        ];
        // The first two also where both may be equal.
        let n = if by == 1 { follows.len() } else { 2 };
        for &(op, a, b, said) in &follows[..n] {
            let instr = Instr::Binary {
                op,
                dst: 0,
                a: 0,
                b: 0,
            };
            let same = self.computed(&instr, &Args::from_slice(&[a, b]));
            implied.extend(same.into_iter().flatten().map(|v| (v, (said, said))));
        }
    }
}

/// What is left of bounds without a single value at one of their ends.
fn without(a: Bounds, single: Bounds) -> Bounds {
    match single {
        (lo, hi) if lo != hi || a.0 == a.1 => a,
        (v, _) if v == a.0 => (a.0 + 1, a.1),
        (v, _) if v == a.1 => (a.0, a.1 - 1),
        _ => a,
    }
}
