//! `Board.reach(c)`.

use super::{BoardFunction, at_node, nodes};
use crate::model::boards::{Board, node_set};
use crate::model::functions::{Caller, Doc};
use crate::model::{Expr, reach};

pub struct Reach;

impl BoardFunction for Reach {
    fn name(&self) -> &'static str {
        "reach"
    }

    fn form(&self) -> &'static str {
        "reach(c)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`Board.reach(c)`",
            result: "set of nodes",
            what: "`c` and everything that can be reached from it",
        }]
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(1, 1)?;
        let node = call.arg_as(0, &board.node)?;
        let table = call.table(board, ("reach", None), &|| {
            let next = board.neighbours(None);
            let reached = |from| {
                let found = reach::distances(from, &next);
                node_set(board, (0..board.size()).filter(|n| found[*n].is_some()))
            };
            (0..board.size()).map(reached).collect()
        });
        Some(at_node(call, board, table, nodes(board), node))
    }
}
