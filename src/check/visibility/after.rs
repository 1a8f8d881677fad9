//! `e after { … }`: whoever could know everything that the statements and e look at could know its value.
//!
//! A variable that is stored to keeps its viewers, so that e may seem more secret than it is, never less.

use super::Checker;
use super::label::Clean;
use crate::model::*;

impl Checker<'_> {
    pub(super) fn label_after(&mut self, body: &Block, value: &Expr) -> PlayerSet {
        let known = self.label_stmts(body);
        known & self.label(value)
    }

    fn label_stmts(&mut self, block: &Block) -> PlayerSet {
        let mut known = self.everyone;
        for stmt in &block.stmts {
            known &= self.label_stmt(stmt);
        }
        known
    }

    /// Who could know everything that a statement looks at.
    fn label_stmt(&mut self, stmt: &Stmt) -> PlayerSet {
        match &stmt.kind {
            StmtKind::Let { local, value } => {
                let known = self.label(value);
                self.bind_let(*local, value);
                known
            }
            StmtKind::Store { place, value, .. } => {
                let mut known = self.label(value);
                for index in &place.indices {
                    let (PlaceIndex::One(e) | PlaceIndex::Each(e)) = index;
                    known &= self.label(e);
                }
                known
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                let known = self.label(cond);
                known
                    & match self.eval_bool(cond) {
                        Some(true) => self.label_stmts(then),
                        Some(false) => self.label_stmts(otherwise),
                        None => self.label_stmts(then) & self.label_stmts(otherwise),
                    }
            }
            StmtKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let mut known = self.label(scrutinee);
                for arm in arms {
                    known &= self.label_stmts(&arm.body);
                }
                if let Some(block) = otherwise {
                    known &= self.label_stmts(block);
                }
                known
            }
            StmtKind::Each {
                local,
                domain,
                cond,
                body,
            } => {
                let known = self.label(domain);
                let ty = self.d.local(*local).ty.clone();
                let values = self.instances(&ty, Some(domain));
                known & self.label_rounds(*local, known, values, cond.as_ref(), body)
            }
            StmtKind::Turns {
                local,
                first,
                among,
                cond,
                body,
                ..
            } => {
                let known = self.label(first) & self.label(among);
                let ty = self.d.local(*local).ty.clone();
                let values = self.instances(&ty, None);
                known & self.label_rounds(*local, known, values, cond.as_ref(), body)
            }
            StmtKind::Repeat { count: e, body } | StmtKind::While { cond: e, body, .. } => {
                self.label(e) & self.label_stmts(body)
            }
            StmtKind::Expr(e) => self.label(e),
            // A note matters only to notes, but so may the value.
            StmtKind::Block(block) | StmtKind::Note(block) => self.label_stmts(block),
            // A break happens under conditions that count already; nothing else may stand here.
            StmtKind::Break | StmtKind::Continue => self.everyone,
            StmtKind::Together(_)
            | StmtKind::Choice(_)
            | StmtKind::Draw(_)
            | StmtKind::Deal(_)
            | StmtKind::End(_) => PlayerSet::EMPTY,
        }
    }

    fn label_rounds(
        &mut self,
        local: LocalId,
        label: PlayerSet,
        values: Option<Vec<u64>>,
        cond: Option<&Expr>,
        body: &Block,
    ) -> PlayerSet {
        let mut known = self.everyone;
        let rounds: Vec<Option<u64>> = match values {
            Some(list) => list.into_iter().map(Some).collect(),
            None => vec![None],
        };
        for value in rounds {
            self.bind(local, label, Clean::known(label), value.map(|v| vec![v]));
            if let Some(cond) = cond {
                known &= self.label(cond);
                if self.eval_bool(cond) == Some(false) {
                    continue;
                }
            }
            known &= self.label_stmts(body);
        }
        known
    }
}
