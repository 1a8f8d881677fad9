//! What can go wrong in play: the rules ran into something that the check could not exclude.

use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::span::Span;

/// An error of play, with the place in the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayError {
    /// Which kind of error it is; `ruse explain` has a page for each.
    pub code: Code,
    /// The place in the text of the game.
    pub span: Span,
    /// What happened, in words of the game.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
}

impl PlayError {
    /// As a report on the text of the game.
    pub fn diagnostic(&self) -> Diagnostic {
        let d = Diagnostic::error(self.code, self.span, self.message.clone());
        match &self.hint {
            Some(hint) => d.hint(hint.clone()),
            None => d,
        }
    }
}

impl std::fmt::Display for PlayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code.0, self.message)
    }
}

impl std::error::Error for PlayError {}
