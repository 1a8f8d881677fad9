//! `Board.step(c, d)`.

use super::{BoardFunction, Needs, array, steps};
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
        &[Doc {
            form: "`Board.step(c, d)`",
            result: "node or none",
            what: "the next cell in a direction",
        }]
    }

    fn needs(&self) -> Needs {
        Needs::Lattice
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(2, 2)?;
        let direction = board.lattice.as_ref()?.direction.clone();
        let cell = call.arg_as(0, &board.node);
        let way = call.arg_as(1, &direction);
        let types = [board.node.clone(), direction];
        let to = Type::optional(board.node.clone());
        let table = array(steps(call, board), types, to, call.span());
        Some(call.element(table, vec![cell?, way?]))
    }
}
