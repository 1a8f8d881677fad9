//! Experiments of matches: who wins how often, and how much.
//!
//! A cell is a pairing, and a piece of work is one game. `outline` reads the file, `pairings` says who meets whom,
//! `plan` makes cells of that, `run` plays, `tally` counts what came of the games of a cell, `lines` and `results` keep the
//! counts, `summary` says what they mean, and `markdown`, `csv` and `svg` show it. Equal counts give the same bytes, in whatever order the games were played.

pub mod csv;
pub mod lines;
pub mod markdown;
pub mod metric;
pub mod outline;
pub mod pairings;
pub mod plan;
mod results;
pub mod run;
pub mod summary;
pub mod svg;
pub mod tally;

pub use lines::Line;
pub use metric::Metric;
pub use outline::Outline;
pub use plan::Cell;
pub use run::play;
pub use summary::MatchesSummary;
pub use tally::Tally;

use super::header::Header;
use super::measure::{Measure, Words};
use super::part::Part;
use super::plan::{Asked, Experiment, Shard};
use crate::arena::record::LONGEST_LINE;
use crate::players::PlayerSpec;
use crate::text::diagnostics::Diagnostic;
use crate::text::plural::plural;

/// Games between players.
#[derive(Clone, Debug)]
pub struct Matches {
    /// By variant: what is shown of it.
    pub metrics: Vec<Vec<Metric>>,
    /// Whether everybody meets everybody else once on each side.
    pub by_side: bool,
}

impl Measure for Matches {
    type Outline = Outline;
    type Cell = Cell;
    /// One for each cell.
    type Results = Vec<Tally>;
    type Summary = MatchesSummary;

    const WORDS: Words = Words {
        one: "game",
        many: "games",
        unit: "game",
        cell: "pairing",
    };

    fn new(outline: &Outline) -> Matches {
        Matches {
            metrics: Vec::new(),
            by_side: matches!(outline.pairings, outline::Pairings::Sides(_)),
        }
    }

    fn cells(&mut self, asked: &Asked<'_, Matches>) -> Result<Vec<Cell>, Box<Diagnostic>> {
        plan::cells(self, asked)
    }

    fn amount(experiment: &Experiment<Matches>) -> String {
        let pairings = plural(experiment.cells.len(), "pairing");
        let games = plural(experiment.each, "game");
        format!("{pairings} of {games}")
    }

    fn round(cell: &Cell) -> u64 {
        cell.play.plan.round()
    }

    fn depends_on_time(experiment: &Experiment<Matches>) -> bool {
        let cells = experiment.cells.iter();
        let mut specs = cells.flat_map(|cell| cell.play.plan.specs());
        specs.any(PlayerSpec::depends_on_time)
    }

    fn describe(experiment: &Experiment<Matches>, header: &mut Header) {
        header.games = Some(experiment.each);
        for cell in &experiment.cells {
            let seats: Vec<&str> = cell.play.machine.player_names().collect();
            let pairings = &mut header.variants[cell.variant].pairings;
            pairings.push(cell.play.plan.text(&seats));
        }
    }

    fn begin(experiment: &Experiment<Matches>) -> Vec<Tally> {
        vec![Tally::default(); experiment.cells.len()]
    }

    fn take(
        experiment: &Experiment<Matches>,
        part: &mut Part<Matches>,
        shard: Shard,
        line: &[u8],
    ) -> Result<bool, String> {
        let line = Line::parse(line)?;
        let counts = matches!(line, Line::Cell { .. });
        results::take(experiment, part, shard, line)?;
        Ok(counts)
    }

    fn merge(results: &mut Vec<Tally>, other: Vec<Tally>) {
        for (tally, more) in std::iter::zip(results, other) {
            tally.merge(more);
        }
    }

    fn shortened(results: &Vec<Tally>) -> Option<Vec<String>> {
        let lines = results::lines(results);
        // Where nearly every game ends with payoffs of its own, counts save nothing.
        let short = lines.iter().all(|line| line.len() < LONGEST_LINE);
        short.then_some(lines)
    }

    fn sum_up(experiment: &Experiment<Matches>, part: &Part<Matches>) -> MatchesSummary {
        summary::sum_up(experiment, part)
    }
}
