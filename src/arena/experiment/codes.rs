//! The codes of errors in the file of an experiment. Their spans are in that file.

use crate::text::diagnostics::Code;

/// The file is no YAML, or something in it is a list where a table belongs.
pub const UNREADABLE: Code = Code("E1001");
/// There is no such key here, or it stands here twice.
pub const UNKNOWN_KEY: Code = Code("E1002");
/// The value does not fit its key.
pub const BAD_VALUE: Code = Code("E1003");
/// A key that every experiment has is not there.
pub const MISSING_KEY: Code = Code("E1004");
/// A pairing names a player who is not in the experiment, or does not fit the seats of the game.
pub const BAD_PAIRING: Code = Code("E1005");
