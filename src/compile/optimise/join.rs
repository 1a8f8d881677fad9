//! Threads jumps and puts blocks together: what `simplify` does to the graph, done to a flow.

use super::Pass;
use crate::compile::playout::Flow;
use crate::compile::simplify;
use crate::ir::Program;

pub(super) const PASS: Pass = Pass {
    name: "join",
    run: join,
};

fn join(_: &Program, flow: &mut Flow) {
    simplify::simplify(&mut flow.blocks, &mut flow.entries);
}
