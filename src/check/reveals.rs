//! A `reveal` under a condition happens if the condition holds. An expression with such a one is written out as
//! statements: the conditions become `if`s and `match`es with the reveals in them, and what is left of the expression
//! reads the values that were told ([`ExprKind::Told`]). So there is one meaning, and who may know the conditions is
//! asked as of any other `if`. A `reveal` with a text is a statement in the same way.

use super::checker::Checker;
use super::codes;
use super::scope::Binding;
use super::told::told_in;
use crate::model::types::Type;
use crate::model::{
    BinaryOp, Block, Expr, ExprKind, MatchArm, PlayerSet, Reading, ReadingId, Stmt, StmtKind,
};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

impl<'a> Checker<'a> {
    /// Puts a statement behind others, and its reveals under conditions before it.
    pub(super) fn put_stmt(&mut self, mut kind: StmtKind, span: Span, out: &mut Vec<Stmt>) {
        match &mut kind {
            StmtKind::Let { value: e, .. }
            | StmtKind::Store { value: e, .. }
            | StmtKind::If { cond: e, .. }
            | StmtKind::Match { scrutinee: e, .. }
            | StmtKind::Expr(e)
                if has_conditional(e) || self.has_said(e) =>
            {
                let whole = self.taken(e);
                *e = self.written_out(whole, out);
            }
            StmtKind::While { cond, .. } if has_conditional(cond) => self.report(
                Diagnostic::error(
                    codes::MISPLACED_REVEAL,
                    cond.span,
                    "nothing can be revealed under a condition in the head of a loop",
                )
                .hint("reveal it in the body, and leave the loop there: `if … { break }`"),
            ),
            _ => {}
        }
        let stmt = self.statement(kind, span);
        self.refuse_said(&stmt);
        out.push(stmt);
    }

    /// A `reveal` with its text, which is kept until it becomes a statement. What is revealed may have a name in the text.
    pub(super) fn worded(
        &mut self,
        event: Option<Expr>,
        text: &'a ast::Wording,
        name: Option<String>,
    ) -> Option<Expr> {
        let binding = match event.as_ref().map(|event| &event.kind) {
            Some(ExprKind::Reveal { value, .. }) => Binding::Value((**value).clone()),
            _ => Binding::Poison,
        };
        let itself = |name: &str, e: &Expr| matches!(e.kind, ExprKind::Var { var, .. } if self.vars[var.0 as usize].name == name);
        let name = name.filter(|name| match &binding {
            Binding::Value(value) => !value.any(|e| itself(name, e)),
            _ => true,
        });
        let text = self.scoped(|this| {
            this.frame.names.extend(name.map(|name| (name, binding)));
            this.text(Some(text))
        });
        let (event, mut text) = (event?, text??);
        if let ExprKind::Reveal { site, .. } = &event.kind {
            told_in(&event, &mut text);
            self.said.insert(*site, text);
        }
        Some(event)
    }

    /// The name under which the text of a reveal may speak of what is revealed: the one that a `let` gives, or that of the variable
    /// it is stored in, unless the value is made of what the variable held before.
    pub(super) fn name_in_text(&mut self, name: &ast::Name, value: &ast::Expr) {
        let says = matches!(&value.kind, ast::ExprKind::Reveal { text: Some(_), .. });
        self.given_name = says.then(|| name.text.clone());
    }

    /// The statement that an expression alone is.
    pub(super) fn event(&mut self, e: Expr) -> StmtKind {
        let text = match &e.kind {
            ExprKind::Reveal { site, .. } => self.said.remove(site),
            _ => None,
        };
        match text {
            Some(text) => StmtKind::Said { event: e, text },
            None => StmtKind::Expr(e),
        }
    }

    /// Whether something is revealed with a text in an expression.
    fn has_said(&self, e: &Expr) -> bool {
        let said = |e: &Expr| matches!(&e.kind, ExprKind::Reveal { site, .. } if self.said.contains_key(site));
        !self.said.is_empty() && e.any(said)
    }

    /// Tells of texts in expressions of statements that cannot be written out.
    fn refuse_said(&mut self, stmt: &Stmt) {
        if self.said.is_empty() {
            return;
        }
        let mut found = Vec::new();
        stmt.any(|e| {
            if let ExprKind::Reveal { site, .. } = &e.kind
                && self.said.contains_key(site)
            {
                found.push((*site, e.span));
            }
            false
        });
        let hint = match stmt.kind {
            StmtKind::While { .. } => {
                "reveal it in the body, and leave the loop there: `if … { break }`"
            }
            _ => "reveal it in a statement before: `let x = reveal(…) as \"…\"`",
        };
        for (site, span) in found {
            self.said.remove(&site);
            self.report(
                Diagnostic::error(
                    codes::MISPLACED_REVEAL,
                    span,
                    "what is revealed here cannot be told in words of its own",
                )
                .hint(hint),
            );
        }
    }

    /// A statement with its [`Reading`], if it happens and reads shown defs.
    pub(super) fn statement(&mut self, kind: StmtKind, span: Span) -> Stmt {
        let mut stmt = Stmt::new(kind, span);
        // A move is chosen as a whole, before anything in it could be told.
        let moving = self.moves > 0 || matches!(stmt.kind, StmtKind::OneMove(_));
        if self.shown_index.is_empty() || self.trials > 0 || moving || self.noting > 0 {
            return stmt;
        }
        let (defs, again) = stmt.shown_read();
        if !defs.is_empty() {
            stmt.reading = Some(ReadingId(self.readings.len() as u32));
            self.readings.push(Reading {
                defs,
                again,
                told: PlayerSet::EMPTY,
            });
        }
        stmt
    }

    /// Moves the reveals of an expression into statements before it, and returns what is left. That cannot read the names of
    /// branches, so it computes conditions and values again.
    fn written_out(&mut self, e: Expr, out: &mut Vec<Stmt>) -> Expr {
        if !e.reveals() {
            return e;
        }
        let Expr { kind, ty, span } = e;
        let kind = match kind {
            ExprKind::Reveal {
                site,
                value,
                viewers,
            } => {
                let told = ExprKind::Told {
                    value: value.clone(),
                    viewers: viewers.clone(),
                };
                let kind = ExprKind::Reveal {
                    site,
                    value,
                    viewers,
                };
                let event = Expr {
                    kind,
                    ty: ty.clone(),
                    span,
                };
                let event = self.event(event);
                out.push(self.statement(event, span));
                told
            }
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => {
                let left = self.written_out(*left, out);
                let (right, inner) = self.branch(*right);
                let (then, otherwise) = match op {
                    BinaryOp::And => (inner, Block::default()),
                    _ => (Block::default(), inner),
                };
                self.put_if(&left, then, otherwise, out);
                ExprKind::Binary {
                    op,
                    left: Box::new(left),
                    right: Box::new(right),
                }
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                let cond = self.written_out(*cond, out);
                let (then, yes) = self.branch(*then);
                let (otherwise, no) = self.branch(*otherwise);
                self.put_if(&cond, yes, no, out);
                ExprKind::If {
                    cond: Box::new(cond),
                    then: Box::new(then),
                    otherwise: Box::new(otherwise),
                }
            }
            ExprKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let scrutinee = self.written_out(*scrutinee, out);
                let mut blocks = Vec::new();
                let mut bodies = Vec::new();
                for MatchArm { values, body } in arms {
                    let (body, block) = self.branch(body);
                    blocks.push(MatchArm {
                        values: values.clone(),
                        body: block,
                    });
                    bodies.push(MatchArm { values, body });
                }
                let otherwise = otherwise.map(|e| self.branch(*e));
                let (otherwise, block) = otherwise.unzip();
                let matching = StmtKind::Match {
                    scrutinee: scrutinee.clone(),
                    arms: blocks,
                    otherwise: block,
                };
                out.push(self.statement(matching, span));
                ExprKind::Match {
                    scrutinee: Box::new(scrutinee),
                    arms: bodies,
                    otherwise: otherwise.map(Box::new),
                }
            }
            ExprKind::Let { local, value, body } => {
                let value = self.written_out(*value, out);
                let bound = StmtKind::Let {
                    local,
                    value: value.clone(),
                };
                out.push(self.statement(bound, span));
                let body = self.written_out(*body, out);
                ExprKind::Let {
                    local,
                    value: Box::new(value),
                    body: Box::new(body),
                }
            }
            mut other => {
                for operand in other.operands_mut() {
                    let whole = self.taken(operand);
                    *operand = self.written_out(whole, out);
                }
                other
            }
        };
        Expr { kind, ty, span }
    }

    /// An expression that becomes a branch, with the statements that stand in it.
    fn branch(&mut self, e: Expr) -> (Expr, Block) {
        let mut stmts = Vec::new();
        let e = self.written_out(e, &mut stmts);
        (e, Block { stmts })
    }

    fn taken(&self, e: &mut Expr) -> Expr {
        std::mem::replace(e, self.scalar(0, Type::Bool, e.span))
    }

    fn put_if(&mut self, cond: &Expr, then: Block, otherwise: Block, out: &mut Vec<Stmt>) {
        let (cond, span) = (cond.clone(), cond.span);
        let kind = StmtKind::If {
            cond,
            then,
            otherwise,
        };
        out.push(self.statement(kind, span));
    }
}

/// Whether something is revealed in an expression only if a condition holds.
fn has_conditional(e: &Expr) -> bool {
    e.any(|e| match &e.kind {
        ExprKind::Binary {
            op: BinaryOp::And | BinaryOp::Or,
            right,
            ..
        } => right.reveals(),
        ExprKind::If {
            then, otherwise, ..
        } => then.reveals() || otherwise.reveals(),
        ExprKind::Match {
            arms, otherwise, ..
        } => {
            arms.iter().any(|arm| arm.body.reveals())
                || otherwise.as_ref().is_some_and(|e| e.reveals())
        }
        _ => false,
    })
}
