//! What an instruction does to the frame, as the passes ask for it.

use super::dead::successors;
use crate::compile::playout::Flow;
use crate::ir::*;

/// Calls `f` with every range of slots that may have another value afterwards.
pub(crate) fn clobbers(instr: &Instr, f: &mut dyn FnMut(Slot, u32)) {
    instr.visit(&mut |slot, words, written| {
        if written {
            f(slot, words);
        }
    });
    if let Some((slot, words)) = in_place(instr) {
        f(slot, words);
    }
    if let Instr::Sample(code) = instr
        && let SampleCode::Tuple { alternatives, .. } = &**code
    {
        alternatives
            .iter()
            .flatten()
            .for_each(|part| f(part.slot, u32::from(part.words)));
    }
    if let Instr::Emit {
        bulk: Some(bulk),
        parts,
        ..
    } = instr
    {
        let whole = parts.len().saturating_sub(bulk.parts());
        let changed = parts[whole..].iter();
        changed.for_each(|part| f(part.slot, u32::from(part.words)));
    }
}

/// The slots that may have another value once the flow was entered by one of these blocks.
pub(crate) fn changed_from(flow: &Flow, entries: &[BlockId]) -> Slots {
    let mut changed = Slots::new(flow.frame);
    let mut seen = vec![false; flow.blocks.len()];
    let mut waiting = entries.to_vec();
    while let Some(id) = waiting.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        let block = &flow.blocks[id.0 as usize];
        for instr in &block.instrs {
            clobbers(instr, &mut |slot, words| {
                (slot..slot + words).for_each(|s| changed.insert(s));
            });
        }
        waiting.extend(successors(&block.term));
    }
    changed
}

/// What an instruction changes a part of.
pub(super) fn in_place(instr: &Instr) -> Option<(Slot, u32)> {
    match instr {
        Instr::Store {
            base, words, count, ..
        } => Some((*base, *count * u32::from(*words))),
        Instr::SetInsert { set, .. } | Instr::SetRemove { set, .. } => {
            Some((set.slot, u32::from(set.words)))
        }
        Instr::SubsetNext { dst, .. } => Some((dst.slot, u32::from(dst.words))),
        _ => None,
    }
}

/// Whether nothing but values of the frame comes of an instruction: without a reader it may go.
pub(super) fn is_pure(instr: &Instr) -> bool {
    !matches!(
        instr,
        Instr::Check { .. }
            | Instr::SetShift { .. }
            | Instr::Event(_)
            | Instr::Emit { .. }
            | Instr::Sample(_)
            | Instr::Reach { .. }
    )
}
