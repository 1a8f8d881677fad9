//! `Board.group(c, S)`.

use super::{BoardFunction, asked, neighbours, nodes};
use crate::model::Expr;
use crate::model::boards::Board;
use crate::model::functions::{Call, Caller, Doc, Operation, Operations, Primitive};

#[derive(Debug)]
pub struct Group;

impl BoardFunction for Group {
    fn name(&self) -> &'static str {
        "group"
    }

    fn form(&self) -> &'static str {
        "group(c, S)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`Board.group(c, S)`",
            result: "set of nodes",
            what: "what hangs together within `S` and holds `c`, which may be a set too",
        }]
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(2, 2)?;
        let from = call.arg_as_set(0, &board.node);
        let within = call.arg_as_set(1, &board.node);
        let args = vec![from?, within?];
        let table = neighbours(call, board, None);
        Some(call.make(asked(&Group, table, args), nodes(board)))
    }
}

impl Primitive for Group {
    fn goes_through_cells(&self) -> bool {
        true
    }

    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        let from = operations.set(call.arg(0)?)?;
        let within = operations.set(call.arg(1)?)?;
        let table = call.table?;
        Some(Operation::Group {
            from,
            within,
            table,
        })
    }
}
