//! Tuples that a listing emits at once.

use crate::machine::interpret::Values;

/// Tuples that were emitted at once.
pub(in crate::machine) struct Group<'a> {
    pub alternative: u32,
    /// The words of the parts that are the same for all.
    pub whole: &'a [u64],
    /// Of each of them.
    pub weight: u64,
    /// The values of the last parts.
    pub bulk: Option<Values<'a>>,
}

impl Group<'_> {
    /// How many tuples there are.
    pub fn len(&self) -> u64 {
        self.bulk.map_or(1, |bulk| bulk.len())
    }
}
