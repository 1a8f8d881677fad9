//! Runs the grammar over a text and builds the tree from what it finds, one file per group of constructs.
//!
//! It counts on `scan` for matching brackets. Nothing here knows what a name means.

mod boards;
mod declarations;
mod explain;
mod expressions;
mod habits;
mod items;
mod knowledge;
mod looks;
mod misspelt;
mod operators;
mod plain_play;
mod plain_words;
mod problems;
mod slips;
mod statements;
mod stuck;
#[cfg(test)]
mod tests;
mod texts;
mod types;

use super::ast::{Comment, Extends, File, Name};
use super::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use pest::Parser;
use pest::iterators::Pair;
use std::collections::BTreeSet;

/// The grammar of `grammar/game.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "../grammar/game.pest"]
struct Grammar;

/// A piece of text with the rule of the grammar that it matched.
type Piece<'t> = Pair<'t, Rule>;

/// The deepest tree that is built. Later phases walk it by recursion.
const MAX_DEPTH: usize = 250;

/// Builds the tree and collects problems.
struct Reader<'t> {
    text: &'t str,
    comments: Vec<Comment>,
    problems: Vec<Diagnostic>,
    /// Where the text that is being read begins in the file: not 0 within the holes of a text.
    offset: usize,
    /// The words of what could not be read.
    lost: BTreeSet<String>,
    /// How deep the tree is above the piece that is being read.
    depth: usize,
}

/// Reads a text that `scan` found sound.
pub(super) fn file(
    text: &str,
    comments: Vec<Comment>,
    problems: Vec<Diagnostic>,
) -> (Option<File>, Vec<Diagnostic>) {
    let mut reader = Reader {
        text,
        comments,
        problems,
        offset: 0,
        lost: BTreeSet::new(),
        depth: 0,
    };
    let file = match Grammar::parse(Rule::file, text) {
        Ok(mut pieces) => pieces.next().and_then(|piece| reader.file(piece)),
        Err(failure) => {
            reader.report_header(&failure);
            None
        }
    };
    (file, reader.problems)
}

impl<'t> Reader<'t> {
    fn file(&mut self, piece: Piece<'t>) -> Option<File> {
        let span = self.span(&piece);
        let mut name = None;
        let mut extends = None;
        let mut contents = Vec::new();
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => name = Some(self.name(&part)),
                Rule::extends => {
                    let quoted = part.into_inner().find(|p| p.as_rule() == Rule::text)?;
                    extends = Some(Extends {
                        path: quoted.as_str().trim_matches('"').to_owned(),
                        span: self.span(&quoted),
                    });
                }
                Rule::kw_game | Rule::lbrace | Rule::rbrace | Rule::semi | Rule::EOI => {}
                _ => contents.push(part),
            }
        }
        let items = self.items(contents);
        Some(File {
            name: name?,
            extends,
            items,
            lost: std::mem::take(&mut self.lost),
            comments: std::mem::take(&mut self.comments),
            span,
        })
    }

    fn name(&self, piece: &Piece<'_>) -> Name {
        Name {
            text: piece.as_str().to_owned(),
            span: self.span(piece),
        }
    }

    /// The bytes of a piece, without the blanks and comments that the grammar skipped at its end.
    fn span(&self, piece: &Piece<'_>) -> Span {
        let whole = piece.as_span();
        self.trimmed(Span::new(
            whole.start() + self.offset,
            whole.end() + self.offset,
        ))
    }

    /// The span without blanks and comments at its end.
    fn trimmed(&self, span: Span) -> Span {
        let (start, mut end) = (span.start as usize, span.end as usize);
        loop {
            end = self.text.get(start..end).map_or(end, |t| {
                start
                    + t.trim_end_matches([' ', '\t', '\r', '\n', '\u{FEFF}', '\u{A0}'])
                        .len()
            });
            let last = self
                .comments
                .partition_point(|c| (c.span.start as usize) < end);
            match last.checked_sub(1).and_then(|i| self.comments.get(i)) {
                Some(comment)
                    if comment.span.end as usize >= end && comment.span.start as usize > start =>
                {
                    end = comment.span.start as usize;
                }
                _ => return Span::new(start, end),
            }
        }
    }

    fn report(&mut self, problem: Diagnostic) {
        // What comes of one depth is told once.
        let deep = |d: &Diagnostic| d.code == codes::TOO_DEEP;
        if deep(&problem) && self.problems.iter().any(deep) {
            return;
        }
        if self.problems.len() <= super::scan::MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// Runs `read` `levels` deeper, or reports that this is too deep and gives nothing.
    fn deeper<T>(
        &mut self,
        levels: usize,
        span: Span,
        read: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        if self.depth + levels > MAX_DEPTH {
            self.report(explain::too_deep(span));
            return None;
        }
        self.depth += levels;
        let result = read(self);
        self.depth -= levels;
        Some(result)
    }

    /// Keeps the first of several clauses of one kind and reports the others.
    fn once<T>(&mut self, slot: &mut Option<T>, value: T, what: &str, span: Span) {
        if slot.is_none() {
            *slot = Some(value);
        } else {
            self.report(
                Diagnostic::error(
                    codes::GIVEN_TWICE,
                    span,
                    format!("`{what}` is given twice here"),
                )
                .hint("keep one of them"),
            );
        }
    }
}
