//! Loops of a flow: what changes in them, and between what bounds.

use super::super::bounds::{Bounds, FULL, hull, intersection, result};
use super::super::dead_code::successors;
use super::ForwardAnalysis;
use crate::compile::playout::Flow;
use crate::ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Every block that can be reached, each after those that lead to it but for loops.
pub(crate) fn order(flow: &Flow) -> Vec<BlockId> {
    let mut seen = vec![false; flow.blocks.len()];
    let mut order = Vec::new();
    let roots = flow.entries.iter().flat_map(|e| &e.blocks);
    for &root in roots {
        // A block is put down when all that follows it has been.
        let mut stack = vec![(root, false)];
        while let Some((block, done)) = stack.pop() {
            if done {
                order.push(block);
            } else if !std::mem::replace(&mut seen[block.0 as usize], true) {
                stack.push((block, true));
                let next = successors(&flow.blocks[block.0 as usize].term);
                stack.extend(next.map(|to| (to, false)));
            }
        }
    }
    order.reverse();
    order
}

/// What may change in a loop.
#[derive(Default)]
pub(super) struct Changed {
    pub slots: FxHashSet<Slot>,
    /// Sets of one word that something is taken out of, and that are not written otherwise.
    shrinking: FxHashSet<Slot>,
}

/// The slots that may change on the way from the head of a loop to where it comes back from; `None`: anything may.
pub(super) fn changed(
    flow: &Flow,
    predecessors: &[Vec<BlockId>],
    rests: &FxHashMap<BlockId, Vec<usize>>,
    head: BlockId,
    back: &[BlockId],
) -> Option<Changed> {
    let mut inside: FxHashSet<BlockId> = FxHashSet::default();
    inside.insert(head);
    let mut waiting = back.to_vec();
    while let Some(block) = waiting.pop() {
        if !inside.insert(block) {
            continue;
        }
        if rests.contains_key(&block) {
            return None;
        }
        waiting.extend(&predecessors[block.0 as usize]);
    }
    let mut changed = Changed::default();
    let mut written = FxHashSet::default();
    #[expect(clippy::iter_over_hash_type, reason = "a union")]
    for block in inside {
        for instr in &flow.blocks[block.0 as usize].instrs {
            if let Instr::SetRemove { set, .. } = instr
                && set.words == 1
            {
                changed.shrinking.insert(set.slot);
                continue;
            }
            instr.clobbers(&mut |slot, words| {
                written.extend(slot..slot + words);
            });
        }
    }
    changed.shrinking.retain(|slot| !written.contains(slot));
    changed.slots = written;
    changed.slots.extend(&changed.shrinking);
    Some(changed)
}

/// The bounds of a slot on the way from a block to another, as far as the last instruction that writes it says.
fn last_bounds(
    program: &Program,
    flow: &Flow,
    from: BlockId,
    to: BlockId,
    slot: Slot,
) -> Option<Bounds> {
    let block = &flow.blocks[from.0 as usize];
    let writes = |instr: &Instr, to: Slot| {
        let mut writes = false;
        instr.clobbers(&mut |s, n| writes |= (s..s + n).contains(&to));
        writes
    };
    let at = block.instrs.iter().rposition(|i| writes(i, slot))?;
    if matches!(block.instrs[at], Instr::Sample(_)) {
        return None;
    }
    let bounds = result(&block.instrs[at], &|_| FULL, program);
    let Term::Branch { cond, then, .. } = block.term else {
        return Some(bounds);
    };
    let test = block.instrs[at..].iter().rfind(|i| writes(i, cond));
    let said = match test {
        Some(Instr::Immediate { op, a, value, .. }) if *a == slot && slot != cond => {
            match (op, then == to) {
                (Op::Le, true) => (i64::MIN, *value),
                (Op::Le, false) => (value.saturating_add(1), i64::MAX),
                (Op::Lt, true) => (i64::MIN, value.saturating_sub(1)),
                (Op::Lt, false) => (*value, i64::MAX),
                _ => FULL,
            }
        }
        _ => FULL,
    };
    Some(intersection(bounds, said))
}

impl ForwardAnalysis<'_> {
    /// The bounds of what changes in a loop, where both what enters it and what comes back have some.
    pub(super) fn bounded(
        &self,
        flow: &Flow,
        head: BlockId,
        back: &[BlockId],
        changed: Option<&Changed>,
    ) -> Vec<(Slot, Bounds)> {
        let mut bounded = Vec::new();
        for (slot, value) in self.state.of.iter() {
            let now = self.bounds(value);
            if now == FULL || changed.is_some_and(|c| !c.slots.contains(&slot)) {
                continue;
            }
            if now.0 >= 0 && changed.is_some_and(|c| c.shrinking.contains(&slot)) {
                bounded.push((slot, (0, now.1)));
                continue;
            }
            let all = back.iter().try_fold(now, |all, b| {
                let program = self.values.program;
                Some(hull(all, last_bounds(program, flow, *b, head, slot)?))
            });
            bounded.extend(all.filter(|b| *b != FULL).map(|b| (slot, b)));
        }
        bounded
    }
}
