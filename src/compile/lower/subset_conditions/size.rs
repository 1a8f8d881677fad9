//! What a condition asks of how many elements a subset has.

use crate::compile::lower::invariant::hangs_on;
use crate::compile::lower::made::{binary, bound_to, not};
use crate::model::{BinaryOp, Expr, ExprKind, LocalId, UnaryOp};
use rustc_hash::FxHashSet;

/// Finds what conditions on a subset ask of its size.
pub(super) struct Needs {
    /// The names of the subset.
    pub subset: FxHashSet<LocalId>,
    /// Names whose values hang on it otherwise.
    pub hanging: FxHashSet<LocalId>,
    /// The name of how many elements it has.
    pub count: LocalId,
}

impl Needs {
    /// What holds wherever a condition does, or with `holds` false does not, and hangs on nothing of the subset but its size.
    pub fn needed(&mut self, cond: &Expr, holds: bool) -> Option<Expr> {
        match &cond.kind {
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => {
                let needed = (self.needed(left, holds), self.needed(right, holds));
                match (needed, (*op == BinaryOp::And) == holds) {
                    ((Some(one), Some(other)), true) => Some(binary(BinaryOp::And, one, other)),
                    ((one, other), true) => one.or(other),
                    ((Some(one), Some(other)), false) => Some(binary(BinaryOp::Or, one, other)),
                    _ => None,
                }
            }
            ExprKind::Unary {
                op: UnaryOp::Not,
                value,
            } => self.needed(value, !holds),
            ExprKind::Let { local, value, body } => {
                if matches!(value.kind, ExprKind::Local(of) if self.subset.contains(&of)) {
                    self.subset.insert(*local);
                    return self.needed(body, holds);
                }
                let Some(value) = self.by_size(value) else {
                    self.hanging.insert(*local);
                    return self.needed(body, holds);
                };
                let body = self.needed(body, holds)?;
                Some(match body.reads_local(*local) {
                    true => bound_to(*local, &value, body),
                    false => body,
                })
            }
            _ => {
                let cond = self.by_size(cond)?;
                Some(if holds { cond } else { not(cond) })
            }
        }
    }

    /// An expression that reads of the subset only how many elements it has; `None` if it reads anything else of it.
    fn by_size(&self, e: &Expr) -> Option<Expr> {
        let mut e = e.clone();
        self.put_size(&mut e)?;
        let reads = hangs_on(&e, &self.subset) || hangs_on(&e, &self.hanging);
        (!reads).then_some(e)
    }

    fn put_size(&self, e: &mut Expr) -> Option<()> {
        let is_size = matches!(&e.kind, ExprKind::Call { function, args, .. }
            if function.is_count()
                && matches!(args[..], [Expr { kind: ExprKind::Local(of), .. }] if self.subset.contains(&of)));
        if is_size {
            e.kind = ExprKind::Local(self.count);
            return Some(());
        }
        let mut children = e.kind.children_mut()?.into_iter();
        children.try_for_each(|child| self.put_size(child))
    }
}
