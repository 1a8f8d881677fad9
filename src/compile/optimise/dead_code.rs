//! Dead code elimination: removes instructions whose results are not read. A value that is read only to compute itself
//! counts as unread.

use super::Pass;
use super::forward_analysis::order;
use crate::compile::playout::Flow;
use crate::ir::*;
use smallvec::SmallVec;

pub(super) const PASS: Pass = Pass {
    name: "dead-code",
    run: eliminate,
};

fn eliminate(_: &Program, flow: &mut Flow) {
    let into = live_in(flow);
    let mut live = Slots::new(flow.frame);
    for i in 0..flow.blocks.len() {
        put_live_out(flow, &into, BlockId(i as u32), true, &mut live);
        let instrs = &mut flow.blocks[i].instrs;
        let kept: Vec<bool> = instrs
            .iter()
            .rev()
            .map(|i| transfer(i, &mut live))
            .collect();
        let mut kept = kept.into_iter().rev();
        instrs.retain(|_| kept.next().unwrap_or(true));
    }
}

/// For each block the slots that matter where it begins.
pub(crate) fn live_in(flow: &Flow) -> Vec<Slots> {
    let mut into = vec![Slots::new(flow.frame); flow.blocks.len()];
    let mut predecessors: Vec<SmallVec<[u32; 4]>> = vec![SmallVec::new(); flow.blocks.len()];
    for (i, block) in flow.blocks.iter().enumerate() {
        for to in successors(&block.term) {
            predecessors[to.0 as usize].push(i as u32);
        }
    }
    // Each block before those that lead to it, as far as loops allow. What cannot be reached comes last.
    let order = order(flow);
    let mut reached = vec![false; flow.blocks.len()];
    for block in &order {
        reached[block.0 as usize] = true;
    }
    let unreached = (0..flow.blocks.len() as u32).filter(|i| !reached[*i as usize]);
    let mut waiting: Vec<u32> = unreached.chain(order.iter().map(|b| b.0)).collect();
    let mut queued = vec![true; flow.blocks.len()];
    let mut live = Slots::new(flow.frame);
    while let Some(i) = waiting.pop() {
        queued[i as usize] = false;
        put_live_out(flow, &into, BlockId(i), true, &mut live);
        for instr in flow.blocks[i as usize].instrs.iter().rev() {
            transfer(instr, &mut live);
        }
        if into[i as usize].extend(&live) {
            for &from in &predecessors[i as usize] {
                if !std::mem::replace(&mut queued[from as usize], true) {
                    waiting.push(from);
                }
            }
        }
    }
    into
}

/// The slots that matter where a block ends.
pub(crate) fn live_out(flow: &Flow, into: &[Slots], block: BlockId) -> Slots {
    let mut live = Slots::new(flow.frame);
    put_live_out(flow, into, block, true, &mut live);
    live
}

/// As [`live_out`], in a set that is used again. `branches`: whether it matters which way a branch takes.
pub(super) fn put_live_out(
    flow: &Flow,
    into: &[Slots],
    block: BlockId,
    branches: bool,
    live: &mut Slots,
) {
    let term = flow.blocks[block.0 as usize].term;
    live.clear();
    for to in successors(&term) {
        live.extend(&into[to.0 as usize]);
    }
    match term {
        Term::Branch { cond, .. } if branches => live.insert(cond),
        Term::Return => {
            flow.payoffs.iter().for_each(|s| live.insert(*s));
            live.insert(flow.last);
        }
        _ => {}
    }
}

pub(crate) fn successors(term: &Term) -> impl Iterator<Item = BlockId> + use<> {
    let (a, b) = match term {
        Term::Jump(to) => (Some(*to), None),
        Term::Branch {
            then, otherwise, ..
        } => (Some(*then), Some(*otherwise)),
        Term::Rest(_) | Term::Return | Term::Fail(_) => (None, None),
    };
    a.into_iter().chain(b)
}

/// Liveness from after an instruction to before it; false: the instruction is dead.
pub(crate) fn transfer(instr: &Instr, live: &mut Slots) -> bool {
    let mut touched: SmallVec<[(Slot, u32, Access); 6]> = SmallVec::new();
    instr.touch(&mut Reader(&mut |slot, words, access, _| {
        touched.push((slot, words, access));
    }));
    if instr.is_pure() {
        let mut changed = touched
            .iter()
            .filter(|(_, _, access)| matches!(access, Access::Write | Access::Part));
        if !changed.any(|&(slot, words, _)| (slot..slot + words).any(|s| live.contains(s))) {
            return false;
        }
    }
    if let Instr::Copy { dst, src, words } = instr {
        let words = 0..u32::from(*words);
        let read: SmallVec<[bool; 16]> = words.clone().map(|w| live.contains(dst + w)).collect();
        words.clone().for_each(|w| live.remove(dst + w));
        for (w, read) in words.zip(read) {
            if read {
                live.insert(src + w);
            }
        }
        return true;
    }
    for &(slot, words, access) in &touched {
        if access == Access::Write {
            (slot..slot + words).for_each(|s| live.remove(s));
        }
    }
    for (slot, words, access) in touched {
        if access != Access::Write {
            (slot..slot + words).for_each(|s| live.insert(s));
        }
    }
    true
}
