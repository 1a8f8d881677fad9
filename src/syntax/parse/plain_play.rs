//! What is written as people tell how a game goes: "Ann may choose", "deal 3 to each hand".

use super::Rule;
use super::explain::Wanted;
use super::stuck::{Stuck, is_word, word_in};
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::Edit;
use crate::text::span::Span;

/// Of statements, and of their clauses.
pub(super) fn plain_play(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let all: [fn(&Stuck<'_>, &Wanted<'_>) -> Option<Diagnostic>; 2] = [
        may_choose,
        dealt_to_each,
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

/// `deal 3 from deck to each hand`, of which `to each` was read as a deal to one place.
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
    let somebody = ["player", "hand"].contains(&place).then_some("hand");
    let place = somebody.unwrap_or(place);
    let text = format!("each p in Player {{ {head} {place}[p] }}");
    let problem = stuck
        .problem(span, "a deal goes to one place")
        .hint(format!("write `{text}`"));
    let whole = Span::new(start, stuck.first_span().end as usize);
    Some(stuck.proposed(problem, vec![Edit::new(whole, text)]))
}
