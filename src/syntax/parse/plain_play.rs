//! What is written as people tell how a game goes: "Ann may choose", "deal 3 to each hand", "take turns until it is over".

use super::Rule;
use super::explain::Wanted;
use super::stuck::{Stuck, is_word, word_in};
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::Edit;
use crate::text::span::Span;

/// Of statements, and of their clauses.
pub(super) fn plain_play(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let all: [fn(&Stuck<'_>, &Wanted<'_>) -> Option<Diagnostic>; 4] = [
        may_choose,
        dealt_to_each,
        condition_of_a_loop,
        follows_a_draw,
    ];
    all.iter().find_map(|look| look(stuck, wanted))
}

/// `p may choose x in S`, `p must choose x in S`.
fn may_choose(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let word = stuck.found();
    let forced = ["must", "can", "shall", "should"].contains(&word);
    let behind = stuck.text.get(stuck.at.end as usize..)?.lines().next()?;
    if !(forced || word == "may")
        || !wanted.has(Rule::kw_chooses)
        || word_in(behind, "in").is_none()
    {
        return None;
    }
    let verb = behind.split_whitespace().next()?;
    let gap = behind.len() - behind.trim_start().len();
    let what = behind.get(gap + verb.len()..)?.trim();
    let who = stuck.word_before(stuck.at.start as usize).0;
    let who = if is_word(who) { who } else { "p" };
    let plain = !what.contains(['"', '{', '}']) && word_in(what, "where").is_none();
    let what = if plain { what } else { "x in S" };
    let problem = stuck.problem(
        stuck.at,
        format!("a player `chooses`, and never `{word} {verb}`"),
    );
    if !forced {
        return Some(problem.hint(format!(
            "write `{who} chooses {what}`; whoever may do without has a move for it: `{who} chooses {{ take({what})  pass }}`"
        )));
    }
    let end = stuck.at.end as usize + gap + verb.len();
    let words = Span::new(stuck.at.start as usize, end);
    let problem = problem.hint(format!("write `{who} chooses {what}`"));
    Some(stuck.proposed(problem, vec![Edit::new(words, "chooses")]))
}

/// `deal 3 from deck to each hand` and `… to each p in Player`, of which `to each` was read as a deal to one place.
fn dealt_to_each(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let read = stuck.text.get(stuck.from..stuck.start())?;
    let deal = read.trim_start();
    let start = stuck.start() - deal.len();
    let (each, span) = stuck.word_before(stuck.start());
    let place = stuck.first();
    if !deal.starts_with("deal ") || !["each", "every"].contains(&each) || !is_word(place) {
        return None;
    }
    let head = stuck.text.get(start..span.start as usize)?.trim_end();
    let line = stuck.skipped().lines().next()?.trim_end();
    let rest = line.strip_prefix(place)?.trim_start();
    let somebody = ["player", "hand"].contains(&place).then_some("hand");
    let (text, end) = match rest.strip_prefix("in ") {
        Some(_) => {
            let text = format!("each {line} {{ {head} hand[{place}] }}");
            (text, stuck.start() + line.len())
        }
        None => {
            let place = somebody.unwrap_or(place);
            let text = format!("each p in Player {{ {head} {place}[p] }}");
            (text, stuck.first_span().end as usize)
        }
    };
    let problem = stuck
        .problem(span, "a deal goes to one place")
        .hint(format!("write `{text}`"));
    let whole = Span::new(start, end);
    Some(stuck.proposed(problem, vec![Edit::new(whole, text)]))
}

/// `turns me from Ann until c at most 5 { … }`, `… at most 5 while c { … }`, `repeat 5 times until c { … }`.
fn condition_of_a_loop(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let (word, first) = (stuck.found(), stuck.first());
    if !["until", "while"].contains(&word) || !["turns", "repeat"].contains(&first) {
        return None;
    }
    let text = stuck.skipped().trim_end();
    let last = (stuck.start() + text.len()).checked_sub(1)?;
    let (open, _) = stuck.opened(last).filter(|_| text.ends_with('}'))?;
    let (start, at) = (stuck.start(), stuck.at.start as usize);
    let behind = stuck.text.get(stuck.at.end as usize..open)?;
    let bounded = word_in(behind, "at");
    let cond = behind.get(..bounded.unwrap_or(behind.len()))?.trim();
    let head = stuck.text.get(start..at)?;
    let bound = match (first, bounded, word_in(head, "at")) {
        ("repeat", ..) => {
            let count = head.strip_prefix("repeat")?.trim_end();
            format!("at most {}", count.strip_suffix("times")?.trim())
        }
        (_, Some(found), _) => behind.get(found..)?.trim().to_owned(),
        (_, None, Some(found)) => head.get(found..)?.trim().to_owned(),
        _ => "at most n".to_owned(),
    };
    let cond = match word {
        "while" => cond.to_owned(),
        _ if is_word(cond) => format!("not {cond}"),
        _ => format!("not ({cond})"),
    };
    let clause = format!("while {cond} {bound}");
    let message = match word {
        "while" => format!("the condition of a `{first}` stands before its bound"),
        _ => "a loop goes on `while` a condition holds, and not `until` it does".to_owned(),
    };
    let (shown, from) = match first {
        "repeat" => (clause.clone(), start),
        _ => {
            let from = word_in(head, "at").map_or(at, |found| start + found);
            (format!("turns … {clause}"), from)
        }
    };
    let problem = stuck
        .problem(stuck.at, message)
        .hint(format!("write `{shown} {{ … }}`"));
    if bound == "at most n" {
        return Some(problem);
    }
    let edit = Edit::new(Span::new(from, open), format!("{clause} "));
    Some(stuck.proposed(problem, vec![edit]))
}

/// `draw x in S => n = x`.
fn follows_a_draw(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let read = stuck.text.get(stuck.from..stuck.start())?.trim();
    let text = stuck.skipped().trim_end();
    let body = text.strip_prefix("=>")?;
    if !(read.starts_with("draw ") || read.starts_with("deal ")) {
        return None;
    }
    let problem = stuck
        .problem(
            stuck.first_span(),
            "only what follows from a choice stands behind `=>`",
        )
        .hint("what follows from a draw are the next statements: `draw x in S  n = x`");
    let gap = body.len() - body.trim_start().len();
    let (start, end) = (stuck.start(), stuck.start() + text.len());
    let next = start + 2 + gap;
    let mut edits = vec![Edit::new(Span::new(start, next), "")];
    if body.trim_start().starts_with('{') && stuck.closed(next) == end.checked_sub(1) {
        edits = vec![
            Edit::new(Span::new(start, next + 1), ""),
            Edit::new(Span::new(end - 1, end), ""),
        ];
    }
    Some(stuck.proposed(problem, edits))
}
