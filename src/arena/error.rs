//! What can go wrong in a match, as plain data.

use crate::machine::PlayError;
use crate::players::{PlayerError, codes};
use crate::text::diagnostics::Diagnostic;

/// Why a game or a match could not be played to its end. Texts count games from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArenaError {
    /// The text of the players is wrong. The span is in that text.
    Players(Box<Diagnostic>),
    /// The rules ran into an error in a game. The span is in the text of the game.
    Rules {
        /// The number of the game, from 0.
        game: u64,
        /// What happened.
        error: PlayError,
    },
    /// A player cannot play the game, or failed in it. Spans are in the text of the game. `game` is `None` before the
    /// first game.
    Player {
        /// The number of the game, from 0.
        game: Option<u64>,
        /// The name of the seat.
        seat: String,
        /// What is wrong.
        error: PlayerError,
    },
    /// A player answered with something that was not among its actions.
    BadAnswer {
        /// The number of the game, from 0.
        game: u64,
        /// The name of the seat.
        seat: String,
    },
    /// A game had more plies than the line of a record can hold, and was stopped.
    TooLong {
        /// The number of the game, from 0.
        game: u64,
        /// The plies until then.
        plies: usize,
    },
    /// The threads could not be started; why, in words of the system.
    Threads(String),
}

impl ArenaError {
    /// As a report, where there is a place in a text that it is about. `Display` tells the game and the seat.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        match self {
            ArenaError::Players(d) => Some((**d).clone()),
            ArenaError::Rules { error, .. } => Some(error.diagnostic()),
            ArenaError::Player { error, .. } => error.diagnostic(),
            ArenaError::BadAnswer { .. } | ArenaError::TooLong { .. } | ArenaError::Threads(_) => {
                None
            }
        }
    }
}

impl std::fmt::Display for ArenaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ArenaError::Players(d) => write!(f, "{}: {}", d.code.0, d.message),
            ArenaError::Rules { game, error } => write!(f, "game {}: {error}", game + 1),
            ArenaError::Player {
                game: Some(game),
                seat,
                error,
            } => write!(f, "game {}, {seat}: {error}", game + 1),
            ArenaError::Player { seat, error, .. } => write!(f, "{seat}: {error}"),
            ArenaError::BadAnswer { game, seat } => write!(
                f,
                "{}: game {}: the player of {seat} chose something that is not among its actions",
                codes::BAD_ANSWER.0,
                game + 1
            ),
            ArenaError::TooLong { game, plies } => write!(
                f,
                "game {} is not over after {plies} choices and draws, more than a record can hold",
                game + 1
            ),
            ArenaError::Threads(why) => write!(f, "the threads could not be started: {why}"),
        }
    }
}

impl std::error::Error for ArenaError {}
