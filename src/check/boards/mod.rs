//! Boards: how a `graph`, a `grid` or a `hex` is read, and the types that it brings. What can be asked of one is in
//! `functions`, and what is meant without the name of a board in `bare`; how a graph is read in `graph`, how the cells
//! of the other two lie in `lattice`.

mod bare;
mod functions;
mod graph;
mod lattice;

pub use functions::SIDES;

use super::checker::Checker;
use super::codes;
use super::declare::Decl;
use crate::model::boards::Board;
use crate::model::types::Type;
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;
use std::sync::Arc;

/// The most nodes of a board: as many as sets have elements, and few enough for a table of all distances (32 MB).
pub const MAX_NODES: i64 = 4096;

impl<'a> Checker<'a> {
    pub fn resolve_boards(&mut self) {
        let file: &'a ast::File = self.file;
        for item in &file.items {
            if let ast::Item::Board(item) = item {
                self.board(item);
            }
        }
    }

    pub fn board(&mut self, item: &'a ast::Board) -> Option<Arc<Board>> {
        let name = item.name.text.as_str();
        if let Some(done) = self.boards.get(name) {
            return done.clone();
        }
        let board = self.resolving(name, item.name.span, |this| match &item.kind {
            ast::BoardKind::Graph { nodes, edges } => this.graph(item, nodes, edges),
            ast::BoardKind::Grid(sizes) => this.grid(item, sizes),
            ast::BoardKind::Hex(sizes) => this.hex(item, sizes),
        });
        let board = board.map(Arc::new);
        self.boards.insert(name, board.clone());
        board
    }

    /// The board that an expression names.
    pub fn named_board(&mut self, e: &'a ast::Expr) -> Option<&'a ast::Board> {
        let ast::ExprKind::Name(ast::Name { text: name, .. }) = &e.kind else {
            return None;
        };
        if self.lookup_local(name).is_some() {
            return None;
        }
        match self.names.decls.get(name.as_str()) {
            Some(Decl::Board(item)) => Some(item),
            _ => None,
        }
    }

    /// `Board.cell`, `Map.node`, `Map.label`, `Board.direction` where a type must stand.
    pub fn board_type(&mut self, name: &str, of: &str, span: Span) -> Option<Type> {
        let Some(Decl::Board(item)) = self.names.decls.get(name).cloned() else {
            if self.is_lost(name) {
                return None;
            }
            let boards = self.names.order.iter().copied();
            let boards = boards.filter(|n| matches!(self.names.decls.get(n), Some(Decl::Board(_))));
            let message = format!("there is no board `{name}`, and so no type `{name}.{of}`");
            let problem = Diagnostic::error(codes::UNKNOWN_TYPE, span, message);
            self.report(match nearest(name, boards) {
                Some(near) => problem.did_you_mean(&format!("{near}.{of}")),
                None => problem.hint(
                    "declare one: graph Map { nodes 1..9 … }, grid Board(8, 8), or hex Board(11)",
                ),
            });
            return None;
        };
        let board = self.board(item)?;
        let types = board.types();
        if let Some((_, ty)) = types.iter().find(|(word, _)| *word == of) {
            return Some((*ty).clone());
        }
        let names: Vec<String> = types
            .iter()
            .map(|(word, _)| format!("`{name}.{word}`"))
            .collect();
        let message = format!("there is no type `{name}.{of}`");
        let problem = Diagnostic::error(codes::UNKNOWN_TYPE, span, message);
        self.report(match nearest(of, types.iter().map(|(word, _)| *word)) {
            Some(near) => problem.did_you_mean(&format!("{name}.{near}")),
            None => problem.hint(format!("the board brings {}", names.join(", "))),
        });
        None
    }

    /// A cell, a direction or a label by its name, where nothing says which type is meant: as far as the boards are known.
    pub fn board_values(&self, name: &str) -> Vec<(i64, Type)> {
        let mut found: Vec<(i64, Type)> = Vec::new();
        for board in self.boards.values().flatten() {
            for (_, ty) in board.types() {
                if let Type::Enum(e) = ty
                    && let Some(i) = e.values.iter().position(|v| v.name == name)
                    && !found.iter().any(|(_, known)| known == ty)
                {
                    found.push((i as i64, ty.clone()));
                }
            }
        }
        found
    }

    /// Whether a board may have that many nodes.
    fn nodes_fit(&mut self, name: &ast::Name, count: i128, said: &str) -> Option<()> {
        if (1..=i128::from(MAX_NODES)).contains(&count) {
            return Some(());
        }
        self.report_live(
            Diagnostic::error(
                codes::BOARD_SIZE,
                name.span,
                format!("`{}` has {said}; it can have 1 to {MAX_NODES}", name.text),
            )
            .hint(if count < 1 {
                "a board has at least one node"
            } else {
                "make the board smaller"
            }),
        );
        None
    }
}
