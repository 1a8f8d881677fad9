//! What formulas are made of.

use crate::model::visit::Visitor;
use crate::model::*;

/// The variables that formulas read, by their indices, and the names, but those that stand for something within them.
#[derive(Default)]
pub(super) struct Reads<'d> {
    pub vars: Vec<(VarId, &'d [Expr])>,
    pub names: Vec<LocalId>,
    bound: Vec<LocalId>,
}

impl<'d> Reads<'d> {
    pub fn of(e: &'d Expr) -> Reads<'d> {
        let mut reads = Reads::default();
        reads.expr(e);
        reads.without_bound()
    }

    /// Of all that says what the options of a choice are.
    pub fn of_options(choice: &'d Choice) -> Reads<'d> {
        let mut reads = Reads::default();
        for a in &choice.alternatives {
            for part in &a.parts {
                reads.bound.push(part.local);
                reads.expr(&part.domain);
                let sizes = part.sizes.iter().flat_map(Sizes::exprs);
                sizes.for_each(|e| reads.expr(e));
            }
            a.cond.iter().for_each(|e| reads.expr(e));
        }
        reads.without_bound()
    }

    fn without_bound(mut self) -> Reads<'d> {
        self.names.retain(|name| !self.bound.contains(name));
        self.names.sort_unstable();
        self.names.dedup();
        self
    }
}

impl<'d> Visitor<'d> for Reads<'d> {
    fn expr(&mut self, e: &'d Expr) {
        match &e.kind {
            ExprKind::Var { var, indices } => self.vars.push((*var, indices)),
            ExprKind::Local(name) => self.names.push(*name),
            ExprKind::Let { local, .. } | ExprKind::Array { local, .. } => self.bound.push(*local),
            ExprKind::Fold(fold) => self.bound.push(fold.local),
            _ => {}
        }
        e.walk(self);
    }
}
