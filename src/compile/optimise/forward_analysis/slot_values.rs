//! Which slot holds which value, as a row of all slots: it is copied at every branch and compared wherever ways meet.

use super::Value;
use crate::ir::Slot;

/// No value has this number.
const NONE: Value = Value::MAX;

/// So many slots are looked at together.
const LANES: usize = 16;

/// The values of slots; a slot beyond the row holds nothing known.
#[derive(Clone, Default)]
pub(super) struct SlotValues(Vec<Value>);

impl SlotValues {
    pub fn get(&self, slot: Slot) -> Option<Value> {
        let value = self.0.get(slot as usize).copied();
        value.filter(|v| *v != NONE)
    }

    pub fn insert(&mut self, slot: Slot, value: Value) {
        let at = slot as usize;
        if self.0.len() <= at {
            self.0.resize((at + 1).next_multiple_of(LANES), NONE);
        }
        self.0[at] = value;
    }

    pub fn remove(&mut self, slot: Slot) {
        if let Some(value) = self.0.get_mut(slot as usize) {
            *value = NONE;
        }
    }

    /// Slots with what they hold, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, Value)> + '_ {
        let all = self.0.iter().enumerate();
        all.filter(|(_, v)| **v != NONE)
            .map(|(i, v)| (i as Slot, *v))
    }

    /// Calls `f` for each slot that holds a value, lowest first.
    pub fn each_with(&self, value: Value, mut f: impl FnMut(Slot)) {
        for (i, lanes) in self.0.chunks(LANES).enumerate() {
            // Without an early end, so that they are compared at once.
            if !lanes.iter().fold(false, |any, v| any | (*v == value)) {
                continue;
            }
            for (k, v) in lanes.iter().enumerate() {
                if *v == value {
                    f((i * LANES + k) as Slot);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_in_the_order_of_slots_until_they_are_removed() {
        let mut row = SlotValues::default();
        for (slot, value) in [(40, 7), (3, 7), (16, 8), (17, 7)] {
            row.insert(slot, value);
        }
        let holding = |row: &SlotValues, value| {
            let mut slots = Vec::new();
            row.each_with(value, |slot| slots.push(slot));
            slots
        };
        assert_eq!(holding(&row, 7), [3, 17, 40]);
        assert!(holding(&row, 9).is_empty());
        row.remove(17);
        row.remove(1000);
        assert_eq!(holding(&row, 7), [3, 40]);
        assert_eq!(row.get(17), None);
        assert_eq!(row.get(1000), None);
        assert_eq!(row.iter().collect::<Vec<_>>(), [(3, 7), (16, 8), (40, 7)]);
    }
}
