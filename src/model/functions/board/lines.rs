//! `Board.column(n)` and `Board.row(n)`, and both of a cell.

use super::{BoardFunction, Needs, array, nodes};
use crate::model::Expr;
use crate::model::boards::{Board, node_set};
use crate::model::functions::{Caller, Doc};
use crate::model::types::Type;

pub struct Lines {
    rows: bool,
}

pub static COLUMN: Lines = Lines { rows: false };
pub static ROW: Lines = Lines { rows: true };

impl BoardFunction for Lines {
    fn name(&self) -> &'static str {
        if self.rows { "row" } else { "column" }
    }

    fn form(&self) -> &'static str {
        if self.rows { "row(n)" } else { "column(n)" }
    }

    fn docs(&self) -> &'static [Doc] {
        if self.rows {
            &[Doc {
                form: "`Board.row(n)`, `Board.row(c)`",
                result: "set of nodes",
                what: "a row, likewise",
            }]
        } else {
            &[Doc {
                form: "`Board.column(n)`, `Board.column(c)`",
                result: "set of nodes",
                what: "a column, by its number or by a cell in it",
            }]
        }
    }

    fn needs(&self) -> Needs {
        Needs::Lattice
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(1, 1)?;
        let at = call.arg(0, Some(&board.node))?;
        let lattice = board.lattice.as_ref()?;
        let columns = lattice.columns as usize;
        let line_of = |cell: usize| {
            if self.rows {
                cell / columns
            } else {
                cell % columns
            }
        };
        let line = |i: usize| node_set(board, (0..board.size()).filter(|n| line_of(*n) == i));
        let (rows, index) = if matches!(at.ty, Type::Int { .. }) {
            let count = if self.rows {
                lattice.rows
            } else {
                lattice.columns
            };
            let rows = call.table(board, (self.name(), None), &|| {
                (0..count as usize).map(line).collect()
            });
            let hi = i64::from(count);
            (rows, Type::Int { lo: 1, hi })
        } else {
            let of_cell = if self.rows { "row of" } else { "column of" };
            let rows = call.table(board, (of_cell, None), &|| {
                (0..board.size()).map(|n| line(line_of(n))).collect()
            });
            (rows, board.node.clone())
        };
        let table = array(rows, [index.clone()], nodes(board), call.span());
        let at = call.coerce(at, &index)?;
        Some(call.element(table, vec![at]))
    }
}
