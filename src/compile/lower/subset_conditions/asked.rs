//! A condition on a subset, and the names that it is called by there.

use crate::compile::lower::conditions::{is_light, within};
use crate::model::{Expr, ExprKind, LocalId};

/// A condition on a subset, without the names that are bound around it.
#[derive(Clone)]
pub(super) struct Asked<'e> {
    pub names: Vec<LocalId>,
    pub lets: Vec<(LocalId, &'e Expr)>,
    pub cond: &'e Expr,
}

impl<'e> Asked<'e> {
    pub fn of(subset: LocalId, cond: &'e Expr) -> Asked<'e> {
        Asked {
            names: vec![subset],
            lets: Vec::new(),
            cond,
        }
    }

    /// What stands inside of the names that are bound around it; `None` where one is more than another name.
    pub fn inside(&self) -> Option<Asked<'e>> {
        let mut asked = self.clone();
        while let ExprKind::Let { local, value, body } = &asked.cond.kind {
            match value.kind {
                ExprKind::Local(of) if asked.names.contains(&of) => asked.names.push(*local),
                _ if is_light(value) => asked.lets.push((*local, &**value)),
                _ => return None,
            }
            asked.cond = body;
        }
        Some(asked)
    }

    pub fn is_subset(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Local(of) if self.names.contains(&of))
    }

    /// An expression with the names that it reads, if it reads nothing of the subset.
    pub fn apart(&self, e: &Expr) -> Option<Expr> {
        let e = within(e, &self.lets).into_owned();
        let reads = self.names.iter().any(|name| e.reads_local(*name));
        (!reads).then_some(e)
    }
}
