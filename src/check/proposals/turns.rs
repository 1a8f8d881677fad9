//! Turns that go on by a condition which not everybody knows: it is put on view, as a `shown def`. Told in a step before the
//! turns it would be asked once only.

use super::trials::Trials;
use crate::check::visibility::codes;
use crate::syntax::ast::{Expr, ExprKind, File, Item, Stmt, StmtKind};
use crate::syntax::names::Names;
use crate::syntax::visit::Visitor;
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::Edit;
use crate::text::span::Span;

/// For a problem that nothing else mends: the condition of some turns on view, if that mends it.
pub(super) fn show_condition(number: usize, problem: &mut Diagnostic, trials: &mut Trials<'_>) {
    let of_turns = [
        codes::STORE,
        codes::EVENT,
        codes::END,
        codes::SHOWN,
        codes::REVEAL_PLACE,
    ];
    if !of_turns.contains(&problem.code) {
        return;
    }
    let Some(file) = trials.file() else {
        return;
    };
    for (at, cond) in conditions(&file) {
        let Some(words) = words(cond, trials) else {
            continue;
        };
        let name = fresh("more", &file);
        let edits = vec![
            Edit::new(at, format!("shown def {name}: bool = {words}\n  ")),
            Edit::new(cond.span, name.clone()),
        ];
        if trials.mended(&edits).is_some_and(|m| m.contains(&number)) {
            problem.hint = Some(format!(
                "let everybody see whether the turns go on: `shown def {name}: bool = {words}`, and `while {name}`"
            ));
            problem.edits = edits;
            return;
        }
    }
}

/// The conditions of turns, each with the place before the block of `play` or the rule that it stands in.
fn conditions(file: &File) -> Vec<(Span, &Expr)> {
    struct Conditions<'a>(Vec<&'a Expr>);
    impl<'a> Visitor<'a> for Conditions<'a> {
        fn stmt(&mut self, stmt: &'a Stmt) {
            if let StmtKind::Turns(turns) = &stmt.kind {
                self.0.extend(&turns.cond);
            }
            stmt.walk(self);
        }
    }
    let mut found = Vec::new();
    for item in &file.items {
        let (body, start) = match item {
            Item::Play(play) => (&play.body, play.span.start),
            Item::Rule(rule) => (&rule.body, rule.span.start),
            _ => continue,
        };
        let mut conditions = Conditions(Vec::new());
        conditions.block(body);
        let at = Span { start, end: start };
        found.extend(conditions.0.into_iter().map(|cond| (at, cond)));
    }
    found
}

/// What a condition says, without the `reveal` that it may be in.
fn words(cond: &Expr, trials: &Trials<'_>) -> Option<String> {
    let told = match &cond.kind {
        ExprKind::Reveal {
            value,
            to: None,
            text: None,
        } => value,
        _ => cond,
    };
    let words = trials.sources.slice(told.span)?;
    let words: Vec<&str> = words.split_whitespace().collect();
    let words = words.join(" ");
    (!words.contains("//")).then_some(words)
}

/// The first of some names, numbered if need be, that nothing has.
fn fresh(name: &str, file: &File) -> String {
    let names = Names::of(file);
    let taken = |name: &String| names.definitions().iter().any(|d| d.name == *name);
    let numbered = (2..).map(|n| format!("{name}{n}"));
    let mut all = std::iter::once(name.to_string()).chain(numbered);
    all.find(|n| !taken(n)).unwrap_or_default()
}
