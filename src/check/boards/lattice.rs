//! Boards of cells in rows and columns: squares, and hexagons in a rhombus.
//!
//! The cell in column 2 of row 3 is `b3`, and cells are ordered row by row. On squares row 1 is at the bottom; on hexagons it
//! is at the top, and every row stands half a cell to the right of the row above it.

use crate::check::checker::Checker;
use crate::check::codes;
use crate::check::params::constant_frame;
use crate::model::boards::{Board, Lattice};
use crate::model::types::{EnumType, EnumValue, Type};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::plural::plural;
use std::sync::Arc;

/// The name of a direction, with the columns and rows that a step goes on.
type Way = (&'static str, i64, i64);

const SQUARE: [Way; 8] = [
    ("north", 0, 1),
    ("northeast", 1, 1),
    ("east", 1, 0),
    ("southeast", 1, -1),
    ("south", 0, -1),
    ("southwest", -1, -1),
    ("west", -1, 0),
    ("northwest", -1, 1),
];

const HEXAGON: [Way; 6] = [
    ("northeast", 1, -1),
    ("east", 1, 0),
    ("southeast", 0, 1),
    ("southwest", -1, 1),
    ("west", -1, 0),
    ("northwest", 0, -1),
];

impl<'a> Checker<'a> {
    /// `grid Name(columns, rows)`.
    pub(super) fn grid(&mut self, item: &'a ast::Board, sizes: &'a [ast::Expr]) -> Option<Board> {
        let [columns, rows] = sizes else {
            return self.wrong_sizes(item, "grid", "grid Board(columns, rows)");
        };
        let (columns, rows) = (self.board_side(columns), self.board_side(rows));
        let (columns, rows) = (columns?, rows?);
        self.cells_fit(&item.name, columns, rows)?;
        Some(lattice(&item.name.text, columns, rows, &SQUARE, false))
    }

    /// `hex Name(size)`.
    pub(super) fn hex(&mut self, item: &'a ast::Board, sizes: &'a [ast::Expr]) -> Option<Board> {
        let (columns, rows) = match sizes {
            [size] => {
                let size = self.board_side(size)?;
                (size, size)
            }
            [columns, rows] => {
                let (columns, rows) = (self.board_side(columns), self.board_side(rows));
                (columns?, rows?)
            }
            _ => return self.wrong_sizes(item, "hex", "hex Board(size)"),
        };
        self.cells_fit(&item.name, columns, rows)?;
        Some(lattice(&item.name.text, columns, rows, &HEXAGON, true))
    }

    fn board_side(&mut self, e: &'a ast::Expr) -> Option<i64> {
        self.in_frame(constant_frame("the size of a board"), |this| {
            this.constant_int(e)
        })
    }

    fn wrong_sizes(&mut self, item: &ast::Board, word: &str, form: &str) -> Option<Board> {
        self.report(
            Diagnostic::error(
                codes::WRONG_ARGUMENTS,
                item.span,
                format!("this does not say how large the {word} is"),
            )
            .hint(format!("write `{form}`")),
        );
        None
    }

    fn cells_fit(&mut self, name: &ast::Name, columns: i64, rows: i64) -> Option<()> {
        let count = if columns < 1 || rows < 1 {
            0
        } else {
            i128::from(columns) * i128::from(rows)
        };
        let (columns, rows) = (plural(columns, "column"), plural(rows, "row"));
        let said = format!("{columns} and {rows}, {}", plural(count, "cell"));
        self.nodes_fit(name, count, &said)
    }
}

/// Both sides are 1 or more.
fn lattice(name: &str, columns: i64, rows: i64, ways: &[Way], hexagons: bool) -> Board {
    let cells: Vec<(i64, i64)> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (column, row)))
        .collect();
    let at = |column: i64, row: i64| {
        let inside = (0..columns).contains(&column) && (0..rows).contains(&row);
        inside.then_some((row * columns + column) as u32)
    };
    let steps: Vec<Vec<Option<u32>>> = cells
        .iter()
        .map(|&(column, row)| {
            ways.iter()
                .map(|(_, right, on)| at(column + right, row + on))
                .collect()
        })
        .collect();
    let sorted = |keep: &dyn Fn(&Way) -> bool| -> Vec<Vec<u32>> {
        steps
            .iter()
            .map(|list| {
                let mut next: Vec<u32> = ways
                    .iter()
                    .zip(list)
                    .filter(|(way, _)| keep(way))
                    .filter_map(|(_, to)| *to)
                    .collect();
                next.sort_unstable();
                next
            })
            .collect()
    };
    let names = cells
        .iter()
        .map(|(column, row)| format!("{}{}", letters(*column), row + 1));
    Board {
        name: name.to_string(),
        node: enum_of(name.to_string(), names),
        label: None,
        edges: vec![sorted(&|(_, right, on)| {
            hexagons || *right == 0 || *on == 0
        })],
        lattice: Some(Lattice {
            columns: columns as u32,
            rows: rows as u32,
            downwards: hexagons,
            direction: enum_of(
                format!("{name}.direction"),
                ways.iter().map(|(way, ..)| (*way).to_string()),
            ),
            touching: (!hexagons).then(|| sorted(&|_| true)),
            steps,
        }),
    }
}

/// An enum whose values print as their names.
pub(super) fn enum_of(name: String, values: impl Iterator<Item = String>) -> Type {
    let values = values
        .map(|name| EnumValue {
            text: name.clone(),
            name,
        })
        .collect();
    Type::Enum(Arc::new(EnumType { name, values }))
}

/// a, b, … z, aa, ab, …
fn letters(column: i64) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => letter.to_string(),
        more => format!("{}{letter}", letters(more - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(board: &Board, nodes: &[u32]) -> String {
        let names: Vec<String> = nodes
            .iter()
            .map(|n| board.node.show(i64::from(*n)))
            .collect();
        names.join(" ")
    }

    #[test]
    fn squares_have_four_neighbours_and_touch_eight() {
        let board = lattice("Board", 3, 3, &SQUARE, false);
        assert_eq!(shown(&board, &board.edges[0][0]), "b1 a2");
        assert_eq!(shown(&board, &board.edges[0][4]), "b1 a2 c2 b3");
        let touching = board.lattice.as_ref().and_then(|l| l.touching.clone());
        let touching = touching.expect("squares touch");
        assert_eq!(shown(&board, &touching[0]), "b1 a2 b2");
        assert_eq!(touching[4].len(), 8);
    }

    #[test]
    fn hexagons_have_six_neighbours() {
        let board = lattice("Board", 3, 3, &HEXAGON, true);
        assert_eq!(shown(&board, &board.edges[0][4]), "b1 c1 a2 c2 a3 b3");
        // Of the corners of a rhombus, two have two neighbours and two have three.
        assert_eq!(shown(&board, &board.edges[0][0]), "b1 a2");
        assert_eq!(shown(&board, &board.edges[0][2]), "b1 b2 c2");
    }

    #[test]
    fn columns_go_on_after_z() {
        assert_eq!(letters(25), "z");
        assert_eq!(letters(26), "aa");
        assert_eq!(letters(27), "ab");
        assert_eq!(letters(26 * 27), "aaa");
    }
}
