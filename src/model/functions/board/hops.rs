//! `Board.hops(a, b)`, `Map.hops(a, b, L)`.

use super::{BoardFunction, asked};
use crate::model::boards::Board;
use crate::model::functions::{Call, Caller, Doc, Operation, Operations, Primitive};
use crate::model::types::Type;
use crate::model::{Expr, codes, reach};
use crate::text::diagnostics::Diagnostic;

#[derive(Debug)]
pub struct Hops;

impl BoardFunction for Hops {
    fn name(&self) -> &'static str {
        "hops"
    }

    fn form(&self) -> &'static str {
        "hops(a, b)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[
            Doc {
                form: "`Board.hops(a, b)`",
                result: "integer",
                what: "the length of a shortest way; the number of nodes where there is none",
            },
            Doc {
                form: "`Map.hops(a, b, L)`",
                result: "integer",
                what: "the same by edges with these labels, which must be constant",
            },
        ]
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(2, if board.label.is_some() { 3 } else { 2 })?;
        let a = call.arg_as(0, &board.node);
        let b = call.arg_as(1, &board.node);
        let labels = match &board.label {
            Some(label) if call.count() > 2 => Some(self.labels(call, label)?),
            _ => None,
        };
        let args = vec![a?, b?];
        let table = call.table(board, ("hops", labels.clone()), &|| {
            let next = board.neighbours(labels.as_deref());
            let bits = reach::distance_bits(board.size());
            (0..board.size())
                .map(|from| reach::pack(&reach::distances(from, &next), bits))
                .collect()
        });
        let hi = board.size() as i64;
        Some(call.make(asked(&Hops, table, args), Type::Int { lo: 0, hi }))
    }
}

impl Hops {
    fn labels(&self, call: &mut dyn Caller, label: &Type) -> Option<Vec<u64>> {
        let labels = call.arg_as_set(2, label)?;
        let words = call.constant(&labels);
        if words.is_none() {
            call.report(
                Diagnostic::error(
                    codes::NOT_CONSTANT,
                    call.arg_span(2),
                    "the labels of a distance must be known before the game starts",
                )
                .label("these are not")
                .hint("write the labels, or choose between several distances with `match`"),
            );
        }
        words
    }
}

impl Primitive for Hops {
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        Some(Operation::Hops {
            from: operations.ordinal(call.arg(0)?)?,
            to: operations.ordinal(call.arg(1)?)?,
            table: call.table?,
        })
    }
}
