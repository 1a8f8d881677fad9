//! Programs with binary variables, by branch and bound (`microlp`), in steps between which they can be stopped.

use crate::solve::TreeError;
use crate::solve::methods::Progress;
use microlp::{Problem, Solution, SolveOptions, SolveOutcome};
use std::sync::atomic::{AtomicBool, Ordering};

/// How many nodes of the search are solved between two looks at the flag.
const NODES: u64 = 16;

/// How far a value may be from a whole number, and rows from being kept.
const TOLERANCE: f64 = 1e-9;

/// What was found.
pub struct Optimum {
    pub solution: Solution,
    /// No solution is better; −∞ where this one is known to be the best.
    pub bound: f64,
    /// The nodes of the search.
    pub nodes: u64,
}

/// The optimum, or the best that was found until `stop` was set.
///
/// # Errors
/// [`TreeError::Stopped`] where nothing was found; [`TreeError::Unsolved`].
pub fn solve(
    problem: &Problem,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<Optimum, TreeError> {
    let unsolved = |e: microlp::Error| TreeError::Unsolved(e.to_string());
    let mut options = SolveOptions::default();
    options.node_limit = Some(NODES);
    options.int_tol = TOLERANCE;
    progress.begin("nodes", None);
    let mut outcome = problem.solve_with(options).map_err(unsolved)?;
    while !outcome.is_optimal() && !stop.load(Ordering::Relaxed) {
        outcome = outcome.resume().map_err(unsolved)?;
        progress.done(outcome.stats().nodes_solved);
    }
    let (stats, optimal) = (outcome.stats(), outcome.is_optimal());
    match outcome {
        SolveOutcome::Solution(solution) => Ok(Optimum {
            bound: match optimal {
                true => f64::NEG_INFINITY,
                false => stats.best_bound.unwrap_or(f64::INFINITY),
            },
            nodes: stats.nodes_solved,
            solution,
        }),
        SolveOutcome::Interrupted(_) => Err(TreeError::Stopped),
    }
}
