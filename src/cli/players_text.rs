//! The value of `--players` and the like: a text, a YAML file with all players (`players.yaml`), or a text in which `@FILE.yaml` stands
//! for one player.

use super::load::{FileKind, read_as};
use super::output::{Failure, Verdict};
use super::problem::{Problem, Source};
use crate::players::PlayerSpec;
use crate::players::spec::{split, trim};
use crate::players::yaml::{self, Converted};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

const PLAYERS: FileKind = FileKind {
    what: "a file of players",
    endings: &["yaml", "yml"],
    largest: yaml::LARGEST as u64,
};

/// One text that says who plays, put together from the argument and the files that it names.
pub struct PlayersText {
    pub text: String,
    parts: Vec<Part>,
}

/// A stretch of the text, and where it comes from.
struct Part {
    start: usize,
    source: Rc<Source>,
    origin: Origin,
}

enum Origin {
    /// The same bytes from here on in the source.
    Copy(usize),
    Yaml(Converted),
}

/// A player with all of its settings, those too that nobody has set; in brackets where these are.
pub fn settings(spec: &PlayerSpec) -> String {
    let all = spec
        .all_settings()
        .map(|(name, value, is_set)| match is_set {
            true => format!("{name}={value}"),
            false => format!("[{name}={value}]"),
        });
    let all = all.collect::<Vec<_>>().join(" ");
    let gap = if all.is_empty() { "" } else { ": " };
    format!("player {}{gap}{all}", spec.entry().name)
}

/// Reads the argument of an option and the files that it names.
pub fn players_text(option: &str, argument: &str) -> Result<PlayersText, Failure> {
    let mut all = PlayersText {
        text: String::new(),
        parts: Vec::new(),
    };
    let whole = argument.trim();
    if is_yaml(whole) && !whole.contains(['=', ',', '(', '@']) {
        all.yaml(whole, yaml::players)?;
        return Ok(all);
    }
    let source = Rc::new(Source::new(option, argument));
    for (i, range) in split(argument, 0..argument.len(), ',')
        .into_iter()
        .enumerate()
    {
        if i > 0 {
            all.text.push(',');
        }
        match file_in(argument, range.clone()) {
            None => all.copy(&source, argument, range),
            Some(file) if file.is_empty() => {
                let message = format!("{option}: no file is named after `@`");
                return Err(Failure::advised(message, "such as `@strong.yaml`"));
            }
            Some(file) => {
                all.copy(&source, argument, range.start..file.start - 1);
                all.yaml(&argument[file], yaml::player)?;
            }
        }
    }
    Ok(all)
}

fn is_yaml(path: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|e| e == "yaml" || e == "yml")
}

/// Where the path stands in `@path` or `SEAT=@path`.
fn file_in(text: &str, entry: Range<usize>) -> Option<Range<usize>> {
    let entry = trim(text, entry);
    let at = entry.start + text[entry.clone()].find('@')?;
    let before = text[entry.start..at].trim();
    let alone = before.is_empty() || before.ends_with('=') && !before.contains('(');
    alone.then(|| trim(text, at + 1..entry.end).start.min(at + 1)..entry.end)
}

impl PlayersText {
    fn copy(&mut self, source: &Rc<Source>, argument: &str, range: Range<usize>) {
        self.parts.push(Part {
            start: self.text.len(),
            source: source.clone(),
            origin: Origin::Copy(range.start),
        });
        self.text.push_str(&argument[range]);
    }

    fn yaml(
        &mut self,
        path: &str,
        convert: fn(&str, &str) -> Result<Converted, Box<Diagnostic>>,
    ) -> Result<(), Failure> {
        let source = Rc::new(read_as(Path::new(path.trim()), PLAYERS)?);
        let folder = Path::new(path.trim()).parent().unwrap_or(Path::new(""));
        let converted = convert(&source.text, &folder.display().to_string())
            .map_err(|d| Failure::wrong_use(Problem::InText(source.clone(), *d)))?;
        self.parts.push(Part {
            start: self.text.len(),
            source,
            origin: Origin::Yaml(converted.clone()),
        });
        self.text.push_str(&converted.text);
        Ok(())
    }

    /// A problem with the text, shown where it comes from.
    pub fn failure(&self, mut diagnostic: Diagnostic) -> Failure {
        let at = diagnostic.span.start as usize;
        let length = diagnostic.span.range().len();
        // A problem at the very end of a part belongs to it, not to the next one.
        let part = self.parts.iter().rev().find(|p| p.start <= at);
        let Some(part) = part.or(self.parts.first()) else {
            return Failure::wrong_use(Problem::outside(Some(diagnostic.code), diagnostic.message));
        };
        let within = at.saturating_sub(part.start);
        let range = match &part.origin {
            Origin::Copy(start) => {
                let end = (start + within + length).min(part.source.text.len());
                start + within..end
            }
            Origin::Yaml(converted) => converted.place(&part.source.text, within),
        };
        diagnostic.span = Span::new(range.start, range.end);
        Failure {
            problems: vec![Problem::InText(part.source.clone(), diagnostic)],
            verdict: Verdict::WrongUse,
        }
    }
}
