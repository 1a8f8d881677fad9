//! Syntax tree to checked description: names, types, bounds, then visibility.
//!
//! The passes, in order: the names of the file, what is required of the params, players, params, types, constants, state variables, shown defs, `play`
//! (with every rule and def inlined), `payoff`, and whatever no call has reached. Declarations may stand in any order;
//! each is resolved when it is first needed.

mod after;
mod alike;
mod arithmetic;
mod arrays;
pub mod boards;
pub mod calls;
mod checker;
mod choice;
mod choices_in_a_row;
pub mod codes;
mod collections;
mod computed;
mod convert;
mod declare;
mod enums;
mod expr;
pub mod extends;
mod facts;
mod families;
mod free;
mod habits;
mod hides_one;
mod inline;
mod knowledge;
mod layouts;
mod loops;
mod matching;
mod notes;
mod one_move;
mod one_of;
mod operators;
mod owners;
mod params;
mod payoff;
mod pictures;
mod positions;
pub mod proposals;
mod reads_otherwise;
mod requirements;
mod reveals;
mod rows;
mod scope;
mod settled;
mod shortened;
mod state;
mod stays;
mod stmt;
pub mod tables;
mod taken;
mod teams;
pub mod texts;
mod told;
mod type_of;
mod viewers;
pub mod visibility;
mod written;

#[cfg(test)]
mod tests;

use crate::model::Description;
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use indexmap::IndexMap;
use visibility::Rules;

/// Values for params from outside, by name, as the language writes them: `4` for `cards`, `15/2` for `limit`, and `3` for the
/// entry `price[taxi]` of a table. What is not set keeps the value that the text gives it.
pub type Settings = IndexMap<String, String>;

/// Checks a file under the given settings. A description comes back only when there is no error.
pub fn check(file: &ast::File, settings: &Settings) -> (Option<Description>, Vec<Diagnostic>) {
    check_rest(file, settings, false)
}

/// As [`check`], of a file with parts that could not be read, if `broken`: what would follow from their absence is not
/// told.
pub fn check_rest(
    file: &ast::File,
    settings: &Settings,
    broken: bool,
) -> (Option<Description>, Vec<Diagnostic>) {
    check_by(file, settings, broken, Rules::ALL)
}

/// As [`check_rest`], by these rules of who may see what.
pub fn check_by(
    file: &ast::File,
    settings: &Settings,
    broken: bool,
    rules: Rules,
) -> (Option<Description>, Vec<Diagnostic>) {
    if let Some(extends) = &file.extends {
        let problem = Diagnostic::error(
            crate::syntax::codes::CANNOT_EXTEND,
            extends.span,
            "the file that this one extends was not read",
        );
        return (None, vec![problem]);
    }
    let (mut description, mut problems) = checker::Checker::new(file, settings).run();
    scope::join_by_name(&mut problems);
    // What leaks is asked only of a description without other errors.
    if let Some(d) = &mut description
        && !broken
        && !problems.iter().any(Diagnostic::is_error)
    {
        problems.extend(visibility::visibility(d, rules));
        problems.extend(texts::texts(d));
        problems.extend(reads_otherwise::reads_otherwise(d));
        problems.extend(stays::draws_from_what_stays(d));
    }
    if problems.iter().any(Diagnostic::is_error) {
        return (None, problems);
    }
    (description, problems)
}
