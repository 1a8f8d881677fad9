//! All that reached the player in a game.

use crate::machine::Observation;

/// Where the player was asked.
#[derive(Copy, Clone, Debug)]
pub struct Question {
    /// How much it had seen by then.
    pub seen: usize,
    pub node: u32,
}

/// What a player saw, oldest first, and the questions that its belief was advanced to.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub seen: Vec<Observation>,
    pub questions: Vec<Question>,
}
