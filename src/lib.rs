//! Ruse: a game is a text file.

pub mod arena;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compile;
pub mod ir;
pub mod machine;
pub mod model;
pub mod players;
pub mod random;
#[cfg(test)]
mod random_tests;
pub mod review;
pub mod search;
pub mod shipped;
#[cfg(test)]
#[path = "../tests/support/snapshots.rs"]
mod snapshots;
pub mod solve;
pub mod syntax;
pub mod text;
pub mod threads;

use text::diagnostics::Diagnostic;

/// A playable game and the warnings about its text, or every problem found, in the order of the text.
pub type Outcome = Result<(machine::Machine, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Text to machine, the whole pipeline: parse, check under `settings`, compile. Warnings come with success too.
///
/// # Errors
/// Every problem found, errors and warnings, in the order of the text. A game that extends another needs [`load_with`].
pub fn load(text: &str, settings: &check::Settings) -> Outcome {
    load_with("", text, settings, &check::extends::no_files).0
}

/// As [`load`], with a loader for the files that the game extends. `name` is that of the text, from which the loader
/// starts. The files that were read come back too: the spans of problems are to be looked up in them.
pub fn load_with(
    name: &str,
    text: &str,
    settings: &check::Settings,
    loader: check::extends::Loader<'_>,
) -> (Outcome, text::sources::Sources) {
    let (file, problems, sources) = check::extends::assemble(name, text, loader);
    (finish(file, problems, settings), sources)
}

fn finish(
    file: Option<syntax::ast::File>,
    mut problems: Vec<Diagnostic>,
    settings: &check::Settings,
) -> Outcome {
    let Some(file) = file else {
        return Err(problems);
    };
    let broken = problems.iter().any(Diagnostic::is_error);
    let (description, more) = check::check_rest(&file, settings, broken);
    problems.extend(more);
    problems.sort_by_key(|d| (d.span, d.code));
    if problems.iter().any(Diagnostic::is_error) {
        return Err(problems);
    }
    let Some(description) = description else {
        let problem = Diagnostic::error(
            check::codes::NOT_UNDERSTOOD,
            file.name.span,
            "this game cannot be understood, and the check did not note why",
        )
        .hint("this is a mistake of ruse; please report it");
        return Err(vec![problem]);
    };
    match compile::compile(description) {
        Ok(program) => Ok((machine::Machine::new(program), problems)),
        Err(more) => {
            problems.extend(more);
            Err(problems)
        }
    }
}
