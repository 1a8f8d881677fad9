//! Searches that decide one move: what the tree is, how it grows, and which move comes out.
//!
//! No search has rules of a game in it or reads a clock. It starts from a world state, which it takes for the true one, from
//! states that may be the true one (`belief`), or from what the player saw. The last kind keeps something between two moves, and
//! the second does where it is asked to (`reuse`).
//!
//! `uct`, `ismcts` and the others are declarations ([`Declaration`]): a name, parameters, and the settings that they stand
//! for, of the tree search in `mcts`, of that over information sets in `information_sets`, of `outcome_sampling`, or of
//! `replayed`.

pub mod belief_parameters;
pub mod budget;
pub mod codes;
pub mod determinized;
pub mod each;
pub mod exploration;
pub mod history;
pub mod i2_uct;
pub mod information_sets;
pub mod ismcts;
pub mod mcts;
pub mod oos;
pub mod outcome_sampling;
pub mod parameters;
pub mod replayed;
pub mod result;
pub mod searcher;
pub mod smmcts;
pub mod smooth_uct;
pub mod supported_games;
pub mod uct;

pub use budget::Budget;
pub use result::{ActionStatistics, SearchResult};
pub use searcher::{BeliefSearcher, Declaration, HistorySearcher, Make, OnlineSearch, Searcher};

/// The searches that there are, in the order in which they are listed.
pub static SEARCHES: [&Declaration; 7] = [
    &uct::UCT,
    &smmcts::SMMCTS,
    &ismcts::ISMCTS,
    &determinized::DETERMINIZED,
    &smooth_uct::SMOOTH_UCT,
    &oos::OOS,
    &i2_uct::I2_UCT,
];
