//! Records of matches: a line that says what was played, then a line for each game with everything that happened in it.
//!
//! Each line is one JSON object (`lines` has their shapes). A record replays on the machine to the very same payoffs, or it
//! is told where it does not fit. Nothing is read or written here; whoever does takes every line for untrusted.

mod compare;
mod lines;
mod read;
mod replay;
mod write;

pub use lines::{GameLine, Header, LONGEST_HEADER, LONGEST_LINE, LineError, Move, VERSION};
pub use read::{Line, Lines};
pub use replay::{Misfit, follow, goes_on, replay};
pub use write::{game_line, header, header_of, moves_of};

#[cfg(test)]
mod tests;
