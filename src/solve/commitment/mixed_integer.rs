//! Programs with binary variables, by branch and bound (`microlp`), in steps that are left behind when the search is stopped.

use crate::solve::TreeError;
use crate::solve::methods::Progress;
use crate::threads;
use microlp::{Problem, SolveOptions, SolveOutcome, Variable};
use std::sync::atomic::AtomicBool;

/// How many nodes of the search a step has.
const NODES: u64 = 16;

/// How far a value may be from a whole number, and rows from being kept.
const TOLERANCE: f64 = 1e-9;

/// What was found.
pub struct Optimum {
    /// By the index of the variable.
    values: Vec<f64>,
    /// No solution is better; −∞ where this one is known to be the best.
    pub bound: f64,
    /// The nodes of the search.
    pub nodes: u64,
}

impl Optimum {
    pub fn value(&self, variable: Variable) -> f64 {
        self.values[variable.idx()]
    }
}

/// The optimum, or the best that was known soon after `stop` was set.
///
/// # Errors
/// [`TreeError::Stopped`] where nothing was found; [`TreeError::Unsolved`].
pub fn solve(
    problem: Problem,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<Optimum, TreeError> {
    progress.begin("nodes", None);
    let mut found: Option<Optimum> = None;
    let mut failed = None;
    let search = Search {
        problem,
        outcome: None,
        objective: f64::NAN,
        is_over: false,
    };
    let run = threads::steps(search, stop, |step| match step {
        Ok(step) => {
            progress.done(step.nodes);
            let known = found.take().map(|found| found.values);
            found = step.better.or(known).map(|values| Optimum {
                values,
                bound: step.bound,
                nodes: step.nodes,
            });
        }
        Err(error) => failed = Some(error),
    });
    match failed.or(run.err()) {
        Some(error) => Err(TreeError::Unsolved(error)),
        None => found.ok_or(TreeError::Stopped),
    }
}

/// How far the search is.
struct Step {
    nodes: u64,
    /// As in [`Optimum`].
    bound: f64,
    /// A solution, where it is not that of the step before.
    better: Option<Vec<f64>>,
}

/// The search, step by step up to the optimum.
struct Search {
    problem: Problem,
    outcome: Option<SolveOutcome>,
    /// Of the last solution.
    objective: f64,
    is_over: bool,
}

impl Search {
    fn step(&mut self) -> Result<Step, microlp::Error> {
        let outcome = match self.outcome.take() {
            Some(outcome) => outcome.resume()?,
            None => {
                let mut options = SolveOptions::default();
                options.node_limit = Some(NODES);
                options.int_tol = TOLERANCE;
                self.problem.solve_with(options)?
            }
        };
        let stats = outcome.stats();
        self.is_over = outcome.is_optimal();
        let solution = outcome.solution();
        let better = solution.filter(|s| s.objective() != self.objective || self.is_over);
        let step = Step {
            nodes: stats.nodes_solved,
            bound: match self.is_over {
                true => f64::NEG_INFINITY,
                false => stats.best_bound.unwrap_or(f64::INFINITY),
            },
            better: better.map(|solution| solution.iter().map(|(_, value)| value).collect()),
        };
        self.objective = solution.map_or(f64::NAN, microlp::Solution::objective);
        self.outcome = Some(outcome);
        Ok(step)
    }
}

impl Iterator for Search {
    type Item = Result<Step, String>;

    fn next(&mut self) -> Option<Result<Step, String>> {
        if self.is_over {
            return None;
        }
        let step = self.step();
        self.is_over |= step.is_err();
        Some(step.map_err(|error| error.to_string()))
    }
}
