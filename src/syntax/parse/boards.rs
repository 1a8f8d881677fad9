//! Boards: graphs by their edges, and the two that are made by size.

use super::{Piece, Reader, Rule, explain};
use crate::syntax::ast::{Board, BoardKind, EdgeList, Edges, Expr, ExprKind, Nodes};
use crate::text::span::Span;

impl<'t> Reader<'t> {
    pub(super) fn board(&mut self, piece: Piece<'t>, span: Span) -> Option<Board> {
        let (mut name, mut nodes, mut kind) = (None, None, None);
        let mut hexagons = false;
        let mut edges = Vec::new();
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => name = Some(self.name(&part)),
                Rule::kw_hex => hexagons = true,
                Rule::sizes => {
                    let sizes = self.exprs(part);
                    kind = Some(if hexagons {
                        BoardKind::Hex(sizes)
                    } else {
                        BoardKind::Grid(sizes)
                    });
                }
                Rule::nodes => nodes = self.nodes(part),
                Rule::edges => edges.push(self.edges(part)),
                _ => {}
            }
        }
        let kind = match nodes {
            Some(nodes) => BoardKind::Graph { nodes, edges },
            None => kind?,
        };
        Some(Board {
            name: name?,
            kind,
            span,
        })
    }

    fn nodes(&mut self, piece: Piece<'t>) -> Option<Nodes> {
        let mut bounds = Vec::new();
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::enum_values => return Some(Nodes::Names(self.enum_values(part))),
                Rule::bound => bounds.push(self.expr(part)),
                _ => {}
            }
        }
        let mut bounds = bounds.into_iter();
        Some(Nodes::Range {
            low: bounds.next()?,
            high: bounds.next()?,
        })
    }

    fn edges(&mut self, piece: Piece<'t>) -> Edges {
        let span = self.span(&piece);
        let (mut directed, mut label, mut lists) = (false, None, Vec::new());
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::kw_directed => directed = true,
                Rule::ident => label = Some(self.name(&part)),
                Rule::edge_list => lists.extend(self.edge_list(part)),
                _ => {}
            }
        }
        Edges {
            directed,
            label,
            lists,
            span,
        }
    }

    fn edge_list(&mut self, piece: Piece<'t>) -> Option<EdgeList> {
        let mut nodes = Vec::new();
        for part in piece.into_inner().filter(|p| p.as_rule() == Rule::node) {
            nodes.push(self.node(part));
        }
        let mut nodes = nodes.into_iter();
        Some(EdgeList {
            from: nodes.next()?,
            to: nodes.collect(),
        })
    }

    fn node(&mut self, piece: Piece<'t>) -> Expr {
        let span = self.span(&piece);
        let kind = match piece.into_inner().next() {
            Some(part) if part.as_rule() == Rule::ident => ExprKind::Name(self.name(&part)),
            Some(part) => match part.as_str().parse() {
                Ok(value) => ExprKind::Int(value),
                Err(_) => {
                    self.report(explain::number_too_large(span));
                    ExprKind::Error
                }
            },
            None => ExprKind::Error,
        };
        Expr { kind, span }
    }
}
