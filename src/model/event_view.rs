//! Who sees what happens in play, as the visibility check worked it out.

use super::{Expr, ExprKind, PlayerSet, SiteKind};
use crate::text::sources::Sources;
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
    pub viewers: Viewers,
    /// One for each way to get there that makes a difference.
    pub cases: Vec<EventCase>,
}

/// Where those who see an event are named, in the event or in the state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Viewers {
    pub span: Span,
    /// Whether a player stands there, and not a set of players.
    pub one: bool,
}

/// Longer names of viewers are not quoted, in characters.
const LONGEST: usize = 50;

impl Viewers {
    /// Those who are in a set of players.
    pub fn of(e: &Expr) -> Viewers {
        let one = |item: &Expr| item.span == e.span;
        Viewers {
            span: e.span,
            one: matches!(&e.kind, ExprKind::SetOf(list) if list.len() == 1 && one(&list[0])),
        }
    }

    /// As the event at a place names them, where it does: `those in wolves`, `who is leader`.
    pub fn words(self, event: Span, sources: &Sources) -> Option<String> {
        if !event.contains(self.span) || event == self.span {
            return None;
        }
        let words: Vec<&str> = sources.slice(self.span)?.split_whitespace().collect();
        let words = words.join(" ");
        (words.chars().count() <= LONGEST).then(|| match self.one {
            true => format!("who is {words}"),
            false => format!("those in {words}"),
        })
    }
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
