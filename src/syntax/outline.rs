//! Where the statements of a game stand: what there is for play to come to, whatever the params are.

use super::ast::{
    Alternative, Binder, Block, Choice, ChoiceOptions, Expr, ExprKind, File, Item, PayoffBody,
    PayoffValue, Stmt, StmtKind, Together,
};
use crate::text::span::Span;

/// The spans of a game's rules, in the order of the text. What serves players (`knowledge`) is none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Statements of play, of rules and inside `after`, each with the one before it in its block.
    pub statements: Vec<(Span, Option<Span>)>,
    /// Payoffs, one for each claim.
    pub payoffs: Vec<Span>,
}

/// The outline of a file.
pub fn outline(file: &File) -> Outline {
    let mut outline = Outline::default();
    for item in &file.items {
        match item {
            Item::Play(play) => outline.block(&play.body),
            Item::Rule(rule) => outline.block(&rule.body),
            Item::Def(def) => outline.expr(&def.body),
            Item::Payoff(payoff) => outline.payoff(&payoff.body),
            _ => {}
        }
    }
    outline.statements.sort();
    outline.payoffs.sort();
    outline
}

impl Outline {
    fn payoff(&mut self, body: &PayoffBody) {
        match body {
            PayoffBody::Claimed { value, span, .. } => {
                self.payoffs.push(*span);
                match value {
                    PayoffValue::Array(e) => self.expr(e),
                    PayoffValue::Entries(list) => list.iter().for_each(|(_, e)| self.expr(e)),
                }
            }
            PayoffBody::Match { arms, .. } => arms.iter().for_each(|arm| self.payoff(&arm.body)),
        }
    }

    fn block(&mut self, block: &Block) {
        let mut before = None;
        for stmt in &block.stmts {
            self.stmt(stmt, before);
            before = Some(stmt.span);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, before: Option<Span>) {
        if !matches!(stmt.kind, StmtKind::Together(_)) {
            self.statements.push((stmt.span, before));
        }
        match &stmt.kind {
            StmtKind::Let { value, .. } => self.expr(value),
            StmtKind::Assign { place, value, .. } | StmtKind::Note { place, value, .. } => {
                self.exprs(&[place, value]);
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.expr(cond);
                self.block(then);
                otherwise.iter().for_each(|b| self.block(b));
            }
            StmtKind::Match { scrutinee, arms } => {
                self.expr(scrutinee);
                arms.iter().for_each(|arm| self.block(&arm.body));
            }
            StmtKind::Each { binder, body } => {
                self.binder(binder);
                self.block(body);
            }
            StmtKind::Repeat { count, body } => {
                self.expr(count);
                self.block(body);
            }
            StmtKind::While { cond, body, .. } => {
                self.expr(cond);
                self.block(body);
            }
            StmtKind::Turns(turns) => {
                self.expr(&turns.first);
                turns
                    .among
                    .iter()
                    .chain(&turns.cond)
                    .for_each(|e| self.expr(e));
                self.block(&turns.body);
            }
            StmtKind::Together(Together::Arms(arms)) => {
                arms.iter().for_each(|s| self.stmt(s, None));
            }
            StmtKind::Together(Together::Each { binder, arm }) => {
                self.binder(binder);
                self.stmt(arm, None);
            }
            StmtKind::Choice(choice) => self.choice(choice),
            StmtKind::Draw(draw) => {
                draw.parts.iter().for_each(|p| self.expr(&p.domain));
                draw.cond
                    .iter()
                    .chain(&draw.weight)
                    .for_each(|e| self.expr(e));
            }
            StmtKind::Deal { count, from, to } => self.exprs(&[count, from, to]),
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Call { args, .. } => args.iter().for_each(|e| self.expr(e)),
            StmtKind::End | StmtKind::Break | StmtKind::Continue | StmtKind::Error => {}
        }
    }

    fn choice(&mut self, choice: &Choice) {
        match &choice.options {
            ChoiceOptions::Product(a) => self.alternative(a),
            ChoiceOptions::Labelled(list) => list.iter().for_each(|a| self.alternative(a)),
        }
        choice.otherwise.iter().for_each(|b| self.block(b));
    }

    fn alternative(&mut self, a: &Alternative) {
        a.parts.iter().for_each(|p| self.expr(&p.domain));
        a.cond.iter().for_each(|e| self.expr(e));
        a.body.iter().for_each(|b| self.block(b));
    }

    fn binder(&mut self, binder: &Binder) {
        self.expr(&binder.domain);
        binder.cond.iter().for_each(|e| self.expr(e));
    }

    fn exprs(&mut self, list: &[&Expr]) {
        list.iter().for_each(|e| self.expr(e));
    }

    /// Only `after` holds statements; everything else is gone through to find it.
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Bool(_)
            | ExprKind::Name(_)
            | ExprKind::All
            | ExprKind::None
            | ExprKind::Error => {}
            ExprKind::Set(list) | ExprKind::Call { args: list, .. } => {
                list.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Range { low: a, high: b }
            | ExprKind::Binary {
                left: a, right: b, ..
            } => self.exprs(&[a, b]),
            ExprKind::Comprehension { body, binder }
            | ExprKind::Array { binder, body }
            | ExprKind::Quantified { binder, body, .. }
            | ExprKind::Aggregate { binder, body, .. } => {
                self.binder(binder);
                self.expr(body);
            }
            ExprKind::Map { entries, otherwise } => {
                entries.iter().for_each(|(_, e)| self.expr(e));
                otherwise.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Unary { value: a, .. } | ExprKind::Field { record: a, .. } => self.expr(a),
            ExprKind::If {
                cond: a,
                then: b,
                otherwise: c,
            } => self.exprs(&[a, b, c]),
            ExprKind::Match { scrutinee, arms } => {
                self.expr(scrutinee);
                arms.iter().for_each(|arm| self.expr(&arm.body));
            }
            ExprKind::Let { value, body, .. } => self.exprs(&[value, body]),
            ExprKind::Index {
                array: a,
                indices: list,
            }
            | ExprKind::Method {
                board: a,
                args: list,
                ..
            } => {
                self.expr(a);
                list.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Record(fields) => fields.iter().for_each(|(_, e)| self.expr(e)),
            ExprKind::Reveal { value, .. } => self.expr(value),
            ExprKind::After { value, body } => {
                self.expr(value);
                self.block(body);
            }
        }
    }
}
