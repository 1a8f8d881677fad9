//! `Board.around(S)`.

use super::{BoardFunction, asked, neighbours, nodes};
use crate::model::Expr;
use crate::model::boards::Board;
use crate::model::functions::{Call, Caller, Doc, Operation, Operations, Primitive};

#[derive(Debug)]
pub struct Around;

impl BoardFunction for Around {
    fn name(&self) -> &'static str {
        "around"
    }

    fn form(&self) -> &'static str {
        "around(S)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`Board.around(S)`",
            result: "set of nodes",
            what: "the neighbours of the nodes in `S` that are not in `S`",
        }]
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(1, 1)?;
        let from = call.arg_as_set(0, &board.node)?;
        let table = neighbours(call, board, None);
        Some(call.make(asked(&Around, table, vec![from]), nodes(board)))
    }
}

impl Primitive for Around {
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        let from = operations.set(call.arg(0)?)?;
        let table = call.table?;
        Some(Operation::Around { from, table })
    }
}
