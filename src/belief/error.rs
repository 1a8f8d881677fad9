//! Why a belief cannot go on.

use crate::machine::PlayError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BeliefError {
    /// No state fits what was seen: of all that there are, or of those that were drawn.
    Nothing {
        /// Whether all states were looked at.
        complete: bool,
    },
    /// The rules ran into an error in some state.
    Rules(PlayError),
}

impl From<PlayError> for BeliefError {
    fn from(error: PlayError) -> BeliefError {
        BeliefError::Rules(error)
    }
}

impl std::fmt::Display for BeliefError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BeliefError::Nothing { complete: true } => {
                write!(f, "no state of the game fits what was seen")
            }
            BeliefError::Nothing { complete: false } => {
                write!(f, "none of the states that were drawn fits what was seen")
            }
            BeliefError::Rules(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BeliefError {}
