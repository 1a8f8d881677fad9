//! Copy coalescing within a block: what is computed into a slot only to be copied is computed in the destination.

use super::Pass;
use super::dead_code::{self, live_in};
use crate::compile::playout::Flow;
use crate::ir::*;

pub(super) const PASS: Pass = Pass {
    name: "copy-coalescing",
    run: propagate,
};

fn propagate(_: &Program, flow: &mut Flow) {
    let into = live_in(flow);
    for i in 0..flow.blocks.len() {
        let live = dead_code::live_out(flow, &into, BlockId(i as u32));
        backward(&mut flow.blocks[i], live);
    }
}

/// Removes copies from slots that are not read again.
fn backward(block: &mut Block, mut live: Slots) {
    let mut i = block.instrs.len();
    while i > 0 {
        i -= 1;
        let mut gone = false;
        if let Instr::Copy { dst, src, words } = block.instrs[i] {
            let words = u32::from(words);
            let apart = dst + words <= src || src + words <= dst;
            let forgotten = apart && (src..src + words).all(|s| !live.contains(s));
            gone = forgotten && rename(&mut block.instrs[..i], src, dst, words);
        }
        if gone {
            // Nothing is left to be done here.
            block.instrs.remove(i);
        } else {
            dead_code::transfer(&block.instrs[i], &mut live);
        }
    }
}

/// Lets the instructions since `from` was last written whole write and read `to`; false where something stands between.
fn rename(instrs: &mut [Instr], from: Slot, to: Slot, words: u32) -> bool {
    let overlaps = |slot: Slot, n: u32, with: Slot| slot < with + words && with < slot + n;
    let mut begin = None;
    for (j, instr) in instrs.iter().enumerate().rev() {
        let (mut defines, mut blocked) = (false, false);
        let (mut reads_from, mut touches_to) = (false, false);
        instr.visit(&mut |slot, n, written| {
            if overlaps(slot, n, from) && (slot, n) != (from, words) {
                blocked = true;
            }
            if (slot, n) == (from, words) {
                defines |= written;
                reads_from |= !written;
            }
            touches_to |= overlaps(slot, n, to) && (written || !defines);
        });
        if let Some((slot, n)) = instr.in_place() {
            blocked |= overlaps(slot, n, from) && (slot, n) != (from, words);
        }
        // What goes on from an earlier value is not where the value begins.
        defines &= !reads_from;
        // Emission and sampling may hold slots for later.
        blocked |= matches!(instr, Instr::Emit { .. } | Instr::Event(_))
            || matches!(instr, Instr::Sample(code) if !matches!(**code, SampleCode::Element { .. } | SampleCode::Subset { .. }));
        if blocked {
            return false;
        }
        if defines {
            // The one that defines may read the destination: it reads before it writes. But a walk over part of it may not.
            let mut reads_to = false;
            let mut writes_to = false;
            instr.visit(&mut |slot, n, written| {
                let over = overlaps(slot, n, to);
                reads_to |= !written && over && (slot, n) != (to, words);
                writes_to |= written && over;
            });
            if reads_to || writes_to {
                return false;
            }
            begin = Some(j);
            break;
        }
        if touches_to {
            return false;
        }
        let mut clash = false;
        instr.clobbers(&mut |slot, n| clash |= overlaps(slot, n, to));
        if clash {
            return false;
        }
    }
    let Some(begin) = begin else {
        return false;
    };
    for instr in &mut instrs[begin..] {
        instr.visit_mut(&mut |slot, n, _| {
            if (*slot, n) == (from, words) {
                *slot = to;
            }
        });
    }
    true
}
