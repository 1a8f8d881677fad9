//! How long pieces of work took, beside the results: `seconds-2-of-8.jsonl`, a line for each that was measured. The tables of
//! results are the same however often something is done again; these are not.

use super::describe::Described;
use super::files::replace;
use crate::arena::experiment::runs::line;
use crate::arena::experiment::{Measure, Part, Shard, Texts, Unit};
use crate::cli::output::Failure;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

const BEGINS: &str = "seconds-";
const ENDS: &str = ".jsonl";

/// Takes seconds while work goes on, and makes a file with the first of them.
pub struct Seconds<'a> {
    folder: &'a Path,
    shard: Shard,
    file: Mutex<Option<File>>,
}

impl<'a> Seconds<'a> {
    pub fn new(folder: &'a Path, shard: Shard) -> Seconds<'a> {
        Seconds {
            folder,
            shard,
            file: Mutex::new(None),
        }
    }

    /// Notes those of a piece of work. What cannot be written is lost; the results are not.
    pub fn put(&self, unit: Unit, seconds: &[f64]) {
        if seconds.is_empty() {
            return;
        }
        let Ok(mut file) = self.file.lock() else {
            return;
        };
        if file.is_none() {
            let Shard { number, of } = self.shard;
            let path = self.folder.join(format!("{BEGINS}{number}-of-{of}{ENDS}"));
            *file = OpenOptions::new().append(true).create(true).open(path).ok();
        }
        if let Some(file) = &mut *file {
            // Begun on a new line: the last one may have been torn.
            let text = format!("\n{}", line(unit, seconds));
            let _ = file.write_all(text.as_bytes());
        }
    }
}

/// Writes what the seconds in the folder say, where there are any.
pub fn write<M: Measure>(described: &Described<M>, part: &Part<M>) -> Result<bool, Failure> {
    let seconds = read(&described.folder);
    let Some(texts) = M::times(&described.experiment, part, &seconds) else {
        return Ok(false);
    };
    let Texts { markdown, csv, svg } = texts;
    let folder = &described.folder;
    replace(&folder.join("seconds.md"), &markdown)?;
    replace(&folder.join("seconds.csv"), &csv)?;
    if let Some(svg) = &svg {
        replace(&folder.join("seconds.svg"), svg)?;
    }
    Ok(true)
}

/// All that can be read; of a piece of work that was done twice the last.
fn read(folder: &Path) -> Vec<(Unit, Vec<f64>)> {
    let mut all: Vec<(Unit, Vec<f64>)> = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let ours = name
            .to_str()
            .is_some_and(|name| name.starts_with(BEGINS) && name.ends_with(ENDS));
        if !ours {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        all.extend(text.lines().filter_map(of_line));
    }
    all.sort_by_key(|(unit, _)| (unit.cell, unit.number));
    all.reverse();
    all.dedup_by_key(|(unit, _)| *unit);
    all.reverse();
    all
}

fn of_line(line: &str) -> Option<(Unit, Vec<f64>)> {
    let (cell, number, text): (usize, u64, String) = serde_json::from_str(line).ok()?;
    let numbers: Result<Vec<f64>, _> = text.split(' ').map(str::parse).collect();
    Some((Unit { cell, number }, numbers.ok()?))
}
