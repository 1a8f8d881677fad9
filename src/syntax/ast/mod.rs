//! The syntax tree: what the text says, before any name is looked up.
//!
//! It mirrors `grammar/game.pest`, keeps every byte span and every comment, and knows nothing of meaning. Beside each piece
//! stands its `walk`, which gives what it consists of to a [`Visitor`], with the names that come into reach.

mod boards;
mod expressions;
mod items;
mod knowledge;
mod payoffs;
mod statements;
mod types;

pub use boards::{Board, BoardKind, EdgeList, Edges, Nodes};
pub use expressions::{
    Aggregate, BinaryOp, Binder, Expr, ExprKind, MatchArm, Pattern, Quantifier, UnaryOp,
};
pub use items::{
    Const, Def, DefParam, EnumItem, EnumValue, Index, Item, Param, Play, Players, Require, Rule,
    Shown, State, StateVar, Team, TypeItem,
};
pub use knowledge::{
    ActionClass, Knowledge, KnowledgeEntry, KnowledgeKind, LayoutRule, WeightKind, WeightRule,
};
pub use payoffs::{Claim, Payoff, PayoffArm, PayoffBody, PayoffValue};
pub use statements::{
    Alternative, AssignOp, Block, Choice, ChoiceOptions, Deal, Draw, OneMove, Part, Source, Stmt,
    StmtKind, Together, Turns, Wording,
};
pub use types::{Type, TypeKind};

use super::visit::{NameKind, Visitor};
use crate::text::span::Span;
use std::collections::BTreeSet;

/// A whole `.game` file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    pub name: Name,
    /// The file whose game this one is a variant of.
    pub extends: Option<Extends>,
    pub items: Vec<Item>,
    /// The words of what could not be read, which has been reported: names that may be declared there.
    pub lost: BTreeSet<String>,
    pub comments: Vec<Comment>,
    pub span: Span,
}

/// `extends "other.game"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Extends {
    pub path: String,
    /// The text in quotes.
    pub span: Span,
}

/// A `// …` comment, its slashes included.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    pub text: String,
    pub span: Span,
}

/// An identifier where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A text without holes: a row of a picture, a mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Quoted {
    /// Without the quotation marks.
    pub text: String,
    /// With them.
    pub span: Span,
}

/// A text with holes: `"{count} x {next(claim, step)}"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    pub parts: Vec<TextPart>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TextPart {
    Literal(String),
    Hole(Expr),
}

impl File {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let File {
            name,
            extends: _,
            items,
            lost: _,
            comments: _,
            span,
        } = self;
        v.declare(name, NameKind::Game, *span);
        items.iter().for_each(|item| v.item(item));
    }
}

impl Text {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Text { parts, span: _ } = self;
        for part in parts {
            match part {
                TextPart::Literal(_) => {}
                TextPart::Hole(e) => v.expr(e),
            }
        }
    }
}
