//! What can be asked of a board: `Board.next(c)`, `Map.hops(a, b)`, `Board.top` and so on. The functions themselves are in
//! `model::functions::board`.

use crate::check::calls::CallSite;
use crate::check::checker::Checker;
use crate::check::codes;
use crate::check::habits;
use crate::model::Expr;
use crate::model::boards::{Board, node_set};
use crate::model::functions::board::{BOARD_FUNCTIONS, Needs};
use crate::model::types::Type;
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;

pub const SIDES: [&str; 4] = ["top", "bottom", "left", "right"];

/// The names of the functions that boards of a kind have.
pub(super) fn functions_of(kind: &ast::BoardKind) -> impl Iterator<Item = &'static str> {
    let labels = match kind {
        ast::BoardKind::Graph { edges, .. } => edges.iter().any(|e| e.label.is_some()),
        _ => false,
    };
    let lattice = !matches!(kind, ast::BoardKind::Graph { .. });
    let corners = matches!(kind, ast::BoardKind::Grid(_));
    let met = move |needs| match needs {
        Needs::Nothing => true,
        Needs::Labels => labels,
        Needs::Lattice => lattice,
        Needs::Corners => corners,
    };
    BOARD_FUNCTIONS
        .iter()
        .filter(move |f| met(f.needs()))
        .map(|f| f.name())
}

impl<'a> Checker<'a> {
    /// `Board.name`, without arguments.
    pub fn board_field(
        &mut self,
        item: &'a ast::Board,
        field: &'a ast::Name,
        span: Span,
    ) -> Option<Expr> {
        let board = self.board(item)?;
        let word = field.text.as_str();
        if word == "all" {
            return self.full_set(&board.node, span);
        }
        if let Some((_, ty)) = board.types().into_iter().find(|(w, _)| *w == word) {
            return self.full_set(&ty.clone(), span);
        }
        if let Some(lattice) = &board.lattice
            && SIDES.contains(&word)
        {
            let columns = lattice.columns as usize;
            let rows = lattice.rows as usize;
            let first = (word == "top") == lattice.downwards;
            let side = (0..board.size()).filter(|n| match word {
                "left" => n % columns == 0,
                "right" => n % columns == columns - 1,
                _ if first => n / columns == 0,
                _ => n / columns == rows - 1,
            });
            let ty = self.set_type(board.node.clone(), span)?;
            return Some(self.constant(node_set(&board, side), ty, span));
        }
        self.no_function(&board, field);
        None
    }

    /// `Board.name(arguments)`.
    pub fn board_call(
        &mut self,
        on: &'a ast::Expr,
        function: &'a ast::Name,
        args: &'a [ast::Expr],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let Some(item) = self.named_board(on) else {
            if self.expr(on, None).is_some() {
                self.report(
                    Diagnostic::error(
                        codes::MISUSED_NAME,
                        function.span,
                        "only boards have functions of their own",
                    )
                    .hint(habits::instead_of_method(&function.text)),
                );
            }
            return None;
        };
        self.board_function(item, function, args, want, span)
    }

    /// `Board.name(arguments)`, or `name(arguments)` where only this board can be meant.
    pub fn board_function(
        &mut self,
        item: &'a ast::Board,
        name: &'a ast::Name,
        args: &'a [ast::Expr],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let board = self.board(item)?;
        let known = BOARD_FUNCTIONS.iter();
        let mut meant = known.filter(|f| f.name() == name.text && f.needs().met(&board));
        let Some(function) = meant.next() else {
            self.no_function(&board, name);
            return None;
        };
        let mut call = CallSite {
            checker: self,
            name,
            args,
            want,
            span,
        };
        function.check(&mut call, &board)
    }

    fn no_function(&mut self, board: &Board, name: &ast::Name) {
        let (on, word) = (board.name.as_str(), name.text.as_str());
        let known = BOARD_FUNCTIONS.iter();
        let functions: Vec<(&str, &str)> = known
            .filter(|f| f.needs().met(board))
            .map(|f| (f.name(), f.form()))
            .collect();
        let mut fields = vec!["all"];
        if board.lattice.is_some() {
            fields.extend(SIDES);
        }
        fields.extend(board.types().iter().map(|(w, _)| *w));
        let known = functions.iter().map(|(f, _)| *f).chain(fields.clone());
        let lacking = format!("`{on}` has no `{word}`");
        let mut near = None;
        let (message, hint) = if let Some((_, form)) = functions.iter().find(|(f, _)| *f == word) {
            (
                format!("`{on}.{word}` asks for something in brackets"),
                format!("write `{on}.{form}`"),
            )
        } else if fields.contains(&word) {
            (
                format!("`{on}.{word}` asks for nothing in brackets"),
                match word {
                    "cell" => format!("a cell by its numbers is `{on}.at(column, row)`"),
                    _ => format!("write `{on}.{word}`"),
                },
            )
        } else if let Some(lack) = needed(word) {
            (lacking, lack.to_string())
        } else if let Some(found) = nearest(word, known) {
            near = Some(found);
            (lacking, format!("did you mean `{on}.{found}`?"))
        } else {
            let words: Vec<&str> = functions.iter().map(|(_, form)| *form).collect();
            let hint = format!(
                "a board has {}, and {}",
                words.join(", "),
                fields.join(", ")
            );
            (lacking, hint)
        };
        let problem = Diagnostic::error(codes::UNKNOWN_FUNCTION, name.span, message).hint(hint);
        self.report(match near {
            Some(near) => problem.rewrite(near),
            None => problem,
        });
    }
}

/// What a board lacks that does not have the function or the side of a name.
fn needed(word: &str) -> Option<&'static str> {
    let function = BOARD_FUNCTIONS.iter().find(|f| f.name() == word);
    let needs = match function {
        Some(function) => function.needs(),
        None if SIDES.contains(&word) => Needs::Lattice,
        None => Needs::Nothing,
    };
    match needs {
        Needs::Nothing => None,
        Needs::Labels => Some("its edges have no labels; `next` gives all neighbours"),
        Needs::Lattice => Some("directions, rows, columns and sides belong to a `grid` or a `hex`"),
        Needs::Corners => Some("hexagons touch at sides only: `next` gives all neighbours"),
    }
}
