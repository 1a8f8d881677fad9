//! Who sees what happens in play, as the visibility check worked it out.

use super::{PlayerSet, SiteKind};
use crate::text::span::Span;

/// Something that happens at a place in the text, or one value of it, and who sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventView {
    pub kind: SiteKind,
    pub span: Span,
    /// What is chosen or drawn, or what is dealt from. Empty for a reveal.
    pub name: String,
    /// Where it goes, if it does: `card[Ann]`.
    pub to: Option<String>,
    /// Where its viewers are named; of interest for a reveal only.
    pub viewers: Span,
    /// One for each way to get there that makes a difference.
    pub cases: Vec<EventCase>,
}

/// Who sees an event on some ways to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct EventCase {
    /// The player who chooses, if it is a choice, and if it is known whose.
    pub chooser: Option<usize>,
    /// Those who certainly see it.
    pub certain: PlayerSet,
    /// Those who see it or may do so.
    pub possible: PlayerSet,
}
