//! What of the frame a piece of a flow may change.

use super::dead_code::successors;
use crate::compile::playout::Flow;
use crate::ir::*;

/// The slots that may have another value once the flow was entered by one of these blocks.
pub(crate) fn changed_from(flow: &Flow, entries: &[BlockId]) -> Slots {
    let mut changed = Slots::new(flow.frame);
    let mut seen = vec![false; flow.blocks.len()];
    let mut waiting = entries.to_vec();
    while let Some(id) = waiting.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        let block = &flow.blocks[id.0 as usize];
        for instr in &block.instrs {
            instr.clobbers(&mut |slot, words| {
                (slot..slot + words).for_each(|s| changed.insert(s));
            });
        }
        waiting.extend(successors(&block.term));
    }
    changed
}
