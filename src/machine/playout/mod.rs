//! Whole playouts: from a state to the payoffs without a state in between.
//!
//! A playout plays the game that `sample`, `sample_chance` and `step` play with the same random numbers; of several players
//! to move the first seat samples first. `compile::playout` writes its flow, `compile::optimise` makes it small; `portable`
//! turns it into opcodes and goes through them, `native` has it compiled for the processor, and `engine` says which of them runs.

mod bitboards;
mod codes;
mod cursor;
mod engine;
mod frames;
mod group;
mod independent_choices;
mod interface;
mod listener;
mod lists;
mod move_observer;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
mod native;
#[cfg(not(all(feature = "native", not(target_arch = "wasm32"))))]
#[path = "no_native.rs"]
mod native;
mod observed_steps;
mod playouts;
mod portable;
mod room;
mod stepping;
mod stepwise;

use super::Action;
use crate::model::PlayerSet;
pub(super) use codes::Codes;
pub use cursor::{Cursor, Lookahead, Offer, moves_before};
pub use engine::{Engine, NoNative};
pub(super) use frames::Frames;
pub(super) use group::Group;
pub(super) use independent_choices::IndependentChoices;
pub(super) use lists::Lists;
pub(super) use observed_steps::{ObservedSteps, Told};
pub use playouts::Playouts;
use smallvec::SmallVec;
pub(super) use stepping::Steps;

/// What became of a playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// One number a player in seating order, in units of 1/[`Machine::payoff_denominator`].
    pub payoffs: SmallVec<[i64; 8]>,
    /// Who chose last: one, or those who did so together.
    pub last: PlayerSet,
}

/// A playout with its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    pub played: Played,
    /// How many nodes with a choice or a draw there were.
    pub plies: u64,
}

/// A counted playout is given up when it has so many plies.
pub const MOST_PLIES: u64 = 1 << 16;

/// One action or outcome on the way of a playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The node where it was taken, as [`Machine::node`] says.
    pub node: u32,
    /// `None`: chance.
    pub player: Option<usize>,
    pub action: Action,
}
