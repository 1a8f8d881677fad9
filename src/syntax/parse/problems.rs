//! Finds the place of what could not be read. The words for it are in `explain`.
//!
//! The grammar skips what it cannot read; here the skipped part is read once more without skipping, which tells how far
//! it made sense and what could have followed.

use super::declarations::word_for_a_value;
use super::explain::{Failure, explain, is_letter, position, too_deep, word_span};
use super::{Grammar, Piece, Reader, Rule};
use crate::syntax::codes;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::nearest::nearest;
use crate::text::span::Span;
use pest::Parser;
use pest::error::ErrorVariant;

/// What every game has; misspelt, it is not missed.
const BLOCKS: [&str; 3] = ["players", "play", "payoff"];

/// The longest stretch that is read again.
const REREAD: usize = 4096;

/// So near before a statement an `else` is one of its row.
const CHAINED: usize = 120;

/// Where a part that cannot be read stands.
#[derive(Copy, Clone, PartialEq)]
pub(super) enum Region {
    Items,
    Vars,
    Statements,
    Arms,
    Alternatives,
    Knowledge,
}

impl Region {
    fn rule(self) -> Rule {
        match self {
            Region::Items => Rule::strict_items,
            Region::Vars => Rule::strict_vars,
            Region::Statements => Rule::strict_stmts,
            Region::Arms => Rule::strict_arms,
            Region::Alternatives => Rule::strict_alternatives,
            Region::Knowledge => Rule::strict_entries,
        }
    }

    fn code(self) -> Code {
        match self {
            Region::Items | Region::Vars | Region::Knowledge => codes::BAD_ITEM,
            _ => codes::BAD_STATEMENT,
        }
    }
}

impl<'t> Reader<'t> {
    /// Gives every piece to `read`, and reports those that the grammar skipped.
    pub(super) fn recovering(
        &mut self,
        pieces: Vec<Piece<'t>>,
        region: Region,
        mut read: impl FnMut(&mut Self, Piece<'t>),
    ) {
        let limit = pieces.last().map_or(0, |p| p.as_span().end());
        let mut previous: Option<Span> = None;
        let mut after_bad: Option<usize> = None;
        for piece in pieces {
            let span = self.span(&piece);
            match piece.as_rule() {
                Rule::bad_stmt | Rule::bad_item => {
                    self.lose(span);
                    let column = self.column(span.start as usize);
                    // A line that is indented more than the skipped one before it goes on with it, and so does an `else`.
                    let goes_on = after_bad.is_some_and(|c| column > c || self.is_else(span));
                    if !goes_on {
                        self.report_skipped(region, previous, span, limit);
                        let first = self.indent(span.start as usize);
                        after_bad = Some(first);
                    }
                    previous = None;
                }
                Rule::stmt | Rule::arm | Rule::alternative | Rule::state_var => {
                    after_bad = None;
                    previous = Some(span);
                }
                Rule::param
                | Rule::players
                | Rule::team_item
                | Rule::note_item
                | Rule::type_item
                | Rule::enum_item
                | Rule::const_item
                | Rule::graph
                | Rule::lattice
                | Rule::state
                | Rule::def
                | Rule::rule_item
                | Rule::play
                | Rule::payoff
                | Rule::knowledge
                | Rule::playout
                | Rule::filter
                | Rule::evaluate
                | Rule::category
                | Rule::abstraction
                | Rule::layout => {
                    after_bad = None;
                    previous = Some(span);
                }
                _ => {}
            }
            read(self, piece);
        }
    }

    /// Keeps the words of a part that is skipped, so that nobody complains about names declared in it.
    fn lose(&mut self, skipped: Span) {
        let text = self.text.get(skipped.range()).unwrap_or_default();
        // What was read as the value before it begins it, where that is missing.
        let read = &self.text[..skipped.start as usize];
        let value = word_for_a_value(read, text).and_then(|(_, start)| read.get(start..));
        let words = value.into_iter().chain([text]);
        let words = words.flat_map(|text| text.split(|c: char| !is_letter(c)));
        for word in words.filter(|w| !w.is_empty()) {
            let block = BLOCKS
                .iter()
                .copied()
                .filter(|b| b.len().abs_diff(word.len()) < 2);
            self.lost.extend(nearest(word, block).map(str::to_owned));
            self.lost.insert(word.to_owned());
        }
        // Of `deal 3 from deck to each hand` the last word alone could not be read.
        let before = self.text[..skipped.start as usize].trim_end();
        let last = before.rsplit(|c: char| !is_letter(c)).next();
        let each = last.filter(|word| ["each", "every", "some", "no", "count"].contains(word));
        self.lost.extend(each.map(str::to_owned));
        // Of a call whose brackets cannot be read the name alone is left.
        if text.starts_with('(') {
            let before = &self.text[..skipped.start as usize];
            let named = before.rsplit(|c: char| !is_letter(c)).next();
            self.lost.extend(named.map(str::to_owned));
        }
    }

    fn is_else(&self, skipped: Span) -> bool {
        let text = self.text.get(skipped.range()).unwrap_or_default();
        let after = text.strip_prefix("else");
        after.is_some_and(|rest| !rest.starts_with(is_letter))
    }

    fn report_skipped(
        &mut self,
        region: Region,
        previous: Option<Span>,
        skipped: Span,
        limit: usize,
    ) {
        if self.problems.len() > crate::syntax::scan::MAX_PROBLEMS {
            return;
        }
        let (start, end) = (skipped.start as usize, skipped.end as usize);
        // A sign that the language does not have has been reported where it stands.
        let known = |d: &Diagnostic| (start..end).contains(&(d.span.start as usize));
        if self.problems.iter().any(known) {
            return;
        }
        let from = previous.map_or(start, |p| p.start as usize);
        let from = if start - from > REREAD { start } else { from };
        let mut stop = (end + REREAD).min(limit).max(end);
        while !self.text.is_char_boundary(stop) {
            stop -= 1;
        }
        let Some(again) = self.text.get(from..stop) else {
            return;
        };
        let problem = match Grammar::parse(region.rule(), again) {
            Err(failure) if self.reads_alone(region, from, from + position(&failure), limit) => {
                self.too_deep_here(skipped)
            }
            Err(failure) => {
                let mut problem = explain(&failure, self.text, from, skipped, region.code());
                // Another problem than the one that made the grammar skip this part.
                if (problem.span.start as usize) > end.max(start + REREAD) {
                    problem.span = skipped;
                }
                problem
            }
            Ok(_) => Diagnostic::error(
                region.code(),
                skipped,
                "this cannot be read together with what follows",
            ),
        };
        // What it is meant to be is not missed, nor is what it takes the place of.
        for edit in &problem.edits {
            self.lost.insert(edit.text.trim().to_owned());
            self.lose(edit.span);
        }
        self.report(problem);
    }

    /// Whether all from here to a place can be read, and nothing but the bracket of its block comes after that.
    fn reads_alone(&self, region: Region, from: usize, to: usize, limit: usize) -> bool {
        let is_end = self.text.get(to..limit).is_some_and(|rest| rest == "}");
        let all = self.text.get(from..to).filter(|_| is_end);
        all.is_some_and(|text| Grammar::parse(region.rule(), text).is_ok())
    }

    fn too_deep_here(&self, skipped: Span) -> Diagnostic {
        let problem = too_deep(skipped);
        let before = &self.text.as_bytes()[..skipped.start as usize];
        let before = &before[before.len().saturating_sub(CHAINED)..];
        match before.windows(5).any(|word| word == b"else ") {
            true => {
                problem.hint("write the long row of `else if` as a `match`, or as several rows")
            }
            false => problem,
        }
    }

    /// The failure of the whole file: no `game Name {` before, or something after.
    pub(super) fn report_header(&mut self, failure: &Failure) {
        let at = position(failure);
        let rest = self.text.get(at..).unwrap_or_default();
        let span = word_span(self.text, at);
        let begins = self
            .text
            .trim_start_matches(['\u{FEFF}', ' ', '\n', '\r', '\t']);
        let problem = match &failure.variant {
            _ if self.text.trim().is_empty() => {
                Diagnostic::error(codes::NOT_A_GAME, span, "the file is empty")
            }
            ErrorVariant::ParsingError { positives, .. } if positives.contains(&Rule::nest) => {
                too_deep(span)
            }
            ErrorVariant::ParsingError { positives, .. } if positives.contains(&Rule::EOI) => {
                if rest.starts_with("game") {
                    Diagnostic::error(codes::NOT_A_GAME, span, "a file holds one game")
                        .hint("put the second game into a file of its own")
                } else {
                    Diagnostic::error(
                        codes::NOT_A_GAME,
                        span,
                        "this stands after the end of the game",
                    )
                    .hint("move it into the braces of `game`, or take away a `}` before it")
                }
            }
            ErrorVariant::ParsingError { positives, .. } if positives.contains(&Rule::ident) => {
                Diagnostic::error(codes::NOT_A_GAME, span, "the game needs a name here")
                    .hint("begin with `game Name {`")
            }
            _ if self
                .text
                .get(..span.start as usize)
                .is_some_and(|before| before.trim_end().ends_with(" extends")) =>
            {
                Diagnostic::error(
                    codes::NOT_A_GAME,
                    span,
                    "what a game extends stands in quotation marks",
                )
                .hint("write the name of a shipped game or a file, `extends \"name\"`")
            }
            ErrorVariant::ParsingError { positives, .. } if positives.contains(&Rule::lbrace) => {
                Diagnostic::error(
                    codes::NOT_A_GAME,
                    span,
                    "expected `{` after the name of the game",
                )
                .hint("the whole game stands in `game Name { … }`; a name is one word")
            }
            _ if begins.is_empty() => {
                Diagnostic::error(codes::NOT_A_GAME, span, "the file holds no game")
            }
            _ => Diagnostic::error(codes::NOT_A_GAME, span, "a file begins with `game Name {`"),
        };
        let problem = match problem.hint {
            None => problem.hint("the whole game stands in `game Name { … }`"),
            Some(_) => problem,
        };
        let taken = self.problems.iter().any(|d| d.span.start <= span.start);
        if !taken {
            self.report(problem);
        }
    }

    fn column(&self, at: usize) -> usize {
        let before = &self.text[..at];
        at - before.rfind('\n').map_or(0, |n| n + 1)
    }

    /// How far the line that holds `at` is indented.
    fn indent(&self, at: usize) -> usize {
        let line = at - self.column(at);
        self.text[line..]
            .bytes()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count()
    }
}
