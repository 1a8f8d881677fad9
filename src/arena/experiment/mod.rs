//! Experiments: what named players do, told by one YAML file, with tables that can be had in parts.
//!
//! One frame, several measures. The frame: `reader` reads what all files have, `plan` is an experiment as a list of pieces of
//! work that each follow from the seed, their cell and their number alone, `run` does some of them, `header` and `part` are
//! what is kept between runs, and `markdown`, `csv` and `picture` hold what all reports have. A [`Measure`] is what a piece of
//! work is and what comes of it: games between players (`matches`), or `runs` of searches that give numbers: how exploitable
//! the trees of searches are (`convergence`), or players that search anew wherever they are asked (`fresh_searches`), or what
//! commitments are worth that searches find (`commitments`). Nothing is opened here.

pub mod codes;
pub mod commitments;
pub mod convergence;
mod csv;
mod curves;
pub mod fresh_searches;
pub mod header;
mod markdown;
pub mod matches;
pub mod measure;
pub(super) mod numbers;
pub mod part;
pub(super) mod picture;
pub mod plan;
mod plot;
pub mod reader;
pub mod run;
pub mod runs;
pub mod summary;

pub use commitments::Commitments;
pub use convergence::Convergence;
pub use fresh_searches::FreshSearches;
pub use header::Header;
pub use matches::Matches;
pub use measure::{Measure, Progress, Summary, Texts, Words};
pub use part::Part;
pub use plan::{Experiment, Shard, Unit, Variant};
pub use reader::Outline;
pub use run::Failed;
pub use runs::Runs;

use crate::players::spec::span;
use crate::text::diagnostics::Diagnostic;
use crate::text::yaml;
use reader::{Reader, has};

/// What the file of an experiment says.
pub enum Read {
    Matches(Outline<Matches>),
    Convergence(Outline<Convergence>),
    FreshSearches(Outline<FreshSearches>),
    Commitments(Outline<Commitments>),
}

/// Reads the file of an experiment. One that says who is the `leader` is about commitments; one that says how many `searches` make up a strategy is about these; one that says how many
/// `runs` there are or after how many `iterations` something is measured is about convergence; others are about matches.
///
/// # Errors
/// The first thing that is wrong, with a span in `text`.
pub fn read(text: &str) -> Result<Read, Box<Diagnostic>> {
    let tree = yaml::read(text).map_err(|misread| {
        let message = format!("this is no YAML of an experiment: {}", misread.message);
        let d = Diagnostic::error(codes::UNREADABLE, span(misread.place), message);
        Box::new(d.hint("`ruse experiment --help` has an example"))
    })?;
    let reader = Reader { text };
    if has(&tree, "leader") {
        return Ok(Read::Commitments(reader.runs(&tree)?));
    }
    if has(&tree, "searches") {
        return Ok(Read::FreshSearches(reader.runs(&tree)?));
    }
    if has(&tree, "runs") || has(&tree, "iterations") {
        return Ok(Read::Convergence(reader.runs(&tree)?));
    }
    Ok(Read::Matches(reader.matches(&tree)?))
}
