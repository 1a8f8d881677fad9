//! Text to syntax tree, with byte spans and comments. What the text means is for `check`.

pub mod ast;
pub mod span;

use crate::diagnostics::Diagnostic;

/// Reads a whole file. Problems are collected; the tree is there whenever enough of it could be read to go on, so that
/// `check` can report more in the same run. A tree without errors comes with an empty list.
pub fn parse(_text: &str) -> (Option<ast::File>, Vec<Diagnostic>) {
    unimplemented!()
}
