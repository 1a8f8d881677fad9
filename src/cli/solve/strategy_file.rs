//! Strategies of all players in a file: which game they are for, and a row for every information state.
//!
//! Rows stand in the order of the tree, which is the same whenever the same program reads the same game; what the player saw
//! and the names of the moves are for people.

use super::grown;
use super::words::Words;
use crate::arena::record::fingerprint;
use crate::cli::codes;
use crate::cli::load::Loaded;
use crate::cli::output::Failure;
use crate::cli::problem::Problem;
use crate::solve::{Profile, Tree};
use crate::text::diagnostics::Code;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes.
const LARGEST: u64 = 8 << 30;

/// How far probabilities may be from adding up to 1.
const ROUNDING: f64 = 1e-6;

/// Which game the strategies are for.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    /// The program that wrote it: another one may number information states in another way.
    ruse: String,
    game: String,
    /// A hash of what the description says.
    description: String,
    params: IndexMap<String, String>,
    /// Whether forced moves were passed through.
    skip_forced: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Document {
    #[serde(flatten)]
    header: Header,
    information_states: Vec<Row>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Row {
    player: String,
    saw: Vec<String>,
    moves: Vec<String>,
    probabilities: Vec<f64>,
}

impl Header {
    fn of(loaded: &Loaded, skip_forced: bool) -> Header {
        let description = loaded.machine.description();
        Header {
            ruse: env!("CARGO_PKG_VERSION").to_string(),
            game: description.name.clone(),
            description: fingerprint(&loaded.source.sources),
            params: description.params.clone(),
            skip_forced,
        }
    }
}

/// A new file to save to, opened before the work whose result it will hold. It goes away again when there is none.
pub struct Saving {
    path: PathBuf,
    file: Option<File>,
}

impl Saving {
    /// Opens the file of `--save`, if there is one.
    pub fn open(path: Option<&Path>) -> Result<Option<Saving>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let file = File::options().write(true).create_new(true).open(path);
        let file = file.map_err(|e| match e.kind() {
            std::io::ErrorKind::AlreadyExists => {
                let hint = "name another file, or move this one away";
                failure(path, codes::FILE_EXISTS, "is there already", Some(hint))
            }
            _ => cannot_write(path, &e),
        })?;
        Ok(Some(Saving {
            path: path.to_path_buf(),
            file: Some(file),
        }))
    }

    /// Saves the strategies of all players.
    pub fn save(mut self, loaded: &Loaded, tree: &Tree, profile: &Profile) -> Result<(), Failure> {
        let machine = &loaded.machine;
        let words = Words::new(machine, tree);
        let mut rows = Vec::with_capacity(tree.information_states().len());
        for (number, state) in tree.information_states().iter().enumerate() {
            let error = |e| grown::failure(loaded, &e);
            rows.push(Row {
                player: machine.player_name(state.player as usize).to_string(),
                saw: words.saw(number).map_err(error)?,
                moves: words.choices(number).map_err(error)?,
                probabilities: profile.probabilities[state.range()].to_vec(),
            });
        }
        let document = Document {
            header: Header::of(loaded, tree.skips_forced()),
            information_states: rows,
        };
        let Some(file) = self.file.as_mut() else {
            return Ok(());
        };
        let mut file = BufWriter::new(file);
        let written = serde_json::to_writer(&mut file, &document)
            .map_err(std::io::Error::from)
            .and_then(|()| file.write_all(b"\n"))
            .and_then(|()| file.flush());
        drop(file);
        written.map_err(|e| cannot_write(&self.path, &e))?;
        self.file = None;
        Ok(())
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Reads strategies for a tree of the same game.
pub fn read(path: &Path, loaded: &Loaded, tree: &Tree) -> Result<Profile, Failure> {
    let cannot = |e: std::io::Error| {
        let what = format!("cannot be read: {e}");
        failure(path, codes::CANNOT_READ, &what, None)
    };
    let mut text = String::new();
    let file = File::open(path).map_err(cannot)?;
    file.take(LARGEST)
        .read_to_string(&mut text)
        .map_err(cannot)?;
    let wrong = |what: &str, hint: &str| failure(path, codes::NO_STRATEGY, what, Some(hint));
    let document: Document = serde_json::from_str(&text).map_err(|e| {
        let what = format!("is no file of strategies: {e}");
        wrong(&what, "`ruse solve --save` writes one")
    })?;
    let header = Header::of(loaded, tree.skips_forced());
    if document.header != header {
        let (theirs, ours) = (&document.header, &header);
        let what = if theirs.game != ours.game {
            format!("is for {}, and this is {}", theirs.game, ours.game)
        } else if theirs.params != ours.params {
            "is for other params".to_string()
        } else if theirs.skip_forced != ours.skip_forced {
            "was made with another `--skip-forced`".to_string()
        } else if theirs.description != ours.description {
            "is for other rules".to_string()
        } else {
            format!("was written by ruse {}", theirs.ruse)
        };
        return Err(wrong(&what, "solve the game again with `--save`"));
    }
    let misfit = |number: usize, what: &str| {
        let what = format!("does not fit: information state {} {what}", number + 1);
        wrong(&what, "solve the game again with `--save`")
    };
    let states = tree.information_states();
    if document.information_states.len() != states.len() {
        return Err(wrong(
            &format!(
                "has {} information states, and the game has {}",
                document.information_states.len(),
                states.len()
            ),
            "solve the game again with `--save`",
        ));
    }
    let mut probabilities = Vec::with_capacity(tree.choice_count());
    for (number, (row, state)) in document.information_states.iter().zip(states).enumerate() {
        if row.player != loaded.machine.player_name(state.player as usize) {
            return Err(misfit(number, "is another player's"));
        }
        if row.probabilities.len() != state.range().len() {
            return Err(misfit(number, "has another number of moves"));
        }
        let sum: f64 = row.probabilities.iter().sum();
        if row.probabilities.iter().any(|p| *p < 0.0) || (sum - 1.0).abs() > ROUNDING {
            return Err(misfit(number, "has probabilities that do not add up to 1"));
        }
        probabilities.extend_from_slice(&row.probabilities);
    }
    Ok(Profile { probabilities })
}

fn cannot_write(path: &Path, e: &std::io::Error) -> Failure {
    let what = format!("cannot be written: {e}");
    failure(path, codes::CANNOT_WRITE, &what, None)
}

fn failure(path: &Path, code: Code, what: &str, hint: Option<&str>) -> Failure {
    Failure::wrong_use(Problem::Outside {
        file: Some(path.display().to_string()),
        code: Some(code),
        message: format!("{} {what}", path.display()),
        hint: hint.map(str::to_string),
    })
}
