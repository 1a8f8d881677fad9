//! What a search must put back: what is still wanted where a choice looks for its next option, and changes in between.

use super::super::Builder;
use super::search::Branch;
use crate::ir::*;
use crate::model::VarId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The blocks of a search, which end at some others, where nothing is wanted, and what is wanted before each of them.
pub(super) struct Flow<'s> {
    branches: &'s [Branch],
    ends: [BlockId; 2],
    pub blocks: Vec<BlockId>,
    wanted: FxHashMap<BlockId, FxHashSet<Slot>>,
}

impl Flow<'_> {
    /// What is wanted where a choice looks for its next option, of what some blocks write. Without the slots in `own`.
    pub fn saved(&self, branch: &Branch, written: &FxHashSet<Slot>, own: &[Slot]) -> Vec<Operand> {
        let wanted = self.wanted(branch);
        let slots = wanted.filter(|slot| written.contains(slot) && !own.contains(slot));
        ranges(slots.collect())
    }

    /// What is wanted where a choice looks for its next option.
    pub fn wanted(&self, branch: &Branch) -> impl Iterator<Item = Slot> {
        let wanted = self.wanted.get(&branch.next).into_iter();
        wanted.flatten().copied()
    }
}

impl Builder<'_> {
    /// The search from its block `first`, as it is written so far.
    pub(super) fn flow<'s>(
        &self,
        first: BlockId,
        branches: &'s [Branch],
        ends: [BlockId; 2],
    ) -> Flow<'s> {
        let roots = branches.iter().map(|b| b.next).chain([first]).collect();
        let mut flow = Flow {
            branches,
            ends,
            blocks: self.reached(roots, &[], &ends),
            wanted: FxHashMap::default(),
        };
        let written = self.written(&flow.blocks);
        let mut changed = true;
        while changed {
            changed = false;
            for id in flow.blocks.iter().rev() {
                let live = self.wanted_before(*id, &flow, &written);
                let known = flow.wanted.entry(*id).or_default();
                if live.len() != known.len() {
                    *known = live;
                    changed = true;
                }
            }
        }
        flow
    }

    /// What may be run from where an option is taken to where the next one is looked for.
    pub(super) fn between(&self, flow: &Flow<'_>, branch: &Branch) -> Vec<BlockId> {
        let roots = successors(&self.blocks[branch.push.0 as usize].term).collect();
        self.reached(roots, flow.branches, &flow.ends)
    }

    /// The variables that a search changes, as it is written: without the stores that nobody reads.
    pub(super) fn written_in_search(
        &self,
        first: BlockId,
        branches: &[Branch],
        ends: [BlockId; 2],
    ) -> FxHashSet<VarId> {
        let roots = branches.iter().map(|b| b.next).chain([first]).collect();
        let slots = self.written(&self.reached(roots, &[], &ends));
        let is_written = |var: &VarSlots| {
            let words = var.elements * u32::from(var.words);
            (var.base..var.base + words).any(|slot| slots.contains(&slot))
        };
        let vars = self.vars.iter().zip(0..);
        let written = vars.filter(|(var, _)| is_written(var));
        written.map(|(_, number)| VarId(number)).collect()
    }

    /// The slots that some blocks write.
    pub(super) fn written(&self, blocks: &[BlockId]) -> FxHashSet<Slot> {
        let mut written = FxHashSet::default();
        for id in blocks {
            for instr in &self.blocks[id.0 as usize].instrs {
                instr.clobbers(&mut |slot, words| written.extend(slot..slot + words));
            }
        }
        written
    }

    /// Leaves out the stores to some variables of which nothing is wanted before all is put back.
    pub(super) fn without_unread_stores(&mut self, flow: &Flow<'_>, vars: &[VarId]) {
        let vars = vars.iter().map(|var| &self.vars[var.0 as usize]);
        let slots = vars.map(|var| var.base..var.base + var.elements * u32::from(var.words));
        let slots: Vec<std::ops::Range<Slot>> = slots.collect();
        let is_store = |instr: &Instr| match instr {
            Instr::Store { base, .. } => slots.iter().any(|slots| slots.contains(base)),
            _ => false,
        };
        let written = self.written(&flow.blocks);
        for id in &flow.blocks {
            if !self.blocks[id.0 as usize].instrs.iter().any(is_store) {
                continue;
            }
            let mut live = self.wanted_after(*id, flow, &written);
            let mut instrs = std::mem::take(&mut self.blocks[id.0 as usize].instrs);
            let mut kept = Vec::with_capacity(instrs.len());
            while let Some(instr) = instrs.pop() {
                let mut read = !is_store(&instr);
                instr.clobbers(&mut |slot, words| {
                    read |= (slot..slot + words).any(|s| live.contains(&s));
                });
                if read {
                    wanted_before(&instr, &mut live, &written);
                    kept.push(instr);
                }
            }
            kept.reverse();
            self.blocks[id.0 as usize].instrs = kept;
        }
    }

    /// The blocks that can be reached from some, without going through a block of `ends`; where an option is taken, also those
    /// that look for the next one.
    fn reached(
        &self,
        roots: Vec<BlockId>,
        branches: &[Branch],
        ends: &[BlockId; 2],
    ) -> Vec<BlockId> {
        let mut seen: FxHashSet<BlockId> = ends.iter().copied().collect();
        let mut order = Vec::new();
        let mut waiting = roots;
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            order.push(id);
            waiting.extend(successors(&self.blocks[id.0 as usize].term));
            let taken = branches.iter().filter(|branch| branch.push == id);
            waiting.extend(taken.map(|branch| branch.next));
        }
        order
    }

    /// What is wanted at the end of a block; where an option is taken, also what is wanted once the next one is looked for.
    fn wanted_after(
        &self,
        id: BlockId,
        flow: &Flow<'_>,
        written: &FxHashSet<Slot>,
    ) -> FxHashSet<Slot> {
        let term = &self.blocks[id.0 as usize].term;
        let mut live: FxHashSet<Slot> = FxHashSet::default();
        let taken = flow.branches.iter().filter(|branch| branch.push == id);
        for next in successors(term).chain(taken.map(|branch| branch.next)) {
            live.extend(flow.wanted.get(&next).into_iter().flatten());
        }
        if let Term::Branch { cond, .. } = term {
            live.extend(written.get(cond));
        }
        live
    }

    fn wanted_before(
        &self,
        id: BlockId,
        flow: &Flow<'_>,
        written: &FxHashSet<Slot>,
    ) -> FxHashSet<Slot> {
        let mut live = self.wanted_after(id, flow, written);
        for instr in self.blocks[id.0 as usize].instrs.iter().rev() {
            wanted_before(instr, &mut live, written);
        }
        live
    }
}

/// From what is wanted after an instruction to what is wanted before it.
fn wanted_before(instr: &Instr, live: &mut FxHashSet<Slot>, written: &FxHashSet<Slot>) {
    // What it leaves as it was, it does not read.
    let kept = match instr {
        Instr::Store { .. } | Instr::SetInsert { .. } | Instr::SetRemove { .. } => instr.in_place(),
        _ => None,
    };
    let mut reads = Vec::new();
    instr.visit(&mut |slot, words, fresh| {
        if fresh {
            (slot..slot + words).for_each(|s| {
                live.remove(&s);
            });
        } else if kept != Some((slot, words)) {
            reads.extend((slot..slot + words).filter(|s| written.contains(s)));
        }
    });
    live.extend(reads);
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
pub(super) fn ranges(mut slots: Vec<Slot>) -> Vec<Operand> {
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
