//! Threads jumps, merges blocks and removes those that cannot be reached: `compile::simplify_cfg`, for a flow.

use super::Pass;
use crate::compile::playout::Flow;
use crate::compile::simplify_cfg;
use crate::ir::Program;

pub(super) const PASS: Pass = Pass {
    name: "simplify-cfg",
    run: simplify_cfg,
};

fn simplify_cfg(_: &Program, flow: &mut Flow) {
    simplify_cfg::simplify(&mut flow.blocks, &mut flow.entries);
}
