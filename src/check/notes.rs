//! Notes: what is kept up beside the rules for players to use. Rules never read or change one.

use super::checker::Checker;
use super::codes;
use crate::model::{Block, Stmt, StmtKind};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

impl<'a> Checker<'a> {
    /// `note place = e`.
    pub fn note(
        &mut self,
        place: &'a ast::Expr,
        op: ast::AssignOp,
        value: &'a ast::Expr,
        span: Span,
    ) -> Option<StmtKind> {
        self.noting += 1;
        let storing = std::mem::replace(&mut self.storing_note, true);
        let made = self.quietly("a note", |this| this.assign(place, op, value));
        self.storing_note = storing;
        self.noting -= 1;
        let stmts = vec![Stmt::new(made?, span)];
        Some(StmtKind::Note(Block { stmts }))
    }

    /// Complains about a note that is read by the rules.
    pub fn may_read_note(&mut self, var: usize, span: Span) -> Option<()> {
        self.is_there(var, span)?;
        if self.noting > 0 || !self.var_notes.get(var).copied().unwrap_or(false) {
            return Some(());
        }
        let name = &self.var_items[var].name.text;
        self.report(
            Diagnostic::error(
                codes::MISUSED_NOTE,
                span,
                format!("`{name}` is a note, and the rules do not depend on notes"),
            )
            .hint("declare it in `state` if the rules need it, or use it in `note … = …`"),
        );
        None
    }

    /// Complains about a note that the rules change, or a variable that a note changes.
    pub fn may_store(&mut self, var: usize, span: Span) -> Option<()> {
        self.is_there(var, span)?;
        let is_note = self.var_notes.get(var).copied().unwrap_or(false);
        if is_note == self.storing_note {
            return Some(());
        }
        let name = &self.var_items[var].name.text;
        let (message, hint) = if is_note {
            (
                format!("`{name}` is a note, and this is a rule"),
                format!("write `note {name} = …` to keep it up"),
            )
        } else {
            (
                format!("`{name}` is no note, and a note changes nothing else"),
                format!("leave out the word `note`, or declare `note {name} : …`"),
            )
        };
        self.report(Diagnostic::error(codes::MISUSED_NOTE, span, message).hint(hint));
        None
    }
}
