//! Code sinking: moves a computation past a branch to the one side on which its result is read.

use super::Pass;
use super::dead_code::{self, live_in, successors};
use super::forward_analysis::order;
use crate::compile::playout::Flow;
use crate::ir::*;

pub(super) const PASS: Pass = Pass {
    name: "sinking",
    run: sinking,
};

fn sinking(_: &Program, flow: &mut Flow) {
    let mut s = Sinker {
        live: live_in(flow),
        predecessor_count: vec![0; flow.blocks.len()],
    };
    for block in &flow.blocks {
        for to in successors(&block.term) {
            s.predecessor_count[to.0 as usize] += 1;
        }
    }
    for block in flow.entries.iter().flat_map(|e| &e.blocks) {
        s.predecessor_count[block.0 as usize] += 2;
    }
    for block in order(flow) {
        if let Term::Branch {
            then, otherwise, ..
        } = flow.blocks[block.0 as usize].term
            && then != otherwise
        {
            s.block(flow, block);
        }
    }
}

struct Sinker {
    live: Vec<Slots>,
    predecessor_count: Vec<u32>,
}

impl Sinker {
    fn block(&mut self, flow: &mut Flow, id: BlockId) {
        // What the rest of the block reads and writes.
        let mut read = Slots::new(flow.pool.end());
        let mut written = Slots::new(flow.pool.end());
        if let Term::Branch { cond, .. } = flow.blocks[id.0 as usize].term {
            read.insert(cond);
        }
        for i in (0..flow.blocks[id.0 as usize].instrs.len()).rev() {
            let instr = flow.blocks[id.0 as usize].instrs[i].clone();
            let mut stays = !instr.is_pure() || instr.in_place().is_some();
            let mut dst = None;
            instr.visit(&mut |slot, words, is_written| {
                for s in slot..slot + words {
                    stays |= written.contains(s) || is_written && read.contains(s);
                }
                if is_written {
                    stays |= dst.replace((slot, words)).is_some();
                }
            });
            let to = dst.filter(|_| !stays);
            let to = to.and_then(|(slot, words)| self.way(flow, id, slot, words));
            if let Some(way) = to {
                self.put(flow, id, way, &instr);
                flow.blocks[id.0 as usize].instrs.remove(i);
                continue;
            }
            instr.visit(&mut |slot, words, is_written| {
                if !is_written {
                    (slot..slot + words).for_each(|s| read.insert(s));
                }
            });
            instr.clobbers(&mut |slot, words| {
                (slot..slot + words).for_each(|s| written.insert(s));
            });
        }
    }

    /// The way on which a value is wanted, if it is the only one.
    fn way(&self, flow: &Flow, id: BlockId, slot: Slot, words: u32) -> Option<BlockId> {
        let next: Vec<BlockId> = successors(&flow.blocks[id.0 as usize].term).collect();
        let any = |slots: &Slots| (slot..slot + words).any(|s| slots.contains(s));
        let wanted: Vec<BlockId> = next
            .iter()
            .copied()
            .filter(|b| any(&self.live[b.0 as usize]))
            .collect();
        match wanted[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Puts an instruction on the way from one block to another.
    fn put(&mut self, flow: &mut Flow, from: BlockId, to: BlockId, instr: &Instr) {
        let mut at = to;
        if self.predecessor_count[to.0 as usize] != 1 {
            at = BlockId(flow.blocks.len() as u32);
            flow.blocks.push(Block {
                term: Term::Jump(to),
                ..Block::default()
            });
            self.live.push(self.live[to.0 as usize].clone());
            self.predecessor_count.push(1);
            if let Term::Branch {
                then, otherwise, ..
            } = &mut flow.blocks[from.0 as usize].term
            {
                let side = if *then == to { then } else { otherwise };
                *side = at;
            }
        }
        flow.blocks[at.0 as usize].instrs.insert(0, instr.clone());
        dead_code::transfer(instr, &mut self.live[at.0 as usize]);
    }
}
