//! Errors of exact walks and solvers, as the command line reports them.

use crate::cli::load::Loaded;
use crate::cli::output::Failure;
use crate::cli::problem::Problem;
use crate::solve::SolveError;

/// An error as a report on the text of the game where it has a place there, and as one about the file otherwise.
pub fn failure(loaded: &Loaded, error: &SolveError) -> Failure {
    Failure::no(match error.diagnostic() {
        Some(problem) => Problem::InText(loaded.source.clone(), problem),
        None => Problem::Outside {
            file: Some(loaded.source.path.clone()),
            code: error.code(),
            message: error.message(),
            hint: error.hint(),
        },
    })
}
