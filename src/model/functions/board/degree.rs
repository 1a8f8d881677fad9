//! `Board.degree(c)`.

use super::{BoardFunction, at_node};
use crate::model::Expr;
use crate::model::boards::Board;
use crate::model::functions::{Caller, Doc};
use crate::model::types::Type;

pub struct Degree;

impl BoardFunction for Degree {
    fn name(&self) -> &'static str {
        "degree"
    }

    fn form(&self) -> &'static str {
        "degree(c)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`Board.degree(c)`",
            result: "integer",
            what: "the number of neighbours",
        }]
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(1, 1)?;
        let node = call.arg_as(0, &board.node)?;
        let table = call.table(board, ("degree", None), &|| {
            let lists = board.neighbours(None);
            lists.iter().map(|list| vec![list.len() as u64]).collect()
        });
        let hi = board.size() as i64;
        Some(at_node(call, board, table, Type::Int { lo: 0, hi }, node))
    }
}
