//! Errors of exact walks and solvers, as the command line reports them.

use crate::cli::load::Loaded;
use crate::cli::output::Failure;
use crate::cli::problem::Problem;
use crate::solve::position::MovesError;
use crate::solve::{Position, SolveError, TreeError, position};

/// An error as a report on the text of the game where it has a place there, and as one about the file otherwise.
pub fn failure(loaded: &Loaded, error: &SolveError) -> Failure {
    Failure::no(match error.diagnostic() {
        Some(problem) => Problem::InText(loaded.source.clone(), problem),
        None => loaded.outside(error.code(), error.message(), error.hint()),
    })
}

/// The same of an error of a tree.
pub fn tree(loaded: &Loaded, error: &TreeError) -> Failure {
    if let TreeError::Walk(error) = error {
        return failure(loaded, error);
    }
    Failure::no(match error.diagnostic(&loaded.machine) {
        Some(problem) => Problem::InText(loaded.source.clone(), problem),
        None => loaded.outside(error.code(), error.message(), None),
    })
}

/// Reads `--moves`; to be done before long work.
pub fn moves(loaded: &Loaded, text: &str) -> Result<Position, Failure> {
    position(&loaded.machine, text).map_err(|MovesError { message, hint }| {
        Failure::wrong_use(Problem::Outside {
            file: None,
            code: None,
            message: format!("--moves: {message}"),
            hint: hint.map(str::to_string),
        })
    })
}
