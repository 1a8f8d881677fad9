//! Whether something is among the options of a choice or the outcomes of a draw. Subsets are compared, not listed, so that
//! a deal of many cards is no more work than one.

use super::interpret::{Host, Tuple, Values};
use super::options::{single, words};
use super::packing::Frame;
use super::{Action, Machine, PlayError, State};
use crate::ir::{Listing, ListingKind};
use crate::model::types::bits;
use std::ops::ControlFlow;

impl Machine {
    /// Whether an action is among a player's options.
    ///
    /// # Errors
    /// When the options cannot be listed, or it is not the player's move.
    pub fn is_legal(
        &self,
        state: &State,
        player: usize,
        action: &Action,
    ) -> Result<bool, PlayError> {
        let arm = self.arm_of(state, player)?;
        self.contains(&arm.listing, &mut self.unpack(state), action)
    }

    /// Whether an outcome is among those of a chance node, with a weight above 0.
    ///
    /// # Errors
    /// When the outcomes cannot be listed, or nothing is drawn here.
    #[doc(hidden)]
    pub fn is_possible(&self, state: &State, outcome: &Action) -> Result<bool, PlayError> {
        let listing = self.chance_listing(state)?;
        self.contains(listing, &mut self.unpack(state), outcome)
    }

    fn contains(
        &self,
        listing: &Listing,
        frame: &mut Frame,
        action: &Action,
    ) -> Result<bool, PlayError> {
        match &listing.kind {
            ListingKind::Set { code, set, lo } => {
                self.run_listing(listing, *code, frame)?;
                Ok(bits(words(frame, *set)).any(|ordinal| single(*lo, ordinal) == *action))
            }
            ListingKind::Loop { code, .. } => {
                let mut search = Search {
                    action: &action.0,
                    found: false,
                };
                let rank = self.least_rank(listing, frame)?;
                self.run_loops(listing, *code, rank, frame, &mut search)?;
                Ok(search.found)
            }
            ListingKind::Subset { code, set, count } => {
                self.run_listing(listing, *code, frame)?;
                let count = frame[*count as usize];
                Ok(action.0.first() == Some(&0)
                    && is_subset(&action.0[1..], words(frame, *set), count))
            }
        }
    }
}

/// Whether `part` is a subset of `set` with `count` elements.
pub(super) fn is_subset(part: &[u64], set: &[u64], count: u64) -> bool {
    let size: u64 = part.iter().map(|w| u64::from(w.count_ones())).sum();
    part.len() == set.len() && size == count && std::iter::zip(part, set).all(|(p, s)| p & !s == 0)
}

/// Stops at the tuple that is looked for.
struct Search<'a> {
    action: &'a [u64],
    found: bool,
}

impl Host for Search<'_> {
    const EVENTS: bool = false;
    fn emit(&mut self, t: Tuple<'_>) -> ControlFlow<()> {
        self.found = t.weight != Some(0) && self.is(&t);
        match self.found {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Search<'_> {
    fn is(&self, t: &Tuple<'_>) -> bool {
        let Some((&number, mut rest)) = self.action.split_first() else {
            return false;
        };
        if number != u64::from(t.alternative) {
            return false;
        }
        let stored = t.parts.len() - t.bulk.map_or(0, |values| values.parts());
        for part in &t.parts[..stored] {
            let Some((value, after)) = rest.split_at_checked(part.words as usize) else {
                return false;
            };
            let from = part.slot as usize;
            if *value != t.frame[from..from + value.len()] {
                return false;
            }
            rest = after;
        }
        match t.bulk {
            Some(Values::Subsets(set, count)) => is_subset(rest, set, count),
            Some(Values::Elements(set, lo)) => match rest {
                [value] => has(set, lo, *value),
                _ => false,
            },
            Some(Values::Pairs((a, lo), (b, other))) => match rest {
                [first, second] => has(a, lo, *first) && has(b, other, *second),
                _ => false,
            },
            None => rest.is_empty(),
        }
    }
}

/// Whether a value is in a set whose element with ordinal 0 has the value `lo`.
pub(super) fn has(set: &[u64], lo: i64, value: u64) -> bool {
    let ordinal = (value as i64).wrapping_sub(lo) as u64;
    let word = set.get((ordinal / 64) as usize);
    word.is_some_and(|w| w >> (ordinal % 64) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::is_subset;

    #[test]
    fn a_subset_has_its_size_and_nothing_else() {
        assert!(is_subset(&[0b0101, 1], &[0b1101, 1], 3));
        assert!(!is_subset(&[0b0101, 1], &[0b1101, 1], 2));
        assert!(!is_subset(&[0b0111, 0], &[0b1101, 1], 3));
        assert!(!is_subset(&[0b0101], &[0b1101, 1], 2));
        assert!(is_subset(&[], &[], 0));
    }
}
