//! Where the statements of a game stand: what there is for play to come to, whatever the params are.

use super::ast::{Block, Expr, ExprKind, File, Item, PayoffBody, Stmt, StmtKind};
use super::visit::Visitor;
use crate::text::span::Span;

/// The spans of a game's rules, in the order of the text. What serves players (`knowledge`) is none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Statements of play, of rules and inside `after`, each with the one before it in its block.
    pub statements: Vec<(Span, Option<Span>)>,
    /// Payoffs, one for each claim.
    pub payoffs: Vec<Span>,
    /// What has parts of its own, branches and loops, each with its head: up to the condition, the number or the set.
    pub heads: Vec<(Span, Span)>,
}

/// The outline of a file.
pub fn outline(file: &File) -> Outline {
    let mut reader = Reader::default();
    file.walk(&mut reader);
    let mut outline = reader.outline;
    outline.statements.sort();
    outline.payoffs.sort();
    outline.heads.sort();
    outline
}

#[derive(Default)]
struct Reader {
    outline: Outline,
    /// The statement before the one that comes next, in the same block.
    before: Option<Span>,
}

impl<'a> Visitor<'a> for Reader {
    fn item(&mut self, item: &'a Item) {
        if !matches!(item, Item::Knowledge(_)) {
            item.walk(self);
        }
    }

    fn payoff(&mut self, body: &'a PayoffBody) {
        if let PayoffBody::Claimed { span, .. } = body {
            self.outline.payoffs.push(*span);
        }
        body.walk(self);
    }

    fn block(&mut self, block: &'a Block) {
        let mut before = None;
        for stmt in &block.stmts {
            self.before = before;
            self.stmt(stmt);
            before = Some(stmt.span);
        }
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        let before = self.before.take();
        if !matches!(stmt.kind, StmtKind::Together(_)) {
            self.outline.statements.push((stmt.span, before));
        }
        let end = match &stmt.kind {
            StmtKind::If { cond: e, .. }
            | StmtKind::Match { scrutinee: e, .. }
            | StmtKind::Repeat { count: e, .. }
            | StmtKind::While { bound: e, .. } => Some(e.span.end),
            StmtKind::Each { binders, .. } => binders.last().map(|b| b.span.end),
            StmtKind::Turns(turns) => Some(turns.bound.span.end),
            _ => None,
        };
        self.head(stmt.span, end);
        stmt.walk(self);
    }

    fn expr(&mut self, e: &'a Expr) {
        let end = match &e.kind {
            ExprKind::If { cond: c, .. } | ExprKind::Match { scrutinee: c, .. } => Some(c.span.end),
            _ => None,
        };
        self.head(e.span, end);
        e.walk(self);
    }
}

impl Reader {
    fn head(&mut self, whole: Span, end: Option<u32>) {
        if let Some(end) = end {
            let start = whole.start;
            self.outline.heads.push((whole, Span { start, end }));
        }
    }
}
