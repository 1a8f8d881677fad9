//! Words of the language that are misspelt: what is near to one, if the part can be read with it.

use super::explain::{Wanted, is_letter, word_span};
use super::{Grammar, Rule};
use crate::syntax::codes;
use crate::syntax::scan::ITEMS;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::nearest::nearest;
use crate::text::span::Span;
use pest::Parser;

/// The words that begin a statement.
const STATEMENTS: &[&str] = &[
    "let", "note", "if", "match", "each", "repeat", "while", "turns", "together", "draw", "deal",
    "reveal", "end", "break", "continue",
];
/// The words that begin a clause of a choice or a draw.
const CLAUSES: &[&str] = &["where", "into", "weighted", "revealing"];

/// The problem of a part that begins with a misspelt word, or in which one follows. `at`: where the reading stopped.
pub(super) fn misspelt(
    text: &str,
    region: Span,
    at: Span,
    wanted: &Wanted<'_>,
    code: Code,
) -> Option<Diagnostic> {
    let skipped = text.get(region.range())?;
    let first = word_span(text, region.start as usize);
    let (word, rest) = (text.get(first.range())?, text.get(first.end as usize..)?);
    let rest = rest.get(..REST.min(rest.len())).unwrap_or(skipped);
    let alone = skipped.trim() == word;
    // Beyond the word itself, unless nothing follows it.
    let reads = |rule, head: &str, near: &str| {
        let least = head.len() + near.len() + usize::from(!alone);
        let text = format!("{head}{near}{rest}");
        Grammar::parse(rule, &text).is_ok_and(|read| read.as_str().trim_end().len() >= least)
    };
    let statement = code == codes::BAD_STATEMENT;
    if word.starts_with(is_letter) {
        let (words, rule) = if statement {
            (STATEMENTS, Rule::stmt)
        } else {
            (ITEMS, Rule::item)
        };
        if let Some(near) = nearest(word, words.iter().copied())
            && reads(rule, "", near)
        {
            let what = if statement { "statement" } else { "item" };
            let message = format!("there is no {what} that begins with `{word}`");
            return Some(Diagnostic::error(code, first, message).did_you_mean(near));
        }
        if let Some(near) = nearest(word, CLAUSES.iter().copied())
            && statement
            && ["p chooses x in S ", "draw x in S "]
                .iter()
                .any(|head| reads(Rule::stmt, head, near))
        {
            let message = format!("there is no clause that begins with `{word}`");
            return Some(Diagnostic::error(code, first, message).did_you_mean(near));
        }
    }
    let found = text.get(at.range())?;
    if !found.starts_with(is_letter) || !statement {
        return None;
    }
    let near = nearest(found, wanted.words())?;
    let before = text.get(region.start as usize..at.start as usize)?;
    let after = text.get(at.end as usize..region.end as usize)?;
    // What comes before may be read with the part.
    Grammar::parse(Rule::stmt, &format!("{before}{near}{after}")).ok()?;
    let message = format!("expected `{near}`, found `{found}`");
    Some(Diagnostic::error(code, at, message).did_you_mean(near))
}

/// How much of the text after a misspelt word is read with another one in its place.
const REST: usize = 2048;
