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

    /// Appends what they are made of: at one listing, different tuples give different words.
    pub fn write(&self, words: &mut Vec<u64>) {
        let kind = match self.bulk {
            None => 0,
            Some(Values::Elements(..)) => 1,
            Some(Values::Pairs(..)) => 2,
            Some(Values::Subsets(..)) => 3,
        };
        words.push(u64::from(self.alternative) << 2 | kind);
        words.push(self.weight);
        words.extend_from_slice(self.whole);
        match self.bulk {
            None => {}
            Some(Values::Elements(set, lo)) => {
                words.push(lo as u64);
                words.extend_from_slice(set);
            }
            Some(Values::Pairs((first, lo), (second, other))) => {
                words.extend([lo as u64, other as u64]);
                words.extend_from_slice(first);
                words.extend_from_slice(second);
            }
            Some(Values::Subsets(set, count)) => {
                words.push(count);
                words.extend_from_slice(set);
            }
        }
    }
}
