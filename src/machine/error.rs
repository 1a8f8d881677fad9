//! What can go wrong in play: the rules ran into something that the check could not exclude.

use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::span::Span;

/// An error of play, with the place in the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayError {
    pub code: Code,
    pub span: Span,
    pub message: String,
    pub hint: Option<String>,
}

impl PlayError {
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
