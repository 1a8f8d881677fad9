//! `knowledge X { … }`: what helps players and is no rule.

use super::{Binder, Expr, Name, Quoted};
use crate::syntax::visit::{NameKind, Reference, Visitor};
use crate::text::span::Span;

/// `knowledge X { … }`: what helps players and is no rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Knowledge {
    /// A player or a set of players.
    pub owners: Expr,
    pub entries: Vec<KnowledgeEntry>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct KnowledgeEntry {
    pub kind: KnowledgeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum KnowledgeKind {
    /// `playout flee = maximise e`.
    Maximise {
        name: Name,
        value: Expr,
    },
    Minimise {
        name: Name,
        value: Expr,
    },
    /// `playout habit = weights { first call where c  fold => 2  else => 1 }`.
    Weights {
        name: Name,
        rules: Vec<WeightRule>,
    },
    /// `filter careful = e`, or `amend careful = e`.
    Filter {
        name: Name,
        cond: Expr,
        amends: bool,
    },
    /// `evaluate = e`.
    Evaluate(Expr),
    /// `category distance of at[X] = e`.
    Category {
        name: Name,
        of: Expr,
        value: Expr,
    },
    /// `abstraction information { cards = e … }`.
    Information(Vec<(Name, Expr)>),
    /// `abstraction actions { claim => (step, honest)  call => () }`.
    Actions(Vec<ActionClass>),
    /// `layout c in Board { c in stones[X] => "X"  else => "." }`, for a graph with the rows of a picture before the rules.
    Layout {
        cell: Name,
        board: Expr,
        picture: Vec<Quoted>,
        rules: Vec<LayoutRule>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct LayoutRule {
    /// `each d in S:` before the condition.
    pub each: Option<Binder>,
    /// `None`: `else`.
    pub cond: Option<Expr>,
    /// What the cell shows.
    pub mark: Quoted,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WeightRule {
    pub kind: WeightKind,
    pub label: Option<Name>,
    pub cond: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum WeightKind {
    /// `first call where c`: taken before anything else where it fits.
    First,
    /// `call where c => e`, or `else => e` without label and condition.
    Weight(Expr),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ActionClass {
    /// `None`: a choice without labels.
    pub label: Option<Name>,
    pub values: Vec<Expr>,
    pub span: Span,
}

impl Knowledge {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Knowledge {
            owners,
            entries,
            span: _,
        } = self;
        v.expr(owners);
        entries.iter().for_each(|entry| v.knowledge(entry));
    }
}

impl KnowledgeEntry {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let KnowledgeEntry { kind, span } = self;
        match kind {
            KnowledgeKind::Maximise { name, value } | KnowledgeKind::Minimise { name, value } => {
                v.declare(name, NameKind::Entry, *span);
                v.expr(value);
            }
            KnowledgeKind::Weights { name, rules } => {
                v.declare(name, NameKind::Entry, *span);
                rules.iter().for_each(|rule| rule.walk(v));
            }
            KnowledgeKind::Filter { name, cond, .. } => {
                v.declare(name, NameKind::Entry, *span);
                v.expr(cond);
            }
            KnowledgeKind::Evaluate(value) => v.expr(value),
            KnowledgeKind::Category { name, of, value } => {
                v.declare(name, NameKind::Entry, *span);
                v.expr(of);
                v.expr(value);
            }
            KnowledgeKind::Information(attributes) => {
                for (name, value) in attributes {
                    v.declare(name, NameKind::Attribute, name.span.to(value.span));
                    v.expr(value);
                }
            }
            KnowledgeKind::Actions(classes) => classes.iter().for_each(|class| class.walk(v)),
            KnowledgeKind::Layout {
                cell,
                board,
                picture,
                rules,
            } => {
                v.expr(board);
                v.enter(*span);
                v.bind(cell, NameKind::Cell);
                picture.iter().for_each(|row| v.picture_row(row));
                rules.iter().for_each(|rule| rule.walk(v));
                v.leave();
            }
        }
    }
}

impl LayoutRule {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let LayoutRule {
            each,
            cond,
            mark,
            span,
        } = self;
        let rest = |v: &mut V| {
            cond.iter().for_each(|e| v.expr(e));
            v.mark(mark, each.as_ref());
        };
        match each {
            Some(binder) => binder.walk(v, *span, rest),
            None => rest(v),
        }
    }
}

impl WeightRule {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let WeightRule {
            kind,
            label,
            cond,
            span: _,
        } = self;
        label
            .iter()
            .for_each(|name| v.refer(name, Reference::Label));
        cond.iter().for_each(|e| v.expr(e));
        match kind {
            WeightKind::First => {}
            WeightKind::Weight(e) => v.expr(e),
        }
    }
}

impl ActionClass {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let ActionClass {
            label,
            values,
            span: _,
        } = self;
        label
            .iter()
            .for_each(|name| v.refer(name, Reference::Label));
        values.iter().for_each(|e| v.expr(e));
    }
}
