//! Where trials and the listing that stands in for them meet, the listing goes on in a copy of what follows: then what a
//! trial has found out is known after it.

use super::Pass;
use super::dead::successors;
use crate::compile::playout::Flow;
use crate::ir::*;

/// The longest block that is copied.
const MOST_INSTRS: usize = 32;

pub(super) const PASS: Pass = Pass {
    name: "twin",
    run: twin,
};

fn twin(_: &Program, flow: &mut Flow) {
    let mut comes_from = vec![0u32; flow.blocks.len()];
    for block in &flow.blocks {
        for to in successors(&block.term) {
            comes_from[to.0 as usize] += 1;
        }
    }
    for i in 0..comes_from.len() {
        let Term::Jump(to) = flow.blocks[i].term else {
            continue;
        };
        let shared = comes_from[to.0 as usize] > 1;
        if !shared || to.0 as usize == i || !flow.blocks[i].instrs.iter().any(takes_listed) {
            continue;
        }
        let next = &flow.blocks[to.0 as usize];
        if next.instrs.len() > MOST_INSTRS || next.instrs.iter().any(takes_listed) {
            continue;
        }
        let copy = next.clone();
        comes_from[to.0 as usize] -= 1;
        for next in successors(&copy.term) {
            comes_from[next.0 as usize] += 1;
        }
        flow.blocks[i].term = Term::Jump(BlockId(flow.blocks.len() as u32));
        flow.blocks.push(copy);
        comes_from.push(1);
    }
}

/// Whether an instruction takes one of the tuples that were listed.
fn takes_listed(instr: &Instr) -> bool {
    matches!(instr, Instr::Sample(code) if matches!(**code, SampleCode::Tuple { .. }))
}
