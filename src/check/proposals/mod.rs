//! Which of the changes that are proposed for leaks mend them: each is tried on the text. Leaks that one change mends are
//! told as one.

mod causes;
mod trials;
mod turns;

use super::Settings;
use super::extends::Loader;
use super::visibility::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::{Edit, Proposal, written};
use crate::text::sources::Sources;
use crate::text::span::Span;
use causes::HIDE;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use trials::Trials;

/// Gives every problem the first of its proposals that mends it and brings no other problem, and leaves out those that
/// the change for another one mends.
pub fn choose(
    problems: &mut Vec<Diagnostic>,
    sources: &Sources,
    settings: &Settings,
    loader: Loader<'_>,
) {
    if problems.iter().all(|d| d.proposals.is_none()) {
        return;
    }
    let mut trials = Trials::new(problems, sources, settings, loader);
    for (number, problem) in problems.iter_mut().enumerate() {
        if let Some((edits, proposal)) = first_that_mends(number, problem, &mut trials) {
            problem.edits = edits;
            let hint = written(&proposal.hint, sources);
            if let Some(hint) = hint.filter(|h| !h.is_empty() && !h.contains("//")) {
                let words: Vec<&str> = hint.split_whitespace().collect();
                problem.hint = Some(match hint.contains('\n') {
                    true => words.join(" "),
                    false => hint,
                });
            }
        } else {
            turns::show_condition(number, problem, &mut trials);
            if problem.edits.is_empty() {
                causes::hide(number, problem, &mut trials);
            }
        }
    }
    let most = most_mended(problems, &mut trials);
    if !causes::gather(
        problems,
        most.as_ref().map_or(0, |(_, m)| m.len()),
        &mut trials,
    ) && let Some((condition, mended)) = most
    {
        join_mended(problems, condition, &mended);
    }
    join_equal(problems);
    join_caused(problems);
}

fn first_that_mends(
    number: usize,
    problem: &mut Diagnostic,
    trials: &mut Trials<'_>,
) -> Option<(Vec<Edit>, Proposal)> {
    let proposals = problem.proposals.take()?;
    proposals.into_iter().find_map(|proposal| {
        let edits = proposal.edits(trials.sources)?;
        let mended = trials.mended(&edits)?;
        mended.contains(&number).then_some((edits, proposal))
    })
}

/// How many other places are pointed at.
const MOST_PLACES: usize = 3;

/// Of problems that the same change mends, the first tells of the others.
fn join_equal(problems: &mut Vec<Diagnostic>) {
    let mut joined: Vec<Diagnostic> = Vec::new();
    let mut more: Vec<usize> = Vec::new();
    for problem in problems.drain(..) {
        let same = |d: &Diagnostic| !d.edits.is_empty() && d.edits == problem.edits;
        match joined.iter().position(same) {
            Some(first) => {
                more[first] += 1;
                if more[first] <= MOST_PLACES {
                    joined[first].notes.push((problem.span, problem.message));
                }
            }
            None => {
                joined.push(problem);
                more.push(0);
            }
        }
    }
    for (problem, more) in std::iter::zip(&mut joined, more) {
        if let (Some(hint), 2..) = (&mut problem.hint, more) {
            hint.push_str(&format!("; the same mends {more} other places"));
        }
    }
    *problems = joined;
}

/// The change to a condition that mends the most problems, by the number of the one that it is proposed for: what is told
/// because somebody could not know whether play comes there. With what it mends.
fn most_mended(problems: &[Diagnostic], trials: &mut Trials<'_>) -> Option<(usize, Vec<usize>)> {
    let mut best: Option<(usize, Vec<usize>)> = None;
    for (number, problem) in problems.iter().enumerate() {
        if !matches!(problem.code, codes::EVENT | codes::END) || problem.edits.is_empty() {
            continue;
        }
        let Some(mended) = trials.mended(&problem.edits) else {
            continue;
        };
        // Those for which it is proposed are joined anyway.
        let alike = problems.iter().filter(|d| d.edits == problem.edits).count();
        let most = best
            .as_ref()
            .map_or(CAUSED - 1, |(_, m)| m.len())
            .max(alike);
        if mended.len() > most {
            best = Some((number, mended));
        }
    }
    best
}

/// One problem tells of the others that its change mends.
fn join_mended(problems: &mut Vec<Diagnostic>, first: usize, mended: &[usize]) {
    let others: Vec<usize> = mended.iter().copied().filter(|n| *n != first).collect();
    for other in others.iter().take(MOST_PLACES) {
        let place = (problems[*other].span, problems[*other].message.clone());
        problems[first].notes.push(place);
    }
    if let Some(hint) = &mut problems[first].hint {
        hint.push_str(&format!("; the same mends {} other places", others.len()));
    }
    let mut number = 0;
    problems.retain(|_| {
        number += 1;
        !others.contains(&(number - 1))
    });
}

/// So many leaks that hang on one thing are told as one, where no change is known that mends it.
const CAUSED: usize = 3;

/// What somebody could not know, on which a leak hangs, unless a change there mends it.
fn cause(problem: &Diagnostic) -> Option<(Span, String)> {
    let hidden =
        problem.code == codes::STORE && problem.hint.as_ref().is_some_and(|h| h.starts_with(HIDE));
    match problem.code {
        codes::EVENT | codes::STORE | codes::END | codes::SHOWN
            if hidden || problem.edits.is_empty() =>
        {
            problem.notes.first().cloned()
        }
        _ => None,
    }
}

/// Of problems because of the same thing that somebody could not know, one tells of the others.
fn join_caused(problems: &mut Vec<Diagnostic>) {
    let mut groups: IndexMap<(Span, String), Vec<usize>> = IndexMap::new();
    for (number, problem) in problems.iter().enumerate() {
        if let Some(cause) = cause(problem) {
            groups.entry(cause).or_default().push(number);
        }
    }
    let mut told: FxHashSet<usize> = FxHashSet::default();
    for group in groups.into_values().filter(|group| group.len() >= CAUSED) {
        let whole = group.iter().find(|n| problems[**n].edits.is_empty());
        let first = *whole.unwrap_or(&group[0]);
        let others = group.iter().copied().filter(|n| *n != first);
        let others: Vec<usize> = others.collect();
        for other in others.iter().take(MOST_PLACES) {
            let place = (problems[*other].span, problems[*other].message.clone());
            problems[first].notes.push(place);
        }
        if let Some(hint) = &mut problems[first].hint {
            hint.push_str(&format!("; {} other places hang on the same", others.len()));
        }
        told.extend(others);
    }
    let mut number = 0;
    problems.retain(|_| {
        number += 1;
        !told.contains(&(number - 1))
    });
}
