//! The codes of everything that can be wrong with the form of a file.

use crate::text::diagnostics::Code;

/// The file is larger than the compiler reads.
pub const FILE_TOO_LARGE: Code = Code("E0001");
/// Brackets, blocks or expressions are nested too deeply.
pub const TOO_DEEP: Code = Code("E0002");
/// Too many operators follow one another in one expression.
pub const TOO_LONG: Code = Code("E0003");
/// A character that the language does not use.
pub const UNKNOWN_CHARACTER: Code = Code("E0004");
/// A text in quotes that does not end on its line.
pub const UNFINISHED_TEXT: Code = Code("E0005");
/// A bracket without its partner.
pub const UNBALANCED: Code = Code("E0006");
/// An operator of another language, such as `&&`.
pub const FOREIGN_OPERATOR: Code = Code("E0007");
/// The file does not begin with `game Name {` or goes on after its end.
pub const NOT_A_GAME: Code = Code("E0008");
/// A game, or a state block, holds something that cannot stand there.
pub const BAD_ITEM: Code = Code("E0009");
/// A statement cannot be read.
pub const BAD_STATEMENT: Code = Code("E0010");
/// `=` where `==` is meant, or the reverse.
pub const STORE_OR_COMPARE: Code = Code("E0011");
/// `a < b < c`.
pub const CHAINED_COMPARISON: Code = Code("E0012");
/// A clause is given twice, or two entries where one may stand.
pub const GIVEN_TWICE: Code = Code("E0013");
/// A whole number that is too large.
pub const NUMBER_TOO_LARGE: Code = Code("E0014");
/// A text whose holes cannot be read.
pub const BAD_TEXT: Code = Code("E0015");
/// A `together` block holds something other than choices.
pub const NOT_A_CHOICE: Code = Code("E0016");
/// The file that a game extends cannot be read.
pub const CANNOT_EXTEND: Code = Code("E0018");
/// A variant has something that it cannot replace, or that is not there.
pub const NOT_REPLACED: Code = Code("E0019");
/// There were more problems than are listed.
pub const TOO_MANY_PROBLEMS: Code = Code("E0017");
/// The formatter would change what a file says; it leaves the file alone.
pub const NOT_FORMATTED: Code = Code("E0020");
/// Note: something that can be read, and means something else than it looks like.
pub const READS_OTHERWISE: Code = Code("E0021");
