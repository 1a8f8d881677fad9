//! What cannot be an error of play because of what is asked before: `pile == {} or c > max(pile)`.
//!
//! [`Builder::is_total`] looks at each part of an expression by itself. Here a part may count on what holds where it is
//! computed: the conditions around it, and that there is an element where a loop is at one.

use super::Builder;
use crate::model::facts::{Fact, Key, facts_of, has_elements, key_of};
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, Part};

impl Builder<'_> {
    /// Whether an expression has a value wherever parts have values.
    pub(super) fn never_fails(&self, parts: &[Part], e: &Expr) -> bool {
        self.is_total(e) || self.has_value(e, &mut nonempty_parts(parts))
    }

    /// How many of the first of some conditions have a value where those before them hold.
    pub(super) fn count_of_safe<'e>(
        &self,
        parts: &[Part],
        conds: impl Iterator<Item = &'e Expr>,
    ) -> usize {
        let mut known = nonempty_parts(parts);
        let safe = conds.take_while(|cond| {
            let has_value = self.is_total(cond) || self.has_value(cond, &mut known);
            facts_of(cond, true, &mut known);
            has_value
        });
        safe.count()
    }

    fn has_value(&self, e: &Expr, known: &mut Vec<Fact>) -> bool {
        let before = known.len();
        let has_value = self.has_value_within(e, known);
        known.truncate(before);
        has_value
    }

    fn has_value_within(&self, e: &Expr, known: &mut Vec<Fact>) -> bool {
        match &e.kind {
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => {
                if !self.has_value(left, known) {
                    return false;
                }
                facts_of(left, *op == BinaryOp::And, known);
                self.has_value(right, known)
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                let ways = [(true, then), (false, otherwise)];
                self.has_value(cond, known)
                    && ways.into_iter().all(|(holds, way)| {
                        let before = known.len();
                        facts_of(cond, holds, known);
                        let has_value = self.has_value(way, known);
                        known.truncate(before);
                        has_value
                    })
            }
            ExprKind::Let { local, value, body } => {
                if !self.has_value(value, known) {
                    return false;
                }
                if self.has_elements(value, known) {
                    known.push(nonempty(Key::Local(*local)));
                }
                self.has_value(body, known)
            }
            ExprKind::Fold(fold) => self.fold_has_value(e, fold, known),
            ExprKind::Call { function, args, .. } => {
                let of_elements = function.is_total_of_elements()
                    && matches!(&args[..], [set] if self.has_elements(set, known));
                (of_elements || self.is_total_itself(e))
                    && args.iter().all(|e| self.has_value(e, known))
            }
            _ => {
                let mut all = self.is_total_itself(e);
                e.for_each_child(|child| all = all && self.has_value(child, known));
                all
            }
        }
    }

    fn fold_has_value(&self, e: &Expr, fold: &Fold, known: &mut Vec<Fact>) -> bool {
        let ends = matches!(fold.op, FoldOp::Min | FoldOp::Max);
        let itself = match ends {
            true => fold.cond.is_none() && self.has_elements(&fold.domain, known),
            false => self.is_total_itself(e),
        };
        if !itself || !self.has_value(&fold.domain, known) {
            return false;
        }
        known.extend(key_of(&fold.domain).map(nonempty));
        if let Some(cond) = &fold.cond {
            if !self.has_value(cond, known) {
                return false;
            }
            facts_of(cond, true, known);
        }
        self.has_value(&fold.body, known)
    }

    /// Whether a set certainly has an element.
    fn has_elements(&self, set: &Expr, known: &[Fact]) -> bool {
        has_elements(set, known, &|set| {
            let words = self.constant(set)?;
            Some(words.iter().any(|word| *word != 0))
        })
    }
}

/// The parts that are subsets with an element at least.
fn nonempty_parts(parts: &[Part]) -> Vec<Fact> {
    let subsets = parts.iter().filter(|part| {
        let least = part
            .sizes
            .as_ref()
            .and_then(|sizes| sizes.least.ty.bounds());
        least.is_some_and(|(least, _)| least > 0)
    });
    subsets
        .map(|part| nonempty(Key::Local(part.local)))
        .collect()
}

fn nonempty(key: Key) -> Fact {
    Fact {
        key,
        nonempty: true,
    }
}
