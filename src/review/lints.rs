//! Lints that random play gives: alternatives that are never offered, rules that are never reached,
//! payoffs that never vary or are far from what their ranges allow, loops that only their bound ends, games that do not end. Random play proves nothing, and the words
//! say so.

use super::codes;
use super::coverage::Coverage;
use super::random_games::Survey;
use crate::machine::{CoveragePoint, CoveragePointKind, Machine};
use crate::model::types::show_ratio;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::plural::plural;
use crate::text::span::Span;

/// Fewer games than this say nothing, and of what was not seen so many.
const FEWEST_GAMES: u64 = 20;
const FEWEST_WITHOUT: u64 = 50;
/// Ranges that are so many times as wide as payoffs lie apart are wide.
const WIDE: i128 = 20;
/// The most places that one lint shows.
const MOST_SHOWN: usize = 6;

/// Lints of a game, by what its machine with marks was seen to do.
pub fn lints(machine: &Machine, coverage: &Coverage, survey: &Survey) -> Vec<Diagnostic> {
    if survey.games == 0 && survey.plies > 0 {
        let plies = plural(survey.plies, "random ply");
        let message = format!("no game came to an end in {plies}");
        let span = machine.description().payoff.span;
        let note = Diagnostic::note_of(codes::NEVER_ENDS, span, message);
        return vec![note.hint("games may be that long, or a loop may go on after all is decided")];
    }
    if survey.games < FEWEST_GAMES {
        return Vec::new();
    }
    let mut found = Vec::new();
    let games = format!("in {} random games", survey.games);
    if survey.games >= FEWEST_WITHOUT {
        found.extend(not_seen(coverage, &games));
    }
    let varies = survey.payoffs.iter().any(|(least, most)| least < most);
    if !varies && !survey.payoffs.is_empty() {
        let message = format!("every game ended with the same payoffs {games}");
        let span = machine.description().payoff.span;
        found.push(Diagnostic::note_of(codes::SAME_PAYOFFS, span, message));
    }
    found.extend(wide_ranges(machine, survey, &games));
    found
}

/// The notes on what random games never came to.
fn not_seen(coverage: &Coverage, games: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let never_offered: Vec<Span> = coverage
        .missing()
        .filter(|p| p.kind == CoveragePointKind::Offered)
        .filter(|p| {
            let kind = CoveragePointKind::Taken;
            coverage.reached(CoveragePoint { kind, ..*p }) != Some(true)
        })
        .map(|p| p.span)
        .collect();
    found.extend(note(
        codes::NEVER_OFFERED,
        &never_offered,
        |n| match n {
            1 => format!("this was never among the options {games}"),
            n => format!("{n} alternatives were never among the options {games}"),
        },
        "look at its domains and its `where`; a script can show that it is possible",
    ));
    let unreached = outermost(coverage, &never_offered);
    found.extend(note(
        codes::NEVER_REACHED,
        &unreached,
        |n| match n {
            1 => format!("play never came here {games}"),
            n => format!("play never came to {n} places {games}"),
        },
        "that may be rare or impossible; a script can show that it is possible",
    ));
    let bound: Vec<Span> = coverage
        .missing()
        .filter(|p| p.kind == CoveragePointKind::Ended)
        .filter(|p| {
            let kind = CoveragePointKind::Bound;
            coverage.reached(CoveragePoint { kind, ..*p }) == Some(true)
        })
        .map(|p| p.span)
        .collect();
    found.extend(note(
        codes::ALWAYS_BOUND,
        &bound,
        |n| match n {
            1 => format!("this condition never ended its loop {games}, and the bound did"),
            n => {
                format!("the conditions of {n} loops never ended them {games}, and the bounds did")
            }
        },
        "raise the bound after `at most` if the loop should end by itself",
    ));
    found
}

/// The note on payoffs that are a small part of what their ranges allow: searches go by these.
fn wide_ranges(machine: &Machine, survey: &Survey, games: &str) -> Option<Diagnostic> {
    let bounds = &machine.program().payoff.bounds;
    let wide = std::iter::zip(bounds, &survey.payoffs).find(|((low, high), (least, most))| {
        let seen = i128::from(*most) - i128::from(*least);
        seen > 0 && i128::from(*high) - i128::from(*low) >= WIDE * seen
    });
    let ((low, high), (least, most)) = wide?;
    let [least, most, low, high] =
        [least, most, low, high].map(|units| show_ratio(*units, machine.payoff_denominator()));
    let message =
        format!("payoffs were {least} to {most} {games}, and their ranges allow {low} to {high}");
    let span = machine.description().payoff.span;
    Some(Diagnostic::note_of(codes::WIDE_RANGES, span, message).hint(
        "narrow the ranges of what they are made of: some searches go by how far payoffs may lie apart",
    ))
}

/// The note on rules that nothing calls, by their names.
pub fn never_called(names: impl Iterator<Item = Span>) -> Option<Diagnostic> {
    let names: Vec<Span> = names.collect();
    note(
        codes::NEVER_REACHED,
        &names,
        |n| match n {
            1 => "nothing calls this rule".to_string(),
            n => format!("nothing calls {n} rules"),
        },
        "call it, `name(…)`, where it is to happen, or leave it out",
    )
}

/// The note on what nothing uses, by the names.
pub fn never_used(names: impl Iterator<Item = Span>) -> Option<Diagnostic> {
    let names: Vec<Span> = names.collect();
    note(
        codes::NEVER_USED,
        &names,
        |n| match n {
            1 => "nothing uses this".to_string(),
            n => format!("nothing uses {n} of the names that are declared"),
        },
        "use it where it is meant, or leave it out",
    )
}

/// Parts of the rules that play never came to, without what follows or is inside another one or is inside one of `told`.
fn outermost(coverage: &Coverage, told: &[Span]) -> Vec<Span> {
    let inside = |a: Span, b: Span| b.start <= a.start && a.end <= b.end;
    let mut all: Vec<CoveragePoint> = coverage
        .missing()
        .filter(|p| {
            matches!(
                p.kind,
                CoveragePointKind::Statement
                    | CoveragePointKind::Then
                    | CoveragePointKind::Else
                    | CoveragePointKind::Arm(_)
            )
        })
        .collect();
    let whole: Vec<Span> = all.iter().map(|p| p.span).collect();
    all.retain(|p| {
        let within = whole.iter().any(|w| *w != p.span && inside(p.span, *w));
        let follows = p.kind == CoveragePointKind::Statement && coverage.follows_missing(p.span);
        !within && !follows && told.iter().all(|t| !inside(p.span, *t))
    });
    let mut spans: Vec<Span> = all.iter().map(|p| coverage.head(p.span)).collect();
    spans.dedup();
    spans
}

/// One note for several places.
fn note(
    code: Code,
    spans: &[Span],
    message: impl Fn(usize) -> String,
    hint: &str,
) -> Option<Diagnostic> {
    let (first, more) = spans.split_first()?;
    let mut d = Diagnostic::note_of(code, *first, message(spans.len())).hint(hint);
    for span in more.iter().take(MOST_SHOWN - 1) {
        d = d.note(*span, "nor here");
    }
    Some(d)
}
