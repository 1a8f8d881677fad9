//! `Board.group(c, S)`, `Board.group(c, S, D)`.

use super::{BoardFunction, asked, constant_directions, neighbours, node_sets, nodes};
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
        &[
            Doc {
                form: "`Board.group(c, S)`",
                result: "set of nodes",
                what: "what hangs together within `S` and holds `c`, which may be a set too",
            },
            Doc {
                form: "`Board.group(c, S, D)`",
                result: "set of nodes",
                what: "the same by steps in these directions, which must be constant: with `all` of a grid corners count",
            },
        ]
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(2, if board.lattice.is_some() { 3 } else { 2 })?;
        let from = call.arg_as_set(0, &board.node);
        let within = call.arg_as_set(1, &board.node);
        let table = match &board.lattice {
            Some(lattice) if call.count() > 2 => {
                let ways = constant_directions(call, 2, lattice)?;
                call.table(board, ("by", Some(ways.clone())), &|| {
                    node_sets(board, &lattice.neighbours_by(&ways))
                })
            }
            _ => neighbours(call, board, None),
        };
        let args = vec![from?, within?];
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
