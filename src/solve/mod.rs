//! Exact answers about a whole game: counting its histories, states and information states, values under uniform play,
//! optimal play by backward induction over states, and over information states by linear programs and by regret.
//!
//! `backward` goes over states, `matrix` solves what comes up at one of them; `tree`, `sequences` and all that is built on
//! them go over information states.

pub mod backward;
pub mod best_response;
pub mod branches;
pub mod codes;
pub mod error;
pub mod exact;
pub mod linear_program;
pub mod matrix;
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
