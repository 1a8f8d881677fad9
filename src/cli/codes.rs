//! Codes of problems that lie outside the text of a game: files.

use crate::diagnostics::Code;

/// The file cannot be read: it is missing, a folder, or closed to this user.
pub const CANNOT_READ: Code = Code("E0801");
/// The file is not UTF-8 text.
pub const NOT_TEXT: Code = Code("E0802");
/// The file is larger than any game description may be.
pub const TOO_LARGE: Code = Code("E0803");
/// The file cannot be written: it is closed to this user, or the disk is full.
pub const CANNOT_WRITE: Code = Code("E0804");
