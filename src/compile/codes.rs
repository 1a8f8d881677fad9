//! Codes of the problems that the compiler reports, and of the errors of play that it plants checks for.

pub use crate::model::codes::{NOT_ONE, OF_NOTHING};

use crate::text::diagnostics::Code;

/// The state does not fit into the machine's bounds.
pub const STATE_TOO_LARGE: Code = Code("E0601");
/// The compiled program is too long.
pub const PROGRAM_TOO_LARGE: Code = Code("E0602");
/// The compiler made a program that its own verifier refuses.
pub const INTERNAL: Code = Code("E0603");

/// A value left the range of its variable.
pub const OUT_OF_RANGE: Code = Code("E0701");
/// A player has to choose and there is nothing to choose.
pub const NO_OPTION: Code = Code("E0702");
/// A draw or a deal has nothing to draw.
pub const NO_OUTCOME: Code = Code("E0703");
/// The payoffs do not add up to what the game claims.
pub const BROKEN_SUM: Code = Code("E0706");
/// Too many steps between two decisions.
pub const TOO_MANY_STEPS: Code = Code("E0707");
/// A value that a set cannot hold.
pub const OUTSIDE_SET: Code = Code("E0708");
/// More outcomes or actions than can be listed.
pub const TOO_MANY_OUTCOMES: Code = Code("E0709");
/// A weight below zero.
pub const NEGATIVE_WEIGHT: Code = Code("E0710");
/// A move that is not among the options.
pub const ILLEGAL_MOVE: Code = Code("E0711");
/// One player has two arms of a simultaneous choice.
pub const TWO_ARMS: Code = Code("E0712");
