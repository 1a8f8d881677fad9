//! How long players have thought. It is no part of any result.

use std::ops::AddAssign;
use std::time::Duration;

/// The time that choices took.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// How many there were; a choice among one option is none.
    pub choices: u64,
    /// How long all of them took.
    pub all: Duration,
    /// How much of that went into bringing a belief up to date.
    pub belief: Duration,
}

impl AddAssign for Thought {
    fn add_assign(&mut self, other: Thought) {
        self.choices += other.choices;
        self.all += other.all;
        self.belief += other.belief;
    }
}
