//! Games between players: one game, the seating of many, a match over many threads, its statistics, and experiments of
//! many matches.
//!
//! The arena owns the state of a game; players get their own observations and their own legal actions from it. It reads
//! no clock and writes nothing: progress goes to a callback.

mod bounds;
pub mod codes;
pub mod error;
pub mod experiment;
pub mod game;
pub mod game_report;
pub mod known;
pub mod match_;
pub mod own_record;
mod random_games;
pub mod rating;
pub mod record;
pub mod report;
pub mod schedule;
pub mod seating;
pub mod session;
mod spread;
pub mod statistics;
mod sums;

pub use error::ArenaError;
pub use game::{GameResult, Ply, play_game};
pub use match_::{
    Keep, Match, MatchOptions, Watch, check_players, play_match, play_match_and_keep,
};
pub use report::MatchResult;
pub use seating::{People, SeatingPlan};
