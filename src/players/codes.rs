//! The codes of errors about players. Spans of the first four are in the text of the spec.

use crate::text::diagnostics::Code;

/// The text of a player cannot be read: a parenthesis is missing, a parameter has no value.
pub const UNREADABLE: Code = Code("E0750");
/// There is no player of that name.
pub const UNKNOWN_PLAYER: Code = Code("E0751");
/// The player has no such parameter, or it is set twice.
pub const UNKNOWN_PARAMETER: Code = Code("E0752");
/// The value does not fit the parameter.
pub const BAD_VALUE: Code = Code("E0753");
/// The game is not one that the player can play; the span is in the text of the game.
pub const UNSUITED: Code = Code("E0754");
/// What the player saw does not fit the rules as it knows them.
pub const LOST_TRACK: Code = Code("E0755");
/// A player answered with something that was not among its actions.
pub const BAD_ANSWER: Code = Code("E0756");
/// The player does not search, so there is no search of it to show.
pub const NO_SEARCH: Code = Code("E0757");
