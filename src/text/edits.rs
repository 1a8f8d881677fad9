//! Changes of a text that a report proposes: what stands in a place gives way to something else.

use crate::text::sources::Sources;
use crate::text::span::Span;
use serde::Serialize;

/// A change of the text: `text` takes the place of what stands at `span`, which is empty where something is put in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// What is to stand there.
    pub text: String,
}

impl Edit {
    #[doc(hidden)]
    pub fn new(span: Span, text: impl Into<String>) -> Edit {
        let text = text.into();
        Edit { span, text }
    }
}

/// The text with these changes, which do not overlap; `None` where they do, or where one lies outside of the text.
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut ordered: Vec<&Edit> = edits.iter().collect();
    ordered.sort_by_key(|e| e.span);
    let mut changed = String::with_capacity(text.len());
    let mut at = 0;
    for edit in ordered {
        changed.push_str(text.get(at..edit.span.start as usize)?);
        changed.push_str(&edit.text);
        at = edit.span.end as usize;
    }
    changed.push_str(text.get(at..)?);
    Some(changed)
}

/// Where a place lies after some changes; what they put in at its ends belongs to it.
pub fn moved(span: Span, edits: &[Edit]) -> Span {
    let (mut start, mut end) = (i64::from(span.start), i64::from(span.end));
    for edit in edits {
        let more = edit.text.len() as i64 - (i64::from(edit.span.end) - i64::from(edit.span.start));
        if edit.span.end <= span.start && edit.span.start < span.start {
            start += more;
            end += more;
        } else if edit.span.start <= span.end {
            end += more;
        }
    }
    Span {
        start: start as u32,
        end: end.max(start) as u32,
    }
}

/// A piece of the text of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// As it stands here.
    Text(String),
    /// What stands in a place now.
    Copy(Span),
}

/// Changes that may mend a problem, and the hint for the case that they do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposal {
    /// In the place of the problem's own hint, unless it is empty.
    pub hint: Vec<Piece>,
    /// What is replaced, and by what.
    pub changes: Vec<(Span, Vec<Piece>)>,
}

impl Proposal {
    /// Another hint than that of the problem.
    pub fn hint(hint: impl Into<Vec<Piece>>) -> Proposal {
        Proposal {
            hint: hint.into(),
            changes: Vec::new(),
        }
    }

    /// One more change.
    pub fn change(mut self, span: Span, pieces: impl Into<Vec<Piece>>) -> Proposal {
        self.changes.push((span, pieces.into()));
        self
    }

    /// Puts something in where a place begins.
    pub fn before(self, at: Span, pieces: impl Into<Vec<Piece>>) -> Proposal {
        let (start, end) = (at.start, at.start);
        self.change(Span { start, end }, pieces)
    }

    /// Puts something in where a place ends.
    pub fn after(self, at: Span, pieces: impl Into<Vec<Piece>>) -> Proposal {
        let (start, end) = (at.end, at.end);
        self.change(Span { start, end }, pieces)
    }

    /// The changes with what is copied from the text, in its order, those that touch as one; `None` if one does not
    /// stand in one file, or would take a comment away.
    pub fn edits(&self, sources: &Sources) -> Option<Vec<Edit>> {
        let mut changes: Vec<&(Span, Vec<Piece>)> = self.changes.iter().collect();
        changes.sort_by_key(|(span, _)| *span);
        let mut edits: Vec<Edit> = Vec::new();
        for (span, pieces) in changes {
            let text = written(pieces, sources)?;
            match edits.last_mut().filter(|last| last.span.end == span.start) {
                Some(last) => {
                    last.span.end = span.end;
                    last.text.push_str(&text);
                }
                None => edits.push(Edit::new(*span, text)),
            }
        }
        // A comment in what is replaced would be lost.
        let kept = |e: &Edit| {
            sources
                .slice(e.span)
                .is_some_and(|text| !text.contains("//"))
        };
        edits.iter().all(kept).then_some(edits)
    }
}

/// The text of some pieces, one after the other; `None` if one does not stand in one file.
pub fn written(pieces: &[Piece], sources: &Sources) -> Option<String> {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(words) => text.push_str(words),
            Piece::Copy(from) => text.push_str(sources.slice(*from)?),
        }
    }
    Some(text)
}

impl From<&str> for Piece {
    fn from(text: &str) -> Piece {
        Piece::Text(text.to_string())
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Piece {
        Piece::Text(text)
    }
}

impl From<Span> for Piece {
    fn from(span: Span) -> Piece {
        Piece::Copy(span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit::new(Span::new(start, end), text)
    }

    #[test]
    fn edits_stand_in_any_order_and_do_not_overlap() {
        let both = [edit(4, 7, "two"), edit(0, 0, "and ")];
        assert_eq!(apply("one ♣", &both), Some("and one two".to_string()));
        assert_eq!(apply("one", &[edit(0, 2, "x"), edit(1, 3, "y")]), None);
        assert_eq!(apply("one", &[edit(4, 4, "x")]), None);
        assert_eq!(apply("♣", &[edit(1, 3, "x")]), None);
    }

    #[test]
    fn a_place_moves_with_what_is_put_in_before_it_and_takes_in_what_touches_it() {
        let place = |start, end, edits: &[Edit]| {
            let moved = moved(Span::new(start, end), edits);
            (moved.start, moved.end)
        };
        assert_eq!(place(4, 7, &[edit(0, 1, "xyz")]), (6, 9));
        assert_eq!(place(4, 7, &[edit(8, 9, "")]), (4, 7));
        assert_eq!(place(4, 7, &[edit(4, 4, "f("), edit(7, 7, ")")]), (4, 10));
        assert_eq!(place(4, 7, &[edit(4, 7, "")]), (4, 4));
    }

    #[test]
    fn a_proposal_copies_from_the_text() {
        let sources = Sources::new("a.game", "if x { }");
        let told = Proposal::default()
            .change(Span::new(3, 4), ["y".into()])
            .before(Span::new(0, 8), ["let y = ".into(), Span::new(3, 4).into()]);
        let edits = told.edits(&sources).unwrap();
        let changed = apply("if x { }", &edits);
        assert_eq!(changed.as_deref(), Some("let y = xif y { }"));
        let touching = Proposal::default()
            .change(Span::new(0, 2), ["while".into()])
            .before(Span::new(0, 2), ["let z = 1  ".into()]);
        let edits = touching.edits(&sources).unwrap();
        assert_eq!(edits, [edit(0, 2, "let z = 1  while")]);
    }
}
