//! `Board.steps(c, D)`, `Board.steps(c, D, n)`.

use super::{BoardFunction, Needs, array, each_step, nodes, step_count, union_over};
use crate::model::Expr;
use crate::model::boards::{Board, node_set};
use crate::model::functions::{Caller, Doc};

pub struct Steps;

impl BoardFunction for Steps {
    fn name(&self) -> &'static str {
        "steps"
    }

    fn form(&self) -> &'static str {
        "steps(c, D)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[
            Doc {
                form: "`Board.steps(c, D)`",
                result: "set of nodes",
                what: "the next cells in these directions",
            },
            Doc {
                form: "`Board.steps(c, D, n)`",
                result: "set of nodes",
                what: "the cells `n` steps on in these directions, likewise",
            },
        ]
    }

    fn needs(&self) -> Needs {
        Needs::Lattice
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(2, 3)?;
        let lattice = board.lattice.as_ref()?;
        let cell = call.arg_as(0, &board.node);
        let ways = call.arg_as_set(1, &lattice.direction);
        let (cell, ways) = (cell?, ways?);
        if call.count() == 3 {
            let (count, counts) = step_count(call, lattice)?;
            let rows = call.table(board, ("steps by number", None), &|| {
                each_step(lattice, |to| node_set(board, to.map(|n| n as usize)))
            });
            let types = [board.node.clone(), lattice.direction.clone(), counts];
            let table = array(rows, types, nodes(board), call.span());
            return union_over(call, ways, cell, |call, way, cell| {
                call.element(table.clone(), vec![cell, way, count.clone()])
            });
        }
        let rows = call.table(board, ("steps", None), &|| {
            let steps = lattice.steps.iter().flatten();
            steps
                .map(|to| node_set(board, to.iter().map(|n| *n as usize)))
                .collect()
        });
        let types = [board.node.clone(), lattice.direction.clone()];
        let table = array(rows, types, nodes(board), call.span());
        union_over(call, ways, cell, |call, way, cell| {
            call.element(table.clone(), vec![cell, way])
        })
    }
}
