//! The codes of errors that only a walk through the tree of a game can report.

use crate::diagnostics::Code;

/// There are too many joint actions at one node to number them.
pub const TOO_MANY_JOINT_ACTIONS: Code = Code("E0770");
