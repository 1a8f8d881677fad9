//! What is known of a part of an experiment: which of its work is finished, and what came of it.

use super::measure::Measure;
use super::plan::{Experiment, Shard, Unit};

/// The finished work of a part, or of several parts put together.
pub struct Part<M: Measure> {
    pub results: M::Results,
    /// By [`Experiment::index`].
    done: Vec<bool>,
    pub finished: u64,
    /// Of how many pieces of work in each cell counts are, the first of them.
    pub counted: u64,
}

impl<M: Measure> Part<M> {
    /// Nothing is finished.
    pub fn new(experiment: &Experiment<M>) -> Part<M> {
        Part {
            results: M::begin(experiment),
            done: vec![false; experiment.total() as usize],
            finished: 0,
            counted: experiment.each,
        }
    }

    /// Notes that a piece of work is finished.
    ///
    /// # Errors
    /// When it was so before; in words.
    pub fn mark(&mut self, experiment: &Experiment<M>, unit: Unit) -> Result<(), String> {
        let place = experiment.index(unit);
        if std::mem::replace(&mut self.done[place], true) {
            let words = M::WORDS;
            let number = unit.number;
            return Err(format!(
                "{} {number} of its {} is there twice",
                words.unit, words.cell
            ));
        }
        self.finished += 1;
        Ok(())
    }

    /// The work of `shard` that is not finished, in the order in which it is to be done.
    pub fn missing(&self, experiment: &Experiment<M>, shard: Shard) -> Vec<Unit> {
        let units = experiment.units(shard);
        units.filter(|u| !self.done[experiment.index(*u)]).collect()
    }

    /// Whether nothing of `shard` is missing.
    pub fn is_finished(&self, experiment: &Experiment<M>, shard: Shard) -> bool {
        let mut units = experiment.units(shard);
        units.all(|u| self.done[experiment.index(u)])
    }

    /// Whether the first pieces of work of `shard`, those that are counted, are all there.
    pub fn is_counted(&self, experiment: &Experiment<M>, shard: Shard) -> bool {
        let mut units = experiment.units(shard).filter(|u| u.number < self.counted);
        units.all(|u| self.done[experiment.index(u)])
    }

    /// Takes what is known of another part, which has no piece of work of this one.
    pub fn merge(&mut self, other: Part<M>) {
        M::merge(&mut self.results, other.results);
        for (done, more) in std::iter::zip(&mut self.done, other.done) {
            *done |= more;
        }
        self.finished += other.finished;
    }
}
