//! `e after { … }`: statements that are tried and undone. What may stand in them; nothing that others could notice.

use super::checker::Checker;
use super::codes;
use super::one_move::ONE_MOVE;
use crate::model::types::Type;
use crate::model::{Expr, ExprKind};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// Where it is said that nothing can be revealed.
const AFTER: &str = "an `after`, which only asks what would be";

impl<'a> Checker<'a> {
    pub fn after(
        &mut self,
        value: &'a ast::Expr,
        body: &'a ast::Block,
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        if let Some(what) = self.frame.no_state {
            self.report(
                Diagnostic::error(
                    codes::NOT_CONSTANT,
                    span,
                    format!("`after` asks what would be in play, and {what} is settled before"),
                )
                .hint("use params and constants here"),
            );
            return None;
        }
        let facts = self.frame.facts.clone();
        let loops = std::mem::take(&mut self.frame.loops);
        let diverged = self.diverged;
        let no_reveal = self.frame.no_reveal;
        self.frame.no_reveal = no_reveal.or(Some(AFTER));
        let storing = std::mem::replace(&mut self.storing_note, false);
        self.trials += 1;
        let body = self.block(body);
        self.trials -= 1;
        self.storing_note = storing;
        // What is known of the variables afterwards is known to the value.
        let value = self.expr(value, want);
        self.frame.no_reveal = no_reveal;
        self.frame.facts = facts;
        self.frame.loops = loops;
        self.diverged = diverged;
        let (body, value) = (body?, value?);
        let ty = value.ty.clone();
        if super::checker::is_const(&value) {
            return Some(value);
        }
        let value = Box::new(value);
        Some(self.make(ExprKind::After { body, value }, ty, span))
    }

    /// Why nothing can be revealed in a rule that is called here.
    pub fn no_reveal_in_rules(&self) -> Option<&'static str> {
        let tried = (self.trials > 0).then_some(AFTER);
        tried.or((self.moves > 0).then_some(ONE_MOVE))
    }

    /// Refuses a statement that could be noticed, or that would stop play, where statements are only tried. `what`: what
    /// cannot be there.
    pub fn refuse_in_trial(&mut self, what: &str, span: Span) -> Option<()> {
        if self.trials == 0 {
            return Some(());
        }
        self.report(
            Diagnostic::error(codes::NOT_IN_AFTER, span, format!("{what} in {AFTER}"))
                .hint("let the statements of an `after` only store, branch, loop and call rules that do no more"),
        );
        None
    }
}
