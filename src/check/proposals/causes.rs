//! One declaration that many leaks come from: a `def` that is not `shown`, a variable that does not say who sees it.

use super::MOST_PLACES;
use super::trials::Trials;
use crate::check::visibility::codes;
use crate::syntax::ast::{Def, Item, StateVar};
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::Edit;
use crate::text::span::Span;

/// As many leaks as this, or all of two, may have a cause of their own.
const FEWEST: usize = 3;

/// In a message, for how many leaks there are.
const PLACES: &str = "{}";

/// A change of a declaration, and the report of what comes from it.
struct Cause {
    edit: Edit,
    problem: Diagnostic,
}

/// Tells the declaration instead of the leaks that come from it, where it mends more of them than any other change.
pub(super) fn gather(problems: &mut Vec<Diagnostic>, trials: &mut Trials<'_>) {
    let errors = problems.iter().filter(|d| d.is_error()).count();
    if errors < 2 {
        return;
    }
    let alike = |d: &Diagnostic| problems.iter().filter(|o| o.edits == d.edits).count();
    let known = problems.iter().filter(|d| !d.edits.is_empty());
    let local = known.map(alike).max().unwrap_or(0);
    let Some(file) = trials.file() else {
        return;
    };
    let mut causes: Vec<Cause> = Vec::new();
    for item in &file.items {
        match item {
            Item::Def(def) if def.shown.is_none() => causes.push(not_shown(def)),
            Item::State(vars) => {
                let unsaid = vars.iter().filter(|v| v.seen.is_none());
                unsaid.for_each(|var| causes.extend(seen_by_all(var, problems, trials)));
            }
            _ => {}
        }
    }
    let mut best: Option<(Vec<usize>, Cause)> = None;
    for cause in causes {
        let most = best.as_ref().map_or(local, |(mended, _)| mended.len());
        if let Some(mended) = trials.mended(std::slice::from_ref(&cause.edit))
            && mended.len() > most
            && (mended.len() >= FEWEST || mended.len() == errors)
        {
            best = Some((mended, cause));
        }
    }
    let Some((mended, cause)) = best else {
        return;
    };
    let mut problem = cause.problem;
    let places = mended.len().to_string();
    problem.message = problem.message.replace(PLACES, &places);
    problem.edits = vec![cause.edit];
    for i in mended.iter().take(MOST_PLACES) {
        let follows = &trials.before[*i];
        problem.notes.push((follows.span, follows.message.clone()));
    }
    let mut number = 0;
    problems.retain(|_| {
        number += 1;
        !mended.contains(&(number - 1))
    });
    let at = problems.partition_point(|d| (d.span, d.code) < (problem.span, problem.code));
    problems.insert(at, problem);
}

/// `shown def` for a `def`.
fn not_shown(def: &Def) -> Cause {
    let name = &def.name.text;
    let start = Span {
        start: def.span.start,
        end: def.span.start,
    };
    let message =
        format!("`{name}` is made of what not everybody knows, and {PLACES} places tell it");
    let problem = Diagnostic::error(codes::DECLARATION, def.name.span, message)
        .label("not on view")
        .hint(format!(
            "if everybody is to see it, say so: `shown def {name}`"
        ));
    Cause {
        edit: Edit::new(start, "shown "),
        problem,
    }
}

/// `seen by` for a variable that problems are about.
fn seen_by_all(var: &StateVar, problems: &[Diagnostic], trials: &Trials<'_>) -> Vec<Cause> {
    let name = &var.name.text;
    let about = problems.iter().filter(|d| {
        let place = trials.sources.slice(d.span).unwrap_or_default();
        let rest = place.strip_prefix(name.as_str());
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric()))
    });
    if about.count() < 2 {
        return Vec::new();
    }
    let end = Span {
        start: var.span.end,
        end: var.span.end,
    };
    let indices = var.indices.iter().filter_map(|i| i.name.as_ref());
    let names = indices.map(|n| n.text.clone());
    let players = players(trials);
    let few = players.len() <= 6;
    let viewers = names.chain(players.into_iter().filter(|_| few));
    let each = viewers.chain(["none".to_string()]);
    each.map(|viewers| {
        let message = format!(
            "everybody sees `{name}`, and {PLACES} places store there what not everybody knows"
        );
        let problem = Diagnostic::error(codes::DECLARATION, var.name.span, message)
            .label("without `seen by`")
            .hint(format!(
                "say who sees it: `seen by {viewers}`; else `reveal` what is stored in it"
            ));
        Cause {
            edit: Edit::new(end, format!("  seen by {viewers}")),
            problem,
        }
    })
    .collect()
}

fn players(trials: &Trials<'_>) -> Vec<String> {
    let file = trials.file();
    let items = file.iter().flat_map(|f| &f.items);
    let named = items.filter_map(|item| match item {
        Item::Players(players) => Some(players.names.iter().map(|n| n.text.clone())),
        _ => None,
    });
    named.flatten().collect()
}
