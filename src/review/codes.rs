//! The codes of problems with scripts, whose spans are in the script, and of what random play tells of a game.

use crate::text::diagnostics::Code;

/// A choice never offered one of its alternatives.
pub const NEVER_OFFERED: Code = Code("E0780");
/// Play never came to a part of the rules.
pub const NEVER_REACHED: Code = Code("E0781");
/// Every game ended with the same payoffs.
pub const SAME_PAYOFFS: Code = Code("E0782");
/// A loop with a condition always ran until its bound.
pub const ALWAYS_BOUND: Code = Code("E0783");
/// No random game came to an end.
pub const NEVER_ENDS: Code = Code("E0784");
/// Something is declared, and nothing uses it.
pub const NEVER_USED: Code = Code("E0785");
/// Payoffs are a small part of what their ranges allow.
pub const WIDE_RANGES: Code = Code("E0786");

/// A line of a script that cannot be read.
pub const BAD_LINE: Code = Code("E0901");
/// A line of a script that does not stand where it may, or is missing.
pub const BAD_ORDER: Code = Code("E0902");
/// A script names a player, a play or a variable that there is not.
pub const UNKNOWN_NAME: Code = Code("E0903");
/// A move or an outcome that is not possible, or could be several.
pub const NO_SUCH_MOVE: Code = Code("E0904");
/// A script lets somebody move whose turn it is not.
pub const NOT_NOW: Code = Code("E0905");
/// Something is not as the script expects it.
pub const NOT_AS_EXPECTED: Code = Code("E0906");
/// The rules ran into an error in a line of a script.
pub const RULES_FAILED: Code = Code("E0907");
