//! `Board.touching(c)`.

use super::{BoardFunction, Needs, at_node, node_sets, nodes};
use crate::model::Expr;
use crate::model::boards::Board;
use crate::model::functions::{Caller, Doc};

pub struct Touching;

impl BoardFunction for Touching {
    fn name(&self) -> &'static str {
        "touching"
    }

    fn form(&self) -> &'static str {
        "touching(c)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`Board.touching(c)`",
            result: "set of nodes",
            what: "the cells that share a side or a corner; on grids only",
        }]
    }

    fn needs(&self) -> Needs {
        Needs::Corners
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(1, 1)?;
        let node = call.arg_as(0, &board.node)?;
        let touching = board.lattice.as_ref()?.touching.as_ref()?;
        let table = call.table(board, ("touching", None), &|| node_sets(board, touching));
        Some(at_node(call, board, table, nodes(board), node))
    }
}
