//! Codes of what functions may report, before play and in play.

use crate::text::diagnostics::Code;

/// A name of the wrong kind: a rule where a value must stand, and so on.
pub const MISUSED_NAME: Code = Code("E0112");
/// A value that several enums have, or a name that several players chose by, or a function of two meanings, where nothing
/// says which is meant.
pub const AMBIGUOUS_NAME: Code = Code("E0104");
/// `all`, `none` or `{}` where nothing says of what type.
pub const NEEDS_TYPE: Code = Code("E0202");
/// A value of another type than the place needs.
pub const TYPE_MISMATCH: Code = Code("E0201");
/// A type, an array, a set or a table of a board beyond what can be laid out.
pub const TOO_LARGE: Code = Code("E0304");
/// Something that must be known before play begins, and is not.
pub const NOT_CONSTANT: Code = Code("E0303");

/// `only` of a set that does not hold exactly one, or of `none`.
pub const NOT_ONE: Code = Code("E0704");
/// `min` or `max` of nothing.
pub const OF_NOTHING: Code = Code("E0705");
