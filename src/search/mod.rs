//! Searches that decide one move from a world state: what the tree is, how it grows, and which move comes out.
//!
//! No search has rules of a game in it, reads a clock or keeps anything between two moves. Hidden information is left to
//! `players`: a search takes the world state that it is given for the true one.
//!
//! `uct` and `smmcts` are declarations ([`Declaration`]): a name, parameters, and the settings of the one tree search in
//! `mcts` that they stand for.

pub mod budget;
pub mod codes;
pub mod mcts;
pub mod parameters;
pub mod result;
pub mod searcher;
pub mod smmcts;
pub mod supported_games;
pub mod uct;

pub use budget::Budget;
pub use result::{ActionStatistics, SearchResult};
pub use searcher::{Declaration, Make, Searcher};

/// The searches that there are, in the order in which they are listed.
pub static SEARCHES: [&Declaration; 2] = [&uct::UCT, &smmcts::SMMCTS];
