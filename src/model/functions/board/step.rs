//! `Board.step(c, d)`, `Board.step(c, d, n)`.

use super::{BoardFunction, Needs, array, count_key, count_type, each_step, step_count, steps};
use crate::model::Expr;
use crate::model::boards::Board;
use crate::model::functions::{Caller, Doc};
use crate::model::types::Type;

pub struct Step;

impl BoardFunction for Step {
    fn name(&self) -> &'static str {
        "step"
    }

    fn form(&self) -> &'static str {
        "step(c, direction)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[
            Doc {
                form: "`Board.step(c, d)`",
                result: "node or none",
                what: "the next cell in a direction",
            },
            Doc {
                form: "`Board.step(c, d, n)`",
                result: "node or none",
                what: "the cell `n` steps on, from 0 to as many as the longer side has",
            },
        ]
    }

    fn needs(&self) -> Needs {
        Needs::Lattice
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(2, 3)?;
        let lattice = board.lattice.as_ref()?;
        let direction = lattice.direction.clone();
        let cell = call.arg_as(0, &board.node);
        let way = call.arg_as(1, &direction);
        let to = Type::optional(board.node.clone());
        if call.count() == 2 {
            let types = [board.node.clone(), direction];
            let table = array(steps(call, board), types, to, call.span());
            return Some(call.element(table, vec![cell?, way?]));
        }
        let (count, counts) = step_count(call, lattice, 1)?;
        let table = call.table(board, count_key("step by number", &counts), &|| {
            each_step(lattice, &counts, |to| {
                vec![to.map_or(0, |n| u64::from(n) + 1)]
            })
        });
        let table = array(
            table,
            [board.node.clone(), direction, count_type(&counts)],
            to,
            call.span(),
        );
        Some(call.element(table, vec![cell?, way?, count]))
    }
}
