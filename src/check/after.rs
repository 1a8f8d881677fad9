//! `e after { … }`: statements that are tried and undone. What may stand in them; nothing that others could notice.

use super::checker::Checker;
use super::codes;
use super::collections::Over;
use super::one_move::ONE_MOVE;
use crate::model::types::Type;
use crate::model::{BinaryOp, Block, Expr, ExprKind, StmtKind, VarId};
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

    /// Notes that of an `or` the right side alone is asked after statements that store what the left one reads. Brackets
    /// around the right side say that it is meant.
    pub fn note_half_asked(
        &mut self,
        (left, right): (&ast::Expr, &ast::Expr),
        (x, y): (&Expr, &Expr),
        span: Span,
    ) {
        let (Some(asked), Some(body)) = (asked_after(right, span.end), tried(y)) else {
            return;
        };
        let stored = stored_by(body);
        if !reads(x, &stored) || x.any(|e| matches!(e.kind, ExprKind::After { .. })) {
            return;
        }
        let (start, end) = (left.span.start, asked.span.end);
        let message = "`after` binds tighter than this `or`, whose left side is asked of the state as it is now";
        self.report_live(
            Diagnostic::note_of(codes::HALF_ASKED, left.span, message)
                .note(asked.span, "this alone is asked after the statements")
                .hint("if both are meant, write `(a or b) after { … }`, and if not, `a or (b after { … })`")
                .edit(Span { start, end: start }, "(")
                .edit(Span { start: end, end }, ")"),
        );
    }

    /// Notes that of a question to a set what it asks alone is asked after statements that store what the set is made of, and try
    /// nothing with the element. Brackets around what is asked say that it is meant.
    pub fn note_set_of_now(&mut self, asked: &ast::Expr, over: &Over<Expr>, span: Span) {
        let (Some(asked), Some(body)) = (asked_after(asked, span.end), tried(&over.body)) else {
            return;
        };
        let stored = stored_by(body);
        let of_now = std::iter::once(&over.domain).chain(&over.cond);
        let tries = |e: &Expr| matches!(e.kind, ExprKind::Local(local) if local == over.local);
        let mut each = false;
        body.for_each_expr(|e| each |= tries(e));
        if each || !of_now.clone().any(|e| reads(e, &stored)) {
            return;
        }
        let (start, end) = (span.start, asked.span.end);
        let message =
            "`after` binds tighter than this, whose set is that of the state as it is now";
        self.report_live(
            Diagnostic::note_of(codes::HALF_ASKED, over.domain.span, message)
                .note(asked.span, "this alone is asked after the statements")
                .hint("if the set is meant then, too, write `(some x in S: a) after { … }`, and if not, `some x in S: (a after { … })`")
                .edit(Span { start, end: start }, "(")
                .edit(Span { start: end, end }, ")"),
        );
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

/// The variables that statements store to.
fn stored_by(body: &Block) -> Vec<VarId> {
    let mut stored = Vec::new();
    body.for_each_stmt(|s| {
        if let StmtKind::Store { place, .. } = &s.kind {
            stored.push(place.var);
        }
    });
    stored
}

fn reads(e: &Expr, vars: &[VarId]) -> bool {
    e.any(|e| matches!(&e.kind, ExprKind::Var { var, .. } if vars.contains(var)))
}

/// The value of the `after` that ends a condition, if no brackets hold both together.
fn asked_after(e: &ast::Expr, end: u32) -> Option<&ast::Expr> {
    match &e.kind {
        _ if e.span.end != end => None,
        ast::ExprKind::After { value, body } => (body.span.end == end).then_some(value),
        ast::ExprKind::Binary {
            op: ast::BinaryOp::And,
            right,
            ..
        } => asked_after(right, end),
        _ => None,
    }
}

/// What the `after` tries that ends a condition.
fn tried(e: &Expr) -> Option<&Block> {
    match &e.kind {
        ExprKind::After { body, .. } => Some(body),
        ExprKind::Binary {
            op: BinaryOp::And,
            right,
            ..
        } => tried(right),
        _ => None,
    }
}
