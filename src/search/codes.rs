//! The codes of errors that a search can report besides those of play.

use crate::text::diagnostics::Code;

/// A search was started for a player who has nothing to choose in the given state.
pub const NOT_TO_MOVE: Code = Code("E0740");
/// The search rests on something that the game does not have.
pub const UNSUITED: Code = Code("E0741");
