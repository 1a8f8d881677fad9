//! What is kept of runs: for each a line `[cell, run, numbers]`.

use super::Runs;
use crate::arena::experiment::header::reason;
use crate::arena::experiment::numbers::join;
use crate::arena::experiment::part::Part;
use crate::arena::experiment::plan::{Experiment, Shard, Unit};

/// What the finished runs measured, by [`Experiment::index`].
pub type Measured = Vec<Option<Vec<f64>>>;

/// The line of a finished run, without its end.
pub fn line(run: Unit, measured: &[f64]) -> String {
    let (cell, number, numbers) = (run.cell, run.number, join(measured.iter()));
    format!("[{cell},{number},\"{numbers}\"]")
}

/// Takes a line of the results of the part `shard`; it is not trusted. No line is one of counts.
///
/// # Errors
/// When it is none, does not belong to this part, or is there already; in words.
pub fn take<M: Runs>(
    experiment: &Experiment<M>,
    part: &mut Part<M>,
    shard: Shard,
    line: &[u8],
) -> Result<bool, String> {
    let (cell, number, text): (usize, u64, String) =
        serde_json::from_slice(line).map_err(|e| reason(&e))?;
    let run = Unit { cell, number };
    if cell >= experiment.cells.len() || number >= experiment.each {
        return Err(format!("there is no run {number} of player {cell}"));
    }
    if !experiment.holds(shard, run) {
        return Err(format!("run {number} is none of this part"));
    }
    let measured = M::numbers(&text)?;
    let count = experiment.measure.count();
    if measured.len() != count {
        return Err(format!("there are not {count} numbers"));
    }
    part.mark(experiment, run)?;
    part.results[experiment.index(run)] = Some(measured);
    Ok(false)
}

/// What the finished runs of a cell measured, by their numbers.
pub fn of_cell<'p, M: Runs>(
    experiment: &'p Experiment<M>,
    part: &'p Part<M>,
    cell: usize,
) -> impl Iterator<Item = &'p [f64]> {
    (0..experiment.each).filter_map(move |number| {
        let place = experiment.index(Unit { cell, number });
        part.results[place].as_deref()
    })
}
