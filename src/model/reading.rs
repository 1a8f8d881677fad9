//! Statements that read shown defs.

use super::PlayerSet;

/// A statement that reads shown defs in play: before it looks at their values, those who certainly know that play is there
/// are told them.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The shown defs, by their places in `Description::shown`.
    pub defs: Vec<usize>,
    /// Whether the statement is a loop that looks at them again in each round.
    pub again: bool,
    /// Those of their viewers who are told: who certainly could know that play is there. Nobody until the check of
    /// visibility has found them.
    pub told: PlayerSet,
}

/// The number of a [`Reading`] in `Description::readings`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReadingId(pub u32);
