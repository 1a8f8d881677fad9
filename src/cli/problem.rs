//! A problem as the command line reports it: a diagnostic with the file that it is about, or trouble outside any text;
//! as text for people or as JSON.

use crate::text::BYTE_ORDER_MARK;
use crate::text::diagnostics::{Code, Diagnostic, Severity, broken, renderer};
use crate::text::edits::Edit;
use crate::text::sources::Sources;
use crate::text::span::Span;
use crate::text::wrap::fit;
use annotate_snippets::Level;
use serde::Serialize;
use std::rc::Rc;

/// A file as it was read.
#[derive(Debug)]
pub struct Source {
    /// The path as the user wrote it.
    pub path: String,
    pub text: String,
    /// The same with the files that it extends.
    pub sources: Sources,
    /// The bytes of the file before the text.
    skipped: usize,
}

impl Source {
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Source {
        let (path, text) = (path.into(), text.into());
        Source {
            sources: Sources::new(path.clone(), text.clone()),
            path,
            text,
            skipped: 0,
        }
    }

    /// The same without a mark of the byte order at the start.
    pub fn after_mark(path: impl Into<String>, text: impl Into<String>) -> Source {
        let whole = text.into();
        let text = whole.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&whole);
        Source {
            skipped: whole.len() - text.len(),
            ..Source::new(path, text)
        }
    }

    /// The file that a span is in.
    fn file(&self, span: Span) -> &str {
        let file = self.sources.files.get(self.sources.locate(span).0);
        file.map_or(&self.path, |f| &f.name)
    }

    /// The same, where it is not the file that was asked for but one that it extends.
    pub fn other_file(&self, span: Span) -> Option<String> {
        let file = self.file(span);
        (self.sources.locate(span).0 > 0).then(|| file.to_string())
    }

    fn edit(&self, edit: &Edit) -> EditJson {
        EditJson {
            file: self.file(edit.span).to_string(),
            place: self.place(edit.span),
            text: edit.text.clone(),
        }
    }

    /// A place in the file that a span is in.
    pub fn place(&self, span: Span) -> Location {
        let (number, within) = self.sources.locate(span);
        let file = self.sources.files.get(number);
        let mut place = Location::of(file.map_or(&self.text, |f| &f.text), within);
        if number == 0 {
            let range = place.span.range();
            place.span = Span::new(range.start + self.skipped, range.end + self.skipped);
        }
        place
    }
}

#[derive(Clone, Debug)]
pub enum Problem {
    /// A place in a game, or in a text of the command line.
    InText(Rc<Source>, Diagnostic),
    /// No place in any text: a missing file, a player that does not exist.
    Outside {
        file: Option<String>,
        code: Option<Code>,
        message: String,
        hint: Option<String>,
    },
    /// Nothing is wrong, but work was stopped before it came to anything.
    Stopped(String),
}

impl Problem {
    pub fn outside(code: Option<Code>, message: impl Into<String>) -> Problem {
        Problem::Outside {
            file: None,
            code,
            message: message.into(),
            hint: None,
        }
    }

    pub fn is_error(&self) -> bool {
        match self {
            Problem::InText(_, diagnostic) => diagnostic.is_error(),
            Problem::Outside { .. } | Problem::Stopped(_) => true,
        }
    }

    /// A note: nothing need be wrong.
    pub fn is_note(&self) -> bool {
        matches!(self, Problem::InText(_, d) if d.severity == Severity::Note)
    }

    /// What is wrong, in one line.
    pub fn message(&self) -> &str {
        match self {
            Problem::InText(_, diagnostic) => &diagnostic.message,
            Problem::Outside { message, .. } | Problem::Stopped(message) => message,
        }
    }

    /// The report for people, for a terminal of a width if it is one, ending without a newline.
    pub fn render(&self, colour: bool, width: Option<usize>) -> String {
        match self {
            Problem::InText(source, diagnostic) => {
                diagnostic.render_for(&source.sources, colour, width)
            }
            Problem::Outside {
                code,
                message,
                hint,
                ..
            } => {
                let mut title = Level::ERROR.primary_title(broken(message, width));
                if let Some(code) = code {
                    title = title.id(code.0);
                }
                let mut group = annotate_snippets::Group::with_title(title);
                if let Some(hint) = hint {
                    group = group.element(Level::HELP.message(broken(hint, width)));
                }
                renderer(colour, width).render(&[group]).clone()
            }
            Problem::Stopped(message) => match width {
                Some(width) => fit(message, width),
                None => message.clone(),
            },
        }
    }

    pub fn json(&self) -> ProblemJson {
        match self {
            Problem::InText(source, diagnostic) => ProblemJson {
                file: Some(source.file(diagnostic.span).to_string()),
                severity: diagnostic.severity,
                code: Some(diagnostic.code),
                message: diagnostic.message.clone(),
                place: Some(source.place(diagnostic.span)),
                label: diagnostic.label.clone(),
                notes: diagnostic
                    .notes
                    .iter()
                    .map(|(span, text)| NoteJson {
                        message: text.clone(),
                        place: source.place(*span),
                    })
                    .collect(),
                hint: diagnostic.hint.clone(),
                edits: diagnostic.edits.iter().map(|e| source.edit(e)).collect(),
            },
            Problem::Outside {
                file,
                code,
                message,
                hint,
            } => ProblemJson {
                file: file.clone(),
                code: *code,
                hint: hint.clone(),
                ..ProblemJson::without_place(message)
            },
            Problem::Stopped(message) => ProblemJson::without_place(message),
        }
    }
}

#[derive(Debug, Serialize)]
pub struct ProblemJson {
    pub file: Option<String>,
    pub severity: Severity,
    pub code: Option<Code>,
    pub message: String,
    #[serde(flatten)]
    pub place: Option<Location>,
    pub label: String,
    pub notes: Vec<NoteJson>,
    pub hint: Option<String>,
    pub edits: Vec<EditJson>,
}

impl ProblemJson {
    fn without_place(message: &str) -> ProblemJson {
        ProblemJson {
            file: None,
            severity: Severity::Error,
            code: None,
            message: message.to_string(),
            place: None,
            label: String::new(),
            notes: Vec::new(),
            hint: None,
            edits: Vec::new(),
        }
    }
}

/// A change of a file that would mend it: the text takes the place of the bytes.
#[derive(Debug, Serialize)]
pub struct EditJson {
    pub file: String,
    #[serde(flatten)]
    pub place: Location,
    pub text: String,
}

#[derive(Debug, Serialize)]
pub struct NoteJson {
    pub message: String,
    #[serde(flatten)]
    pub place: Location,
}

/// A place in a text for machines: line and column of its start, and the bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Location {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// Bytes from the start of the file.
    pub span: Span,
}

impl Location {
    pub fn of(text: &str, span: Span) -> Location {
        let start = text.floor_char_boundary((span.start as usize).min(text.len()));
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Location {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            span,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_lines_from_one_and_columns_in_characters() {
        let text = "game ♣\n  ♥x";
        let at = text.find('x').unwrap();
        let place = Location::of(text, Span::new(at, at + 1));
        assert_eq!((place.line, place.column), (2, 4));
        assert_eq!(Location::of(text, Span::new(0, 4)).line, 1);
        let past = Location::of(text, Span::new(900, 901));
        assert_eq!((past.line, past.column), (2, 5));
        assert_eq!(Location::of("", Span::default()).column, 1);
    }

    #[test]
    fn a_place_counts_the_bytes_of_a_mark_and_no_column_for_it() {
        let source = Source::after_mark("a.yaml", "\u{FEFF}game: x");
        assert_eq!(source.text, "game: x");
        let place = source.place(Span::new(6, 7));
        assert_eq!((place.column, place.span), (7, Span::new(9, 10)));
    }

    #[test]
    fn trouble_outside_a_text_has_its_hint_and_no_place() {
        let problem = Problem::Outside {
            file: Some("a.game".to_string()),
            code: Some(Code("E0801")),
            message: "a.game cannot be read".to_string(),
            hint: Some("look again".to_string()),
        };
        let text = problem.render(false, None);
        assert!(
            text.contains("error[E0801]: a.game cannot be read"),
            "{text}"
        );
        assert!(text.contains("help: look again"), "{text}");
        let json = serde_json::to_value(problem.json()).unwrap();
        assert_eq!(json["code"], "E0801");
        assert!(json.get("line").is_none());
    }
}
