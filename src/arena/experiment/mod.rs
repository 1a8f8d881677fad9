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
use crate::text::yaml::{self, Tree};
use reader::{Reader, has};
use runs::Kind;

/// What the file of an experiment says.
pub enum Read {
    Matches(Outline<Matches>),
    Convergence(Outline<Convergence>),
    FreshSearches(Outline<FreshSearches>),
    Commitments(Outline<Commitments>),
}

/// Reads the file of an experiment. One that says who is the `leader` is about commitments; one that says how many `searches`
/// make up a strategy is about these; one that says how many `runs` there are or after how many `iterations` something is
/// measured is about convergence; others are about matches.
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
    let deciding = ["leader", "searches", "runs", "iterations"];
    match deciding.into_iter().find(|key| has(&tree, key)) {
        None => Ok(Read::Matches(reader.matches(&tree)?)),
        Some(key @ "leader") => {
            unmixed(&reader, &tree, key, &Commitments::KIND)?;
            Ok(Read::Commitments(reader.runs(&tree)?))
        }
        Some(key @ "searches") => {
            unmixed(&reader, &tree, key, &FreshSearches::KIND)?;
            Ok(Read::FreshSearches(reader.runs(&tree)?))
        }
        Some(key) => {
            unmixed(&reader, &tree, key, &Convergence::KIND)?;
            Ok(Read::Convergence(reader.runs(&tree)?))
        }
    }
}

/// Refuses a key of another kind of experiment than the one that a key makes it.
fn unmixed(
    reader: &Reader<'_>,
    tree: &Tree,
    deciding: &str,
    own: &Kind,
) -> Result<(), Box<Diagnostic>> {
    let kinds = [
        ("matches", &["pairings", "games", "budget", "metrics"][..]),
        (Commitments::KIND.about, Commitments::KIND.keys),
        (FreshSearches::KIND.about, FreshSearches::KIND.keys),
        (Convergence::KIND.about, Convergence::KIND.keys),
    ];
    let Tree::Table(rows, _) = tree else {
        return Ok(());
    };
    for (key, _) in rows {
        let name = key.text.as_str();
        let other = kinds.iter().find(|(_, keys)| keys.contains(&name));
        if let Some((about, _)) = other.filter(|_| !own.keys.contains(&name)) {
            let message = format!(
                "`{name}` is for an experiment about {about}, and `{deciding}` makes this one about {}",
                own.about
            );
            let hint = format!(
                "the kinds cannot be mixed: leave `{name}` out, or make another file of it without `{deciding}`"
            );
            return Err(reader.at(key.number, codes::UNKNOWN_KEY, message, &hint));
        }
    }
    Ok(())
}
