//! `Board.sight(c, d, S)`.

use super::{BoardFunction, Needs, array, nodes};
use crate::model::boards::{Board, node_set};
use crate::model::functions::caller::let_in;
use crate::model::functions::{Caller, Doc};
use crate::model::{BinaryOp, Expr, ExprKind, FoldOp};

pub struct Sight;

impl BoardFunction for Sight {
    fn name(&self) -> &'static str {
        "sight"
    }

    fn form(&self) -> &'static str {
        "sight(c, direction, S)"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`Board.sight(c, d, S)`",
            result: "set of nodes",
            what: "those of `Board.run(c, d, S)` and the cell behind them, if there is one",
        }]
    }

    fn needs(&self) -> Needs {
        Needs::Lattice
    }

    /// All cells in the direction but those behind one that is not in `S`.
    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr> {
        call.arity(3, 3)?;
        let lattice = board.lattice.as_ref()?;
        let direction = lattice.direction.clone();
        let cell = call.arg_as(0, &board.node);
        let way = call.arg_as(1, &direction);
        let through = call.arg_as_set(2, &board.node);
        let (cell, way, through) = (cell?, way?, through?);
        let rows = call.table(board, ("ray", None), &|| {
            let cells = 0..lattice.steps.len();
            let ray = |cell: usize, way: usize| {
                node_set(board, lattice.ray(cell, way).map(|n| n as usize))
            };
            cells
                .flat_map(|cell| (0..lattice.steps[cell].len()).map(move |way| ray(cell, way)))
                .collect()
        });
        let types = [board.node.clone(), direction];
        let rays = array(rows, types, nodes(board), call.span());
        let span = call.span();
        let held = |call: &mut dyn Caller, value: &Expr| {
            let id = call.new_local(value.ty.clone());
            (id, Expr::local(id, value.ty.clone(), span))
        };
        let (way_id, one_way) = held(call, &way);
        let ray = call.element(rays.clone(), vec![cell, one_way.clone()]);
        let (ray_id, all) = held(call, &ray);
        let less = |call: &mut dyn Caller, from: Expr, set: Expr| {
            let (left, right) = (Box::new(from), Box::new(set));
            let op = BinaryOp::Difference;
            call.make(ExprKind::Binary { op, left, right }, nodes(board))
        };
        let blocking = less(call, all.clone(), through);
        let block_id = call.new_local(board.node.clone());
        let block = Expr::local(block_id, board.node.clone(), span);
        let behind = call.element(rays, vec![block, one_way]);
        let behind = call.fold(FoldOp::Union, block_id, blocking, behind)?;
        let seen = less(call, all, behind);
        let seen = let_in(call, ray_id, ray, seen);
        Some(let_in(call, way_id, way, seen))
    }
}
