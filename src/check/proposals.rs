//! Which of the changes that are proposed for a problem mend it: each is tried on the text.

use super::extends::{Loader, assemble};
use super::{Settings, check_rest};
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::{Edit, apply, moved, written};
use crate::text::sources::Sources;

/// How many changes are tried for one game.
const MOST: usize = 60;

/// Gives every problem the first of its proposals that mends it and brings no other problem.
pub fn choose(
    problems: &mut [Diagnostic],
    sources: &Sources,
    settings: &Settings,
    loader: Loader<'_>,
) {
    let before: Vec<Diagnostic> = problems.to_vec();
    let mut left = MOST;
    for problem in problems {
        for proposal in std::mem::take(&mut problem.proposals) {
            let Some(edits) = proposal.edits(sources) else {
                continue;
            };
            if left == 0 {
                break;
            }
            left -= 1;
            let after = again(&edits, sources, settings, loader);
            if after.is_some_and(|after| mends(problem, &edits, &before, &after)) {
                problem.edits = edits;
                let hint = written(&proposal.hint, sources);
                if let Some(hint) = hint.filter(|h| !h.is_empty()) {
                    problem.hint = Some(hint);
                }
                break;
            }
        }
    }
}

/// The problems of the game with these changes; `None` where they cannot be made.
fn again(
    edits: &[Edit],
    sources: &Sources,
    settings: &Settings,
    loader: Loader<'_>,
) -> Option<Vec<Diagnostic>> {
    let mut texts = Vec::new();
    for (number, file) in sources.files.iter().enumerate() {
        let inside = edits.iter().filter(|e| sources.locate(e.span).0 == number);
        let own: Vec<Edit> = inside
            .map(|e| Edit::new(sources.locate(e.span).1, e.text.clone()))
            .collect();
        texts.push(apply(&file.text, &own)?);
    }
    let changed = |from: &str, path: &str| {
        let (name, text) = loader(from, path)?;
        let number = sources.files.iter().position(|f| f.name == name);
        let changed = number.and_then(|n| texts.get(n)).cloned();
        Ok((name, changed.unwrap_or(text)))
    };
    let first = sources.files.first()?;
    let (file, mut problems, _) = assemble(&first.name, texts.first()?, &changed);
    problems.extend(check_rest(&file?, settings, false).1);
    Some(problems)
}

/// Whether a problem is gone from its place, and every error that is left was there before.
fn mends(
    problem: &Diagnostic,
    edits: &[Edit],
    before: &[Diagnostic],
    after: &[Diagnostic],
) -> bool {
    let place = moved(problem.span, edits);
    let others = before.iter().filter(|d| *d != problem);
    let known: Vec<_> = others.map(|d| (d.code, moved(d.span, edits))).collect();
    let mut errors = after.iter().filter(|d| d.is_error());
    errors.all(|d| {
        let inside = d.code == problem.code && place.contains(d.span);
        let mut known = known.iter();
        !inside && known.any(|(code, span)| *code == d.code && span.contains(d.span))
    })
}
