//! Puts the parts of an experiment together and writes what came of it.

use super::describe::Described;
use super::files::{self, failure, read_all};
use crate::arena::experiment::{Summary, csv, markdown, sum_up, svg};
use crate::cli::codes;
use crate::cli::output::{self, Failure, Verdict, plural};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    folder: String,
}

/// Writes the tables of everything that is finished, and prints them.
pub fn write(described: &Described, json: bool) -> Result<Verdict, Failure> {
    let folder = &described.folder;
    let Some(part) = read_all(described)? else {
        let hint = format!("`ruse experiment {}` plays it", described.file.display());
        let what = "has no results of this experiment";
        return Err(failure(folder, codes::NO_RESULTS, what, &hint));
    };
    let summary = sum_up(&described.experiment, &part);
    let text = markdown::markdown(&summary);
    files::replace(&folder.join("results.md"), &text)?;
    files::replace(&folder.join("results.csv"), &csv::csv(&summary))?;
    files::replace(&folder.join("results.svg"), &svg::svg(&summary))?;
    if json {
        output::json(&Report {
            summary: &summary,
            folder: folder.display().to_string(),
        });
    } else {
        output::print(&text);
    }
    output::aside(&format!(
        "results.md, results.csv and results.svg are in {}",
        folder.display()
    ));
    if summary.is_complete() {
        return Ok(Verdict::Fine);
    }
    let missing = summary.total - summary.finished;
    output::say(&format!(
        "{} of {} missing",
        missing,
        plural(summary.total, "game")
    ));
    Ok(Verdict::No)
}
