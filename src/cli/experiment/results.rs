//! Puts the parts of an experiment together and writes what came of it.

use super::describe::Described;
use super::files::{self, failure, read_all};
use crate::arena::experiment::{
    Convergence, Experiment, Kept, convergence, csv, markdown, sum_up, svg,
};
use crate::cli::codes;
use crate::cli::output::{self, Failure, Verdict, plural};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a, S> {
    #[serde(flatten)]
    summary: &'a S,
    folder: String,
}

/// The texts that an experiment ends with.
struct Texts {
    markdown: String,
    csv: String,
    /// Not every experiment has something to draw.
    svg: Option<String>,
}

/// Writes the tables of all finished games, and prints them.
pub fn of_matches(described: &Described<Experiment>, json: bool) -> Result<Verdict, Failure> {
    let part = all(described)?;
    let summary = sum_up(&described.experiment, &part);
    let texts = Texts {
        markdown: markdown::markdown(&summary),
        csv: csv::csv(&summary),
        svg: Some(svg::svg(&summary)),
    };
    let missing = summary.total - summary.finished;
    let missing = (missing, plural(summary.total, "game"));
    write(described, &texts, json.then_some(&summary), missing)
}

/// Writes the tables of all finished searches, and prints them.
pub fn of_convergence(described: &Described<Convergence>, json: bool) -> Result<Verdict, Failure> {
    let part = all(described)?;
    let summary = convergence::sum_up(&described.experiment, &part);
    let texts = Texts {
        markdown: convergence::markdown::markdown(&summary),
        csv: convergence::csv::csv(&summary),
        svg: convergence::svg::svg(&summary),
    };
    let missing = summary.total - summary.finished;
    let missing = (missing, format!("{} searches", summary.total));
    write(described, &texts, json.then_some(&summary), missing)
}

/// What all parts in the folder hold.
fn all<E: Kept>(described: &Described<E>) -> Result<E::Part, Failure> {
    read_all(described)?.ok_or_else(|| {
        let hint = format!("`ruse experiment {}` plays it", described.file.display());
        let what = "has no results of this experiment";
        failure(&described.folder, codes::NO_RESULTS, what, &hint)
    })
}

/// `missing`: how many games or searches, and of how many.
fn write<E, S: Serialize>(
    described: &Described<E>,
    texts: &Texts,
    json: Option<&S>,
    missing: (u64, String),
) -> Result<Verdict, Failure> {
    let folder = &described.folder;
    files::replace(&folder.join("results.md"), &texts.markdown)?;
    files::replace(&folder.join("results.csv"), &texts.csv)?;
    if let Some(svg) = &texts.svg {
        files::replace(&folder.join("results.svg"), svg)?;
    }
    if let Some(summary) = json {
        output::json(&Report {
            summary,
            folder: folder.display().to_string(),
        });
    } else {
        output::print(&texts.markdown);
    }
    let list = match texts.svg {
        Some(_) => "results.md, results.csv and results.svg are",
        None => "results.md and results.csv are",
    };
    output::aside(&format!("{list} in {}", folder.display()));
    let (missing, of) = missing;
    if missing == 0 {
        return Ok(Verdict::Fine);
    }
    output::say(&format!("{missing} of {of} missing"));
    Ok(Verdict::No)
}
