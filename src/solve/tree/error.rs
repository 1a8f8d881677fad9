//! Why a game has no tree, or no solution over it.

use crate::machine::{Machine, PlayError};
use crate::solve::{SolveError, codes};
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::plural::plural;
use crate::text::span::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeError {
    /// Something went wrong on a history.
    Walk(SolveError),
    /// There are more nodes than this, which are allowed.
    TooManyNodes(u32),
    /// A strategy needs the world state, and this player cannot distinguish some histories.
    Hidden(usize),
    /// It was asked to stop.
    Stopped,
    /// The method gave up; it says why.
    Unsolved(String),
}

impl TreeError {
    /// As a report on the text of the game, where there is a place in it that it is about.
    pub fn diagnostic(&self, machine: &Machine) -> Option<Diagnostic> {
        match self {
            TreeError::Walk(e) => e.diagnostic(),
            TreeError::TooManyNodes(_) => {
                let statements = &machine.description().play.stmts;
                let span = Span {
                    start: statements.first()?.span.start,
                    end: statements.last()?.span.end,
                };
                let report = Diagnostic::error(codes::TOO_MANY_NODES, span, self.message());
                Some(report.hint(HINT))
            }
            TreeError::Hidden(_) | TreeError::Stopped | TreeError::Unsolved(_) => None,
        }
    }

    /// The code of an error that has no place in the text of the game.
    pub fn code(&self) -> Option<Code> {
        match self {
            TreeError::Walk(_) | TreeError::Hidden(_) | TreeError::Stopped => None,
            TreeError::TooManyNodes(_) => Some(codes::TOO_MANY_NODES),
            TreeError::Unsolved(_) => Some(codes::UNSOLVED),
        }
    }

    /// What is wrong, without the code.
    pub fn message(&self) -> String {
        match self {
            TreeError::Walk(e) => e.to_string(),
            TreeError::TooManyNodes(most) => {
                format!(
                    "the tree of this game has more than {}",
                    plural(*most, "node")
                )
            }
            TreeError::Hidden(player) => {
                format!("player {player} cannot tell some histories apart")
            }
            TreeError::Stopped => "stopped".to_string(),
            TreeError::Unsolved(why) => format!("no solution was found: {why}"),
        }
    }
}

const HINT: &str = "allow more with `--nodes`, pass through forced moves with `--skip-forced`, or make the game smaller by its params";

impl From<SolveError> for TreeError {
    fn from(error: SolveError) -> TreeError {
        TreeError::Walk(error)
    }
}

impl From<PlayError> for TreeError {
    fn from(error: PlayError) -> TreeError {
        TreeError::Walk(error.into())
    }
}

impl std::fmt::Display for TreeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.code() {
            Some(code) => write!(f, "{}: {}", code.0, self.message()),
            None => f.write_str(&self.message()),
        }
    }
}

impl std::error::Error for TreeError {}
