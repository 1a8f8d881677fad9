//! Tail duplication: where trials and the listing that replaces them meet, the listing goes on in a copy of the block that
//! follows, so that what a trial has found is still known there.

use super::Pass;
use super::dead_code::successors;
use crate::compile::playout::Flow;
use crate::ir::*;

/// The longest block that is copied.
const MOST_INSTRS: usize = 32;

pub(super) const PASS: Pass = Pass {
    name: "tail-duplication",
    run: tail_duplication,
};

fn tail_duplication(_: &Program, flow: &mut Flow) {
    let mut predecessor_count = vec![0u32; flow.blocks.len()];
    for block in &flow.blocks {
        for to in successors(&block.term) {
            predecessor_count[to.0 as usize] += 1;
        }
    }
    for i in 0..predecessor_count.len() {
        let Term::Jump(to) = flow.blocks[i].term else {
            continue;
        };
        let shared = predecessor_count[to.0 as usize] > 1;
        if !shared || to.0 as usize == i || !flow.blocks[i].instrs.iter().any(takes_listed) {
            continue;
        }
        let next = &flow.blocks[to.0 as usize];
        if next.instrs.len() > MOST_INSTRS || next.instrs.iter().any(takes_listed) {
            continue;
        }
        let copy = next.clone();
        predecessor_count[to.0 as usize] -= 1;
        for next in successors(&copy.term) {
            predecessor_count[next.0 as usize] += 1;
        }
        flow.blocks[i].term = Term::Jump(BlockId(flow.blocks.len() as u32));
        flow.blocks.push(copy);
        predecessor_count.push(1);
    }
}

/// Whether an instruction takes one of the tuples that were listed.
fn takes_listed(instr: &Instr) -> bool {
    matches!(instr, Instr::Sample(code) if matches!(**code, SampleCode::Tuple { .. }))
}
