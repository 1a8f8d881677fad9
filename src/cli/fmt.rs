//! `ruse fmt`: sets the text of games the usual way.

use super::codes;
use super::file_words::unread;
use super::load::{STANDARD_INPUT, games_in, read};
use super::output::{self, Failure, FilesReport, Verdict, plural};
use super::problem::{Problem, Source};
use clap::Args;
use serde::Serialize;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Set the text of games the usual way: spaces, indentation, columns
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse fmt duel.game
  ruse fmt --check games
  ruse fmt --stdin < duel.game

Comments stay where they are, and so do line breaks where a line is short enough. A file with
errors of syntax is reported and left alone. Standard output names the files that were changed,
or that would be.

Exit codes:
  0  every file is set the usual way now; under --check, it was so before
  1  errors were found, or under --check a file would change
  2  wrong use, or a file cannot be read or written")]
pub struct Fmt {
    /// The games: files, folders of them, or `-` alone as `--stdin`
    #[arg(value_name = "FILE", required_unless_present = "stdin")]
    files: Vec<PathBuf>,

    /// Change nothing, only say which files would change
    #[arg(long)]
    check: bool,

    /// Read a game from standard input and write it to standard output
    #[arg(long, conflicts_with = "files")]
    stdin: bool,

    /// Print one JSON document instead, problems included
    #[arg(long, conflicts_with = "stdin")]
    json: bool,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    /// Whether it was changed, or would be under `--check`.
    changed: bool,
}

impl Fmt {
    pub fn run(&self) -> Result<Verdict, Failure> {
        if self.stdin || matches!(self.files.as_slice(), [one] if one.as_os_str() == STANDARD_INPUT)
        {
            if self.json {
                let message = "a game from standard input is written to standard output, where --json would print a document";
                let hint = "leave out --json, or write the game to a file";
                return Err(Failure::advised(message, hint));
            }
            return self.pipe();
        }
        if self.files.iter().any(|f| f.as_os_str() == STANDARD_INPUT) {
            let message = "a game from standard input is written to standard output, where no names of files may stand";
            let hint = "set it by itself, or write the game to a file";
            return Err(Failure::advised(message, hint));
        }
        let mut verdict = Verdict::Fine;
        let mut report = FilesReport::new();
        for path in &games_in(&self.files) {
            let changed = self.file(path).unwrap_or_else(|failure| {
                verdict = verdict.max(failure.verdict);
                report.problems.tell(&failure.problems, self.json);
                if !self.json {
                    let errors = plural(failure.problems.len() as u64, "error");
                    output::print(&format!("{}: {errors}\n", path.display()));
                }
                false
            });
            if changed && self.check {
                verdict = verdict.max(Verdict::No);
            }
            if changed && !self.json {
                let what = if self.check {
                    "would change"
                } else {
                    "changed"
                };
                output::print(&format!("{}: {what}\n", path.display()));
            }
            report.files.push(FileReport {
                file: path.display().to_string(),
                changed,
            });
        }
        if self.json {
            output::json(&report);
        }
        Ok(verdict)
    }

    /// Whether the file was changed, or would be.
    fn file(&self, path: &Path) -> Result<bool, Failure> {
        let source = read(path)?;
        let text = source.text.clone();
        let formatted = format(source)?;
        if formatted == text {
            return Ok(false);
        }
        if !self.check {
            write(path, &formatted).map_err(|e| Failure::cannot_write(path, &e))?;
        }
        Ok(true)
    }

    fn pipe(&self) -> Result<Verdict, Failure> {
        let mut bytes = Vec::new();
        let name = "standard input".to_string();
        let outside = |code, message: String| {
            Failure::wrong_use(Problem::Outside {
                file: None,
                code: Some(code),
                message,
                hint: None,
            })
        };
        std::io::stdin()
            .lock()
            .take(crate::syntax::MAX_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|e| {
                outside(
                    codes::CANNOT_READ,
                    format!("{name} cannot be read: {}", unread(&e)),
                )
            })?;
        let text = String::from_utf8(bytes)
            .map_err(|_| outside(codes::NOT_TEXT, format!("{name} is not UTF-8 text")))?;
        let formatted = format(Source::new(name, text.clone()))?;
        if !self.check {
            output::print(&formatted);
        } else if formatted != text {
            return Ok(Verdict::No);
        }
        Ok(Verdict::Fine)
    }
}

fn format(source: Source) -> Result<String, Failure> {
    let source = Rc::new(source);
    crate::syntax::format::format(&source.text).map_err(|list| Failure {
        problems: list
            .into_iter()
            .map(|d| Problem::InText(source.clone(), d))
            .collect(),
        verdict: Verdict::No,
    })
}

/// Replaces the file whole, so that nothing is lost when the disk is full or the power fails: the text goes to a new
/// file beside it, which then takes its place.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    // A link goes on pointing to its file.
    let path = path.canonicalize()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let permissions = std::fs::metadata(&path)?.permissions();
    let draft = folder.join(format!(".{name}.{}.tmp", std::process::id()));
    let written = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&draft)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.set_permissions(permissions)?;
            file.sync_all()
        })
        .and_then(|()| std::fs::rename(&draft, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&draft);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fmt(path: &Path, check: bool) -> Fmt {
        Fmt {
            files: vec![path.to_path_buf()],
            check,
            stdin: false,
            json: true,
        }
    }

    #[test]
    fn a_file_is_replaced_whole_and_only_if_it_must_be() {
        let folder = std::env::temp_dir().join(format!("ruse-fmt-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.game");
        let count = || std::fs::read_dir(&folder).unwrap().count();
        std::fs::write(&path, "game  A{ }").unwrap();
        assert!(fmt(&path, true).file(&path).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "game  A{ }");
        assert!(fmt(&path, false).file(&path).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "game A {}\n");
        assert!(!fmt(&path, false).file(&path).unwrap());
        std::fs::write(&path, "game A {").unwrap();
        assert_eq!(
            fmt(&path, false).file(&path).unwrap_err().verdict,
            Verdict::No
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "game A {");
        assert_eq!(count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
