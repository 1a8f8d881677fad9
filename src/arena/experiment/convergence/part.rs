//! What is known of a part of an experiment about convergence: which of its runs are finished, and what they measured.
//!
//! A run is kept as a line `[cell, run, numbers]`; the numbers stand as text, because readers of JSON may round them.

use super::plan::{Convergence, Run};
use crate::arena::experiment::header::reason;
use crate::arena::experiment::lines::{amounts, join};
use crate::arena::experiment::plan::Shard;

/// The finished runs of a part, or of several parts put together.
#[derive(Clone, Debug)]
pub struct Part {
    /// By [`Convergence::index`]: for each of the iterations, what was measured at each depth.
    measured: Vec<Option<Vec<f64>>>,
    pub finished: u64,
}

/// The line of a finished run, without its end.
pub fn line(run: Run, measured: &[f64]) -> String {
    let (cell, number, numbers) = (run.cell, run.number, join(measured.iter()));
    format!("[{cell},{number},\"{numbers}\"]")
}

impl Part {
    pub fn new(experiment: &Convergence) -> Part {
        Part {
            measured: vec![None; experiment.total() as usize],
            finished: 0,
        }
    }

    /// Takes a line of the results of the part `shard`; it is not trusted.
    ///
    /// # Errors
    /// When it is none, does not belong to this part, or is there already; in words.
    pub fn take(
        &mut self,
        experiment: &Convergence,
        shard: Shard,
        line: &[u8],
    ) -> Result<(), String> {
        let (cell, number, numbers): (usize, u64, String) =
            serde_json::from_slice(line).map_err(|e| reason(&e))?;
        let run = Run { cell, number };
        if cell >= experiment.cells() || number >= experiment.runs {
            return Err(format!("there is no run {number} of player {cell}"));
        }
        if !Convergence::holds(shard, run) {
            return Err(format!("run {number} is none of this part"));
        }
        let measured: Vec<f64> = amounts(&numbers)?.iter().map(|a| a.0).collect();
        if measured.len() != experiment.measures() {
            let count = experiment.measures();
            return Err(format!("there are not {count} numbers"));
        }
        if self.measured[experiment.index(run)]
            .replace(measured)
            .is_some()
        {
            return Err(format!("run {number} of its player is there twice"));
        }
        self.finished += 1;
        Ok(())
    }

    /// The runs of `shard` that are not finished, in the order in which they are to be made.
    pub fn missing(&self, experiment: &Convergence, shard: Shard) -> Vec<Run> {
        let list = experiment.list(shard);
        list.filter(|run| self.measured[experiment.index(*run)].is_none())
            .collect()
    }

    /// What the finished runs of a cell measured, by their numbers.
    pub fn of_cell<'p>(
        &'p self,
        experiment: &'p Convergence,
        cell: usize,
    ) -> impl Iterator<Item = &'p [f64]> {
        (0..experiment.runs).filter_map(move |number| {
            let place = experiment.index(Run { cell, number });
            self.measured[place].as_deref()
        })
    }

    /// Takes the runs of another part, which has no run of this one.
    pub fn merge(&mut self, other: Part) {
        for (known, more) in std::iter::zip(&mut self.measured, other.measured) {
            if more.is_some() {
                *known = more;
            }
        }
        self.finished += other.finished;
    }
}
