//! The files that one game is read from: a variant, the game that it extends, and so on.
//!
//! Spans count on through all of them, as if the files stood one after the other with a byte between them.

use crate::text::span::Span;

/// A file with its place among the spans.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path, or another name for people.
    pub name: String,
    /// All of it.
    pub text: String,
    /// Where its spans begin.
    pub start: u32,
}

/// The files that one game was read from. Spans count on through all of them.
#[derive(Clone, Debug)]
pub struct Sources {
    #[doc(hidden)]
    pub files: Vec<SourceFile>,
}

impl Sources {
    /// A single file, by its name for people and its text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Sources {
        let mut sources = Sources { files: Vec::new() };
        sources.add(name.into(), text.into());
        sources
    }

    /// Adds a file; its spans begin after those of all others.
    #[doc(hidden)]
    pub fn add(&mut self, name: String, text: String) -> u32 {
        let start = self.end();
        self.files.push(SourceFile { name, text, start });
        start
    }

    /// Where the spans of another file would begin.
    #[doc(hidden)]
    pub fn end(&self) -> u32 {
        let last = self.files.last();
        last.map_or(0, |f| f.start + f.text.len() as u32 + 1)
    }

    /// What stands in a place.
    #[doc(hidden)]
    pub fn slice(&self, span: Span) -> Option<&str> {
        let (number, within) = self.locate(span);
        self.files.get(number)?.text.get(within.range())
    }

    /// The number of the file that a span is in, and the span within its text. The first file is the one that was asked for.
    pub fn locate(&self, span: Span) -> (usize, Span) {
        let after = self.files.partition_point(|f| f.start <= span.start);
        let number = after.saturating_sub(1);
        let start = self.files.get(number).map_or(0, |f| f.start);
        let within = Span {
            start: span.start - start,
            end: span.end.saturating_sub(start).max(span.start - start),
        };
        (number, within)
    }
}
