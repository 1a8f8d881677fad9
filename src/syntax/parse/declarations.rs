//! Declarations written as in other languages.

use super::explain::{is_letter, word_span};
use super::stuck::{Stuck, is_word};
use crate::syntax::codes;
use crate::syntax::scan::ITEMS;
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::Edit;
use crate::text::span::Span;

/// The problem of a declaration of which the intent is plain.
pub(super) fn declaration(stuck: &Stuck<'_>) -> Option<Diagnostic> {
    if stuck.code != codes::BAD_ITEM {
        return None;
    }
    let known = [
        listed_type,
        index_by_in,
        several_viewers,
        optional_in_words,
        no_value,
    ];
    known.iter().find_map(|habit| habit(stuck))
}

/// `best : Player? =`, of which the value was taken to be the first word of what follows.
fn no_value(stuck: &Stuck<'_>) -> Option<Diagnostic> {
    let read = stuck.text.get(stuck.from..stuck.start())?;
    let (sign, _) = word_for_a_value(read, stuck.skipped())?;
    let head = read[..sign].trim_end();
    let (start, end) = (stuck.from + head.len(), stuck.from + sign + 1);
    let problem = stuck.problem(Span::new(end - 1, end), "there is no value behind this `=`");
    let edits = vec![Edit::new(Span::new(start, end), "")];
    let problem = stuck.proposed(problem, edits);
    Some(match problem.edits.is_empty() {
        true => problem.hint("write on the same line what it is to be"),
        false => problem.hint("write the value, or leave out the `=`"),
    })
}

/// Where the `=` stands before the last word of what was read, if that word is no value and begins what follows; also where
/// the word begins. `rest`: what follows it.
pub(super) fn word_for_a_value(read: &str, rest: &str) -> Option<(usize, usize)> {
    let word = read.trim_end();
    let start = word.trim_end_matches(is_letter).len();
    let (head, word) = word.split_at(start);
    let before = without_comments(head).strip_suffix('=')?;
    let below = head[before.len()..].contains('\n');
    let begins = below && (rest.starts_with(':') || ITEMS.contains(&word)) || word == "seen";
    let stores = !before.ends_with(['=', '<', '>', '!', '+', '-']);
    (begins && stores && !word.is_empty()).then_some((before.len(), start))
}

/// A text up to the comments and blanks that end it.
fn without_comments(text: &str) -> &str {
    let mut text = text.trim_end();
    loop {
        let line = text.rfind('\n').map_or(0, |end| end + 1);
        match text[line..].find("//") {
            Some(comment) => text = text[..line + comment].trim_end(),
            None => return text,
        }
    }
}

/// `type Suit = { clubs, hearts }`, `type Suit = enum(clubs, hearts)` and `type Rank = {1..3}`.
fn listed_type(stuck: &Stuck<'_>) -> Option<Diagnostic> {
    let before = stuck.before().trim_start();
    // Of `type Suit = enum(…)` all up to the bracket can be read.
    let start = match stuck.first() == "(" && before.trim_end().ends_with("enum") {
        true => stuck.start() - before.len(),
        false => stuck.start(),
    };
    let text = stuck.text.get(start..stuck.end())?;
    let rest = text.strip_prefix("type")?;
    let sign = rest.find('=')?;
    let name = rest[..sign].trim();
    let listed = rest[sign + 1..].trim_start();
    let bracket = listed.strip_prefix("enum").unwrap_or(listed).trim_start();
    let plain = bracket.len() == listed.len();
    if !is_word(name) || !bracket.starts_with(if plain { '{' } else { '(' }) {
        return None;
    }
    let open = start + text.len() - bracket.len();
    let close = stuck.closed(open)?;
    let inside = stuck.text.get(open + 1..close)?.trim();
    let span = Span::new(open, open + 1);
    let mut values = inside.trim_end_matches(',').split(',').map(str::trim);
    if values.all(|v| is_word(v) && !v.starts_with(|c: char| c.is_ascii_digit())) {
        let instead = format!("enum {name} {{ {inside} }}");
        let problem = stuck
            .problem(span, "the values of a type are listed by an `enum`")
            .hint(format!("write `{instead}`"));
        let whole = Span::new(start, close + 1);
        return Some(stuck.proposed(problem, vec![Edit::new(whole, instead)]));
    }
    let problem = stuck.problem(span, "a type is no set in braces");
    if !inside.contains("..") || inside.contains(',') {
        return Some(
            problem
                .hint("write `type Name = 1..13` for numbers, `enum Name { one, two }` for names"),
        );
    }
    let problem = problem.hint(format!("write `type {name} = {inside}`"));
    let whole = Span::new(open, close + 1);
    Some(stuck.proposed(problem, vec![Edit::new(whole, inside)]))
}

/// `hand : [p in Player] set of Card`.
fn index_by_in(stuck: &Stuck<'_>) -> Option<Diagnostic> {
    let text = stuck.skipped();
    let colon = text.find(':')?;
    let words: Vec<&str> = text[..colon].split_whitespace().collect();
    let declares = match words.as_slice() {
        [_] => true,
        [first, _] => ["const", "note", "param"].contains(first),
        _ => false,
    };
    if !declares {
        return None;
    }
    let mut rest = text[colon + 1..].trim_start();
    let (mut edits, mut first) = (Vec::new(), None);
    while let Some(inside) = rest.strip_prefix('[') {
        let close = inside.find(']')?;
        let at = stuck.start() + text.len() - inside.len();
        let mut words = inside[..close].split_whitespace();
        if let (Some(name), Some("in"), Some(ty)) = (words.next(), words.next(), words.next())
            && is_word(name)
        {
            let name_end = at + inside.find(name)? + name.len();
            let head = inside.find(" in ")? + 1;
            let gap = inside[head + 2..].len() - inside[head + 2..].trim_start().len();
            let word = at + head;
            first.get_or_insert((Span::new(word, word + 2), format!("[{name}: {ty}]")));
            edits.push(Edit::new(Span::new(name_end, word + 2 + gap), ": "));
        }
        rest = inside[close + 1..].trim_start();
    }
    let (span, instead) = first?;
    let problem = stuck
        .problem(
            span,
            "what is declared has a `:` between an index and its type",
        )
        .hint(format!(
            "write `{instead}`; with `in` it would be an array by a formula, which is a value"
        ));
    Some(stuck.proposed(problem, edits))
}

/// `seen by Ann, Ben`.
fn several_viewers(stuck: &Stuck<'_>) -> Option<Diagnostic> {
    let before = stuck.before();
    let viewers = before.rfind("seen by ").map(|at| &before[at + 8..])?;
    let first = viewers.trim().trim_end_matches(',').trim_end();
    if !viewers.trim_end().ends_with(',') || !is_word(first) {
        return None;
    }
    let mut end = stuck.first_span().end as usize;
    let mut all = vec![first, stuck.first()];
    while let Some(next) = stuck.text.get(end..)?.trim_start().strip_prefix(',') {
        let at = stuck.text.len() - next.trim_start().len();
        let word = word_span(stuck.text, at);
        all.push(stuck.text.get(word.range())?);
        end = word.end as usize;
    }
    let next = stuck.text.get(end..)?.trim_start();
    if !all.iter().all(|name| is_word(name)) || next.starts_with(':') {
        return None;
    }
    let start = stuck.start() - viewers.len();
    let instead = format!("{{ {} }}", all.join(", "));
    let problem = stuck
        .problem(
            Span::new(start, end),
            "several players who see something stand in braces",
        )
        .hint(format!("write `seen by {instead}`"));
    let whole = Span::new(start, end);
    Some(stuck.proposed(problem, vec![Edit::new(whole, instead)]))
}

/// `winner : optional Player`.
fn optional_in_words(stuck: &Stuck<'_>) -> Option<Diagnostic> {
    let (word, span) = stuck.word_before(stuck.start());
    let ty = stuck.first();
    let named = ty.starts_with(|c: char| is_letter(c) && !c.is_ascii_digit());
    if !["optional", "maybe", "option", "nullable"].contains(&word) || !named {
        return None;
    }
    let first = stuck.first_span();
    let problem = stuck
        .problem(span, "a type whose values may be missing ends with `?`")
        .hint(format!("write `{ty}?`"));
    let away = Span::new(span.start as usize, first.start as usize);
    let end = first.end as usize;
    let edits = vec![Edit::new(away, ""), Edit::new(Span::new(end, end), "?")];
    Some(stuck.proposed(problem, edits))
}
