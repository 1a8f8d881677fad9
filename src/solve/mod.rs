//! Exact answers about a whole game: counting its histories, states and information states, values under uniform play,
//! optimal play by backward induction over states, and over information states by linear programs and by regret.
//!
//! `backward` goes over states, `matrix` solves what comes up at one of them; `tree`, `sequences` and all that is built on
//! them go over information states. A method that solves a game is one file and one line of `methods`.

pub mod backward;
pub mod best_response;
pub mod branches;
pub mod codes;
pub mod commitment;
pub mod error;
pub mod exact;
pub mod extensive_form;
pub mod game_id;
#[cfg(feature = "lp")]
pub mod linear_program;
pub mod matrix;
pub mod methods;
pub mod perft;
pub mod position;
pub mod profile;
pub mod quantal_response;
pub mod regret;
pub mod search_profile;
pub mod sequences;
pub mod states;
pub mod strategy_file;
pub mod summary;
pub mod tree;
pub mod zero_sum;

pub use best_response::{BestResponse, Exploitability, best_response, exploitability};
pub use error::SolveError;
pub use game_id::GameId;
pub use methods::{METHODS, Method};
pub use perft::{Perft, PerftOptions, perft};
pub use position::{Position, position};
pub use profile::Profile;
pub use sequences::Sequences;
pub use states::{States, count_states};
pub use tree::{Tree, TreeError, TreeOptions};
