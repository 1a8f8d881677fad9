//! A part of a text that could not be read, and tools to look around in it.

use super::explain::{is_letter, word_span};
use super::{Grammar, Rule};
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::edits::{Edit, apply};
use crate::text::span::Span;
use pest::Parser;

/// How far a bracket is looked for.
const FAR: usize = 4096;

/// A part that could not be read.
pub(super) struct Stuck<'t> {
    pub(super) text: &'t str,
    /// Where the part begins that is read again: it holds the last one that could be read.
    pub(super) from: usize,
    /// What could not be read.
    pub(super) region: Span,
    /// The word or sign at which the reading stopped.
    pub(super) at: Span,
    pub(super) code: Code,
}

impl<'t> Stuck<'t> {
    fn part(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn skipped(&self) -> &'t str {
        self.part(self.start(), self.end())
    }

    pub(super) fn start(&self) -> usize {
        self.region.start as usize
    }

    pub(super) fn end(&self) -> usize {
        self.region.end as usize
    }

    /// The first word or sign of what could not be read.
    pub(super) fn first(&self) -> &'t str {
        let span = self.first_span();
        self.part(span.start as usize, span.end as usize)
    }

    pub(super) fn first_span(&self) -> Span {
        word_span(self.text, self.start())
    }

    pub(super) fn found(&self) -> &'t str {
        self.part(self.at.start as usize, self.at.end as usize)
    }

    /// What could be read before the part, on the same line.
    pub(super) fn before(&self) -> &'t str {
        let read = self.part(self.from, self.start());
        read.rsplit('\n').next().unwrap_or_default()
    }

    /// The last word before a place, blanks between them left out.
    pub(super) fn word_before(&self, place: usize) -> (&'t str, Span) {
        let head = self.part(0, place).trim_end();
        let word = head.len() - head.trim_end_matches(is_letter).len();
        let start = head.len() - word;
        (&head[start..], Span::new(start, head.len()))
    }

    pub(super) fn problem(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.code, span, message)
    }

    /// The problem with its edits if the part can be read with them, and else without.
    pub(super) fn proposed(&self, problem: Diagnostic, edits: Vec<Edit>) -> Diagnostic {
        match self.reads_with(&edits) {
            true => Diagnostic { edits, ..problem },
            false => problem,
        }
    }

    fn reads_with(&self, edits: &[Edit]) -> bool {
        let (from, end) = (self.from, self.end());
        let within = |e: &Edit| (from..=end).contains(&(e.span.start as usize));
        let inside = |e: &Edit| (e.span.end as usize) <= end;
        if end - from > FAR || !edits.iter().all(|e| within(e) && inside(e)) {
            return false;
        }
        let own = edits.iter().map(|e| {
            let (start, stop) = (e.span.start as usize - from, e.span.end as usize - from);
            Edit::new(Span::new(start, stop), e.text.clone())
        });
        let own: Vec<Edit> = own.collect();
        let Some(again) = apply(self.part(from, end), &own) else {
            return false;
        };
        let rules = [
            Rule::strict_stmts,
            Rule::strict_items,
            Rule::strict_vars,
            Rule::strict_arms,
            Rule::strict_alternatives,
            Rule::strict_entries,
        ];
        rules
            .iter()
            .any(|rule| Grammar::parse(*rule, &again).is_ok())
    }

    /// The bracket that is open at a place.
    pub(super) fn opened(&self, place: usize) -> Option<(usize, char)> {
        let start = place.saturating_sub(FAR);
        let head = self.text.get(start..place)?;
        let mut depth = 0;
        for (at, c) in head.char_indices().rev() {
            match c {
                ')' | ']' | '}' => depth += 1,
                '(' | '[' | '{' if depth > 0 => depth -= 1,
                '(' | '[' | '{' => return Some((start + at, c)),
                _ => {}
            }
        }
        None
    }

    /// Whether it stands in the list of moves of a choice.
    pub(super) fn among_moves(&self) -> bool {
        let opened = self.opened(self.at.start as usize);
        opened.is_some_and(|(open, bracket)| {
            bracket == '{' && ["chooses", "secretly"].contains(&self.word_before(open).0)
        })
    }

    /// Where the bracket closes that opens at a place.
    pub(super) fn closed(&self, open: usize) -> Option<usize> {
        let end = (open + FAR).min(self.text.len());
        let bytes = self.text.as_bytes().get(open..end)?;
        let mut depth = 0usize;
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Some(open + at);
            }
        }
        None
    }
}

/// The place of a word in a text, outside of brackets and texts in quotes.
pub(super) fn word_in(text: &str, word: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut before) = (0usize, false, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let here = depth == 0 && !quoted && !is_letter(before);
        if here && text[at..].starts_with(word) && !text[at + word.len()..].starts_with(is_letter) {
            return Some(at);
        }
        before = c;
    }
    None
}

/// Whether a text is a name, or a number.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_letter)
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
