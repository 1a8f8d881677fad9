//! Constants of a flow in slots of their own, filled once before play, and the tables that passes make.

use crate::ir::{Program, Slot, Table};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most words of all tables that passes make.
const MOST_WORDS: usize = 16_384;

/// The constants of a flow, from slot `base` on.
#[derive(Clone, Debug, Default)]
pub struct ConstantPool {
    pub base: Slot,
    pub words: Vec<u64>,
    found: FxHashMap<Vec<u64>, Slot>,
    /// Slots among the constants that are none: temporaries of passes.
    free: FxHashSet<Slot>,
    /// Tables that follow those of the program.
    pub tables: Vec<Table>,
}

impl ConstantPool {
    pub(in crate::compile) fn new(base: Slot) -> ConstantPool {
        ConstantPool {
            base,
            ..ConstantPool::default()
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

    /// The constant in a slot.
    pub fn constant(&self, slot: Slot) -> Option<u64> {
        let i = slot.checked_sub(self.base)?;
        let word = self.words.get(i as usize)?;
        (!self.free.contains(&slot)).then_some(*word)
    }

    /// A slot for a value that is no constant.
    pub(super) fn fresh(&mut self) -> Slot {
        let slot = self.end();
        self.words.push(0);
        self.free.insert(slot);
        slot
    }

    /// The number of a table; `None` where there are too many already.
    pub(super) fn table(&mut self, program: &Program, words: u16, values: Vec<u64>) -> Option<u32> {
        let table = Table { words, values };
        let first = program.tables.len() as u32;
        if let Some(i) = self.tables.iter().position(|t| *t == table) {
            return Some(first + i as u32);
        }
        let so_far: usize = self.tables.iter().map(|t| t.values.len()).sum();
        if so_far + table.values.len() > MOST_WORDS {
            return None;
        }
        self.tables.push(table);
        Some(first + self.tables.len() as u32 - 1)
    }

    /// The first slot after the constants.
    pub fn end(&self) -> Slot {
        self.base + self.words.len() as Slot
    }
}
