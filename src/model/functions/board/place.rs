//! `Board.column_of(c)` and `Board.row_of(c)`.

use super::{BoardFunction, Needs, at_node};
use crate::model::Expr;
use crate::model::boards::Board;
use crate::model::functions::{Caller, Doc};
use crate::model::types::Type;

/// Where a cell stands on a grid or hex board, by numbers from 1 on.
pub struct Place {
    row: bool,
}

pub static COLUMN_OF: Place = Place { row: false };
pub static ROW_OF: Place = Place { row: true };

impl BoardFunction for Place {
    fn name(&self) -> &'static str {
        if self.row { "row_of" } else { "column_of" }
    }

    fn form(&self) -> &'static str {
        if self.row {
            "row_of(c)"
        } else {
            "column_of(c)"
        }
    }

    fn docs(&self) -> &'static [Doc] {
        if self.row {
            &[Doc {
                form: "`Board.row_of(c)`",
                result: "integer",
                what: "the number of the row of a cell",
            }]
        } else {
            &[Doc {
                form: "`Board.column_of(c)`",
                result: "integer",
                what: "the number of the column of a cell, from 1 on",
            }]
        }
    }

    fn needs(&self) -> Needs {
        Needs::Lattice
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(1, 1)?;
        let node = call.arg_as(0, &board.node)?;
        let lattice = board.lattice.as_ref()?;
        let columns = u64::from(lattice.columns);
        let table = call.table(board, (self.name(), None), &|| {
            let cells = 0..board.size() as u64;
            let number = |cell: u64| {
                if self.row {
                    cell / columns
                } else {
                    cell % columns
                }
            };
            cells.map(|cell| vec![number(cell) + 1]).collect()
        });
        let count = if self.row {
            lattice.rows
        } else {
            lattice.columns
        };
        let hi = i64::from(count);
        Some(at_node(call, board, table, Type::Int { lo: 1, hi }, node))
    }
}
