//! `Map.via(c, L)`.

use super::{BoardFunction, Needs, array, at_node, neighbours, node_sets, nodes, union_over};
use crate::model::boards::Board;
use crate::model::functions::{Caller, Doc};
use crate::model::{Expr, ExprKind};

pub struct Via;

impl BoardFunction for Via {
    fn name(&self) -> &'static str {
        "via"
    }

    fn form(&self) -> &'static str {
        "via(c, L)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`Map.via(c, L)`",
            result: "set of nodes",
            what: "the neighbours by edges with these labels",
        }]
    }

    fn needs(&self) -> Needs {
        Needs::Labels
    }

    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(2, 2)?;
        let label = board.label.clone()?;
        let node = call.arg_as(0, &board.node);
        let labels = call.arg_as_set(1, &label);
        let (node, labels) = (node?, labels?);
        if let ExprKind::ConstSet(words) = &labels.kind {
            let table = neighbours(call, board, Some(words.clone()));
            return Some(at_node(call, board, table, nodes(board), node));
        }
        let rows = call.table(board, ("labelled", None), &|| {
            let labels = board.edges.iter();
            labels.flat_map(|edges| node_sets(board, edges)).collect()
        });
        let types = [label, board.node.clone()];
        let table = array(rows, types, nodes(board), call.span());
        union_over(call, labels, node, |call, label, node| {
            call.element(table.clone(), vec![label, node])
        })
    }
}
