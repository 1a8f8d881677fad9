//! Events: what happens in play, and who sees what of it.

use super::table::Names;
use super::{Operand, Slot};
use crate::model::types::Type;
use crate::model::{PlayerSet, SiteId};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EventCode {
    pub site: SiteId,
    /// For a choice: the chooser's slot.
    pub chooser: Option<Slot>,
    /// For a choice, a draw or a deal: the number of the alternative.
    pub alternative: Option<u32>,
    /// Whether the alternative is seen only by `viewers` and the chooser, and not by all who see a part.
    pub labelled: bool,
    /// A word of player bits: who learns of the event though they see no part; of a choice with labels, who sees those.
    pub viewers: Slot,
    /// Values, each with the slot of its viewers' bits.
    pub parts: Vec<(Operand, Slot)>,
    /// In which words people are told of it, where a rule says so.
    pub said: Option<Box<Said>>,
}

/// A text with values of the moment of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Said {
    pub values: Vec<SaidValue>,
    /// The first of these whose condition holds, which is one of the values.
    pub cases: Vec<(usize, Vec<SaidPiece>)>,
    pub pieces: Vec<SaidPiece>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SaidValue {
    pub value: Operand,
    pub ty: Type,
    /// Those for whom it is printed.
    pub viewers: PlayerSet,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SaidPiece {
    Literal(String),
    /// One of the values.
    Value(usize),
}

impl EventCode {
    pub(super) fn text(&self, n: &Names<'_>) -> String {
        let part =
            |(value, viewers): &(Operand, Slot)| format!("{} to {}", n.set(value), n.slot(viewers));
        let parts: Vec<String> = self.parts.iter().map(part).collect();
        let mut text = format!("event {}", self.site.0);
        if let Some(chooser) = &self.chooser {
            text += &format!(" of {}", n.slot(chooser));
        }
        if let Some(alternative) = self.alternative {
            text += &format!(" option {alternative}");
        }
        format!("{text} to {}: {}", n.slot(&self.viewers), parts.join(", "))
    }
}
