//! `Board.run(c, d, S)` and `Board.line(c, d, S)`.

use super::{BoardFunction, Needs, asked, nodes, steps};
use crate::model::Expr;
use crate::model::boards::Board;
use crate::model::functions::{Call, Caller, Doc, Operation, Operations, Primitive};

#[derive(Debug)]
pub struct Run {
    both: bool,
}

pub static RUN: Run = Run { both: false };
pub static LINE: Run = Run { both: true };

impl BoardFunction for Run {
    fn name(&self) -> &'static str {
        if self.both { "line" } else { "run" }
    }

    fn form(&self) -> &'static str {
        if self.both {
            "line(c, direction, S)"
        } else {
            "run(c, direction, S)"
        }
    }

    fn docs(&self) -> &'static [Doc] {
        if self.both {
            &[Doc {
                form: "`Board.line(c, d, S)`",
                result: "set of nodes",
                what: "`c` and the cells on both sides of it, along a direction, as long as they are in `S`; none if `c` is not",
            }]
        } else {
            &[Doc {
                form: "`Board.run(c, d, S)`",
                result: "set of nodes",
                what: "the cells from `c` on, without `c`, as long as they are in `S`",
            }]
        }
    }

    fn needs(&self) -> Needs {
        Needs::Lattice
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(3, 3)?;
        let direction = &board.lattice.as_ref()?.direction;
        let cell = call.arg_as(0, &board.node);
        let way = call.arg_as(1, direction);
        let within = call.arg_as_set(2, &board.node);
        let args = vec![cell?, way?, within?];
        let table = steps(call, board);
        let function = if self.both { &LINE } else { &RUN };
        Some(call.make(asked(function, table, args), nodes(board)))
    }
}

impl Primitive for Run {
    fn grows_with(&self) -> Option<usize> {
        Some(2)
    }

    fn is_line(&self) -> bool {
        self.both
    }

    fn is_run(&self) -> bool {
        !self.both
    }

    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        let [cell, way, within] = call.args else {
            return None;
        };
        Some(Operation::Run {
            from: operations.ordinal(cell)?,
            way: operations.ordinal(way)?,
            ways: way.ty.size()?,
            within: operations.set(within)?,
            both: self.both,
            table: call.table?,
        })
    }
}
