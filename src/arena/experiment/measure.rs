//! What an experiment measures. The frame is the same for all measures: variants of games, cells of equal work, parts that
//! are kept between runs, and tables at the end; a measure says what a piece of work is and what comes of it.

use super::header::Header;
use super::part::Part;
use super::plan::{Asked, Experiment, Shard, Unit};
use crate::text::diagnostics::Diagnostic;
use serde::Serialize;

/// Something to measure in experiments.
pub trait Measure: Sized {
    /// What the file of an experiment says that is of this measure alone.
    type Outline;
    /// What the pieces of work of one cell have in common.
    type Cell;
    /// What is kept of finished pieces of work.
    type Results;
    /// What they mean.
    type Summary: Summary + Serialize;

    const WORDS: Words;

    /// What is measured, as far as no game is needed to tell.
    fn new(outline: &Self::Outline) -> Self;

    /// The cells of one more variant.
    ///
    /// # Errors
    /// Where what is asked for does not suit the game of the variant; the span is in the file.
    fn cells(&mut self, asked: &Asked<'_, Self>) -> Result<Vec<Self::Cell>, Box<Diagnostic>>;

    /// How much an experiment is that is too large.
    fn amount(experiment: &Experiment<Self>) -> String;

    /// So many pieces of work of a cell, one after the other, stay together in one part.
    fn round(_cell: &Self::Cell) -> u64 {
        1
    }

    /// Whether a player has a budget in milliseconds, so that another run may give other results.
    fn depends_on_time(_experiment: &Experiment<Self>) -> bool {
        false
    }

    /// Adds what the results follow from, beyond what [`Experiment::header`] says by itself.
    fn describe(experiment: &Experiment<Self>, header: &mut Header);

    /// Nothing is known yet.
    fn begin(experiment: &Experiment<Self>) -> Self::Results;

    /// Takes a line of the results of the part `shard`; it is not trusted. True for a line of counts, such as
    /// [`Measure::shortened`] gives.
    ///
    /// # Errors
    /// When it is none, does not belong to this part, or is there already; in words.
    fn take(
        experiment: &Experiment<Self>,
        part: &mut Part<Self>,
        shard: Shard,
        line: &[u8],
    ) -> Result<bool, String>;

    /// Takes the results of another part, which has no piece of work of this one.
    fn merge(results: &mut Self::Results, other: Self::Results);

    /// The lines of a finished part as counts; `None` where they stay as they are.
    fn shortened(_results: &Self::Results) -> Option<Vec<String>> {
        None
    }

    /// Sums up what is finished.
    fn sum_up(experiment: &Experiment<Self>, part: &Part<Self>) -> Self::Summary;

    /// What the seconds say that pieces of work took, those of which they are known; `None` of a measure that keeps none. They are
    /// no results: they differ from run to run.
    fn times(_: &Experiment<Self>, _: &Part<Self>, _: &[(Unit, Vec<f64>)]) -> Option<Texts> {
        None
    }
}

/// The words for what an experiment is made of.
#[derive(Copy, Clone, Debug)]
pub struct Words {
    /// A piece of work, for people who run it.
    pub one: &'static str,
    pub many: &'static str,
    /// A piece of work and a cell, in reports about files of results.
    pub unit: &'static str,
    pub cell: &'static str,
}

/// What came of an experiment.
pub trait Summary {
    /// Pieces of work asked for, and those that are finished.
    fn progress(&self) -> Progress;

    fn texts(&self) -> Texts;
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    pub finished: u64,
    pub total: u64,
    /// The word for several pieces of work.
    pub noun: &'static str,
}

impl Progress {
    pub fn is_complete(&self) -> bool {
        self.finished == self.total
    }
}

/// The texts that an experiment ends with.
pub struct Texts {
    pub markdown: String,
    pub csv: String,
    /// Not every experiment has something to draw.
    pub svg: Option<String>,
}
