//! One way to report a problem in a file: a stable code, where, why, and what to do about it.

use crate::text::edits::{Edit, Proposal};
use crate::text::sources::Sources;
use crate::text::span::Span;
use crate::text::wrap::wrapped;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;
use std::borrow::Cow;
use std::ops::Range;

/// A stable code such as `E0201`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Code(pub &'static str);

/// How bad a problem is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The game cannot be played.
    Error,
    /// The game can be played, and something in it is likely to be a mistake.
    Warning,
    /// Something to think about; nothing need be wrong.
    Note,
}

/// A problem: what it is, where in the text, and what may help. [`Diagnostic::render`] prints it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Which kind of problem it is; `ruse explain` has a page for each.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One line in words of the game.
    pub message: String,
    /// The place that it is about.
    pub span: Span,
    /// What stands beside the caret; may be empty.
    pub label: String,
    /// Further places that explain it.
    pub notes: Vec<(Span, String)>,
    /// What to write instead.
    pub hint: Option<String>,
    /// The same as changes of the text, where the hint says all that has to be changed; else empty.
    pub edits: Vec<Edit>,
    /// The key in the [`Settings`](crate::Settings) that it is about, where it is about one and not about the text.
    #[serde(skip)]
    pub setting: Option<Box<str>>,
    /// Changes that may mend it, the best first; [`load`](crate::load) tries them, unless that takes too long (`None`).
    #[doc(hidden)]
    #[serde(skip)]
    pub proposals: Option<Vec<Proposal>>,
}

impl Diagnostic {
    #[doc(hidden)]
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            notes: Vec::new(),
            hint: None,
            edits: Vec::new(),
            setting: None,
            proposals: None,
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn of_setting(mut self, key: &str) -> Diagnostic {
        self.setting = Some(key.into());
        self
    }

    #[doc(hidden)]
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// A note, which is neither an error nor a warning.
    #[doc(hidden)]
    pub fn note_of(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Note,
            ..Diagnostic::error(code, span, message)
        }
    }

    #[doc(hidden)]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    #[doc(hidden)]
    pub fn note(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.notes.push((span, text.into()));
        self
    }

    #[doc(hidden)]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Proposes another text for the place that it is about.
    #[doc(hidden)]
    pub fn rewrite(self, text: impl Into<String>) -> Diagnostic {
        let span = self.span;
        self.edit(span, text)
    }

    /// Proposes another text for a place; an empty place takes it in.
    #[doc(hidden)]
    pub fn edit(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.edits.push(Edit::new(span, text));
        self
    }

    /// The hint and the change for a name that is near to one that there is.
    #[doc(hidden)]
    pub fn did_you_mean(self, near: &str) -> Diagnostic {
        self.hint(format!("did you mean `{near}`?")).rewrite(near)
    }

    /// Whether the game cannot be played because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The report in several lines, with the place in the text, as rustc draws it. `file` is the name to print for the text.
    /// `colour`: with escape codes for a terminal.
    pub fn render(&self, file: &str, text: &str, colour: bool) -> String {
        self.render_in(&Sources::new(file, text), colour)
    }

    /// As [`Diagnostic::render`], for a game that is read from several files by [`load_with`](crate::load_with).
    pub fn render_in(&self, sources: &Sources, colour: bool) -> String {
        self.render_for(sources, colour, None)
    }

    /// The same for a terminal that is so many characters wide, if it is one.
    #[doc(hidden)]
    pub fn render_for(&self, sources: &Sources, colour: bool, width: Option<usize>) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let clamp = |text: &str, span: Span| {
            let end = floor_boundary(text, span.end as usize);
            floor_boundary(text, span.start as usize).min(end)..end
        };
        let (primary, at) = sources.locate(self.span);
        let message = broken(&self.message, width);
        let title = level.primary_title(message.as_ref());
        let mut group = Group::with_title(title.id(self.code.0));
        // What has no room beside its place.
        let mut below: Vec<&String> = Vec::new();
        let others = (0..sources.files.len()).filter(|n| *n != primary);
        for number in std::iter::once(primary).chain(others) {
            let Some(file) = sources.files.get(number) else {
                continue;
            };
            let text = file.text.as_str();
            let mut snippet = Snippet::source(text).path(file.name.as_str());
            let mut told = number == primary;
            if told {
                let place = clamp(text, at);
                let label = beside(&self.label, text, &place, width);
                below.extend(label.is_none().then_some(&self.label));
                let kind = AnnotationKind::Primary.span(place);
                snippet = snippet.annotation(kind.label(label.unwrap_or_default()));
            }
            for (span, note) in &self.notes {
                let (other, span) = sources.locate(*span);
                let place = clamp(text, span);
                if other != number || number == primary && are_far(text, &clamp(text, at), &place) {
                    continue;
                }
                told = true;
                let label = beside(note, text, &place, width);
                below.extend(label.is_none().then_some(note));
                let kind = AnnotationKind::Context.span(place);
                snippet = snippet.annotation(kind.label(label.unwrap_or_default()));
            }
            if told {
                group = group.element(snippet);
            }
        }
        for text in below {
            group = group.element(Level::NOTE.message(broken(text, width)));
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(broken(hint, width)));
        }
        renderer(colour, width).render(&[group]).clone()
    }
}

/// Two places of one line are drawn with all that stands between them, up to so many bytes.
const FAR: usize = 1000;

/// Whether two places stand in one line, and too far apart to be drawn together.
fn are_far(text: &str, a: &Range<usize>, b: &Range<usize>) -> bool {
    let (from, to) = (a.end.min(b.end), a.start.max(b.start));
    to > from + FAR && !text[from..to].contains('\n')
}

/// How problems are drawn: with escape codes, and for a terminal of a width.
pub fn renderer(colour: bool, width: Option<usize>) -> Renderer {
    let renderer = match colour {
        true => Renderer::styled(),
        false => Renderer::plain(),
    };
    match width {
        Some(width) => renderer.term_width(width),
        None => renderer,
    }
}

/// What stands before a message, at most: `warning[E0201]: `.
const BEFORE_MESSAGE: usize = 17;

/// What stands before and after a source line, at most: the number of the line, a bar, and a space before the label.
const AROUND_SOURCE: usize = 10;

/// A message in lines that fit below each other.
pub fn broken(text: &str, width: Option<usize>) -> Cow<'_, str> {
    let text = brief(text);
    match width {
        None => text,
        Some(width) => {
            let room = width.saturating_sub(BEFORE_MESSAGE);
            Cow::Owned(wrapped(&text, room).join("\n"))
        }
    }
}

/// A text beside a place of a source; `None`: it has no room there.
fn beside<'t>(
    text: &'t str,
    source: &str,
    place: &Range<usize>,
    width: Option<usize>,
) -> Option<Cow<'t, str>> {
    let line = source[..place.end].rfind('\n').map_or(0, |end| end + 1);
    let column = source[line..place.end].chars().count();
    let needed = column + text.chars().count() + AROUND_SOURCE;
    (text.is_empty() || width.is_none_or(|width| needed <= width)).then(|| brief(text))
}

/// The most characters of a message that are shown; what is named in one may be as long as the file.
const SHOWN: usize = 600;

/// A text for people, cut where it gets too long.
pub fn brief(text: &str) -> Cow<'_, str> {
    shortened(text, SHOWN)
}

/// A text of at most so many characters, and a mark where it was cut.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The greatest character boundary at or below `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at.min(text.len()))
}
