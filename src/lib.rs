//! Ruse: a game is a text file.

pub mod arena;
pub mod check;
pub mod cli;
pub mod compile;
pub mod diagnostics;
pub mod explain;
pub mod machine;
pub mod players;
pub mod random;
pub mod search;
pub mod solve;
pub mod syntax;

use diagnostics::Diagnostic;

/// Text to machine, the whole pipeline: parse, check under `settings`, compile. Warnings come with success too.
///
/// # Errors
/// Every problem found, errors and warnings, in the order of the text.
pub fn load(
    text: &str,
    settings: &check::Settings,
) -> Result<(machine::Machine, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (file, mut problems) = syntax::parse(text);
    let Some(file) = file else {
        return Err(problems);
    };
    let (description, more) = check::check(&file, settings);
    problems.extend(more);
    problems.sort_by_key(|d| (d.span, d.code));
    if problems.iter().any(Diagnostic::is_error) {
        return Err(problems);
    }
    let Some(description) = description else {
        return Err(problems);
    };
    match compile::compile(description) {
        Ok(program) => Ok((machine::Machine::new(program), problems)),
        Err(more) => {
            problems.extend(more);
            Err(problems)
        }
    }
}
