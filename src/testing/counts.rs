//! How many histories there are, ply by ply, as lines of a transcript.

use crate::machine::Machine;
use crate::solve::{PerftOptions, SolveError, perft};
use std::sync::atomic::AtomicBool;

/// Histories and ends by ply, from the start of the game to a depth.
pub fn counts(machine: &Machine, plies: u64) -> Result<Vec<(u64, u64)>, SolveError> {
    let options = PerftOptions {
        depth: usize::try_from(plies).ok(),
        ..PerftOptions::default()
    };
    let found = perft(machine, &options, &mut |_| {}, &AtomicBool::new(false))?;
    let ends = found.terminals_by_depth.iter().copied();
    let ends = ends.chain(std::iter::repeat(0));
    Ok(found.nodes_by_depth.iter().copied().zip(ends).collect())
}

/// The lines of a snapshot.
pub fn lines(counts: &[(u64, u64)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (plies, (histories, ended)) in counts.iter().enumerate().skip(1) {
        let ended = match ended {
            0 => String::new(),
            n => format!(", {n} of them ended"),
        };
        let word = if plies == 1 { "ply" } else { "plies" };
        lines.push(format!("  {plies} {word}: {histories} histories{ended}"));
    }
    lines
}
