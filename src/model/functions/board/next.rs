//! `Board.next(c)`.

use super::{BoardFunction, at_node, neighbours, nodes};
use crate::model::Expr;
use crate::model::boards::Board;
use crate::model::functions::{Caller, Doc};

pub struct Next;

impl BoardFunction for Next {
    fn name(&self) -> &'static str {
        "next"
    }

    fn form(&self) -> &'static str {
        "next(c)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`Board.next(c)`",
            result: "set of nodes",
            what: "the neighbours of `c`: where its edges lead",
        }]
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(1, 1)?;
        let node = call.arg_as(0, &board.node)?;
        let table = neighbours(call, board, None);
        Some(at_node(call, board, table, nodes(board), node))
    }
}
