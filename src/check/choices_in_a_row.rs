//! Choices of `one move` between which nothing is done: they are one choice of several parts.

use super::checker::Checker;
use crate::model::{Alternative, BinaryOp, Block, Choice, Expr, ExprKind, Stmt, StmtKind, Text};

impl Checker<'_> {
    /// The statements of a move, where choices that follow one another at once are one choice.
    pub(super) fn join_choices(&mut self, body: Block) -> Block {
        let mut stmts: Vec<Stmt> = Vec::new();
        for stmt in body.stmts {
            let joined = stmts.last().and_then(|last| self.joined(last, &stmt));
            match joined {
                Some(joined) => {
                    stmts.pop();
                    stmts.push(joined);
                }
                None => stmts.push(stmt),
            }
        }
        Block { stmts }
    }

    fn joined(&mut self, first: &Stmt, second: &Stmt) -> Option<Stmt> {
        let (StmtKind::Choice(choice), StmtKind::Choice(other)) = (&first.kind, &second.kind)
        else {
            return None;
        };
        let (a, b) = (product(choice)?, product(other)?);
        let stores = !a.body.stmts.is_empty() || a.parts.iter().any(|part| part.into.is_some());
        if stores || first.reading.is_some() || second.reading.is_some() {
            return None;
        }
        // What can be an error of play is looked at where the condition before holds.
        if a.cond.is_some() && !b.parts.iter().all(|part| self.cannot_fail(&part.domain)) {
            return None;
        }
        let text = match (&a.text, &b.text) {
            (None, None) => None,
            (Some(a), Some(b)) => Some(one_after_the_other(a, b)?),
            _ => return None,
        };
        let span = first.span.to(second.span);
        let cond = match (a.cond.clone(), b.cond.clone()) {
            (Some(a), Some(b)) => Some(self.truth(BinaryOp::And, a, b, span)),
            (a, b) => a.or(b),
        };
        let alternative = Alternative {
            parts: a.parts.iter().chain(&b.parts).cloned().collect(),
            cond,
            text,
            body: b.body.clone(),
            span,
            ..a.clone()
        };
        let choice = Choice {
            alternatives: vec![alternative],
            span,
            ..choice.clone()
        };
        Some(Stmt {
            kind: StmtKind::Choice(choice),
            span,
            ..first.clone()
        })
    }

    /// Whether a set has a value whatever the state, as far as is seen at once.
    fn cannot_fail(&self, set: &Expr) -> bool {
        let mut total = true;
        set.for_each(|e| {
            total &= match &e.kind {
                ExprKind::Const(_)
                | ExprKind::ConstSet(_)
                | ExprKind::Local(_)
                | ExprKind::Call { table: Some(_), .. }
                | ExprKind::SetOf(_)
                | ExprKind::RangeSet { .. }
                | ExprKind::If { .. }
                | ExprKind::Unary { .. } => true,
                ExprKind::Var { var, indices } => {
                    let types = self.vars[var.0 as usize].index_types();
                    std::iter::zip(indices, types).all(|(index, ty)| index.ty == ty)
                }
                ExprKind::Binary { op, .. } => !matches!(op, BinaryOp::Div | BinaryOp::Mod),
                ExprKind::Fold(fold) => fold.is_filter(),
                _ => false,
            };
        });
        total
    }
}

/// The parts of a choice that has nothing but them.
fn product(choice: &Choice) -> Option<&Alternative> {
    match choice.alternatives.as_slice() {
        [a] if a.label.is_none() && a.which.is_none() && choice.otherwise.is_none() => Some(a),
        _ => None,
    }
}

/// Two texts in a row, if they say the same of all options.
fn one_after_the_other(a: &Text, b: &Text) -> Option<Text> {
    let plain = |text: &Text| text.cases.is_empty() && text.hidden.is_none();
    (plain(a) && plain(b)).then(|| Text {
        parts: a.parts.iter().chain(&b.parts).cloned().collect(),
        ..a.clone()
    })
}
