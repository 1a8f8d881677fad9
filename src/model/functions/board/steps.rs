//! `Board.steps(c, D)`, `Board.steps(c, D, n)`.

use super::{
    BoardFunction, Needs, array, count_key, count_type, each_step, let_in, nodes, step_count,
    union_over,
};
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
            let words = board.size().div_ceil(64).max(1);
            let (count, counts) = step_count(call, lattice, words)?;
            let rows = call.table(board, count_key("steps by number", &counts), &|| {
                let set = |to: Option<u32>| node_set(board, to.map(|n| n as usize));
                each_step(lattice, &counts, set)
            });
            let types = [
                board.node.clone(),
                lattice.direction.clone(),
                count_type(&counts),
            ];
            let table = array(rows, types, nodes(board), call.span());
            // The number is worked out once, for however many directions.
            let id = call.new_local(count.ty.clone());
            let held = Expr::local(id, count.ty.clone(), call.span());
            let all = union_over(call, ways, cell, |call, way, cell| {
                call.element(table.clone(), vec![cell, way, held.clone()])
            })?;
            return Some(let_in(call, id, count, all));
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
