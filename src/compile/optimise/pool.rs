//! Constants of a flow in slots of their own, filled once before play.

use crate::compile::ir::Slot;
use rustc_hash::FxHashMap;

/// The constants of a flow, from slot `base` on.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    pub base: Slot,
    pub words: Vec<u64>,
    found: FxHashMap<Vec<u64>, Slot>,
}

impl Pool {
    pub(in crate::compile) fn new(base: Slot) -> Pool {
        Pool {
            base,
            ..Pool::default()
        }
    }

    /// Where a constant of one or more words lies.
    pub(super) fn slot(&mut self, value: &[u64]) -> Slot {
        if let Some(slot) = self.found.get(value) {
            return *slot;
        }
        let slot = self.end();
        self.words.extend_from_slice(value);
        self.found.insert(value.to_vec(), slot);
        slot
    }

    /// The first slot after the constants.
    pub fn end(&self) -> Slot {
        self.base + self.words.len() as Slot
    }
}
