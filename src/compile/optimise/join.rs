//! Threads jumps and puts blocks together: what `simplify` does to the graph, done to a flow.

use super::{Pass, Session};
use crate::compile::playout::Flow;
use crate::compile::simplify;

pub(super) const PASS: Pass = Pass {
    name: "join",
    run: join,
};

fn join(_: &Session<'_>, flow: &mut Flow) {
    simplify::simplify(&mut flow.blocks, &mut flow.entries);
}
