//! The codes of errors that only a walk through the tree of a game can report.

use crate::text::diagnostics::Code;

/// There are too many joint actions at one node to number them.
pub const TOO_MANY_JOINT_ACTIONS: Code = Code("E0770");
/// The game is not of the class that a method solves; the span says what is in the way.
pub const UNSUITED: Code = Code("E0771");
/// The game has more states than fit the memory that the solver may take.
pub const OUT_OF_MEMORY: Code = Code("E0772");
/// The tree of the game has more nodes than are allowed.
pub const TOO_MANY_NODES: Code = Code("E0775");
/// A method found no solution.
pub const UNSOLVED: Code = Code("E0776");
