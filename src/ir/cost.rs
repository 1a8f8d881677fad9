//! What it takes to run a block, in steps: so that a bound on steps is one on time, however much a block does at once.
//!
//! A short block is one step. What goes through whole sets, or over a board, counts for what it can come to at most.

use super::{Block, Table};

/// So many instructions on single words make a step.
const PER_STEP: u64 = 16;

/// Notes in each block what it costs.
pub fn count(blocks: &mut [Block], tables: &[Table]) {
    for block in blocks {
        let work: u64 = block.instrs.iter().map(|i| i.work(tables)).sum();
        block.cost = u32::try_from(1 + work / PER_STEP).unwrap_or(u32::MAX);
    }
}
