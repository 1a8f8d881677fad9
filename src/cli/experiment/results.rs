//! Puts the parts of an experiment together and writes what came of it.

use super::describe::Described;
use super::files::{self, read_all};
use super::making::count;
use super::seconds;
use crate::arena::experiment::{Measure, Part, Summary};
use crate::cli::codes;
use crate::cli::output::{self, Failure, Verdict};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a, S> {
    #[serde(flatten)]
    summary: &'a S,
    folder: String,
}

/// What all parts in the folder hold.
fn all<M: Measure>(described: &Described<M>) -> Result<Part<M>, Failure> {
    read_all(described)?.ok_or_else(|| {
        let hint = format!("`ruse experiment {}` plays it", described.file.display());
        let what = "has no results of this experiment";
        Failure::file(&described.folder, codes::NO_RESULTS, what, &hint)
    })
}

/// Writes the tables of all finished work, and prints them.
pub fn write<M: Measure>(described: &Described<M>, json: bool) -> Result<Verdict, Failure> {
    let part = all(described)?;
    let summary = M::sum_up(&described.experiment, &part);
    let texts = summary.texts();
    let folder = &described.folder;
    files::replace(&folder.join("results.md"), &texts.markdown)?;
    files::replace(&folder.join("results.csv"), &texts.csv)?;
    if let Some(svg) = &texts.svg {
        files::replace(&folder.join("results.svg"), svg)?;
    }
    let timed = seconds::write(described, &part)?;
    let report = Report {
        summary: &summary,
        folder: folder.display().to_string(),
    };
    output::show(json, &report, || texts.markdown);
    let list = match texts.svg {
        Some(_) => "results.md, results.csv and results.svg are",
        None => "results.md and results.csv are",
    };
    output::aside(&format!("{list} in {}", folder.display()));
    if timed {
        output::aside("how long it took is in seconds.md there, and is no result");
    }
    let progress = summary.progress();
    if progress.is_complete() {
        return Ok(Verdict::Fine);
    }
    let missing = progress.total - progress.finished;
    output::say(&format!(
        "{missing} of {} missing",
        count::<M>(progress.total)
    ));
    Ok(Verdict::No)
}
