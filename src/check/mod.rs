//! Syntax tree to checked description: names, types, bounds, then visibility.

pub mod description;
pub mod evaluate;
pub mod types;
pub mod visibility;

use crate::diagnostics::Diagnostic;
use crate::syntax::ast;
use description::Description;
use indexmap::IndexMap;

/// Values for params from outside (`--set cards=4`), as text.
pub type Settings = IndexMap<String, String>;

/// Checks a file under the given settings. A description comes back only when there is no error.
pub fn check(_file: &ast::File, _settings: &Settings) -> (Option<Description>, Vec<Diagnostic>) {
    unimplemented!()
}
