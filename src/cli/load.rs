//! From a path to a machine, with everything that can be wrong on the way.

use super::clock::stopwatch;
use super::codes;
use super::file_words::unread;
use super::game::Game;
use super::output::{self, Failure, Verdict};
use super::problem::{Problem, Source};
use crate::check::Settings;
use crate::check::codes::{NOT_MET, UNKNOWN_PARAM};
use crate::machine::Machine;
use crate::shipped;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::span::Span;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The largest file that is read, in bytes. The longest description so far is below a thousandth of it.
pub const LARGEST: u64 = 16 << 20;

/// What a file is read as.
#[derive(Copy, Clone, Debug)]
pub struct FileKind {
    /// As it is read in a sentence.
    pub what: &'static str,
    /// How names of such files end.
    pub endings: &'static [&'static str],
    /// The most bytes that are read.
    pub largest: u64,
}

pub const GAME: FileKind = FileKind {
    what: "a game",
    endings: &["game"],
    largest: LARGEST,
};

/// A game that is ready to be played.
pub struct Loaded {
    pub source: Rc<Source>,
    pub machine: Arc<Machine>,
    /// Warnings and notes about the text.
    pub warnings: Vec<Diagnostic>,
    /// How long each phase of loading took: `read`, `checked` and `compiled`.
    pub phases: Vec<(&'static str, Duration)>,
}

impl Loaded {
    /// Reports about the text of the game.
    pub fn problems(&self, list: Vec<Diagnostic>) -> Vec<Problem> {
        in_text(&self.source, list)
    }

    /// Something is wrong at a place in the text of the game.
    pub fn failure(&self, problem: Diagnostic) -> Failure {
        Failure::no(Problem::InText(self.source.clone(), problem))
    }

    /// A report about the game that has no place in its text.
    pub fn outside(&self, code: Option<Code>, message: String, hint: Option<String>) -> Problem {
        Problem::Outside {
            file: Some(self.source.path.clone()),
            code,
            message,
            hint,
        }
    }

    /// The player of a name that an option gives.
    pub fn player(&self, option: &str, name: &str) -> Result<usize, Failure> {
        let names: Vec<&str> = self.machine.player_names().collect();
        let exactly = names.iter().position(|n| *n == name);
        let roughly = || {
            let mut alike = (0..names.len()).filter(|p| names[*p].eq_ignore_ascii_case(name));
            alike.next().filter(|_| alike.next().is_none())
        };
        exactly.or_else(roughly).ok_or_else(|| {
            let all = names.join(", ");
            Failure::usage(format!("{option}: there is no player `{name}`: {all}"))
        })
    }
}

fn in_text(source: &Rc<Source>, list: Vec<Diagnostic>) -> Vec<Problem> {
    let problems = list.into_iter();
    problems
        .map(|d| Problem::InText(source.clone(), d))
        .collect()
}

/// Reads a game: the whole file, as it is.
pub fn read(path: &Path) -> Result<Source, Failure> {
    let (name, text) = whole(path, GAME)?;
    Ok(Source::new(name, text))
}

/// Reads another file. A mark of the byte order at its start is skipped.
pub fn read_as(path: &Path, kind: FileKind) -> Result<Source, Failure> {
    let (name, text) = whole(path, kind)?;
    Ok(Source::after_mark(name, text))
}

/// The name and the text of a file, or of standard input for `-`.
fn whole(path: &Path, kind: FileKind) -> Result<(String, String), Failure> {
    let (name, text) = match path.as_os_str() == STANDARD_INPUT {
        true => {
            let name = Path::new("standard input");
            (name, standard_input(name, kind)?)
        }
        false => (path, read_file(path, kind)?),
    };
    Ok((name.display().to_string(), text))
}

/// The text of a file.
pub fn read_file(path: &Path, kind: FileKind) -> Result<String, Failure> {
    let name = path.display().to_string();
    let outside = |code, message: String, hint: Option<String>| Problem::Outside {
        file: Some(name.clone()),
        code: Some(code),
        message,
        hint,
    };
    let unreadable = |e: std::io::Error| {
        let hint = match e.kind() {
            std::io::ErrorKind::IsADirectory => {
                Some(match files_in(path, kind.endings).as_slice() {
                    [file, ..] => format!("name a file in it, such as `{}`", file.display()),
                    [] => {
                        let endings = kind.endings.iter().map(|e| format!("`.{e}`"));
                        let endings = endings.collect::<Vec<_>>().join(" or ");
                        format!("name a file; none in it ends in {endings}")
                    }
                })
            }
            _ => None,
        };
        let message = format!("{name} cannot be read: {}", unread(&e));
        Failure::wrong_use(outside(codes::CANNOT_READ, message, hint))
    };
    if is_named_pipe(path) {
        let message =
            format!("{name} cannot be read: it is a named pipe, and nobody may ever write to it");
        let hint = "write the text to a file, or pass the pipe on as `/dev/stdin`";
        return Err(Failure::wrong_use(outside(
            codes::CANNOT_READ,
            message,
            Some(hint.to_string()),
        )));
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    if file.metadata().is_ok_and(|m| m.len() > kind.largest) {
        return Err(too_large(path, kind));
    }
    let mut bytes = Vec::new();
    file.take(kind.largest + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    as_text(path, bytes, kind)
}

fn too_large(path: &Path, kind: FileKind) -> Failure {
    let FileKind { what, largest, .. } = kind;
    let what = format!("is larger than {largest} bytes, the most that {what} may have");
    Failure::file(path, codes::TOO_LARGE, &what, "")
}

/// What was read, as text.
fn as_text(path: &Path, bytes: Vec<u8>, kind: FileKind) -> Result<String, Failure> {
    if bytes.len() as u64 > kind.largest {
        return Err(too_large(path, kind));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let bytes = e.as_bytes();
        let line = bytes[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        let what = format!(
            "is not UTF-8 text: byte {at} (counted from 0, in line {line}) is 0x{:02X}",
            bytes[at]
        );
        let hint = "save the file with the encoding UTF-8";
        Failure::file(path, codes::NOT_TEXT, &what, hint)
    })
}

/// Whether opening a file would wait for somebody to write to it. The pipes of a shell, `/dev/stdin` and `<(…)`, are links,
/// and somebody writes to them.
#[cfg(unix)]
fn is_named_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::symlink_metadata(path).is_ok_and(|m| m.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_named_pipe(_path: &Path) -> bool {
    false
}

/// The name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// A file as it is called in what is told of it.
pub fn shown_name(path: &Path) -> String {
    match path.as_os_str() == STANDARD_INPUT {
        true => "standard input".to_string(),
        false => path.display().to_string(),
    }
}

/// Standard input, read once, as text.
fn standard_input(name: &Path, kind: FileKind) -> Result<String, Failure> {
    static TEXT: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    let bytes = TEXT.get_or_init(|| {
        let mut bytes = Vec::new();
        let read = std::io::stdin()
            .take(kind.largest + 1)
            .read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|e| e.to_string())
    });
    match bytes {
        Ok(bytes) => as_text(name, bytes.clone(), kind),
        Err(why) => Err(Failure::cannot_read(
            name,
            &std::io::Error::other(why.clone()),
        )),
    }
}

/// The games that are meant: those in the folders among the files and below, in the order of their names, in the place of each.
pub fn games_in(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for file in files {
        let mut games = files_in(file, GAME.endings);
        match games.is_empty() {
            // Where there is none, the folder itself is refused.
            true => all.push(file.clone()),
            false => all.append(&mut games),
        }
    }
    all
}

/// The files with one of these endings in a folder and below, in the order of their names; none of what is no folder.
fn files_in(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if folder.is_dir() {
        // What cannot be read has none.
        let _ = files_below(folder, &mut files);
    }
    files.retain(|path| {
        path.extension()
            .is_some_and(|e| endings.iter().any(|&ending| e == ending))
    });
    files.sort();
    files
}

/// Adds all files of a folder and of the folders in it, but for hidden ones.
pub fn files_below(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        // A link to a folder is not followed: it may lead back here.
        match entry.file_type()?.is_dir() {
            true => files_below(&entry.path(), files)?,
            false => files.push(entry.path()),
        }
    }
    Ok(())
}

/// The text of a game: of a file, or of a shipped game where there is only a name without an ending.
pub fn text(path: &Path) -> Result<Source, Failure> {
    if path.as_os_str() == STANDARD_INPUT {
        return read(path);
    }
    let Some(name) = path.to_str().filter(|w| shipped::is_bare(w)) else {
        return read(path);
    };
    if let Some(game) = shipped::find(name) {
        return Ok(Source::new(game.source_name(), game.text));
    }
    if path.exists() {
        return read(path);
    }
    let with_ending = format!("{name}.game");
    let hint = if Path::new(&with_ending).exists() {
        format!("for the file write `{with_ending}`")
    } else {
        let near: Vec<String> = shipped::suggest(name)
            .iter()
            .map(|near| format!("`{near}`"))
            .collect();
        let near = match near.split_last() {
            None => String::new(),
            Some((one, [])) => format!("did you mean {one}? "),
            Some((last, others)) => format!("did you mean {} or {last}? ", others.join(", ")),
        };
        format!("{near}`ruse games` lists the shipped games; a file is named with its ending")
    };
    Err(Failure::wrong_use(Problem::Outside {
        file: None,
        code: Some(codes::UNKNOWN_GAME),
        message: format!("there is no shipped game `{name}`"),
        hint: Some(hint),
    }))
}

/// A file that another one extends, by its path from there. Shipped games extend shipped ones, and a file may extend a
/// shipped game by its bare name.
pub fn beside(from: &str, path: &str) -> Result<(String, String), String> {
    if let Some(found) = shipped::beside(from, path) {
        return found;
    }
    if let Some(game) = shipped::find(path) {
        return Ok((game.source_name(), game.text.to_string()));
    }
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    match read(&folder.join(path)) {
        Ok(source) => Ok((source.path, source.text)),
        Err(failure) => Err(failure
            .problems
            .iter()
            .map(Problem::message)
            .collect::<Vec<_>>()
            .join("; ")),
    }
}

/// Reads, checks and compiles a game.
pub fn load(path: &Path, settings: &Settings) -> Result<Loaded, Failure> {
    let mut source = text(path)?;
    let clock = stopwatch();
    let mut phases: Vec<(&'static str, Duration)> = Vec::new();
    let mut over = |phase| {
        let before: Duration = phases.iter().map(|(_, time)| *time).sum();
        phases.push((phase, clock().saturating_sub(before)));
    };
    let (loaded, sources) =
        crate::load_in_phases(&source.path, &source.text, settings, &beside, &mut over);
    output::detail(|| loading(&source.path, &phases));
    source.sources = sources;
    let source = Rc::new(source);
    match loaded {
        Ok((machine, warnings)) => Ok(Loaded {
            warnings,
            machine: Arc::new(machine),
            source,
            phases,
        }),
        Err(list) => Err(Failure {
            problems: in_text(&source, list),
            verdict: Verdict::No,
        }),
    }
}

/// How long each phase took: `duel.game: read in 0.31 ms, checked in 1.20 ms, compiled in 2.02 ms`.
fn loading(path: &str, phases: &[(&str, Duration)]) -> String {
    let each = phases.iter().map(|(phase, time)| {
        let time = 1000.0 * time.as_secs_f64();
        format!("{phase} in {time:.2} ms")
    });
    format!("{path}: {}", each.collect::<Vec<_>>().join(", "))
}

/// As [`load`], where the settings come from `--set`: what is wrong with them is wrong use, and is told with its place there.
pub fn load_set(path: &Path, settings: &Settings) -> Result<Loaded, Failure> {
    load(path, settings).map_err(|failure| Failure {
        verdict: match failure
            .problems
            .iter()
            .filter(|p| p.is_error())
            .all(is_of_set)
            && !settings.is_empty()
        {
            true => Verdict::WrongUse,
            false => failure.verdict,
        },
        problems: failure
            .problems
            .into_iter()
            .map(|problem| at_option(problem, settings))
            .collect(),
    })
}

/// Whether it is about values of params, given that there are some: one of them, or several that do not fit together.
fn is_of_set(problem: &Problem) -> bool {
    matches!(problem, Problem::InText(_, d) if d.setting.is_some() || d.code == NOT_MET)
}

/// Where something is set: the param or, where that is not in question, its value.
pub struct SetAt {
    pub source: Rc<Source>,
    pub param: Span,
    pub value: Span,
}

/// A problem with the value of a param, at the place that gives it, which `find` knows by the param as it is set there.
pub fn at_setting(
    problem: Problem,
    settings: &Settings,
    find: impl Fn(&str, &str) -> Option<SetAt>,
) -> Problem {
    let Problem::InText(_, diagnostic) = &problem else {
        return problem;
    };
    let given = diagnostic.setting.as_ref().and_then(|key| {
        let found = settings.iter().find(|(k, _)| k.as_str() == &**key);
        found.or_else(|| settings.iter().find(|(k, _)| k.starts_with(&**key)))
    });
    let Some(at) = given.and_then(|(key, value)| find(key, value)) else {
        return problem;
    };
    let span = match diagnostic.code == UNKNOWN_PARAM {
        true => at.param,
        false => at.value,
    };
    let diagnostic = Diagnostic {
        span,
        ..diagnostic.clone()
    };
    Problem::InText(at.source, diagnostic)
}

/// A problem with the value of a param, at the option that gives it.
fn at_option(problem: Problem, settings: &Settings) -> Problem {
    at_setting(problem, settings, |key, value| {
        let text = format!("{key}={value}");
        Some(SetAt {
            param: Span::new(0, key.len()),
            value: Span::new(key.len() + 1, text.len()),
            source: Rc::new(Source::new("--set", text)),
        })
    })
}

/// As [`load`], for a command that wants the game and nothing of its warnings but to have them shown: on standard error,
/// under `json` too. The settings come from a file.
pub fn game_with(path: &Path, settings: &Settings) -> Result<Loaded, Failure> {
    shown(load(path, settings)?)
}

fn shown(loaded: Loaded) -> Result<Loaded, Failure> {
    output::problems(&loaded.problems(loaded.warnings.clone()));
    Ok(loaded)
}

/// As [`game_with`], where the settings come from `--set`.
pub fn game_at(path: &Path, settings: &Settings) -> Result<Loaded, Failure> {
    shown(load_set(path, settings)?)
}

/// As [`game_at`], for the game that the arguments name.
pub fn game(game: &Game) -> Result<Loaded, Failure> {
    game_at(&game.file, &game.set.settings()?)
}
