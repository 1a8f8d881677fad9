//! Experiments: what named players do, told by one YAML file, with a table that can be had in parts.
//!
//! Here are matches; `convergence` measures how exploitable searches are. What both share is in `reader` (their files),
//! `header` and `kept` (what is kept between runs), and `picture`.
//!
//! `outline` reads the file, `plan` makes it a list of games that each follow from the seed and their own number
//! alone, `run` plays some of them, `tally` counts what came of them, `lines` are the counts as text that is kept
//! between runs, `summary` says what they mean, and `markdown`, `csv` and `svg` show it. Whatever order the games were
//! played in, and on however many threads and in however many parts, equal counts give the same bytes. Nothing is read
//! or written here.

pub mod codes;
pub mod convergence;
pub mod csv;
pub mod header;
pub mod kept;
pub mod lines;
pub mod markdown;
pub mod metric;
pub mod outline;
pub mod part;
mod picture;
pub mod plan;
pub mod reader;
pub mod run;
pub mod summary;
pub mod svg;
pub mod tally;

pub use convergence::Convergence;
pub use header::Header;
pub use kept::Kept;
pub use lines::Line;
pub use metric::Metric;
pub use outline::Outline;
pub use part::Part;
pub use plan::{Cell, Experiment, Shard, Unit, Variant};
pub use run::{Failed, Finished, play};
pub use summary::{Summary, sum_up};
pub use tally::Tally;

use crate::players::spec::span;
use crate::text::diagnostics::Diagnostic;
use crate::text::yaml;
use reader::{Reader, has};

/// What the file of an experiment says.
pub enum Told {
    Matches(Outline),
    Convergence(convergence::Outline),
}

/// Reads the file of an experiment. One that says how many `runs` there are or after how many `iterations` something is
/// measured is about convergence; others are about matches.
///
/// # Errors
/// The first thing that is wrong, with a span in `text`.
pub fn read(text: &str) -> Result<Told, Box<Diagnostic>> {
    let tree = yaml::read(text).map_err(|misread| {
        let message = format!("this is no YAML of an experiment: {}", misread.message);
        let d = Diagnostic::error(codes::UNREADABLE, span(misread.place), message);
        Box::new(d.hint("`ruse experiment --help` has an example"))
    })?;
    let reader = Reader { text };
    if has(&tree, "runs") || has(&tree, "iterations") {
        return Ok(Told::Convergence(reader.convergence(&tree)?));
    }
    Ok(Told::Matches(reader.outline(&tree)?))
}
