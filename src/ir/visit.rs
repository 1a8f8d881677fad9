//! Which slots an instruction reads and writes, as passes ask for it.

use super::table::{Access, Reader, Renamer};
use super::{Instr, Slot};

impl Instr {
    /// Calls `f(slot, words, written)` for every range of slots that the instruction reads or writes, reads first.
    /// What is written in part or perhaps only counts as read here: it is kept otherwise, so to liveness it is no fresh
    /// write.
    pub fn visit(&self, f: &mut dyn FnMut(Slot, u32, bool)) {
        self.touch(&mut Reader(&mut |slot, words, access, _| {
            f(slot, words, access == Access::Write);
        }));
    }

    /// As [`Instr::visit`], and lets the slots be renumbered.
    pub fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Slot, u32, bool)) {
        self.touch_mut(&mut Renamer(&mut |slot, words, access, _| {
            f(slot, words, access == Access::Write);
        }));
    }

    /// Calls `f(slot, words)` for every range of slots that may have another value afterwards.
    pub fn clobbers(&self, f: &mut dyn FnMut(Slot, u32)) {
        self.touch(&mut Reader(&mut |slot, words, access, _| {
            if access != Access::Read {
                f(slot, words);
            }
        }));
    }

    /// Calls `f(slot, words)` for every range of slots to which the instruction stores from this frame: of an array only the
    /// element.
    pub fn stores(&self, frame: &[u64], f: &mut dyn FnMut(Slot, u32)) {
        match self {
            Instr::Store {
                base, index, words, ..
            } => {
                let words = u32::from(*words);
                f(base + frame[*index as usize] as u32 * words, words);
            }
            _ => self.clobbers(f),
        }
    }

    /// The range of slots that it changes a part of.
    pub fn in_place(&self) -> Option<(Slot, u32)> {
        let mut range = None;
        self.touch(&mut Reader(&mut |slot, words, access, _| {
            if access == Access::Part {
                range = Some((slot, words));
            }
        }));
        range
    }
}
