//! What is known of a part of an experiment: which of its games are finished, and their counts.

use super::lines::Line;
use super::plan::{Experiment, Shard, Unit};
use super::tally::Tally;
use std::collections::BTreeMap;

/// The finished games of a part, or of several parts put together.
#[derive(Clone, Debug)]
pub struct Part {
    /// One for each cell.
    pub tallies: Vec<Tally>,
    /// By [`Experiment::index`].
    done: Vec<bool>,
    pub finished: u64,
}

impl Part {
    pub fn new(experiment: &Experiment) -> Part {
        Part {
            tallies: vec![Tally::default(); experiment.cells.len()],
            done: vec![false; experiment.total() as usize],
            finished: 0,
        }
    }

    /// Takes a line of the results of the part `shard`; they are not trusted.
    ///
    /// # Errors
    /// When it does not belong to this part, or is there already; in words.
    pub fn take(
        &mut self,
        experiment: &Experiment,
        shard: Shard,
        line: Line,
    ) -> Result<(), String> {
        match line {
            Line::Game {
                unit,
                payoffs,
                plies,
            } => {
                let cell = cell_of(experiment, unit.cell)?;
                if unit.game >= experiment.games || !experiment.holds(shard, unit) {
                    return Err(format!("game {} is none of this part", unit.game));
                }
                if payoffs.len() != cell.play.machine.player_count() {
                    return Err("there is not one payoff for each seat".to_string());
                }
                self.mark(experiment, unit)?;
                self.tallies[unit.cell].add(cell.seating(unit.game), payoffs, plies);
            }
            Line::Cell {
                cell: number,
                tally,
            } => {
                let cell = cell_of(experiment, number)?;
                let mut seatings: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
                let mut games = 0;
                for game in 0..experiment.games {
                    let unit = Unit { cell: number, game };
                    if experiment.holds(shard, unit) {
                        self.mark(experiment, unit)?;
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
                let lengths = tally
                    .lengths
                    .values()
                    .try_fold(0u64, |a, b| a.checked_add(*b));
                if counted != seatings || lengths != Some(games) {
                    return Err(format!("the counts are not those of {games} games"));
                }
                self.tallies[number].merge(tally);
            }
        }
        Ok(())
    }

    fn mark(&mut self, experiment: &Experiment, unit: Unit) -> Result<(), String> {
        let place = experiment.index(unit);
        if std::mem::replace(&mut self.done[place], true) {
            return Err(format!("game {} of its pairing is there twice", unit.game));
        }
        self.finished += 1;
        Ok(())
    }

    /// The games of `shard` that are not finished, in the order in which they are to be played.
    pub fn missing(&self, experiment: &Experiment, shard: Shard) -> Vec<Unit> {
        let units = experiment.units(shard);
        units.filter(|u| !self.done[experiment.index(*u)]).collect()
    }

    /// Takes the games of another part, which has no game of this one.
    pub fn merge(&mut self, other: Part) {
        for (tally, more) in std::iter::zip(&mut self.tallies, other.tallies) {
            tally.merge(more);
        }
        for (done, more) in std::iter::zip(&mut self.done, other.done) {
            *done |= more;
        }
        self.finished += other.finished;
    }

    /// The lines of a finished part, after the first one.
    pub fn lines(&self) -> Vec<String> {
        let cells = self.tallies.iter().enumerate();
        let played = cells.filter(|(_, tally)| tally.games() > 0);
        let lines = played.map(|(cell, tally)| {
            let tally = tally.clone();
            Line::Cell { cell, tally }.text()
        });
        lines.collect()
    }
}

fn cell_of(experiment: &Experiment, number: usize) -> Result<&super::plan::Cell, String> {
    let cell = experiment.cells.get(number);
    cell.ok_or_else(|| format!("there is no pairing {number}"))
}
