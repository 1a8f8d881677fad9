//! Changes of a text that a report proposes: what stands in a place gives way to something else.

use crate::text::span::Span;
use serde::Serialize;

/// A change of the text: `text` takes the place of what stands at `span`, which is empty where something is put in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// What is replaced.
    pub span: Span,
    /// What is to stand there.
    pub text: String,
}

impl Edit {
    #[doc(hidden)]
    pub fn new(span: Span, text: impl Into<String>) -> Edit {
        let text = text.into();
        Edit { span, text }
    }
}

/// The text with these changes, which do not overlap; `None` where they do, or where one lies outside of the text.
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut ordered: Vec<&Edit> = edits.iter().collect();
    ordered.sort_by_key(|e| e.span);
    let mut changed = String::with_capacity(text.len());
    let mut at = 0;
    for edit in ordered {
        changed.push_str(text.get(at..edit.span.start as usize)?);
        changed.push_str(&edit.text);
        at = edit.span.end as usize;
    }
    changed.push_str(text.get(at..)?);
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit::new(Span::new(start, end), text)
    }

    #[test]
    fn edits_stand_in_any_order_and_do_not_overlap() {
        let both = [edit(4, 7, "two"), edit(0, 0, "and ")];
        assert_eq!(apply("one ♣", &both), Some("and one two".to_string()));
        assert_eq!(apply("one", &[edit(0, 2, "x"), edit(1, 3, "y")]), None);
        assert_eq!(apply("one", &[edit(4, 4, "x")]), None);
        assert_eq!(apply("♣", &[edit(1, 3, "x")]), None);
    }
}
