//! Boards: graphs by their edges, and the two that are made by size.

use super::{EnumValue, Expr, ExprKind, Name};
use crate::syntax::visit::{NameKind, Reference, Visitor};
use crate::text::span::Span;

/// A board: nodes, and which of them are next to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    pub name: Name,
    pub kind: BoardKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum BoardKind {
    /// `graph Map { nodes 1..199  edges road { 1: 8 9; 2: 10 20 } }`.
    Graph { nodes: Nodes, edges: Vec<Edges> },
    /// `grid Board(columns, rows)`.
    Grid(Vec<Expr>),
    /// `hex Board(size)`, or `hex Board(columns, rows)`: a rhombus of hexagons.
    Hex(Vec<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Nodes {
    /// `nodes 1..199`.
    Range { low: Expr, high: Expr },
    /// `nodes { mill, bridge "old bridge" }`.
    Names(Vec<EnumValue>),
}

/// `edges road { 1: 8 9; 2: 10 20 }`, with `directed` before it where they lead one way only.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges {
    pub directed: bool,
    pub label: Option<Name>,
    pub lists: Vec<EdgeList>,
    pub span: Span,
}

/// `1: 8 9`. A node is an integer or a name, and no expression.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeList {
    pub from: Expr,
    pub to: Vec<Expr>,
}

impl Board {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Board { name, kind, span } = self;
        v.declare(name, NameKind::Board, *span);
        match kind {
            BoardKind::Graph { nodes, edges } => {
                match nodes {
                    Nodes::Range { low, high } => {
                        v.expr(low);
                        v.expr(high);
                    }
                    Nodes::Names(values) => EnumValue::walk_all(values, v),
                }
                edges.iter().for_each(|e| e.walk(v));
            }
            BoardKind::Grid(sizes) | BoardKind::Hex(sizes) => sizes.iter().for_each(|e| v.expr(e)),
        }
    }
}

impl Edges {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Edges {
            directed: _,
            label,
            lists,
            span: _,
        } = self;
        label
            .iter()
            .for_each(|name| v.refer(name, Reference::EdgeLabel));
        for EdgeList { from, to } in lists {
            for node in std::iter::once(from).chain(to) {
                match &node.kind {
                    ExprKind::Name(name) => v.refer(name, Reference::Node),
                    _ => v.expr(node),
                }
            }
        }
    }
}
