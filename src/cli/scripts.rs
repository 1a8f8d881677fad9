//! Scripts as files: where they are, which game each is about, and how they are played.

use super::codes;
use super::file_words::unread;
use super::load::{
    FileKind, LARGEST, Loaded, STANDARD_INPUT, SetAt, at_setting, files_below, load, read, read_as,
};
use super::output::{Failure, Verdict};
use super::problem::{Problem, Source};
use crate::check::Settings;
use crate::machine::Machine;
use crate::review::{Report, Script, Setting, TestedGame, parse, run};
use crate::text::span::Span;
use indexmap::IndexMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// What there is to test in some files and folders, each list sorted and without repeats.
#[derive(Debug, Default)]
pub struct Found {
    pub scripts: Vec<PathBuf>,
    pub games: Vec<PathBuf>,
}

/// Looks for scripts (`.play`) and games (`.game`), in folders too, hidden ones apart.
pub fn find(paths: &[PathBuf]) -> Result<Found, Failure> {
    let mut found = Found::default();
    for path in paths {
        if path.is_dir() {
            folder(path, &mut found)?;
        } else if path.as_os_str() == STANDARD_INPUT {
            let message = "a test is a file: its snapshot has the name of it";
            let hint = "write what comes from standard input to a file; `ruse check -` reads it";
            return Err(Failure::advised(message, hint));
        } else if !found.take(path) {
            // A missing file is reported when it is read, whatever it is called.
            if path.exists() {
                let message = format!("{} is neither a script nor a game", path.display());
                return Err(Failure::wrong_use(Problem::Outside {
                    file: Some(path.display().to_string()),
                    code: None,
                    message,
                    hint: Some("scripts are called NAME.play and games NAME.game".to_string()),
                }));
            }
            read(path)?;
        }
    }
    for list in [&mut found.scripts, &mut found.games] {
        list.sort();
        list.dedup();
    }
    Ok(found)
}

fn folder(path: &Path, found: &mut Found) -> Result<(), Failure> {
    let mut files = Vec::new();
    files_below(path, &mut files).map_err(|e| {
        Failure::wrong_use(Problem::outside(
            Some(codes::CANNOT_READ),
            format!("{} cannot be read: {}", path.display(), unread(&e)),
        ))
    })?;
    for file in &files {
        found.take(file);
    }
    Ok(())
}

impl Found {
    fn take(&mut self, path: &Path) -> bool {
        match path.extension().and_then(|e| e.to_str()) {
            Some("play") => self.scripts.push(path.to_path_buf()),
            Some("game") => self.games.push(path.to_path_buf()),
            _ => return false,
        }
        true
    }
}

const SCRIPT: FileKind = FileKind {
    what: "a script",
    endings: &["play"],
    largest: LARGEST,
};

/// A script that can be played.
pub struct Ready {
    pub script: Script,
    pub source: Rc<Source>,
    /// The game, by its path from here.
    pub game: PathBuf,
}

impl Ready {
    /// That its game cannot be read.
    pub fn no_game(&self, script: &Path, error: &std::io::Error) -> Failure {
        let what = format!(
            "is about {}, which cannot be read: {}",
            self.game.display(),
            unread(error)
        );
        Failure::file(script, codes::CANNOT_READ, &what, "")
    }
}

/// Reads a script.
pub fn ready(path: &Path) -> Result<Ready, Failure> {
    let source = Rc::new(read_as(path, SCRIPT)?);
    let (script, problems) = parse(&source.text);
    let folder = path.parent().unwrap_or(Path::new(""));
    match &script.game {
        Some(game) if problems.is_empty() => Ok(Ready {
            game: folder.join(&game.text),
            script,
            source,
        }),
        _ => Err(Failure {
            problems: problems
                .into_iter()
                .map(|d| Problem::InText(source.clone(), d))
                .collect(),
            verdict: Verdict::No,
        }),
    }
}

/// Settings as a key.
type Key = Vec<(String, String)>;

/// A script that was played.
pub struct Played {
    pub report: Report,
    /// Everything that is wrong, with the script or with its game.
    pub problems: Vec<Problem>,
    pub verdict: Verdict,
    /// The machines that played, by settings.
    pub machines: Vec<Arc<Machine>>,
}

/// Plays a script. `marked`: on machines with marks.
pub fn play(ready: &Ready, marked: bool) -> Played {
    let mut problems = Vec::new();
    let mut verdict = Verdict::Fine;
    let mut games: IndexMap<Key, Option<(Loaded, TestedGame)>> = IndexMap::new();
    let key = |settings: &Settings| -> Key {
        settings
            .iter()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect()
    };
    let mut table = |settings: &Settings| {
        let known = games.entry(key(settings)).or_insert_with(|| {
            let loaded = load(&ready.game, settings).and_then(|mut loaded| {
                if marked {
                    loaded.machine = Arc::new(with_marks(&loaded)?);
                }
                Ok(loaded)
            });
            match loaded {
                Ok(loaded) => {
                    let table = TestedGame::new(loaded.machine.clone(), &loaded.source.sources);
                    Some((loaded, table))
                }
                Err(failure) => {
                    verdict = verdict.max(failure.verdict);
                    let list = failure.problems.into_iter();
                    problems.extend(list.map(|p| at_line(p, settings, ready)));
                    None
                }
            }
        });
        known.as_ref().map(|(_, table)| table.clone())
    };
    let report = run(&ready.script, &mut table);
    for d in &report.problems {
        problems.push(Problem::InText(ready.source.clone(), d.clone()));
    }
    for (settings, fault) in &report.faults {
        if let Some(Some((loaded, _))) = games.get(&key(settings)) {
            let problem = Problem::InText(loaded.source.clone(), fault.diagnostic());
            problems.push(problem);
        }
    }
    if problems.iter().any(Problem::is_error) {
        verdict = verdict.max(Verdict::No);
    }
    let machines = games.into_values().flatten();
    Played {
        report,
        problems,
        verdict,
        machines: machines.map(|(loaded, _)| loaded.machine).collect(),
    }
}

/// A problem with a value that the script sets, at its line there.
fn at_line(problem: Problem, settings: &Settings, ready: &Ready) -> Problem {
    let script = &ready.script;
    let plays = script.plays.iter().rev();
    let own = plays.filter(|play| script.settings_of(play) == *settings);
    let own = own.flat_map(|play| &play.settings);
    let all: Vec<&Setting> = own.chain(&script.settings).collect();
    at_setting(problem, settings, |key, value| {
        let is_meant = |s: &&&Setting| s.param.text == key && s.value == value;
        let param = all.iter().find(is_meant)?.param.span;
        let rest = ready.source.text.get(param.end as usize..)?;
        let line = rest.split('\n').next()?;
        let at = param.end as usize + line.find(value)?;
        Some(SetAt {
            source: ready.source.clone(),
            param,
            value: Span::new(at, at + value.len()),
        })
    })
}

/// The machine of a game with marks.
pub fn with_marks(loaded: &Loaded) -> Result<Machine, Failure> {
    loaded.machine.marked().map_err(|list| Failure {
        problems: list
            .into_iter()
            .map(|d| Problem::InText(loaded.source.clone(), d))
            .collect(),
        verdict: Verdict::No,
    })
}

/// Whether two paths lead to the same file.
pub fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
