//! Searches that decide one move from a world state: what the tree is, how it grows, and which move comes out.
//!
//! A search knows no rule of any game, reads no clock and keeps nothing between two moves. What a player may know is the
//! business of `players`; a search here takes the world state that it is given for the truth.

pub mod budget;
pub mod codes;
pub mod result;
pub mod select;
pub mod smmcts;
pub mod tree;
pub mod uct;

pub use budget::Budget;
pub use result::{ActionStatistics, FinalChoice, SearchResult};
