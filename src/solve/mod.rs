//! Exact answers about a whole game: counting its histories, states and information states, and values under uniform
//! play. No sampling here.

pub mod best_response;
pub mod branches;
pub mod codes;
pub mod error;
pub mod exact;
pub mod linear_program;
pub mod perft;
pub mod profile;
pub mod regret;
pub mod searched;
pub mod sequences;
pub mod states;
pub mod tree;
pub mod zero_sum;

pub use best_response::{BestResponse, Exploitability, best_response, exploitability};
pub use error::SolveError;
pub use perft::{Perft, PerftOptions, perft};
pub use profile::Profile;
pub use sequences::Sequences;
pub use states::{States, count_states};
pub use tree::{Tree, TreeError, TreeOptions};
