//! The codes of what the check can report. Visibility keeps its own (E04xx).

pub use crate::model::codes::{
    AMBIGUOUS_NAME, MISUSED_NAME, NEEDS_TYPE, NOT_CONSTANT, TOO_LARGE, TYPE_MISMATCH,
};

use crate::text::diagnostics::Code;

/// A name that nothing in the file declares.
pub const UNKNOWN_NAME: Code = Code("E0101");
/// Two declarations of the same name.
pub const DUPLICATE_NAME: Code = Code("E0102");
/// A local name that hides another one.
pub const SHADOWED_NAME: Code = Code("E0103");
/// A type that is not declared.
pub const UNKNOWN_TYPE: Code = Code("E0105");
/// A field that a product does not have.
pub const UNKNOWN_FIELD: Code = Code("E0106");
/// A rule that is not declared.
pub const UNKNOWN_RULE: Code = Code("E0107");
/// A declaration with a name that belongs to the language.
pub const RESERVED_NAME: Code = Code("E0108");
/// A player who has no seat, or an enum value that is left out, under the present params.
pub const ABSENT: Code = Code("E0109");
/// The name of a choice's value, used where the choice may not have been made.
pub const UNSET_NAME: Code = Code("E0110");
/// Declarations that need each other.
pub const CYCLE: Code = Code("E0111");
/// An edge to a node that the graph does not have.
pub const UNKNOWN_NODE: Code = Code("E0120");
/// A function that a board does not have.
pub const UNKNOWN_FUNCTION: Code = Code("E0121");

/// A team with somebody who does not play, or with a member of another team.
pub const BAD_TEAM: Code = Code("E0130");
/// A rule that reads or changes a note, or a note that changes the state.
pub const MISUSED_NOTE: Code = Code("E0131");

/// A value that may be `none` where one is needed.
pub const MAYBE_NONE: Code = Code("E0203");
/// An integer that can never be in the range of its place.
pub const NEVER_FITS: Code = Code("E0204");
/// Too many or too few arguments.
pub const WRONG_ARGUMENTS: Code = Code("E0205");
/// Too many or too few indices, or indices on what has none.
pub const WRONG_INDICES: Code = Code("E0206");
/// A match that leaves out values.
pub const NOT_EXHAUSTIVE: Code = Code("E0207");
/// A value that two arms of a match take.
pub const DUPLICATE_PATTERN: Code = Code("E0208");
/// A divisor that may be 0.
pub const DIVISION_BY_ZERO: Code = Code("E0209");
/// Something that cannot be stored to.
pub const NOT_A_PLACE: Code = Code("E0210");
/// A `reveal` where nothing may happen.
pub const MISPLACED_REVEAL: Code = Code("E0211");
/// `break` or `continue` outside a loop.
pub const OUTSIDE_LOOP: Code = Code("E0212");
/// Warning: statements that are never reached.
pub const UNREACHABLE: Code = Code("E0213");
/// A `together` whose arms are no choices, or two choices of one player.
pub const BAD_TOGETHER: Code = Code("E0215");
/// A state variable that is a number.
pub const NUMBER_IN_STATE: Code = Code("E0216");
/// A def or rule that calls itself.
pub const RECURSION: Code = Code("E0217");

/// A choice, a draw or an end in an `after`.
pub const NOT_IN_AFTER: Code = Code("E0220");

/// A choice for each element of a set that is not settled before play, or an element of it that was not chosen.
pub const BAD_FAMILY: Code = Code("E0221");

/// What cannot be a part of `one move`.
pub const BAD_MOVE: Code = Code("E0223");

/// Moves that cannot be told apart by their texts.
pub const SHARED_TEXT: Code = Code("E0222");
/// A move whose text nobody can type.
pub const NOT_TYPED: Code = Code("E0224");
/// An `or` of which the right side alone is asked `after` statements.
pub const HALF_ASKED: Code = Code("E0225");

/// Note: what a draw took is taken out again.
pub const TAKEN_TWICE: Code = Code("E0226");
/// Sets that are compared by their order. A note.
pub const ORDER_OF_SETS: Code = Code("E0227");
/// A place that several arms of a `together` store to. A note.
pub const STORED_BY_SEVERAL: Code = Code("E0228");
/// What follows from the choice of one arm of a `together` reads what others store. A note.
pub const READS_OTHERS: Code = Code("E0229");
/// A draw from a pile of the state that nothing changes. A note.
pub const STAYS: Code = Code("E0230");

/// A setting for a param that the game does not have.
pub const UNKNOWN_PARAM: Code = Code("E0301");
/// A value that a param cannot have.
pub const BAD_PARAM_VALUE: Code = Code("E0302");
/// Arithmetic whose results do not fit 64 bits.
pub const OVERFLOW: Code = Code("E0305");
/// A range without values.
pub const EMPTY_RANGE: Code = Code("E0306");
/// A loop bound that is no positive constant.
pub const BAD_BOUND: Code = Code("E0307");
/// Too much text once rules and defs stand where they are called.
pub const TOO_LONG: Code = Code("E0308");
/// Nesting beyond the limit.
pub const TOO_DEEP: Code = Code("E0309");
/// No players, or more than there may be.
pub const PLAYER_COUNT: Code = Code("E0310");
/// An array by its entries that leaves some out or gives one twice.
pub const BAD_ENTRIES: Code = Code("E0311");
/// A board with no nodes, or with too many.
pub const BOARD_SIZE: Code = Code("E0320");
/// An edge that is given twice, leads to where it begins, or lacks the label that others have.
pub const BAD_EDGE: Code = Code("E0321");
/// A picture in a layout that does not show the graph.
pub const BAD_PICTURE: Code = Code("E0322");

/// Params that do not fulfil what the game requires of them.
pub const NOT_MET: Code = Code("E0314");
/// An enum without values, or with more than it names.
pub const ENUM_SIZE: Code = Code("E0313");
/// A heuristic that applies to no choice.
pub const APPLIES_NOWHERE: Code = Code("E0312");

/// Warning: knowledge about choices that its owners never make.
pub const HELPS_NOBODY: Code = Code("E0315");
/// A variable that is counted from the least value of a range around 0. A note.
pub const BEGINS_LOW: Code = Code("E0316");

/// A game without `players`, `play` or `payoff`.
pub const MISSING_BLOCK: Code = Code("E0501");
/// A second `players`, `play` or `payoff`.
pub const REPEATED_BLOCK: Code = Code("E0502");
/// Payoffs by player that leave one out or give one twice.
pub const BAD_PAYOFF: Code = Code("E0503");

/// The check gave up on a game and cannot say why.
pub const NOT_UNDERSTOOD: Code = Code("E0399");
