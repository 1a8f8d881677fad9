//! Partial dead code elimination for assignments of constants: each sinks to where it is read, and is removed on ways on
//! which it is not (Knoop, Rüthing & Steffen 1994).
//!
//! An assignment moves down along every way, past all that does not touch its slot, as long as it comes along all the ways
//! that meet. It is written where its slot is read next, and before a block that is also reached without it.

use super::Pass;
use super::dead_code::{live_in, successors};
use super::forward_analysis::order;
use crate::compile::playout::Flow;
use crate::ir::*;
use rustc_hash::FxHashSet;

pub(super) const PASS: Pass = Pass {
    name: "partial-dead-code",
    run: partial_dead_code,
};

/// The most assignments that are considered.
const MOST: usize = 128;

/// Assignments that wait, by their numbers.
type Waiting = u128;

fn partial_dead_code(_: &Program, flow: &mut Flow) {
    let order = order(flow);
    let mut d = AssignmentSinking {
        live: live_in(flow),
        assignments: Vec::new(),
        predecessors: vec![Vec::new(); flow.blocks.len()],
        entered: flow.entries.iter().flat_map(|e| e.blocks.clone()).collect(),
        into: vec![0; flow.blocks.len()],
        out: vec![Waiting::MAX; flow.blocks.len()],
    };
    for block in &order {
        for to in successors(&flow.blocks[block.0 as usize].term) {
            d.predecessors[to.0 as usize].push(*block);
        }
        for instr in &flow.blocks[block.0 as usize].instrs {
            d.note(instr, flow);
        }
    }
    if d.assignments.is_empty() {
        return;
    }
    d.solve(flow, &order);
    // Only what saves something somewhere is worth moving.
    let useful = order.iter().fold(0, |all, b| all | d.dropped(flow, *b));
    let mut n = 0;
    d.assignments.retain(|_| {
        n += 1;
        useful >> (n - 1) & 1 == 1
    });
    if d.assignments.is_empty() {
        return;
    }
    d.out.fill(Waiting::MAX);
    d.solve(flow, &order);
    for block in order {
        d.write(flow, block);
    }
}

struct AssignmentSinking {
    live: Vec<Slots>,
    /// Slots of one word with the constants that go there.
    assignments: Vec<(Slot, u64)>,
    predecessors: Vec<Vec<BlockId>>,
    entered: FxHashSet<BlockId>,
    /// The assignments that sink along all ways into a block, and out of it: all of them before the first iteration.
    into: Vec<Waiting>,
    out: Vec<Waiting>,
}

/// What an instruction assigns, if it assigns a constant.
fn assigned(instr: &Instr, flow: &Flow) -> Option<(Slot, u64)> {
    match instr {
        Instr::Const { dst, value } => Some((*dst, *value as u64)),
        Instr::Copy { dst, src, words: 1 } => Some((*dst, flow.pool.constant(*src)?)),
        _ => None,
    }
}

impl AssignmentSinking {
    fn note(&mut self, instr: &Instr, flow: &Flow) {
        if let Some(found) = assigned(instr, flow)
            && self.assignments.len() < MOST
            && !self.assignments.contains(&found)
        {
            self.assignments.push(found);
        }
    }

    fn solve(&mut self, flow: &Flow, order: &[BlockId]) {
        let mut changed = true;
        let all = Waiting::MAX >> (MOST - self.assignments.len());
        while changed {
            changed = false;
            for &block in order {
                let from = self.predecessors[block.0 as usize].iter();
                let mut into = from.fold(all, |w, b| w & self.out[b.0 as usize]);
                if self.entered.contains(&block) {
                    into = 0;
                }
                let mut waiting = into;
                self.pass(flow, block, &mut waiting, &mut |_| {});
                changed |= self.into[block.0 as usize] != into;
                changed |= self.out[block.0 as usize] != waiting;
                self.into[block.0 as usize] = into;
                self.out[block.0 as usize] = waiting;
            }
        }
    }

    /// Goes over a block. `f` sees each of its instructions that stays, and each assignment that waits no longer since its
    /// slot is read.
    fn pass(
        &self,
        flow: &Flow,
        block: BlockId,
        waiting: &mut Waiting,
        f: &mut dyn FnMut(Event<'_>),
    ) {
        let from = &flow.blocks[block.0 as usize];
        for instr in &from.instrs {
            let number = assigned(instr, flow)
                .and_then(|found| self.assignments.iter().position(|a| *a == found));
            if let Some(number) = number {
                let slot = self.assignments[number].0;
                self.forget(waiting, |s| s == slot);
                *waiting |= 1 << number;
                continue;
            }
            if *waiting != 0 {
                let mut read: Vec<(Slot, u32)> = Vec::new();
                let mut written: Vec<(Slot, u32)> = Vec::new();
                instr.visit(&mut |slot, words, is_written| {
                    if is_written {
                        written.push((slot, words));
                    } else {
                        read.push((slot, words));
                    }
                });
                read.extend(instr.in_place());
                instr.clobbers(&mut |slot, words| {
                    if !written.contains(&(slot, words)) {
                        read.push((slot, words));
                    }
                });
                self.due(waiting, |s| within(&read, s), f);
                self.forget(waiting, |s| within(&written, s));
            }
            f(Event::Stays(instr));
        }
        match from.term {
            Term::Branch { cond, .. } => self.due(waiting, |s| s == cond, f),
            Term::Return => {
                self.due(waiting, |s| s == flow.last || flow.payoffs.contains(&s), f);
                *waiting = 0;
            }
            Term::Fail(_) | Term::Rest(_) => *waiting = 0,
            Term::Jump(_) => {}
        }
    }

    fn forget(&self, waiting: &mut Waiting, which: impl Fn(Slot) -> bool) {
        for (number, (slot, _)) in self.assignments.iter().enumerate() {
            if *waiting >> number & 1 == 1 && which(*slot) {
                *waiting &= !(1 << number);
            }
        }
    }

    fn due(
        &self,
        waiting: &mut Waiting,
        which: impl Fn(Slot) -> bool,
        f: &mut dyn FnMut(Event<'_>),
    ) {
        for (number, (slot, _)) in self.assignments.iter().enumerate() {
            if *waiting >> number & 1 == 1 && which(*slot) {
                f(Event::Due(number));
                *waiting &= !(1 << number);
            }
        }
    }

    /// What waits at the end of a block, does not wait at the beginning of one that follows, and is wanted there.
    fn stops(&self, block: BlockId, to: BlockId, wanted: bool) -> Waiting {
        let mut stops = self.out[block.0 as usize] & !self.into[to.0 as usize];
        let live = &self.live[to.0 as usize];
        self.forget(&mut stops, |slot| live.contains(slot) != wanted);
        stops
    }

    /// The assignments that some way from a block does without.
    fn dropped(&self, flow: &Flow, block: BlockId) -> Waiting {
        let mut dropped = 0;
        for to in successors(&flow.blocks[block.0 as usize].term) {
            dropped |= self.stops(block, to, false);
        }
        // What is written anew, or is there at the end.
        let mut waiting = self.into[block.0 as usize];
        let before = waiting;
        let mut due = 0;
        self.pass(flow, block, &mut waiting, &mut |event| {
            if let Event::Due(number) = event {
                due |= 1 << number;
            }
        });
        dropped | before & !waiting & !due
    }

    fn write(&self, flow: &mut Flow, block: BlockId) {
        let mut instrs = Vec::new();
        let mut waiting = self.into[block.0 as usize];
        self.pass(flow, block, &mut waiting, &mut |event| match event {
            Event::Stays(instr) => instrs.push(instr.clone()),
            Event::Due(number) => instrs.push(self.instr(number)),
        });
        let next: Vec<BlockId> = successors(&flow.blocks[block.0 as usize].term).collect();
        for to in &next {
            let stops: Vec<Instr> = self.each(self.stops(block, *to, true)).collect();
            if stops.is_empty() {
                continue;
            }
            if next.len() == 1 {
                instrs.extend(stops);
                continue;
            }
            let between = BlockId(flow.blocks.len() as u32);
            flow.blocks.push(Block {
                instrs: stops,
                term: Term::Jump(*to),
                cost: 0,
            });
            let from = &mut flow.blocks[block.0 as usize];
            crate::compile::simplify_cfg::targets(&mut from.term, &mut |id| {
                if *id == *to {
                    *id = between;
                }
            });
        }
        flow.blocks[block.0 as usize].instrs = instrs;
    }

    fn instr(&self, number: usize) -> Instr {
        let (dst, value) = self.assignments[number];
        Instr::Const {
            dst,
            value: value as i64,
        }
    }

    fn each(&self, waiting: Waiting) -> impl Iterator<Item = Instr> + '_ {
        let numbers = (0..self.assignments.len()).filter(move |n| waiting >> n & 1 == 1);
        numbers.map(|n| self.instr(n))
    }
}

enum Event<'a> {
    Stays(&'a Instr),
    /// An assignment is needed now.
    Due(usize),
}

fn within(ranges: &[(Slot, u32)], slot: Slot) -> bool {
    ranges.iter().any(|(s, n)| (*s..s + n).contains(&slot))
}
