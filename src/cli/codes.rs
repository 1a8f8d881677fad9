//! Codes of problems that lie outside the text of a game: files and the words of the command line.

use crate::diagnostics::Code;

/// The file cannot be read: it is missing, a folder, or closed to this user.
pub const CANNOT_READ: Code = Code("E0801");
/// The file is not UTF-8 text.
pub const NOT_TEXT: Code = Code("E0802");
/// The file is larger than any game description may be.
pub const TOO_LARGE: Code = Code("E0803");
/// A player spec or a seating on the command line cannot be understood.
pub const BAD_PLAYERS: Code = Code("E0811");
/// A player cannot play this game.
pub const CANNOT_PLAY: Code = Code("E0812");
