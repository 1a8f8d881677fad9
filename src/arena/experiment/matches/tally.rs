//! What came of the games of a cell, as counts. They are whole numbers, so it does not matter in which order games are
//! counted and parts are put together.

use crate::arena::game::GameResult;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How often games ended in which way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// By who sat where (for each seat, the place in the members of the cell) and the payoffs, in seating order.
    pub ends: BTreeMap<(Vec<u8>, Vec<Amount>), u64>,
    /// By the plies of a game.
    pub lengths: BTreeMap<u64, u64>,
    /// By the place in the members of the cell, how many choices were made blindly, where any were.
    pub blind: BTreeMap<u8, u64>,
}

/// A payoff, ordered as numbers are.
#[derive(Copy, Clone, Debug)]
pub struct Amount(pub f64);

impl Amount {
    /// There is only one zero.
    pub fn new(x: f64) -> Amount {
        Amount(x + 0.0)
    }
}

impl Ord for Amount {
    fn cmp(&self, other: &Amount) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Amount) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Amount {
    fn eq(&self, other: &Amount) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Amount {}

impl Tally {
    /// Counts a game.
    pub fn count(&mut self, seating: Vec<u8>, result: &GameResult) {
        let payoffs = result.payoffs.iter().map(|&x| Amount::new(x)).collect();
        self.add_blind(&seating, &result.blind);
        self.add(seating, payoffs, result.plies);
    }

    /// Counts choices that were made blindly, told by seat.
    pub fn add_blind(&mut self, seating: &[u8], blind: &[u64]) {
        for (who, count) in std::iter::zip(seating, blind) {
            if *count > 0 {
                let sum = self.blind.entry(*who).or_default();
                *sum = sum.saturating_add(*count);
            }
        }
    }

    /// As [`Tally::count`], for a game that is known by what came of it.
    pub fn add(&mut self, seating: Vec<u8>, payoffs: Vec<Amount>, plies: u64) {
        *self.ends.entry((seating, payoffs)).or_default() += 1;
        *self.lengths.entry(plies).or_default() += 1;
    }

    /// Counts the games of another part.
    pub fn merge(&mut self, other: Tally) {
        for (end, count) in other.ends {
            *self.ends.entry(end).or_default() += count;
        }
        for (plies, count) in other.lengths {
            *self.lengths.entry(plies).or_default() += count;
        }
        for (who, count) in other.blind {
            self.add_blind(&[who], &[count]);
        }
    }

    pub fn games(&self) -> u64 {
        self.lengths.values().sum()
    }
}
