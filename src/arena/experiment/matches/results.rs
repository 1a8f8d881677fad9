//! What is kept of the games of an experiment: for each pairing, its counts.

use super::Matches;
use super::lines::Line;
use super::plan::Cell;
use super::tally::Tally;
use crate::arena::experiment::part::Part;
use crate::arena::experiment::plan::{Experiment, Shard, Unit};
use crate::text::plural::plural;
use std::collections::BTreeMap;

/// Takes a line of the results of the part `shard`; it is not trusted.
///
/// # Errors
/// When it does not belong to this part, or is there already; in words.
pub fn take(
    experiment: &Experiment<Matches>,
    part: &mut Part<Matches>,
    shard: Shard,
    line: Line,
) -> Result<(), String> {
    match line {
        Line::Game {
            unit,
            payoffs,
            plies,
            blind,
        } => {
            let cell = cell_of(experiment, unit.cell)?;
            if unit.number >= experiment.each || !experiment.holds(shard, unit) {
                return Err(format!("game {} is none of this part", unit.number));
            }
            let seats = cell.play.machine.player_count();
            if payoffs.len() != seats {
                return Err("there is not one payoff for each seat".to_string());
            }
            if !blind.is_empty() && blind.len() != seats {
                return Err("there is not one number of blind choices for each seat".to_string());
            }
            part.mark(experiment, unit)?;
            let tally = &mut part.results[unit.cell];
            tally.add_blind(&cell.seating(unit.number), &blind);
            tally.add(cell.seating(unit.number), payoffs, plies);
            Ok(())
        }
        Line::Cell { cell, tally } => take_counts(experiment, part, shard, cell, tally),
    }
}

/// Takes the counts of the games of a pairing that belong to a part: all of them, or the first where there were fewer once.
fn take_counts(
    experiment: &Experiment<Matches>,
    part: &mut Part<Matches>,
    shard: Shard,
    number: usize,
    tally: Tally,
) -> Result<(), String> {
    let cell = cell_of(experiment, number)?;
    let mut seatings: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    let mut games = 0;
    for game in 0..part.counted.min(experiment.each) {
        let unit = Unit {
            cell: number,
            number: game,
        };
        if experiment.holds(shard, unit) {
            part.mark(experiment, unit)?;
            *seatings.entry(cell.seating(game)).or_default() += 1;
            games += 1;
        }
    }
    let mut counted: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    for ((seating, payoffs), count) in &tally.ends {
        let sum = counted.entry(seating.clone()).or_default();
        *sum = sum.saturating_add(*count);
        if payoffs.len() != cell.play.machine.player_count() {
            return Err("there is not one payoff for each seat".to_string());
        }
    }
    let members = cell.members.len();
    if tally.blind.keys().any(|who| usize::from(*who) >= members) {
        return Err("somebody chose blindly who does not play".to_string());
    }
    let mut lengths = tally.lengths.values();
    let lengths = lengths.try_fold(0u64, |a, b| a.checked_add(*b));
    if counted != seatings || lengths != Some(games) {
        let games = plural(games, "game");
        return Err(format!("the counts are not those of {games}"));
    }
    part.results[number].merge(tally);
    Ok(())
}

/// The lines of a finished part, after the first one.
pub fn lines(tallies: &[Tally]) -> Vec<String> {
    let played = tallies.iter().enumerate();
    let played = played.filter(|(_, tally)| tally.games() > 0);
    let lines = played.map(|(cell, tally)| {
        let tally = tally.clone();
        Line::Cell { cell, tally }.text()
    });
    lines.collect()
}

fn cell_of(experiment: &Experiment<Matches>, number: usize) -> Result<&Cell, String> {
    let cell = experiment.cells.get(number);
    cell.ok_or_else(|| format!("there is no pairing {number}"))
}
