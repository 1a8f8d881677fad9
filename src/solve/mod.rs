//! Exact answers about a whole game: counting its histories, states and information states, and values under uniform
//! play. No sampling here.

pub mod branches;
pub mod codes;
pub mod error;
pub mod exact;
pub mod perft;
pub mod states;

pub use error::SolveError;
pub use perft::{Perft, PerftOptions, perft};
pub use states::{States, count_states};
