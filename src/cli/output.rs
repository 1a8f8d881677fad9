//! What goes to standard output and standard error, and the exit code. Standard output carries results only.

use super::codes;
use super::file_words::{unread, unwritten};
use super::habits;
use super::problem::{Problem, ProblemJson};
use crate::text;
use crate::text::diagnostics::Code;
pub use crate::text::plural::{counted, plural};
use crate::text::table::fitted;
use crate::text::wrap::fit;
use serde::Serialize;
use serde_json::Value;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;

/// How a command went, worst last.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Fine,
    /// The answer is no.
    No,
    WrongUse,
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> ExitCode {
        ExitCode::from(match verdict {
            Verdict::Fine => 0,
            Verdict::No => 1,
            Verdict::WrongUse => 2,
        })
    }
}

/// A command that has no result, and why.
#[derive(Debug)]
pub struct Failure {
    pub problems: Vec<Problem>,
    pub verdict: Verdict,
}

impl Failure {
    pub fn no(problem: Problem) -> Failure {
        Failure {
            problems: vec![problem],
            verdict: Verdict::No,
        }
    }

    pub fn wrong_use(problem: Problem) -> Failure {
        Failure {
            problems: vec![problem],
            verdict: Verdict::WrongUse,
        }
    }
}

impl Failure {
    /// Work was stopped before it came to anything; `what` is read after "stopped:".
    pub fn stopped(what: &str) -> Failure {
        Failure::no(Problem::Stopped(format!("stopped: {what}")))
    }

    /// Wrong use, as a message that says all.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::wrong_use(Problem::outside(None, message))
    }

    /// The same with a hint.
    pub fn advised(message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::wrong_use(Problem::Outside {
            file: None,
            code: None,
            message: message.into(),
            hint: Some(hint.into()),
        })
    }

    /// Trouble with a file; `what` is read after its name, and an empty hint is none.
    pub fn file(path: &Path, code: Code, what: &str, hint: &str) -> Failure {
        let name = path.display().to_string();
        Failure::wrong_use(Problem::Outside {
            message: format!("{name} {what}"),
            file: Some(name),
            code: Some(code),
            hint: Some(hint.to_string()).filter(|h| !h.is_empty()),
        })
    }

    pub fn cannot_write(path: &Path, e: &std::io::Error) -> Failure {
        let what = format!("cannot be written: {}", unwritten(e));
        Failure::file(path, codes::CANNOT_WRITE, &what, "")
    }

    pub fn cannot_read(path: &Path, e: &std::io::Error) -> Failure {
        let what = format!("cannot be read: {}", unread(e));
        Failure::file(path, codes::CANNOT_READ, &what, "")
    }
}

/// Reports a failure, as text on standard error or as one JSON document on standard output.
pub fn fail(failure: &Failure, as_json: bool) -> Verdict {
    if as_json {
        json(&Diagnostics::of(&failure.problems));
    } else {
        problems(&failure.problems);
    }
    failure.verdict
}

/// The JSON document of problems alone, and the end of one that has problems too.
#[derive(Default, Serialize)]
pub struct Diagnostics {
    pub diagnostics: Vec<ProblemJson>,
}

/// The JSON document of a command that goes through files.
#[derive(Serialize)]
pub struct FilesReport<F> {
    pub files: Vec<F>,
    /// `false` if it was stopped before all was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// Of all files, in their order.
    #[serde(flatten)]
    pub problems: Diagnostics,
}

impl<F> FilesReport<F> {
    pub fn new() -> FilesReport<F> {
        FilesReport {
            files: Vec::new(),
            complete: None,
            problems: Diagnostics::default(),
        }
    }
}

impl Diagnostics {
    pub fn of(problems: &[Problem]) -> Diagnostics {
        Diagnostics {
            diagnostics: problems.iter().map(Problem::json).collect(),
        }
    }

    /// Takes more of them; they are shown at once where the document is not asked for.
    pub fn tell(&mut self, list: &[Problem], as_json: bool) {
        if as_json {
            self.diagnostics.extend(list.iter().map(Problem::json));
        } else {
            problems(list);
        }
    }
}

/// At most this many problems of a file are drawn; nobody reads more, and a file that is no game at all has thousands.
const MOST_DRAWN: usize = 50;

/// Draws problems on standard error, a blank line between them.
pub fn problems(list: &[Problem]) {
    let colour = habits::colour(&std::io::stderr());
    let width = habits::width_of_errors();
    for (i, problem) in list.iter().take(MOST_DRAWN).enumerate() {
        if i > 0 {
            say("");
        }
        write_line(&problem.render(colour, width));
    }
    if list.len() > MOST_DRAWN {
        let more = list.len() - MOST_DRAWN;
        say(&format!(
            "\n{} more; --json has all",
            plural(more as u64, "problem")
        ));
    }
}

/// One line, or several, to standard error, broken between words where a terminal is narrower.
pub fn say(line: &str) {
    match habits::width_of_errors() {
        Some(width) => write_line(&fit(line, width)),
        None => write_line(line),
    }
}

/// There is nowhere to report trouble with that to.
fn write_line(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Says that work was stopped before it came to anything, in a JSON document where one is wanted.
pub fn stopped(what: &str, as_json: bool) -> Verdict {
    fail(&Failure::stopped(what), as_json)
}

/// A line on what was chosen for somebody who did not say: to standard error, but not under `--quiet`.
pub fn note(line: &str) {
    if !habits::is_quiet() {
        say(line);
    }
}

/// A line of details, to standard error under `--verbose`.
pub fn detail(line: impl FnOnce() -> String) {
    if habits::is_verbose() {
        say(&line());
    }
}

/// A line for somebody who watches: to standard error if that is a terminal, and nothing otherwise.
pub fn aside(line: &str) {
    if std::io::stderr().is_terminal() && !habits::is_quiet() {
        say(line);
    }
}

/// Text to standard output. A reader that has gone away (`| head`) ends no run and is no error; other trouble is kept
/// for [`write_error`].
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            if let Ok(mut first) = WRITE_ERROR.lock() {
                first.get_or_insert_with(|| e.to_string());
            }
        }
        _ => {}
    }
}

/// The version of the JSON documents. It grows when a key goes, or means something else; new keys do not count.
const SCHEMA: u64 = 1;

/// One JSON document to standard output: the keys of an object, with the version of the documents first.
pub fn json(value: &impl Serialize) {
    let document = serde_json::to_value(value).map(|value| match value {
        Value::Object(keys) => {
            let first = ("schema".to_string(), Value::from(SCHEMA));
            Value::Object(std::iter::once(first).chain(keys).collect())
        }
        other => other,
    });
    match document.and_then(|document| serde_json::to_string_pretty(&document)) {
        Ok(text) => print(&format!("{text}\n")),
        Err(e) => {
            if let Ok(mut first) = WRITE_ERROR.lock() {
                first.get_or_insert_with(|| e.to_string());
            }
        }
    }
}

/// A result: as one JSON document, or as text for people, broken between words where a terminal is narrower.
pub fn show(as_json: bool, document: &impl Serialize, text: impl FnOnce() -> String) {
    if as_json {
        return json(document);
    }
    print_fitted(&text());
}

/// Text to standard output, broken between words where a terminal is narrower.
pub fn print_fitted(text: &str) {
    match habits::size() {
        Some((width, _)) => print(&fit(text, width)),
        None => print(text),
    }
}

static WRITE_ERROR: Mutex<Option<String>> = Mutex::new(None);

/// The first thing that went wrong when writing results, such as a full disk.
pub fn write_error() -> Option<String> {
    WRITE_ERROR.lock().ok()?.clone()
}

/// Whether results on standard output are coloured.
pub fn colour_out() -> bool {
    habits::colour(&std::io::stdout())
}

/// Rows of cells in columns two spaces apart, no spaces at the ends of lines. The columns in `right` are set flush right. On a
/// terminal the table is no wider than that, as far as words allow, and with room for an indentation of two.
pub fn table(rows: &[Vec<String>], right: &[usize]) -> String {
    match habits::size() {
        Some((width, _)) => fitted(rows, right, width.saturating_sub(2)),
        None => text::table::table(rows, right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_verdict_is_the_greatest() {
        assert_eq!(Verdict::Fine.max(Verdict::No), Verdict::No);
        assert_eq!(Verdict::No.max(Verdict::WrongUse), Verdict::WrongUse);
    }
}
