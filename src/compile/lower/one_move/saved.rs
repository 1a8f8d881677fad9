//! What a search must put back: what is still wanted where a choice looks for its next option, and changes in between.

use super::super::Builder;
use crate::ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

impl Builder<'_> {
    /// For each of the blocks `nexts` the slots that are wanted there and written somewhere in the search. The search is
    /// what can be reached from `first` and from these blocks without going through a block of `ends`, at which nothing is
    /// wanted. Without the slots in `own`.
    pub(super) fn saved(
        &self,
        first: BlockId,
        nexts: &[BlockId],
        ends: &[BlockId],
        own: &[Slot],
    ) -> Vec<Vec<Operand>> {
        let blocks = self.reached(first, nexts, ends);
        let mut written: FxHashSet<Slot> = FxHashSet::default();
        for id in &blocks {
            for instr in &self.blocks[id.0 as usize].instrs {
                instr.clobbers(&mut |slot, words| written.extend(slot..slot + words));
            }
        }
        own.iter().for_each(|slot| {
            written.remove(slot);
        });
        let mut wanted: FxHashMap<BlockId, FxHashSet<Slot>> = FxHashMap::default();
        let mut changed = true;
        while changed {
            changed = false;
            for id in blocks.iter().rev() {
                let live = self.wanted_before(*id, &wanted, &written);
                let known = wanted.entry(*id).or_default();
                if live.len() != known.len() {
                    *known = live;
                    changed = true;
                }
            }
        }
        let of = |next: &BlockId| {
            let slots = wanted.get(next).into_iter().flatten().copied();
            ranges(slots.collect())
        };
        nexts.iter().map(of).collect()
    }

    pub(super) fn reached(
        &self,
        first: BlockId,
        nexts: &[BlockId],
        ends: &[BlockId],
    ) -> Vec<BlockId> {
        let mut seen: FxHashSet<BlockId> = ends.iter().copied().collect();
        let mut order = Vec::new();
        let mut waiting: Vec<BlockId> = nexts.iter().copied().chain([first]).collect();
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            order.push(id);
            waiting.extend(successors(&self.blocks[id.0 as usize].term));
        }
        order
    }

    fn wanted_before(
        &self,
        id: BlockId,
        wanted: &FxHashMap<BlockId, FxHashSet<Slot>>,
        written: &FxHashSet<Slot>,
    ) -> FxHashSet<Slot> {
        let block = &self.blocks[id.0 as usize];
        let mut live: FxHashSet<Slot> = FxHashSet::default();
        for next in successors(&block.term) {
            live.extend(wanted.get(&next).into_iter().flatten());
        }
        if let Term::Branch { cond, .. } = block.term {
            live.extend(written.get(&cond));
        }
        for instr in block.instrs.iter().rev() {
            let mut reads = Vec::new();
            instr.visit(&mut |slot, words, fresh| {
                if fresh {
                    (slot..slot + words).for_each(|s| {
                        live.remove(&s);
                    });
                } else {
                    reads.extend((slot..slot + words).filter(|s| written.contains(s)));
                }
            });
            live.extend(reads);
        }
        live
    }
}

pub(in super::super) fn successors(term: &Term) -> impl Iterator<Item = BlockId> {
    let (one, other) = match *term {
        Term::Jump(to) => (Some(to), None),
        Term::Branch {
            then, otherwise, ..
        } => (Some(then), Some(otherwise)),
        Term::Rest(_) | Term::Return | Term::Fail(_) => (None, None),
    };
    one.into_iter().chain(other)
}

/// Slots that lie side by side together.
fn ranges(mut slots: Vec<Slot>) -> Vec<Operand> {
    slots.sort_unstable();
    let mut ranges: Vec<Operand> = Vec::new();
    for slot in slots {
        match ranges.last_mut() {
            Some(last) if last.slot + u32::from(last.words) == slot && last.words < u16::MAX => {
                last.words += 1;
            }
            _ => ranges.push(Operand { slot, words: 1 }),
        }
    }
    ranges
}
