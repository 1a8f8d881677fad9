//! A state at rest as words: which slots lie in which bits, and which bits count for its identity.

use super::Slot;

/// Where one slot lies in a packed state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub slot: Slot,
    pub word: u32,
    pub shift: u8,
    /// 1 to 64; slots of a single possible value have no field.
    pub bits: u8,
    /// What is added back when the field is read.
    pub lo: i64,
}

#[derive(Debug)]
pub struct Layout {
    /// The length of a packed state.
    pub words: usize,
    pub fields: Vec<Field>,
    /// Slots that can have one value only, with that value.
    pub fixed: Vec<(Slot, i64)>,
    /// The packed state before play begins.
    pub initial: Vec<u64>,
    /// For each node the fields that are kept there: all variables, and the locals that are still wanted.
    pub kept: Vec<Vec<u32>>,
    /// For each node the bits that make up its identity.
    pub live: Vec<Vec<u64>>,
    /// The same without accumulators.
    pub reduced: Vec<Vec<u64>>,
}

impl Field {
    #[inline]
    pub fn mask(&self) -> u64 {
        u64::MAX >> (64 - u32::from(self.bits))
    }

    /// Whether its bits are among these of a packed state.
    pub fn is_in(&self, bits: &[u64]) -> bool {
        bits[self.word as usize] >> self.shift & self.mask() != 0
    }

    /// The slot's value in a packed state.
    #[inline]
    pub fn read(&self, words: &[u64]) -> u64 {
        ((words[self.word as usize] >> self.shift & self.mask()) as i64).wrapping_add(self.lo)
            as u64
    }

    /// Puts a slot's value into a packed state whose bits there are 0.
    #[inline]
    pub fn write(&self, words: &mut [u64], value: u64) {
        let raw = (value as i64).wrapping_sub(self.lo) as u64 & self.mask();
        words[self.word as usize] |= raw << self.shift;
    }
}

impl Layout {
    /// Gives the slots that can have one value only that value. Code that has run in a frame may have left another one there, such as
    /// that from which a loop looks for the first: nobody wants it where play rests, so it need not be written.
    #[inline]
    pub fn put_fixed(&self, frame: &mut [u64]) {
        for (slot, value) in &self.fixed {
            frame[*slot as usize] = *value as u64;
        }
    }

    /// The bits of the fields that are kept at a node.
    pub fn kept_bits(&self, node: usize) -> Vec<u64> {
        let mut bits = vec![0; self.words];
        for &i in &self.kept[node] {
            let field = &self.fields[i as usize];
            bits[field.word as usize] |= field.mask() << field.shift;
        }
        bits
    }
}
