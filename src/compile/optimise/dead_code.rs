//! Dead code elimination: removes instructions whose results are not read. A value that is read only to compute itself
//! counts as unread.

use super::Pass;
use crate::compile::playout::Flow;
use crate::ir::*;

pub(super) const PASS: Pass = Pass {
    name: "dead-code",
    run: eliminate,
};

fn eliminate(_: &Program, flow: &mut Flow) {
    let into = live_in(flow);
    for i in 0..flow.blocks.len() {
        let mut live = live_out(flow, &into, BlockId(i as u32));
        let mut kept = Vec::new();
        let block = &mut flow.blocks[i];
        while let Some(instr) = block.instrs.pop() {
            if transfer(&instr, &mut live) {
                kept.push(instr);
            }
        }
        kept.reverse();
        block.instrs = kept;
    }
}

/// For each block the slots that matter where it begins.
pub(crate) fn live_in(flow: &Flow) -> Vec<Slots> {
    let mut into = vec![Slots::new(flow.frame); flow.blocks.len()];
    let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); flow.blocks.len()];
    for (i, block) in flow.blocks.iter().enumerate() {
        for to in successors(&block.term) {
            predecessors[to.0 as usize].push(i as u32);
        }
    }
    let mut waiting: Vec<u32> = (0..flow.blocks.len() as u32).collect();
    let mut queued = vec![true; flow.blocks.len()];
    while let Some(i) = waiting.pop() {
        queued[i as usize] = false;
        let mut live = live_out(flow, &into, BlockId(i));
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
    let term = flow.blocks[block.0 as usize].term;
    let mut live = Slots::new(flow.frame);
    for to in successors(&term) {
        live.extend(&into[to.0 as usize]);
    }
    match term {
        Term::Branch { cond, .. } => live.insert(cond),
        Term::Return => {
            flow.payoffs.iter().for_each(|s| live.insert(*s));
            live.insert(flow.last);
        }
        _ => {}
    }
    live
}

pub(crate) fn successors(term: &Term) -> impl Iterator<Item = BlockId> {
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
    let mut wanted = !instr.is_pure();
    if !wanted {
        let mut option_test = |slot: Slot, words: u32| {
            wanted |= (slot..slot + words).any(|s| live.contains(s));
        };
        instr.visit(&mut |slot, words, written| {
            if written {
                option_test(slot, words);
            }
        });
        if let Some((slot, words)) = instr.in_place() {
            option_test(slot, words);
        }
    }
    if !wanted {
        return false;
    }
    if let Instr::Copy { dst, src, words } = instr {
        let read: Vec<bool> = (0..u32::from(*words))
            .map(|w| live.contains(dst + w))
            .collect();
        (0..u32::from(*words)).for_each(|w| live.remove(dst + w));
        for (w, read) in read.into_iter().enumerate() {
            if read {
                live.insert(src + w as u32);
            }
        }
        return true;
    }
    let mut reads: Vec<(Slot, u32)> = Vec::new();
    instr.visit(&mut |slot, words, written| {
        if written {
            (slot..slot + words).for_each(|s| live.remove(s));
        } else {
            reads.push((slot, words));
        }
    });
    for (slot, words) in reads {
        (slot..slot + words).for_each(|s| live.insert(s));
    }
    true
}
