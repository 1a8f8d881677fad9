//! What can be asked of a board: `Board.next(c)`, `Map.hops(a, b)`, `Board.top` and so on, as look-ups in constant tables
//! and as walks over sets.

use super::tables::TableKey;
use crate::check::checker::Checker;
use crate::check::codes;
use crate::check::collections::Over;
use crate::model::boards::{Board, Lattice};
use crate::model::reach;
use crate::model::types::Type;
use crate::model::{BoardWalk, Expr, ExprKind};
use crate::syntax::ast::{self, Aggregate};
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;

/// The functions of every board, with how they are written.
pub const BOARD_FUNCTIONS: [(&str, &str); 7] = [
    ("next", "next(c)"),
    ("degree", "degree(c)"),
    ("reach", "reach(c)"),
    ("hops", "hops(a, b)"),
    ("around", "around(S)"),
    ("group", "group(c, S)"),
    ("via", "via(c, L)"),
];
/// Those of boards with rows and columns.
pub const LATTICE_FUNCTIONS: [(&str, &str); 7] = [
    ("step", "step(c, direction)"),
    ("steps", "steps(c, D)"),
    ("run", "run(c, direction, S)"),
    ("line", "line(c, direction, S)"),
    ("column", "column(n)"),
    ("row", "row(n)"),
    ("touching", "touching(c)"),
];
pub const SIDES: [&str; 4] = ["top", "bottom", "left", "right"];

/// The names of the functions that boards of a kind have.
pub(super) fn functions_of(kind: &ast::BoardKind) -> impl Iterator<Item = &'static str> {
    let labels = match kind {
        ast::BoardKind::Graph { edges, .. } => edges.iter().any(|e| e.label.is_some()),
        _ => false,
    };
    let lattice = !matches!(kind, ast::BoardKind::Graph { .. });
    let corners = matches!(kind, ast::BoardKind::Grid(_));
    let any = BOARD_FUNCTIONS
        .iter()
        .filter(move |(f, _)| labels || *f != "via");
    let more = LATTICE_FUNCTIONS
        .iter()
        .filter(move |(f, _)| lattice && (corners || *f != "touching"));
    any.chain(more).map(|(f, _)| *f)
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
            return self.node_set(&board, side, span);
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
                    .hint("a def takes its arguments in round brackets by itself: `f(x)`"),
                );
            }
            return None;
        };
        self.board_function(item, function, args, span)
    }

    /// `Board.name(arguments)`, or `name(arguments)` where only this board can be meant.
    pub fn board_function(
        &mut self,
        item: &'a ast::Board,
        function: &'a ast::Name,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let board = self.board(item)?;
        if let Some(lattice) = &board.lattice
            && let Some(found) = self.lattice_call(&board, lattice, function, args, span)
        {
            return found;
        }
        match function.text.as_str() {
            "next" => {
                self.arity(function, args, 1, 1)?;
                self.node_lookup(&board, TableKey::Next(None), &args[0], span)
            }
            "degree" => {
                self.arity(function, args, 1, 1)?;
                self.node_lookup(&board, TableKey::Degree, &args[0], span)
            }
            "reach" => {
                self.arity(function, args, 1, 1)?;
                self.node_lookup(&board, TableKey::Reach, &args[0], span)
            }
            "via" if board.label.is_some() => {
                self.arity(function, args, 2, 2)?;
                self.via(&board, &args[0], &args[1], span)
            }
            "hops" => {
                self.arity(function, args, 2, if board.label.is_some() { 3 } else { 2 })?;
                self.hops(&board, args, span)
            }
            "around" => {
                self.arity(function, args, 1, 1)?;
                let from = self.node_set_arg(&board, &args[0])?;
                let next = TableKey::Next(None);
                Some(self.walk(&board, BoardWalk::Around, next, vec![from], span))
            }
            "group" => {
                self.arity(function, args, 2, 2)?;
                let from = self.node_set_arg(&board, &args[0]);
                let within = self.node_set_arg(&board, &args[1]);
                let args = vec![from?, within?];
                Some(self.walk(&board, BoardWalk::Group, TableKey::Next(None), args, span))
            }
            _ => {
                self.no_function(&board, function);
                None
            }
        }
    }

    /// The functions of boards with rows and columns; `None` when it is none of them.
    fn lattice_call(
        &mut self,
        board: &Board,
        lattice: &Lattice,
        function: &'a ast::Name,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Option<Option<Expr>> {
        let counted = |this: &mut Self, n| this.arity(function, args, n, n);
        let word = function.text.as_str();
        Some(match word {
            "step" => counted(self, 2).and_then(|()| {
                let cell = self.expr_as(&args[0], &board.node);
                let way = self.expr_as(&args[1], &lattice.direction);
                let table = self.board_table(board, TableKey::Step, span);
                Some(self.read_const(table, vec![cell?, way?], span))
            }),
            "steps" => counted(self, 2).and_then(|()| {
                let cell = self.expr_as(&args[0], &board.node);
                let want = Type::set_of(lattice.direction.clone());
                let ways = self.expr(&args[1], Some(&want));
                let ways = self.coerce_to_set(ways?, &lattice.direction);
                self.union_over(board, TableKey::Steps, cell?, ways?, false, span)
            }),
            "run" | "line" => counted(self, 3).and_then(|()| {
                let cell = self.expr_as(&args[0], &board.node);
                let way = self.expr_as(&args[1], &lattice.direction);
                let within = self.node_set_arg(board, &args[2]);
                let walk = if word == "run" {
                    BoardWalk::Run
                } else {
                    BoardWalk::Line
                };
                let args = vec![cell?, way?, within?];
                Some(self.walk(board, walk, TableKey::Step, args, span))
            }),
            "touching" if lattice.touching.is_some() => counted(self, 1)
                .and_then(|()| self.node_lookup(board, TableKey::Touching, &args[0], span)),
            "column" | "row" => counted(self, 1).and_then(|()| {
                let at = self.expr(&args[0], Some(&board.node))?;
                let by_number = matches!(at.ty, Type::Int { .. });
                let key = match (word, by_number) {
                    ("column", true) => TableKey::Column,
                    ("column", false) => TableKey::ColumnOf,
                    (_, true) => TableKey::Row,
                    (_, false) => TableKey::RowOf,
                };
                let table = self.board_table(board, key, span);
                let Type::Array { index, .. } = &table.ty else {
                    return None;
                };
                let at = self.coerce(at, &(**index).clone())?;
                Some(self.read_const(table, vec![at], span))
            }),
            _ => return None,
        })
    }

    // ---- the parts ----------------------------------------------------------------------------

    fn node_lookup(
        &mut self,
        board: &Board,
        key: TableKey,
        node: &'a ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let node = self.expr_as(node, &board.node)?;
        let table = self.board_table(board, key, span);
        Some(self.read_const(table, vec![node], span))
    }

    /// A set of nodes, or one node for the set of it.
    fn node_set_arg(&mut self, board: &Board, e: &'a ast::Expr) -> Option<Expr> {
        let want = Type::set_of(board.node.clone());
        let made = self.expr(e, Some(&want))?;
        self.coerce_to_set(made, &board.node)
    }

    fn label_set_arg(&mut self, board: &Board, e: &'a ast::Expr) -> Option<Expr> {
        let label = board.label.clone()?;
        let want = Type::set_of(label.clone());
        let made = self.expr(e, Some(&want))?;
        self.coerce_to_set(made, &label)
    }

    fn via(
        &mut self,
        board: &Board,
        node: &'a ast::Expr,
        labels: &'a ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let node = self.expr_as(node, &board.node);
        let labels = self.label_set_arg(board, labels);
        let (node, labels) = (node?, labels?);
        if let ExprKind::ConstSet(words) = &labels.kind {
            let key = TableKey::Next(Some(words.clone()));
            let table = self.board_table(board, key, span);
            return Some(self.read_const(table, vec![node], span));
        }
        self.union_over(board, TableKey::Labelled, node, labels, true, span)
    }

    fn hops(&mut self, board: &Board, args: &'a [ast::Expr], span: Span) -> Option<Expr> {
        let a = self.expr_as(&args[0], &board.node);
        let b = self.expr_as(&args[1], &board.node);
        let labels = match args.get(2) {
            Some(e) => {
                let labels = self.label_set_arg(board, e)?;
                let words = self.words_of(&labels);
                if words.is_none() {
                    self.report(
                        Diagnostic::error(
                            codes::NOT_CONSTANT,
                            e.span,
                            "the labels of a distance must be known before the game starts",
                        )
                        .label("these are not")
                        .hint("write the labels, or choose between several distances with `match`"),
                    );
                }
                Some(words?)
            }
            None => None,
        };
        let (a, b) = (a?, b?);
        let table = self.board_rows(board, TableKey::Hops(labels));
        let bits = reach::distance_bits(board.size());
        let walk = BoardWalk::Hops { bits };
        let ty = Type::Int {
            lo: 0,
            hi: board.size() as i64,
        };
        let args = vec![a, b];
        Some(self.make(ExprKind::Walk { walk, table, args }, ty, span))
    }

    /// The union of a table's sets over some labels or directions, at one node.
    fn union_over(
        &mut self,
        board: &Board,
        key: TableKey,
        node: Expr,
        over: Expr,
        over_first: bool,
        span: Span,
    ) -> Option<Expr> {
        let table = self.board_table(board, key, span);
        let read = |this: &mut Self, x: Expr, node: Expr| {
            let at = if over_first {
                vec![x, node]
            } else {
                vec![node, x]
            };
            this.read_const(table.clone(), at, span)
        };
        match &over.kind {
            ExprKind::SetOf(items) if items.len() == 1 => {
                let one = items[0].clone();
                return Some(read(self, one, node));
            }
            _ => {}
        }
        let id = self.new_local("", node.ty.clone(), span);
        let held = self.local_expr(id, span);
        let local = self.new_local("", over.ty.element()?.clone(), span);
        let each = self.local_expr(local, span);
        let body = read(self, each, held);
        let over = Over {
            local,
            domain: over,
            cond: None,
            body,
        };
        let all = self.aggregated(Aggregate::Union, over, span)?;
        Some(self.let_in(id, node, all))
    }

    fn walk(
        &mut self,
        board: &Board,
        walk: BoardWalk,
        key: TableKey,
        args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let table = self.board_rows(board, key);
        let ty = Type::set_of(board.node.clone());
        self.make(ExprKind::Walk { walk, table, args }, ty, span)
    }

    fn no_function(&mut self, board: &Board, name: &ast::Name) {
        let (on, word) = (board.name.as_str(), name.text.as_str());
        let mut functions: Vec<(&str, &str)> = BOARD_FUNCTIONS.to_vec();
        if board.label.is_none() {
            functions.retain(|(f, _)| *f != "via");
        }
        let mut fields = vec!["all"];
        if let Some(lattice) = &board.lattice {
            functions.extend(LATTICE_FUNCTIONS);
            if lattice.touching.is_none() {
                functions.retain(|(f, _)| *f != "touching");
            }
            fields.extend(SIDES);
        }
        fields.extend(board.types().iter().map(|(w, _)| *w));
        let known = functions.iter().map(|(f, _)| *f).chain(fields.clone());
        let lacking = format!("`{on}` has no `{word}`");
        let (message, hint) = if let Some((_, form)) = functions.iter().find(|(f, _)| *f == word) {
            (
                format!("`{on}.{word}` asks for something in brackets"),
                format!("write `{on}.{form}`"),
            )
        } else if fields.contains(&word) {
            (
                format!("`{on}.{word}` asks for nothing in brackets"),
                format!("write `{on}.{word}`"),
            )
        } else if word == "via" {
            (
                lacking,
                "its edges have no labels; `next` gives all neighbours".to_string(),
            )
        } else if LATTICE_FUNCTIONS.iter().any(|(f, _)| *f == word) || SIDES.contains(&word) {
            let hint = if word == "touching" {
                "hexagons touch at sides only: `next` gives all neighbours"
            } else {
                "directions, rows, columns and sides belong to a `grid` or a `hex`"
            };
            (lacking, hint.to_string())
        } else if let Some(near) = nearest(word, known) {
            (lacking, format!("did you mean `{on}.{near}`?"))
        } else {
            let words: Vec<&str> = functions.iter().map(|(_, form)| *form).collect();
            let hint = format!(
                "a board has {}, and {}",
                words.join(", "),
                fields.join(", ")
            );
            (lacking, hint)
        };
        self.report(Diagnostic::error(codes::UNKNOWN_FUNCTION, name.span, message).hint(hint));
    }
}
