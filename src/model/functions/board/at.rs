//! `Board.at(n, m)`.

use super::{BoardFunction, Needs, array};
use crate::model::Expr;
use crate::model::boards::Board;
use crate::model::functions::{Caller, Doc};
use crate::model::types::Type;

pub struct At;

impl BoardFunction for At {
    fn name(&self) -> &'static str {
        "at"
    }

    fn form(&self) -> &'static str {
        "at(column, row)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`Board.at(n, m)`",
            result: "node or none",
            what: "the cell in column `n` of row `m`; none beyond the board, by as many columns and rows as it has",
        }]
    }

    fn needs(&self) -> Needs {
        Needs::Lattice
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(2, 2)?;
        let lattice = board.lattice.as_ref()?;
        let column = number(call, 0, lattice.columns);
        let row = number(call, 1, lattice.rows);
        let (column, row) = (column?, row?);
        let (columns, rows) = (beyond(lattice.columns), beyond(lattice.rows));
        let table = call.table(board, ("at", None), &|| {
            let cell = |x: i64, y: i64| {
                let on = (1..=i64::from(lattice.columns)).contains(&x)
                    && (1..=i64::from(lattice.rows)).contains(&y);
                let number = (y - 1) * i64::from(lattice.columns) + x - 1;
                vec![if on { number as u64 + 1 } else { 0 }]
            };
            (columns.0..=columns.1)
                .flat_map(|x| (rows.0..=rows.1).map(move |y| cell(x, y)))
                .collect()
        });
        let types = [columns, rows].map(|(lo, hi)| Type::Int { lo, hi });
        let to = Type::optional(board.node.clone());
        let table = array(table, types, to, call.span());
        Some(call.element(table, vec![column, row]))
    }
}

/// The numbers that are asked for: those of the board, and as many on both sides of it.
fn beyond(count: u32) -> (i64, i64) {
    (1 - i64::from(count), 2 * i64::from(count))
}

fn number(call: &mut dyn Caller, argument: usize, count: u32) -> Option<Expr> {
    let (lo, hi) = beyond(count);
    let given = call.arg(argument, None)?;
    let given = call.integer(given)?;
    call.coerce(given, &Type::Int { lo, hi })
}
