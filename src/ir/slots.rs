//! Sets of slots.

use super::{Operand, Slot};

/// A set of slots.
#[derive(PartialEq, Eq)]
pub(crate) struct Slots(Vec<u64>);

impl Clone for Slots {
    fn clone(&self) -> Slots {
        Slots(self.0.clone())
    }

    /// Without new memory.
    fn clone_from(&mut self, other: &Slots) {
        self.0.clone_from(&other.0);
    }
}

impl Slots {
    pub(crate) fn new(len: u32) -> Slots {
        Slots(vec![0; (len as usize).div_ceil(64)])
    }

    pub(crate) fn contains(&self, slot: Slot) -> bool {
        self.0[slot as usize / 64] >> (slot % 64) & 1 == 1
    }

    /// The slots in the set, lowest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Slot> + '_ {
        crate::model::types::bits(&self.0).map(|slot| slot as Slot)
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    pub(crate) fn insert(&mut self, slot: Slot) {
        self.0[slot as usize / 64] |= 1 << (slot % 64);
    }

    pub(crate) fn insert_all(&mut self, operand: Operand) {
        (operand.slot..operand.slot + u32::from(operand.words)).for_each(|s| self.insert(s));
    }

    pub(crate) fn remove(&mut self, slot: Slot) {
        self.0[slot as usize / 64] &= !(1 << (slot % 64));
    }

    pub(crate) fn remove_all(&mut self, operand: Operand) {
        (operand.slot..operand.slot + u32::from(operand.words)).for_each(|s| self.remove(s));
    }

    pub(crate) fn extend(&mut self, other: &Slots) -> bool {
        let mut grew = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            grew |= *b & !*a != 0;
            *a |= b;
        }
        grew
    }
}
