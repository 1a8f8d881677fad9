//! Texts with holes: `"{count} x {rank}"`. A doubled brace stands for the brace itself.

use super::{Grammar, Piece, Reader, Rule, explain};
use crate::syntax::ast::{Text, TextPart};
use crate::syntax::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use pest::Parser;

impl<'t> Reader<'t> {
    /// Reads the `"…"` of an `as` clause.
    pub(super) fn text(&mut self, piece: &Piece<'t>) -> Text {
        let span = self.span(piece);
        let quoted = piece.as_str();
        let inside = quoted.get(1..quoted.len().max(2) - 1).unwrap_or_default();
        let base = span.start as usize + 1;
        let bytes = inside.as_bytes();
        let (mut parts, mut literal, mut at) = (Vec::new(), String::new(), 0);
        while at < bytes.len() {
            let doubled = bytes.get(at + 1) == Some(&bytes[at]);
            match bytes[at] {
                b @ (b'{' | b'}') if doubled => {
                    literal.push(b as char);
                    at += 2;
                }
                b'{' => {
                    let Some(end) = hole_end(bytes, at) else {
                        self.report(
                            Diagnostic::error(
                                codes::BAD_TEXT,
                                Span::new(base + at, base + at + 1),
                                "this hole of the text has no closing `}`",
                            )
                            .hint("close it, or write `{{` for a brace that is to be printed"),
                        );
                        return Text { parts, span };
                    };
                    if !literal.is_empty() {
                        parts.push(TextPart::Literal(std::mem::take(&mut literal)));
                    }
                    self.hole(&inside[at + 1..end], base + at + 1, &mut parts);
                    at = end + 1;
                }
                b'}' => {
                    self.report(
                        Diagnostic::error(
                            codes::BAD_TEXT,
                            Span::new(base + at, base + at + 1),
                            "this `}` closes no hole of the text",
                        )
                        .hint("write `}}` for a brace that is to be printed"),
                    );
                    at += 1;
                }
                _ => {
                    let end = bytes[at..]
                        .iter()
                        .position(|b| matches!(b, b'{' | b'}'))
                        .map_or(bytes.len(), |n| at + n);
                    literal.push_str(&inside[at..end]);
                    at = end;
                }
            }
        }
        if !literal.is_empty() {
            parts.push(TextPart::Literal(literal));
        }
        Text { parts, span }
    }

    fn hole(&mut self, hole: &'t str, start: usize, parts: &mut Vec<TextPart>) {
        let whole = Span::new(start, start + hole.len());
        if hole.trim().is_empty() {
            self.report(
                Diagnostic::error(codes::BAD_TEXT, whole, "this hole of the text is empty")
                    .hint("name what is to be printed, as in `\"{card}\"`"),
            );
            return;
        }
        match Grammar::parse(Rule::hole, hole) {
            Ok(pieces) => {
                let outer = std::mem::replace(&mut self.offset, start);
                let expr = pieces
                    .flat_map(pest::iterators::Pair::into_inner)
                    .find(|p| p.as_rule() == Rule::expr)
                    .map(|p| self.expr(p));
                self.offset = outer;
                parts.extend(expr.map(TextPart::Hole));
            }
            Err(failure) => {
                let problem = explain::explain(&failure, self.text, start, whole, codes::BAD_TEXT);
                self.report(problem);
            }
        }
    }
}

/// The `}` that closes the hole opened at `at`; sets within it have braces of their own.
fn hole_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut open = 0usize;
    for (i, byte) in bytes.iter().enumerate().skip(at) {
        match byte {
            b'{' => open += 1,
            b'}' => {
                open -= 1;
                if open == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}
