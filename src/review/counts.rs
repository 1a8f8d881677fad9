//! How many histories there are, ply by ply, as lines of a transcript.

use crate::machine::Machine;
use crate::solve::{PerftOptions, SolveError, perft};
use crate::text::plural::plural;
use std::sync::atomic::{AtomicBool, Ordering};

/// Histories and ends by ply, from the start of the game to a depth; `None` when there are more histories than `most`
/// (or not many less: the walk looks up now and then).
pub fn counts(
    machine: &Machine,
    plies: u64,
    most: u64,
) -> Result<Option<Vec<(u64, u64)>>, SolveError> {
    let options = PerftOptions {
        depth: usize::try_from(plies).ok(),
        ..PerftOptions::default()
    };
    let enough = AtomicBool::new(false);
    let mut look = |histories| enough.store(histories > most, Ordering::Relaxed);
    let found = perft(machine, &options, &mut look, &enough)?;
    if !found.complete || found.histories > most {
        return Ok(None);
    }
    let ends = found.terminals_by_depth.iter().copied();
    let ends = ends.chain(std::iter::repeat(0));
    Ok(Some(found.nodes_by_depth.into_iter().zip(ends).collect()))
}

/// The lines of a snapshot.
pub fn lines(counts: &[(u64, u64)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (plies, (histories, ended)) in counts.iter().enumerate().skip(1) {
        let ended = match ended {
            0 => String::new(),
            n => format!(", {n} of them ended"),
        };
        let (plies, histories) = (plural(plies, "ply"), plural(*histories, "history"));
        lines.push(format!("  {plies}: {histories}{ended}"));
    }
    lines
}
