//! `a in S, let n = …, b in T`: names for what is computed of the values of a choice or a draw. What reads such a name reads
//! a `let` with it, wherever in the choice it stands; after it the name is bound by a statement. So there is one meaning.

use super::checker::Checker;
use super::facts::stored_by;
use super::scope::Binding;
use crate::model::{
    Block, Expr, ExprKind, LocalId, Part, Place, PlaceIndex, Stmt, StmtKind, VarId,
};
use crate::syntax::ast;
use rustc_hash::FxHashSet;

/// A value with a name.
#[derive(Clone, Debug)]
pub struct Computed {
    name: String,
    local: LocalId,
    value: Expr,
}

impl<'a> Checker<'a> {
    /// Gives a value among those of a choice or a draw a name; `None` is an error.
    pub(super) fn compute(&mut self, part: &'a ast::Part, ty: Option<&'a ast::Type>) -> Option<()> {
        let value = self.quietly("a `let` among what is chosen", |this| {
            this.let_value(ty, &part.domain)
        });
        let failed = value.is_none();
        if let Some((local, value)) = self.bind_value(&part.name, value) {
            self.computed.push(Computed {
                name: part.name.text.clone(),
                local,
                value,
            });
        }
        (!failed).then_some(())
    }

    /// An expression that may read the names of computed values, with these in it.
    pub(super) fn with_computed(&mut self, mut e: Expr) -> Expr {
        for i in (0..self.computed.len()).rev() {
            if e.reads_local(self.computed[i].local) {
                let Computed { local, value, .. } = self.computed[i].clone();
                e = self.let_in(local, value, e);
            }
        }
        e
    }

    /// The same of a place.
    pub(super) fn place_with_computed(&mut self, mut place: Place) -> Place {
        place.indices = std::mem::take(&mut place.indices)
            .into_iter()
            .map(|index| match index {
                PlaceIndex::One(e) => PlaceIndex::One(self.with_computed(e)),
                PlaceIndex::Each(e) => PlaceIndex::Each(self.with_computed(e)),
            })
            .collect();
        place
    }

    /// Takes the values away, and their names out of reach, that are computed of what has been stored to: by the `into`s of some
    /// parts, and by statements.
    pub(super) fn outdate(
        &mut self,
        computed: &mut Vec<Computed>,
        parts: Option<&[Part]>,
        stmts: &'a [ast::Stmt],
    ) {
        if computed.is_empty() {
            return;
        }
        let into = parts.into_iter().flatten().filter_map(|p| p.into.as_ref());
        let taken: FxHashSet<VarId> = into.map(|place| place.var).collect();
        let mut stored = taken.clone();
        stored.extend(stored_by(&self.names, &self.frame.names, stmts));
        let mut changed: Vec<LocalId> = Vec::new();
        for Computed { name, local, value } in computed.iter() {
            let old = value.any(|e| match &e.kind {
                ExprKind::Var { var, .. } => stored.contains(var),
                ExprKind::Local(other) => changed.contains(other),
                _ => false,
            });
            if old {
                let by_into = value
                    .any(|e| matches!(&e.kind, ExprKind::Var { var, .. } if taken.contains(var)));
                changed.push(*local);
                let mut names = self.frame.names.iter_mut().rev();
                if let Some((_, binding)) = names.find(|(n, _)| n == name) {
                    let at = value.span;
                    *binding = Binding::Outdated { at, by_into };
                }
            }
        }
        computed.retain(|one| !changed.contains(&one.local));
    }

    /// The statements that give computed values their names after the choice.
    pub(super) fn bound_again(&mut self, computed: Vec<Computed>, out: &mut Vec<Stmt>) {
        for Computed { local, value, .. } in computed {
            let span = value.span;
            self.put_stmt(StmtKind::Let { local, value }, span, out);
        }
    }

    /// A body that reads computed values, with them.
    pub(super) fn body_with_computed(&mut self, computed: &[Computed], body: Block) -> Block {
        let mut read: Vec<Computed> = Vec::new();
        for one in computed.iter().rev() {
            let reads = |e: &Expr| e.reads_local(one.local);
            if body.stmts.iter().any(|s| s.reads_local(one.local))
                || read.iter().any(|r| reads(&r.value))
            {
                read.push(one.clone());
            }
        }
        read.reverse();
        let mut stmts = Vec::new();
        self.bound_again(read, &mut stmts);
        stmts.extend(body.stmts);
        Block { stmts }
    }
}
