//! Exact answers about a whole game: counting its histories, states and information states, values under uniform play, and
//! optimal play by backward induction. No sampling here.

pub mod backward;
pub mod branches;
pub mod codes;
pub mod error;
pub mod exact;
pub mod matrix;
pub mod perft;
pub mod states;

pub use error::SolveError;
pub use perft::{Perft, PerftOptions, perft};
pub use states::{States, count_states};
