//! What stands around a place of `play`: the statement that it is in, and the blocks around that.

use crate::model::visit::Visitor;
use crate::model::*;
use crate::text::span::Span;

/// The statements around a place, each by its block and its number there, innermost last.
pub(super) struct Surroundings<'d> {
    at: Span,
    path: Vec<(&'d [Stmt], usize)>,
}

impl<'d> Surroundings<'d> {
    pub fn find(d: &'d Description, at: Span) -> Surroundings<'d> {
        let mut search = Search {
            at,
            path: Vec::new(),
            found: Vec::new(),
        };
        search.block(&d.play.stmts);
        Surroundings {
            at,
            path: search.found,
        }
    }

    /// The blocks around, innermost first, each with the number of the statement in it.
    pub fn blocks(&self) -> Vec<(&'d [Stmt], usize)> {
        self.path.iter().rev().copied().collect()
    }

    pub fn stmt(&self) -> Option<&'d Stmt> {
        let (stmts, n) = self.path.last()?;
        stmts.get(*n)
    }

    /// The choice that the place is in, alone or in a `together`; where it is a `together` itself, the first one.
    pub fn choice(&self) -> Option<&'d Choice> {
        match &self.stmt()?.kind {
            StmtKind::Choice(choice) => Some(choice),
            StmtKind::Together(arms) => {
                let own = arms.iter().find(|a| a.choice.span.contains(self.at));
                own.or(arms.first()).map(|arm| &arm.choice)
            }
            _ => None,
        }
    }
}

/// Rules stand where they are called, with the spans of their texts: what is inside a statement may lie anywhere.
struct Search<'d> {
    at: Span,
    path: Vec<(&'d [Stmt], usize)>,
    found: Vec<(&'d [Stmt], usize)>,
}

impl<'d> Search<'d> {
    fn block(&mut self, stmts: &'d [Stmt]) {
        for (n, stmt) in stmts.iter().enumerate() {
            self.path.push((stmts, n));
            if stmt.span.contains(self.at) && self.path.len() > self.found.len() {
                self.found.clone_from(&self.path);
            }
            for block in blocks(stmt) {
                self.block(&block.stmts);
            }
            self.path.pop();
        }
    }
}

/// The blocks right inside a statement.
fn blocks(stmt: &Stmt) -> Vec<&Block> {
    match &stmt.kind {
        StmtKind::If {
            then, otherwise, ..
        } => vec![then, otherwise],
        StmtKind::Match {
            arms, otherwise, ..
        } => arms.iter().map(|a| &a.body).chain(otherwise).collect(),
        StmtKind::Each { body, .. }
        | StmtKind::Repeat { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::Turns { body, .. }
        | StmtKind::AtOnce { body, .. }
        | StmtKind::Block(body) => vec![body],
        StmtKind::OneMove(one) => [&one.body].into_iter().chain(&one.otherwise).collect(),
        StmtKind::Choice(choice) => bodies(choice).collect(),
        StmtKind::Together(arms) => arms.iter().flat_map(|a| bodies(&a.choice)).collect(),
        _ => Vec::new(),
    }
}

fn bodies(choice: &Choice) -> impl Iterator<Item = &Block> {
    let alternatives = choice.alternatives.iter().map(|a| &a.body);
    alternatives.chain(&choice.otherwise)
}

/// The state variables that are read within a statement, with the places of that.
pub(super) fn reads(stmt: &Stmt) -> Vec<(VarId, Span)> {
    struct Reads(Vec<(VarId, Span)>);
    impl<'d> Visitor<'d> for Reads {
        fn expr(&mut self, e: &'d Expr) {
            if let ExprKind::Var { var, .. } = &e.kind {
                self.0.push((*var, e.span));
            }
            e.walk(self);
        }
    }
    let mut all = Reads(Vec::new());
    stmt.walk(&mut all);
    all.0
}

/// Whether a variable is stored to within a statement.
pub(super) fn stores(stmt: &Stmt, var: VarId) -> bool {
    struct Stores {
        var: VarId,
        found: bool,
    }
    impl<'d> Visitor<'d> for Stores {
        fn expr(&mut self, _: &'d Expr) {}

        fn stmt(&mut self, s: &'d Stmt) {
            if let StmtKind::Store { place, .. } = &s.kind {
                self.found |= place.var == self.var;
            }
            s.walk(self);
        }

        fn part(&mut self, p: &'d Part) {
            self.found |= p.into.as_ref().is_some_and(|place| place.var == self.var);
        }
    }
    let mut all = Stores { var, found: false };
    all.stmt(stmt);
    all.found
}
