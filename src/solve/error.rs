//! What can go wrong in an exact walk.

use super::codes;
use crate::diagnostics::Diagnostic;
use crate::machine::PlayError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The rules ran into an error. The span is in the text of the game.
    Rules(PlayError),
    /// The numbers of actions of the players at one node, whose product is out of reach.
    TooManyJointActions(Vec<usize>),
}

impl SolveError {
    /// As a report on the text of the game, where there is a place in it that it is about.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        match self {
            SolveError::Rules(e) => Some(e.diagnostic()),
            SolveError::TooManyJointActions(_) => None,
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
        match self {
            SolveError::Rules(e) => e.fmt(f),
            SolveError::TooManyJointActions(counts) => {
                let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "{}: a simultaneous choice with {} actions is too large to go through",
                    codes::TOO_MANY_JOINT_ACTIONS.0,
                    counts.join(" × ")
                )
            }
        }
    }
}

impl std::error::Error for SolveError {}
