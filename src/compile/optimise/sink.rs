//! Moves what is computed to the ways on which it is wanted: past branches, as long as some way does without it.

use super::dead::{self, live_into, successors};
use super::effects::{clobbers, in_place, is_pure};
use super::state::order;
use super::{Pass, Session};
use crate::compile::ir::*;
use crate::compile::liveness::Slots;
use crate::compile::playout::Flow;

pub(super) const PASS: Pass = Pass {
    name: "sink",
    run: sink,
};

/// The most moves, each of which may double an instruction.
const MOST_MOVES: usize = 4_000;

fn sink(_: &Session<'_>, flow: &mut Flow) {
    let mut s = Sinker {
        live: live_into(flow),
        spared: spared(flow),
        comes_from: vec![0; flow.blocks.len()],
        moves: 0,
    };
    for block in &flow.blocks {
        for to in successors(&block.term) {
            s.comes_from[to.0 as usize] += 1;
        }
    }
    for block in flow.entries.iter().flat_map(|e| &e.blocks) {
        s.comes_from[block.0 as usize] += 2;
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

/// For each block the slots that some way from there does without: it ends or writes them anew before they are read.
fn spared(flow: &Flow) -> Vec<Slots> {
    let n = flow.blocks.len();
    let mut into = vec![Slots::new(flow.frame); n];
    let mut at_end = Slots::new(flow.frame);
    (0..flow.frame).for_each(|s| at_end.insert(s));
    flow.payoffs.iter().for_each(|s| at_end.remove(*s));
    at_end.remove(flow.last);
    let mut order = order(flow);
    order.reverse();
    let mut changed = true;
    while changed {
        changed = false;
        for block in &order {
            let from = &flow.blocks[block.0 as usize];
            let mut spared = match from.term {
                Term::Return => at_end.clone(),
                _ => Slots::new(flow.frame),
            };
            for to in successors(&from.term) {
                spared.extend(&into[to.0 as usize]);
            }
            if let Term::Branch { cond, .. } = from.term {
                spared.remove(cond);
            }
            for instr in from.instrs.iter().rev() {
                pass_spared(instr, &mut spared);
            }
            changed |= into[block.0 as usize].extend(&spared);
        }
    }
    into
}

fn pass_spared(instr: &Instr, spared: &mut Slots) {
    instr.visit(&mut |slot, words, written| {
        if written {
            (slot..slot + words).for_each(|s| spared.insert(s));
        }
    });
    instr.visit(&mut |slot, words, written| {
        if !written {
            (slot..slot + words).for_each(|s| spared.remove(s));
        }
    });
}

struct Sinker {
    live: Vec<Slots>,
    spared: Vec<Slots>,
    comes_from: Vec<u32>,
    moves: usize,
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
            let mut stays = !is_pure(&instr) || in_place(&instr).is_some();
            stays |= self.moves >= MOST_MOVES;
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
            let to = to.and_then(|(slot, words)| self.ways(flow, id, slot, words));
            if let Some(ways) = to {
                for way in ways {
                    self.put(flow, id, way, &instr);
                }
                flow.blocks[id.0 as usize].instrs.remove(i);
                self.moves += 1;
                continue;
            }
            instr.visit(&mut |slot, words, is_written| {
                if !is_written {
                    (slot..slot + words).for_each(|s| read.insert(s));
                }
            });
            clobbers(&instr, &mut |slot, words| {
                (slot..slot + words).for_each(|s| written.insert(s));
            });
        }
    }

    /// The ways on which a value is wanted, where it is worth while to compute it only there.
    fn ways(&self, flow: &Flow, id: BlockId, slot: Slot, words: u32) -> Option<Vec<BlockId>> {
        let next: Vec<BlockId> = successors(&flow.blocks[id.0 as usize].term).collect();
        let any = |slots: &Slots| (slot..slot + words).any(|s| slots.contains(s));
        let wanted: Vec<BlockId> = next
            .iter()
            .copied()
            .filter(|b| any(&self.live[b.0 as usize]))
            .collect();
        match wanted[..] {
            [_] => Some(wanted),
            [_, _] => {
                let further = |b: &BlockId| {
                    let spared = &self.spared[b.0 as usize];
                    self.comes_from[b.0 as usize] == 1
                        && (slot..slot + words).all(|s| spared.contains(s))
                        && matches!(flow.blocks[b.0 as usize].term, Term::Branch { .. })
                        && !flow.blocks[b.0 as usize].instrs.iter().any(|i| {
                            let mut stops = false;
                            i.visit(&mut |s, n, _| stops |= s < slot + words && slot < s + n);
                            stops
                        })
                };
                wanted.iter().any(further).then_some(wanted)
            }
            _ => None,
        }
    }

    /// Puts an instruction on the way from one block to another.
    fn put(&mut self, flow: &mut Flow, from: BlockId, to: BlockId, instr: &Instr) {
        let mut at = to;
        if self.comes_from[to.0 as usize] != 1 {
            at = BlockId(flow.blocks.len() as u32);
            flow.blocks.push(Block {
                term: Term::Jump(to),
                ..Block::default()
            });
            self.live.push(self.live[to.0 as usize].clone());
            self.spared.push(self.spared[to.0 as usize].clone());
            self.comes_from.push(1);
            if let Term::Branch {
                then, otherwise, ..
            } = &mut flow.blocks[from.0 as usize].term
            {
                let side = if *then == to { then } else { otherwise };
                *side = at;
            }
        }
        flow.blocks[at.0 as usize].instrs.insert(0, instr.clone());
        dead::pass(instr, &mut self.live[at.0 as usize]);
        pass_spared(instr, &mut self.spared[at.0 as usize]);
    }
}
