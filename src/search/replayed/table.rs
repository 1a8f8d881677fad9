//! What is learned of the player's own choices, by all that it saw before it made them.

use crate::random::Stream;
use crate::search::exploration::Exploration;
use crate::search::mcts::policies::ucb1::bound;
use crate::search::mcts::policies::{any, argmax};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What is known of a choice.
#[derive(Copy, Clone, Debug, Default)]
pub struct Arm {
    pub visits: f64,
    /// Of the player's payoffs, in units of payoff.
    pub sum: f64,
}

/// The information states that are known.
#[derive(Debug)]
pub struct Table {
    player: usize,
    exploration: Exploration,
    places: FxHashMap<u64, (u32, u32)>,
    arms: Vec<Arm>,
}

/// It grows to about so many information states and choices; then playouts choose evenly where nothing is known.
const MOST: usize = 1 << 25;

impl Table {
    /// Nothing, for a player.
    pub fn new(player: usize, exploration: Exploration) -> Table {
        Table {
            player,
            exploration,
            places: FxHashMap::default(),
            arms: Vec::new(),
        }
    }

    /// How many information states are known.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// What is known of the choices at an information state, by its key.
    pub fn find(&self, key: u64) -> Option<&[Arm]> {
        self.place(key).map(|place| &self.arms[place])
    }

    fn place(&self, key: u64) -> Option<Range<usize>> {
        let &(first, choices) = self.places.get(&key)?;
        Some(first as usize..(first + choices) as usize)
    }

    /// The choices at an information state with so many, and whether they were known before; `None` where they were not and
    /// there is no room for them.
    pub fn find_or_add(&mut self, key: u64, choices: usize) -> Option<(Range<usize>, bool)> {
        if let Some(place) = self.place(key) {
            // Where two keys are the same by chance, the first keeps it.
            return (place.len() == choices).then_some((place, true));
        }
        if self.places.len() + self.arms.len() + choices > MOST {
            return None;
        }
        let first = self.arms.len();
        self.arms.resize(first + choices, Arm::default());
        self.places.insert(key, (first as u32, choices as u32));
        Some((first..self.arms.len(), false))
    }

    /// The choice of UCB1 (eq. 3 of the paper), by its place in the table: any that was not tried, then the one with the
    /// greatest bound.
    pub fn choose(&self, at: Range<usize>, rng: &mut Stream) -> usize {
        let arms = &self.arms[at.clone()];
        if let Some(new) = any(arms.iter().map(|arm| arm.visits == 0.0), rng) {
            return at.start + new;
        }
        let visits: f64 = arms.iter().map(|arm| arm.visits).sum();
        let ln = libm::log(visits);
        let c = self.exploration.c(self.player);
        let bounds = arms.iter().map(|arm| bound(arm.sum, arm.visits, ln, c));
        at.start + argmax(bounds, rng)
    }

    /// A simulation brought each player so much.
    pub fn end(&mut self, payoffs: &[f64]) {
        self.exploration.learn(payoffs);
    }

    /// A simulation that made a choice was paid so much.
    pub fn learn(&mut self, arm: usize, paid: f64) {
        let arm = &mut self.arms[arm];
        arm.visits += 1.0;
        arm.sum += paid;
    }
}
