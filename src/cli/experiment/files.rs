//! The files in which the results of the parts of an experiment are kept, `shard-2-of-8.jsonl`.
//!
//! What is finished is appended at once, a line for each game or search. A last line that was torn when a run was killed
//! is dropped, and what it was about is done again. A finished part may be written anew, as counts.

use super::describe::Described;
use crate::arena::experiment::{Experiment, Header, Measure, Part, Shard};
use crate::arena::record::Line;
use crate::cli::file_words::unwritten;
use crate::cli::output::Failure;
use crate::cli::record_file::open_lines;
use crate::cli::{codes, lock};
use crate::text::diagnostics::shortened;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What to do where another run writes the file.
const ANOTHER_RUN: &str = "wait for its end, or play another part: `--shard K/N`";

/// The results of a part that is being played.
pub struct ShardFile {
    path: PathBuf,
    shard: Shard,
    file: File,
}

/// A file that cannot be written, told on a thread of the run.
#[derive(Debug)]
pub struct Trouble {
    path: PathBuf,
    what: String,
}

impl Trouble {
    pub fn failure(&self) -> Failure {
        Failure::file(&self.path, codes::CANNOT_WRITE, &self.what, "")
    }
}

/// What a file holds.
struct Held<M: Measure> {
    part: Part<M>,
    header: Header,
    /// The bytes of all whole lines.
    sound: u64,
    /// The last line is whole but for its end.
    open: bool,
    /// It has counts.
    counts: bool,
    /// It has lines of single pieces of work.
    singles: bool,
}

impl<M: Measure> Held<M> {
    /// Whether every count is there: a part is counted only when it is finished.
    fn has_all_counts(&self, experiment: &Experiment<M>, shard: Shard) -> bool {
        !self.counts || self.part.is_counted(experiment, shard)
    }
}

impl ShardFile {
    /// Begins a part, or goes on with it; with what is known of it.
    pub fn open<M: Measure>(
        described: &Described<M>,
        shard: Shard,
    ) -> Result<(ShardFile, Part<M>), Failure> {
        let experiment = &described.experiment;
        let folder = &described.folder;
        std::fs::create_dir_all(folder).map_err(|e| Failure::cannot_write(folder, &e))?;
        one_division(folder, shard)?;
        let path = folder.join(name(shard));
        let file = OpenOptions::new().append(true).create(true).open(&path);
        let mut file = file.map_err(|e| Failure::cannot_write(&path, &e))?;
        lock::lock(&path, &file, ANOTHER_RUN)?;
        let known = match read(&path, experiment, shard)? {
            // Nothing was written yet, or the first line was torn.
            None => {
                let first = first_line(experiment, shard);
                file.set_len(0)
                    .and_then(|()| file.write_all(first.as_bytes()))
                    .map_err(|e| Failure::cannot_write(&path, &e))?;
                Part::new(experiment)
            }
            Some(held) => {
                if !held.has_all_counts(experiment, shard) {
                    return Err(damaged(&path, 0, "some of its counts are missing"));
                }
                if !held.part.is_finished(experiment, shard) {
                    same_program(&path, &held.header)?;
                }
                if experiment.header(shard).is_raised(&held.header) {
                    file = raised(&path, experiment, shard, &held)?;
                    return Ok((ShardFile { path, shard, file }, held.part));
                }
                let mended = if held.open {
                    file.write_all(b"\n")
                } else {
                    file.set_len(held.sound)
                };
                mended.map_err(|e| Failure::cannot_write(&path, &e))?;
                held.part
            }
        };
        Ok((ShardFile { path, shard, file }, known))
    }

    /// Takes the line of what is finished.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn put(&mut self, line: String) -> Result<(), Trouble> {
        let line = line + "\n";
        self.file.write_all(line.as_bytes()).map_err(|e| Trouble {
            path: self.path.clone(),
            what: format!("cannot be written: {}", unwritten(&e)),
        })
    }

    /// Ends a run: reads what the file holds now, and writes it anew as counts if the part is finished and they are shorter.
    pub fn finish<M: Measure>(&mut self, described: &Described<M>) -> Result<Part<M>, Failure> {
        let experiment = &described.experiment;
        let Some(held) = read(&self.path, experiment, self.shard)? else {
            return Err(damaged(&self.path, 1, "it is empty"));
        };
        if !held.singles || !held.part.is_finished(experiment, self.shard) {
            return Ok(held.part);
        }
        if let Some(lines) = M::shortened(&held.part.results) {
            let header = Header {
                counted: None,
                ..held.header
            };
            let mut text = serde_json::to_string(&header).unwrap_or_default() + "\n";
            for line in lines {
                text.push_str(&line);
                text.push('\n');
            }
            replace(&self.path, &text)?;
        }
        Ok(held.part)
    }
}

/// Everything that the parts in a folder hold, put together; `None` if there are none.
pub fn read_all<M: Measure>(described: &Described<M>) -> Result<Option<Part<M>>, Failure> {
    let experiment = &described.experiment;
    let shards = shards(&described.folder)?;
    if let (Some(first), Some(last)) = (shards.first(), shards.last())
        && first.of != last.of
    {
        return Err(two_divisions(&described.folder, *first, *last));
    }
    let mut all: Option<(Part<M>, Header)> = None;
    for shard in shards {
        let path = described.folder.join(name(shard));
        let Some(held) = read(&path, experiment, shard)? else {
            continue;
        };
        match &mut all {
            None => all = Some((held.part, held.header)),
            Some((_, header)) if header.program != held.header.program => {
                let (one, other) = (&header.program, &held.header.program);
                let what = format!(
                    "was played by version {other} of the program, and another part by {one}"
                );
                let hint = "play all parts with one version";
                return Err(Failure::file(&path, codes::OTHER_EXPERIMENT, &what, hint));
            }
            Some((part, _)) => part.merge(held.part),
        }
    }
    Ok(all.map(|(part, _)| part))
}

/// Writes a whole file, or leaves the one that is there; one that has this text already is not touched.
pub fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    if std::fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(());
    }
    let mut new = path.as_os_str().to_os_string();
    new.push(".new");
    let new = PathBuf::from(new);
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&new, path)
    };
    write().map_err(|e| {
        // What is half done helps nobody; there is nowhere to report trouble with that to.
        let _ = std::fs::remove_file(&new);
        Failure::cannot_write(path, &e)
    })
}

fn name(shard: Shard) -> String {
    format!("shard-{}-of-{}.jsonl", shard.number, shard.of)
}

fn first_line<M: Measure>(experiment: &Experiment<M>, shard: Shard) -> String {
    serde_json::to_string(&experiment.header(shard)).unwrap_or_default() + "\n"
}

/// Writes a file anew with a first line that asks for more games than there were, and opens it again.
fn raised<M: Measure>(
    path: &Path,
    experiment: &Experiment<M>,
    shard: Shard,
    held: &Held<M>,
) -> Result<File, Failure> {
    let header = Header {
        program: held.header.program.clone(),
        counted: held.counts.then_some(held.part.counted),
        ..experiment.header(shard)
    };
    let bytes = std::fs::read(path).map_err(|e| Failure::cannot_read(path, &e))?;
    let text = String::from_utf8_lossy(&bytes);
    let sound = text.get(..held.sound as usize).unwrap_or(&text);
    let lines = sound.split_once('\n').map_or("", |(_, lines)| lines);
    let mut new = serde_json::to_string(&header).unwrap_or_default() + "\n" + lines;
    if !new.ends_with('\n') {
        new.push('\n');
    }
    replace(path, &new)?;
    let file = OpenOptions::new().append(true).open(path);
    let file = file.map_err(|e| Failure::cannot_write(path, &e))?;
    lock::lock(path, &file, ANOTHER_RUN)?;
    Ok(file)
}

/// The parts that a folder has files of, in order.
fn shards(folder: &Path) -> Result<Vec<Shard>, Failure> {
    let entries = match std::fs::read_dir(folder) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|e| Failure::cannot_read(folder, &e))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let file = entry
            .map_err(|e| Failure::cannot_read(folder, &e))?
            .file_name();
        let shard = file.to_str().and_then(|file| {
            let (number, of) = file
                .strip_prefix("shard-")?
                .strip_suffix(".jsonl")?
                .split_once("-of-")?;
            let shard = Shard {
                number: number.parse().ok()?,
                of: of.parse().ok()?,
            };
            let sound = (1..=shard.of).contains(&shard.number) && name(shard) == file;
            sound.then_some(shard)
        });
        found.extend(shard);
    }
    found.sort_by_key(|s| (s.of, s.number));
    Ok(found)
}

/// Refuses a folder with parts of another division: games would be played twice.
fn one_division(folder: &Path, shard: Shard) -> Result<(), Failure> {
    let shards = shards(folder)?;
    match shards.iter().find(|s| s.of != shard.of) {
        Some(other) => Err(two_divisions(folder, *other, shard)),
        None => Ok(()),
    }
}

fn two_divisions(folder: &Path, one: Shard, other: Shard) -> Failure {
    Failure::file(
        folder,
        codes::OTHER_EXPERIMENT,
        &format!("has part {one} of the experiment, which does not go with part {other}"),
        "divide it in one way, or use another folder: `--out DIR`",
    )
}

/// Reads the file of a part; `None` when there is not even a first line.
fn read<M: Measure>(
    path: &Path,
    experiment: &Experiment<M>,
    shard: Shard,
) -> Result<Option<Held<M>>, Failure> {
    let trouble = |e: std::io::Error| Failure::cannot_read(path, &e);
    let mut lines = open_lines(path).map_err(trouble)?;
    let mut buffer = Vec::new();
    let expected = experiment.header(shard);
    let header = match lines.next(&mut buffer).map_err(trouble)? {
        None => return Ok(None),
        Some(Line::Open(torn)) if first_line(experiment, shard).as_bytes().starts_with(torn) => {
            return Ok(None);
        }
        Some(Line::Whole(line)) => Header::parse(line).map_err(|why| damaged(path, 1, &why))?,
        Some(_) => return Err(damaged(path, 1, "it is no first line")),
    };
    let other = expected.differences(&header);
    if !other.is_empty() {
        let shown: Vec<_> = other.iter().take(5).map(|d| shortened(d, 240)).collect();
        let more = match other.len().saturating_sub(shown.len()) {
            0 => String::new(),
            n => format!("; and {n} more"),
        };
        return Err(Failure::file(
            path,
            codes::OTHER_EXPERIMENT,
            &format!(
                "has results of another experiment: {}{more}",
                shown.join("; ")
            ),
            "put the experiment back, or use another folder: `--out DIR`",
        ));
    }
    let mut held = Held {
        part: Part::new(experiment),
        header,
        sound: 0,
        open: false,
        counts: false,
        singles: false,
    };
    let of_cell = held.header.games.or(held.header.runs);
    held.part.counted = held.header.counted.or(of_cell).unwrap_or(experiment.each);
    while let Some(line) = lines.next(&mut buffer).map_err(trouble)? {
        let (start, number) = (lines.start, lines.number);
        held.sound = start;
        let (bytes, open) = match line {
            Line::Whole(bytes) => (bytes, false),
            Line::Open(bytes) => (bytes, true),
            Line::TooLong => return Err(damaged(path, number, "it is too long")),
        };
        match M::take(experiment, &mut held.part, shard, bytes) {
            Ok(true) => held.counts = true,
            Ok(false) => held.singles = true,
            // Torn when the run was killed: what it was about is done again.
            Err(_) if open => return Ok(Some(held)),
            Err(why) => return Err(damaged(path, number, &why)),
        }
        held.open = open;
    }
    held.sound = lines.end();
    Ok(Some(held))
}

/// Another version of the program may play another game; it must not go on with what this one began.
fn same_program(path: &Path, header: &Header) -> Result<(), Failure> {
    let (there, here) = (&header.program, env!("CARGO_PKG_VERSION"));
    if there == here {
        return Ok(());
    }
    Err(Failure::file(
        path,
        codes::OTHER_EXPERIMENT,
        &format!("was begun by version {there} of the program, and this is {here}"),
        "go on with that version, or use another folder: `--out DIR`",
    ))
}

fn damaged(path: &Path, line: u64, why: &str) -> Failure {
    let line = match line {
        0 => String::new(),
        n => format!("line {n}: "),
    };
    Failure::file(
        path,
        codes::NO_RESULTS,
        &format!("has no results of an experiment: {line}{why}"),
        "take the file away, and its games are played again",
    )
}
