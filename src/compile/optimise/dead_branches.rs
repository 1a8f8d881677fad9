//! Dead branches: where nothing that matters hangs on which way a branch takes, play goes straight on to where the ways meet,
//! and the loops and cases between are gone (aggressive dead code elimination: Cytron, Ferrante, Rosen, Wegman & Zadeck 1991).
//!
//! An instruction matters if it does something besides computing a value, or if its value is read by what matters; a branch,
//! if something that matters comes on some of its ways only. Loops of the language end, so one in which nothing matters may
//! be left out.

use super::Pass;
use super::dead_code::{put_live_out, successors, transfer};
use super::forward_analysis::order;
use crate::compile::playout::Flow;
use crate::ir::*;
use smallvec::SmallVec;

pub(super) const PASS: Pass = Pass {
    name: "dead-branches",
    run: eliminate,
};

fn eliminate(_: &Program, flow: &mut Flow) {
    let meets = PostDominators::new(flow);
    let matters = Relevance::new(flow, &meets).branches;
    for (i, block) in flow.blocks.iter_mut().enumerate() {
        let meet = meets.of[i];
        if matches!(block.term, Term::Branch { .. }) && !matters[i] && meet < meets.end {
            block.term = Term::Jump(BlockId(meet));
        }
    }
}

/// For each block the first one that comes on every way from it to an end.
struct PostDominators {
    of: Vec<u32>,
    /// Stands for all ends; blocks from which none is reached have `UNKNOWN`.
    end: u32,
    predecessors: Vec<SmallVec<[u32; 4]>>,
}

const UNKNOWN: u32 = u32::MAX;

impl PostDominators {
    /// Cooper, Harvey & Kennedy 2001, on the reversed flow.
    fn new(flow: &Flow) -> PostDominators {
        let end = flow.blocks.len() as u32;
        let mut predecessors = vec![SmallVec::new(); flow.blocks.len() + 1];
        for (i, block) in flow.blocks.iter().enumerate() {
            let mut leaves = true;
            for to in successors(&block.term) {
                predecessors[to.0 as usize].push(i as u32);
                leaves = false;
            }
            if leaves {
                predecessors[end as usize].push(i as u32);
            }
        }
        let mut found = PostDominators {
            of: vec![UNKNOWN; flow.blocks.len() + 1],
            end,
            predecessors,
        };
        let (order, number) = found.backwards();
        found.of[end as usize] = end;
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().rev().skip(1) {
                let term = &flow.blocks[block as usize].term;
                let known = successors(term).filter(|to| found.of[to.0 as usize] != UNKNOWN);
                let meet = known.fold(UNKNOWN, |meet, to| match meet {
                    UNKNOWN => to.0,
                    meet => found.meet(meet, to.0, &number),
                });
                let meet = if meet == UNKNOWN { end } else { meet };
                changed |= found.of[block as usize] != meet;
                found.of[block as usize] = meet;
            }
        }
        found
    }

    /// The blocks in the order in which a search backwards from the ends leaves them, and the number of each in it.
    fn backwards(&self) -> (Vec<u32>, Vec<u32>) {
        let mut order = Vec::with_capacity(self.of.len());
        let mut number = vec![UNKNOWN; self.of.len()];
        let mut seen = vec![false; self.of.len()];
        let mut path = vec![(self.end, 0)];
        seen[self.end as usize] = true;
        while let Some((block, next)) = path.last_mut() {
            let Some(&from) = self.predecessors[*block as usize].get(*next) else {
                number[*block as usize] = order.len() as u32;
                order.push(*block);
                path.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut seen[from as usize], true) {
                path.push((from, 0));
            }
        }
        (order, number)
    }

    fn meet(&self, mut a: u32, mut b: u32, number: &[u32]) -> u32 {
        while a != b {
            while number[a as usize] < number[b as usize] {
                a = self.of[a as usize];
            }
            while number[b as usize] < number[a as usize] {
                b = self.of[b as usize];
            }
        }
        a
    }

    /// For each block the branches that decide whether play comes to it.
    fn deciding(&self, flow: &Flow) -> Vec<SmallVec<[u32; 4]>> {
        let mut deciding = vec![SmallVec::new(); flow.blocks.len()];
        for (i, block) in flow.blocks.iter().enumerate() {
            if !matches!(block.term, Term::Branch { .. }) || self.of[i] == UNKNOWN {
                continue;
            }
            for to in successors(&block.term) {
                let mut at = to.0;
                while at != self.of[i] && at < self.end {
                    deciding[at as usize].push(i as u32);
                    at = self.of[at as usize];
                }
            }
        }
        deciding
    }
}

/// What matters, found from what does something, backwards.
struct Relevance {
    /// The blocks whose branches matter.
    branches: Vec<bool>,
    /// The blocks in which something does.
    blocks: Vec<bool>,
    waiting: Vec<u32>,
    queued: Vec<bool>,
}

impl Relevance {
    fn new(flow: &Flow, meets: &PostDominators) -> Relevance {
        let deciding = meets.deciding(flow);
        let order = order(flow);
        let mut found = Relevance {
            branches: vec![false; flow.blocks.len()],
            blocks: vec![false; flow.blocks.len()],
            waiting: order.iter().map(|b| b.0).collect(),
            queued: vec![false; flow.blocks.len()],
        };
        for block in &order {
            let i = block.0 as usize;
            found.queued[i] = true;
            let leaves = successors(&flow.blocks[i].term).next().is_none();
            if leaves || meets.of[i] == UNKNOWN {
                found.mark(block.0, &deciding);
                found.branches[i] = true;
            }
        }
        let mut into = vec![Slots::new(flow.frame); flow.blocks.len()];
        let mut live = Slots::new(flow.frame);
        while let Some(i) = found.waiting.pop() {
            let block = &flow.blocks[i as usize];
            found.queued[i as usize] = false;
            let read = found.branches[i as usize];
            put_live_out(flow, &into, BlockId(i), read, &mut live);
            let mut matters = false;
            for instr in block.instrs.iter().rev() {
                matters |= transfer(instr, &mut live);
            }
            if matters {
                found.mark(i, &deciding);
            }
            if into[i as usize].extend(&live) {
                for &from in &meets.predecessors[i as usize] {
                    found.queue(from);
                }
            }
        }
        found
    }

    fn queue(&mut self, block: u32) {
        if !std::mem::replace(&mut self.queued[block as usize], true) {
            self.waiting.push(block);
        }
    }

    /// Something matters in a block, and with it the branches that decide whether play comes to it.
    fn mark(&mut self, block: u32, deciding: &[SmallVec<[u32; 4]>]) {
        let mut list = vec![block];
        while let Some(block) = list.pop() {
            if std::mem::replace(&mut self.blocks[block as usize], true) {
                continue;
            }
            for &branch in &deciding[block as usize] {
                if !std::mem::replace(&mut self.branches[branch as usize], true) {
                    self.queue(branch);
                }
                list.push(branch);
            }
        }
    }
}
