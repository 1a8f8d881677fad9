//! What helps players. The game is the same without it.

use super::boards::Board;
use super::expression::Expr;
use super::{LocalId, PlayerSet, SiteId};
use crate::text::span::Span;
use std::sync::Arc;

/// One entry of a `knowledge` block.
#[derive(Clone, Debug)]
pub struct Knowledge {
    pub owners: PlayerSet,
    /// Stands for the owner who asks.
    pub me: LocalId,
    pub name: String,
    pub kind: KnowledgeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum KnowledgeKind {
    /// How actions are rated, for every alternative that it applies to.
    Playout(Vec<Heuristic>),
    /// Which actions the owner looks at, for every alternative that it applies to: a condition that it can see.
    Filter(Vec<ActionFilter>),
    /// What an action that a search chose for the owner must be in the end, for every alternative that it applies to: a
    /// condition that the owner can see.
    Amend(Vec<ActionFilter>),
    /// An integer or a number; greater is better for the owner.
    Evaluate(Expr),
    /// The class that a hidden value falls into.
    Category { of: Expr, value: Expr },
    /// What the owner takes of an information state: named scalars, all of which it can see.
    Information(Vec<Attribute>),
    /// What the owner takes of an action: scalars, for every alternative that it applies to.
    Actions(Vec<ActionClass>),
    /// How a board is drawn for the owner, who can see all that it reads.
    Layout(BoardLayout),
}

/// Which mark each cell of a board, or each node of a graph, shows: that of the first rule that holds.
#[derive(Clone, Debug)]
pub struct BoardLayout {
    /// The name of the board.
    pub board: String,
    /// Stands for the cell or node.
    pub cell: LocalId,
    pub rules: Vec<MarkRule>,
    /// For a graph.
    pub graph: Option<GraphLayout>,
}

impl BoardLayout {
    /// Every condition, rule by rule.
    pub fn conditions(&self) -> impl Iterator<Item = &Expr> {
        let marks = self.rules.iter().flat_map(|rule| &rule.marks);
        marks.map(|mark| &mark.cond)
    }
}

/// A rule of a layout. It holds where one of its conditions does, and gives all the marks whose conditions do.
#[derive(Clone, Debug)]
pub struct MarkRule {
    pub marks: Vec<Mark>,
    /// Whether it is the `else`.
    pub otherwise: bool,
}

/// A mark, and when it is shown.
#[derive(Clone, Debug)]
pub struct Mark {
    pub cond: Expr,
    pub text: String,
}

/// How a graph is drawn.
#[derive(Clone, Debug)]
pub struct GraphLayout {
    pub board: Arc<Board>,
    pub picture: Option<Picture>,
}

/// Rows of text in which the names of the nodes stand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Picture {
    /// From top to bottom.
    pub rows: Vec<String>,
    /// By the ordinal of the node.
    pub places: Vec<PicturePlace>,
}

/// Where the name of a node stands in a picture, in characters.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct PicturePlace {
    /// From the top, from 0.
    pub row: usize,
    /// Where it begins, from the left, from 0.
    pub column: usize,
    pub length: usize,
}

/// An alternative of a choice.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    pub site: SiteId,
    pub alternative: u32,
}

/// When the owner looks at an action, or leaves it as it is; reads `me` and the parts of its alternative.
#[derive(Clone, Debug)]
pub struct ActionFilter {
    pub action: Action,
    pub cond: Expr,
}

/// What the owner takes of an information state, by name.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub name: String,
    pub value: Expr,
}

/// What the owner takes of an action; reads `me` and the parts of its alternative.
#[derive(Clone, Debug)]
pub struct ActionClass {
    pub action: Action,
    pub values: Vec<Expr>,
}

/// How an action is rated; reads `me` and the parts of its alternative.
#[derive(Clone, Debug)]
pub struct Heuristic {
    pub action: Action,
    pub score: Score,
}

#[derive(Clone, Debug)]
pub enum Score {
    /// The actions with the greatest value are played.
    Greatest(Expr),
    Least(Expr),
    Weight {
        /// The number of the first prioritised rule that holds, or −1. Where one holds for any action, only the actions
        /// with the least number are played.
        first: Expr,
        /// A share, 0 or more.
        weight: Expr,
    },
}
