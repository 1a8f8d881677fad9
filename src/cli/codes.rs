//! Codes of problems that lie outside the text of a game: files, records of matches, and results of experiments.

use crate::text::diagnostics::Code;

/// The file cannot be read: it is missing, a folder, or closed to this user.
pub const CANNOT_READ: Code = Code("E0801");
/// The file is not UTF-8 text.
pub const NOT_TEXT: Code = Code("E0802");
/// The file is larger than one of its kind may be.
pub const TOO_LARGE: Code = Code("E0803");
/// The file cannot be written: it is closed to this user, or the disk is full.
pub const CANNOT_WRITE: Code = Code("E0804");
/// There is no shipped game of that name.
pub const UNKNOWN_GAME: Code = Code("E0805");
/// A file of that name is there already, and would be lost.
pub const FILE_EXISTS: Code = Code("E0806");
/// A line of the file is no record of a match.
pub const NO_RECORD: Code = Code("E0807");
/// The record is of another match than the one that is to be gone on with.
pub const OTHER_MATCH: Code = Code("E0808");
/// The rules have changed since the record was made.
pub const RULES_CHANGED: Code = Code("E0809");
/// A recorded game cannot have been played by these rules.
pub const DOES_NOT_FIT: Code = Code("E0810");
/// The file is no checkpoint of a solver, or one of another game or of other params.
pub const NO_CHECKPOINT: Code = Code("E0811");
/// The file holds no strategies, or those of another game or of other params.
pub const NO_STRATEGY: Code = Code("E0812");
/// The file is no map and no tree that can be imported.
pub const NO_MAP: Code = Code("E0813");
/// The tree that is imported cannot be told in the language.
pub const NO_TELLING: Code = Code("E0814");
/// The results are of another experiment, or of another part or version than the one that is to be gone on with.
pub const OTHER_EXPERIMENT: Code = Code("E1006");
/// The file or folder has no results of an experiment.
pub const NO_RESULTS: Code = Code("E1007");
