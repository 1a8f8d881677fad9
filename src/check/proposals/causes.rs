//! One declaration that many leaks come from: a `def` that is not `shown`, a variable that does not say who sees it.

use super::MOST_PLACES;
use super::trials::Trials;
use crate::check::visibility::codes;
use crate::syntax::ast::{Def, File, Item, StateVar};
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::Edit;
use crate::text::sources::Sources;
use crate::text::span::Span;

/// As many leaks as this, or all of two, may have a cause of their own.
const FEWEST: usize = 3;

/// How the hint begins that names who sees a variable.
pub(super) const HIDE: &str = "say in `state`";

/// In a message, for how many leaks there are.
const PLACES: &str = "{}";

/// A change of a declaration, and the report of what comes from it.
struct Cause {
    edit: Edit,
    problem: Diagnostic,
}

/// Tells the declaration instead of the leaks that come from it, where it mends more of them than any other change, the best of
/// which mends `otherwise`. Whether it does.
pub(super) fn gather(
    problems: &mut Vec<Diagnostic>,
    otherwise: usize,
    trials: &mut Trials<'_>,
) -> bool {
    let errors = problems.iter().filter(|d| d.is_error()).count();
    if errors < 2 {
        return false;
    }
    let alike = |d: &Diagnostic| problems.iter().filter(|o| o.edits == d.edits).count();
    let known = problems.iter().filter(|d| !d.edits.is_empty());
    let local = known.map(alike).max().unwrap_or(0).max(otherwise);
    let Some(file) = trials.file() else {
        return false;
    };
    let mut causes: Vec<Cause> = Vec::new();
    for item in &file.items {
        match item {
            Item::Def(def) if def.shown.is_none() => causes.push(not_shown(def)),
            Item::State(state) => {
                let unsaid = state.vars.iter().filter(|v| v.seen.is_none());
                unsaid.for_each(|var| causes.extend(seen_by_all(var, &file, problems, trials)));
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
        return false;
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
    true
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
            "if everybody is to see all of it at any time, say so: `shown def {name}`; else `reveal` it where it is told"
        ));
    Cause {
        edit: Edit::new(start, "shown "),
        problem,
    }
}

/// `seen by` for a variable that problems are about.
fn seen_by_all(
    var: &StateVar,
    file: &File,
    problems: &[Diagnostic],
    trials: &Trials<'_>,
) -> Vec<Cause> {
    let name = &var.name.text;
    let about = problems.iter().filter(|d| is_of(d, name, trials.sources));
    if about.count() < 2 {
        return Vec::new();
    }
    let each = hidden(var, file).into_iter();
    each.map(|(viewers, edit)| {
        let message = format!(
            "everybody sees `{name}`, and {PLACES} places store there what not everybody knows"
        );
        let problem = Diagnostic::error(codes::DECLARATION, var.name.span, message)
            .label("without `seen by`")
            .hint(format!(
                "say who sees it: `seen by {viewers}`; else `reveal` what is stored in it"
            ));
        Cause { edit, problem }
    })
    .collect()
}

/// Whether a problem is about a store to a variable.
fn is_of(problem: &Diagnostic, name: &str, sources: &Sources) -> bool {
    let place = sources.slice(problem.span).unwrap_or_default();
    let rest = place.strip_prefix(name);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric()))
}

/// Fewer players who see a variable: the owner by an index, one of a few, nobody. Each with the words for it.
fn hidden(var: &StateVar, file: &File) -> Vec<(String, Edit)> {
    let indices = var.indices.iter().filter_map(|i| i.name.as_ref());
    let names = indices.map(|n| n.text.clone());
    let players = file.items.iter().find_map(|item| match item {
        Item::Players(players) => Some(&players.names),
        _ => None,
    });
    let few = players.filter(|names| names.len() <= 6).into_iter();
    let players = few.flatten().map(|n| n.text.clone());
    let viewers = names.chain(players).chain(["none".to_string()]);
    let (start, end) = (var.span.end, var.span.end);
    let edit = |v: &str| Edit::new(Span { start, end }, format!("  seen by {v}"));
    viewers.map(|v| (v.clone(), edit(&v))).collect()
}

/// For a store that tells somebody something, where nothing else mends it: who sees the variable, if it does not say so.
pub(super) fn hide(number: usize, problem: &mut Diagnostic, trials: &mut Trials<'_>) {
    if !matches!(problem.code, codes::STORE | codes::CLOCK) {
        return;
    }
    let Some(file) = trials.file() else {
        return;
    };
    let vars = file.items.iter().filter_map(|item| match item {
        Item::State(state) => Some(&state.vars),
        _ => None,
    });
    let vars = vars.flatten();
    let mut unsaid = vars.filter(|v| v.seen.is_none());
    let Some(var) = unsaid.find(|v| is_of(problem, &v.name.text, trials.sources)) else {
        return;
    };
    for (viewers, edit) in hidden(var, &file) {
        let edits = vec![edit];
        if trials.mended(&edits).is_some_and(|m| m.contains(&number)) {
            let hint = problem.hint.take();
            // One that names another way as well stays.
            let both = hint.filter(|h| h.starts_with("let ") && h.contains("in `state`"));
            let name = &var.name.text;
            let own = format!("{HIDE} who sees `{name}`: `seen by {viewers}`");
            problem.hint = Some(both.unwrap_or(own));
            problem.edits = edits;
            return;
        }
    }
}
