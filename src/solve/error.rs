//! What can go wrong in an exact walk.

use super::codes;
use crate::machine::PlayError;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::plural::plural;

/// Why a game could not be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The rules ran into an error. The span is in the text of the game.
    Rules(PlayError),
    /// The numbers of actions of the players at one node, whose product is out of reach.
    TooManyJointActions(Vec<usize>),
    /// The game is not of the class that the method solves. The span is in the text of the game.
    Unsuited(Box<Diagnostic>),
    /// The states that were found up to so many plies do not fit `limit` bytes.
    OutOfMemory {
        /// The bytes that there were.
        limit: u64,
        /// How many states had been found.
        states: u64,
        /// How far from the start they are.
        plies: u64,
    },
    /// The state is none that play comes to.
    Unreachable,
    /// What an earlier run kept is not of this game.
    Saved,
    /// States lead to one another in a circle, which no compiled game has.
    Endless,
    /// It was stopped before it was done.
    Stopped,
}

impl SolveError {
    /// As a report on the text of the game, where there is a place in it that it is about.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        match self {
            SolveError::Rules(e) => Some(e.diagnostic()),
            SolveError::Unsuited(problem) => Some((**problem).clone()),
            _ => None,
        }
    }

    /// The code of an error, where it is one that players of a game can run into.
    #[doc(hidden)]
    pub fn code(&self) -> Option<Code> {
        match self {
            SolveError::Rules(e) => Some(e.code),
            SolveError::Unsuited(problem) => Some(problem.code),
            SolveError::TooManyJointActions(_) => Some(codes::TOO_MANY_JOINT_ACTIONS),
            SolveError::OutOfMemory { .. } => Some(codes::OUT_OF_MEMORY),
            SolveError::Unreachable
            | SolveError::Saved
            | SolveError::Endless
            | SolveError::Stopped => None,
        }
    }

    /// What is wrong, without the code.
    #[doc(hidden)]
    pub fn message(&self) -> String {
        match self {
            SolveError::Rules(e) => e.message.clone(),
            SolveError::Unsuited(problem) => problem.message.clone(),
            SolveError::TooManyJointActions(counts) => {
                let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
                format!(
                    "a simultaneous choice with {} actions is too large to go through",
                    counts.join(" × ")
                )
            }
            SolveError::OutOfMemory {
                limit,
                states,
                plies,
            } => format!(
                "the game does not fit the memory: {} within {} of the start, and more to come, are too many for {}",
                plural(*states, "state"),
                plural(*plies, "ply"),
                size(*limit)
            ),
            SolveError::Stopped => "it was stopped".to_string(),
            SolveError::Unreachable => "play does not come to this state".to_string(),
            SolveError::Saved => "what was kept of an earlier run is not of this game".to_string(),
            SolveError::Endless => {
                "states lead to one another in a circle; this is a mistake in Ruse and not in the game".to_string()
            }
        }
    }

    /// What to do about it.
    #[doc(hidden)]
    pub fn hint(&self) -> Option<String> {
        match self {
            SolveError::OutOfMemory { .. } => Some(
                "give it more with `--memory`, or make the game smaller by its params".to_string(),
            ),
            _ => None,
        }
    }
}

impl From<PlayError> for SolveError {
    fn from(error: PlayError) -> SolveError {
        SolveError::Rules(error)
    }
}

impl std::fmt::Display for SolveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.code() {
            Some(code) => write!(f, "{}: {}", code.0, self.message()),
            None => f.write_str(&self.message()),
        }
    }
}

/// A size in the largest unit that gives a whole number, nearly.
fn size(bytes: u64) -> String {
    match bytes {
        0..0xA0_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

impl std::error::Error for SolveError {}
