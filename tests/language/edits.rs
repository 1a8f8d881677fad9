//! What a report proposes to change mends what it reports: with each of these changes the text can be read as far as
//! before, and the problem is gone.

use crate::support::mutants::Shipped;
use ruse::Diagnostic;
use ruse::internal::check::Settings;
use ruse::internal::check::extends::Loader;
use ruse::internal::text::diagnostics::Code;
use ruse::internal::text::edits::{Edit, apply};
use ruse::internal::text::explain::PAGES;
use ruse::internal::text::span::Span;
use std::collections::BTreeMap;

fn problems(text: &str, settings: &Settings, loader: Loader<'_>) -> Vec<Diagnostic> {
    match ruse::load_with("duel.game", text, settings, loader).0 {
        Ok((_, problems)) | Err(problems) => problems,
    }
}

/// Where a place lies after some changes; what they put in at its ends belongs to it.
fn moved(span: Span, edits: &[Edit]) -> Span {
    let (mut start, mut end) = (i64::from(span.start), i64::from(span.end));
    for edit in edits {
        let more = edit.text.len() as i64 - i64::from(edit.span.end - edit.span.start);
        if edit.span.end <= span.start && edit.span.start < span.start {
            start += more;
            end += more;
        } else if edit.span.start <= span.end {
            end += more;
        }
    }
    Span {
        start: start as u32,
        end: end.max(start) as u32,
    }
}

fn meet(a: Span, b: Span) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// What came of the changes that are proposed.
#[derive(Default)]
struct Tried {
    /// How many problems propose changes, by code.
    codes: BTreeMap<Code, usize>,
    /// Those that mend nothing.
    wrong: Vec<String>,
}

impl Tried {
    #[track_caller]
    fn expect_all(&self) {
        let shown = self.wrong.iter().take(20).map(String::as_str);
        assert!(
            self.wrong.is_empty(),
            "{} changes mend nothing:\n{}",
            self.wrong.len(),
            shown.collect::<Vec<_>>().join("\n\n")
        );
    }
}

/// Each problem of a text that proposes changes is gone with them.
#[track_caller]
pub fn mend(text: &str, settings: &Settings, loader: Loader<'_>) {
    let mut tried = Tried::default();
    try_all(text, settings, loader, &mut tried);
    tried.expect_all();
}

fn try_all(text: &str, settings: &Settings, loader: Loader<'_>, tried: &mut Tried) {
    let before = problems(text, settings, loader);
    let unread = |list: &[Diagnostic]| list.iter().filter(|d| d.code.0 < "E0100").count();
    for problem in &before {
        let own = |e: &Edit| e.span.end as usize <= text.len();
        if problem.edits.is_empty() || !problem.edits.iter().all(own) {
            continue;
        }
        *tried.codes.entry(problem.code).or_insert(0) += 1;
        let shown = problem.render("duel.game", text, false);
        let edits = &problem.edits;
        let Some(changed) = apply(text, edits) else {
            let wrong = format!("{shown}\nthese changes meet: {edits:?}");
            tried.wrong.push(wrong);
            continue;
        };
        let after = problems(&changed, settings, loader);
        let place = moved(problem.span, &problem.edits);
        let same = |d: &&Diagnostic| d.code == problem.code && meet(d.span, place);
        // The problem of another place that was told before lies there still.
        let others = before.iter().filter(|d| *d != problem);
        let others = others.filter(|d| d.code == problem.code && meet(d.span, problem.span));
        let gone = after.iter().filter(same).count() <= others.count();
        if !gone || unread(&after) > unread(&before) {
            let list: Vec<String> = after
                .iter()
                .map(|d| d.render("changed.game", &changed, false))
                .collect();
            let left = list.join("\n");
            tried.wrong.push(format!("{shown}\nwith {edits:?}\n{left}"));
        }
    }
}

#[test]
fn what_the_games_of_the_pages_are_proposed_mends_them() {
    let mut tried = Tried::default();
    for page in PAGES {
        let Some((_, example)) = page.text.split_once("\n## Wrong\n") else {
            continue;
        };
        let game = |mark: &str| {
            let rest = example.split_once(mark)?.1;
            rest.split("```").next().map(str::to_string)
        };
        let large = page.text.split_once("```game large.game\n");
        let large = large.and_then(|(_, rest)| rest.split("```").next());
        let loader = |_: &str, path: &str| match large {
            Some(text) => Ok((path.to_string(), text.to_string())),
            None => Err(format!("there is no {path}")),
        };
        if let Some(text) = game("```game\n") {
            try_all(&text, &Settings::new(), &loader, &mut tried);
        }
    }
    println!("{:?}", tried.codes);
    tried.expect_all();
}

#[test]
fn what_damaged_games_are_proposed_mends_them() {
    let shipped = Shipped::new();
    let mut tried = Tried::default();
    for number in 0..1_500 {
        let (text, _, settings) = shipped.mutant(number);
        let loader = |_: &str, path: &str| shipped.load(path);
        try_all(&text, &settings, &loader, &mut tried);
    }
    println!("{:?}", tried.codes);
    tried.expect_all();
}
