//! Where play rests: decisions, chance and ends, with the code that lists, samples, prints and rates what can be done there.

use super::{BlockId, FaultId, Operand, Slot};
use crate::model::SiteId;
use crate::model::types::Type;
use crate::text::span::Span;

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: NodeKind,
    /// Where play goes on.
    pub resume: BlockId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum NodeKind {
    Decision(Vec<Arm>),
    Chance(Listing),
    Terminal,
}

/// One player's part in a decision.
#[derive(Clone, Debug)]
pub struct Arm {
    pub player: ArmPlayer,
    /// Where the arm may sit out: the slot that says whether it takes part.
    pub active: Option<Slot>,
    pub listing: Listing,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ArmPlayer {
    Fixed(u8),
    /// The slot that holds the player.
    Slot(Slot),
}

/// How the tuples of a choice or a draw are found, and where the chosen one goes.
#[derive(Clone, Debug)]
pub struct Listing {
    pub site: SiteId,
    pub kind: ListingKind,
    /// The slot that takes the number of the alternative.
    pub chosen: Slot,
    /// For each alternative its parts and its text.
    pub alternatives: Vec<AlternativeCode>,
    /// Runs when nothing is listed.
    pub fault: FaultId,
    /// How to sample without listing.
    pub trial: Option<Trial>,
    /// Where play tests beforehand whether anything would be listed.
    pub option_test: Option<OptionTest>,
}

/// Code in the flow of play that tests whether there is anything to choose.
#[derive(Copy, Clone, Debug)]
pub struct OptionTest {
    pub code: BlockId,
    /// Where play goes on with the answer: to the node if there is something; that is the only way there.
    pub after: BlockId,
    /// The answer: 0 or 1.
    pub any: Slot,
}

/// Sampling by rejection: code that draws a tuple which may turn out to be none of the listing's. All tuples are equally
/// likely to be hit, so a hit is uniform.
#[derive(Copy, Clone, Debug)]
pub struct Trial {
    /// Leaves the parts and the number of the alternative in their slots when it hits.
    pub code: BlockId,
    /// Where a further attempt begins: behind what is the same for all of them.
    pub again: BlockId,
    /// Where an attempt ends that misses; `None` where all hit.
    pub miss: Option<BlockId>,
    /// Where it ends if no tuple is possible, before the first attempt; `None` where that is not looked at.
    pub nothing: Option<BlockId>,
    /// [`Trial::MISSED`], [`Trial::HIT`] or [`Trial::NOTHING`].
    pub hit: Slot,
    /// After so many misses the tuples are listed, or gone through.
    pub attempts: u32,
    /// Where they are gone through, if that needs no list: it leaves a tuple as a hit does, each with the same probability, or
    /// that there is none.
    pub sweep: Option<BlockId>,
}

impl Trial {
    pub const MISSED: u64 = 0;
    pub const HIT: u64 = 1;
    /// There is no tuple.
    pub const NOTHING: u64 = 2;

    /// The blocks that are known from outside.
    pub fn blocks(&mut self) -> impl Iterator<Item = &mut BlockId> {
        let ends = [&mut self.miss, &mut self.nothing, &mut self.sweep];
        let ends = ends.into_iter().flatten();
        [&mut self.code, &mut self.again].into_iter().chain(ends)
    }
}

#[derive(Clone, Debug)]
pub enum ListingKind {
    /// Every element of one set: `code` leaves it in `set`, whose element with ordinal 0 has the value `lo`.
    Set {
        code: BlockId,
        set: Operand,
        lo: i64,
    },
    /// Loops that `Emit` every tuple; where they are `ranked`, those of the least rank count.
    Loop {
        code: BlockId,
        weighted: bool,
        ranked: bool,
    },
    /// Every subset of `set` with `count` elements.
    Subset {
        code: BlockId,
        set: Operand,
        count: Slot,
    },
}

#[derive(Clone, Debug)]
pub struct AlternativeCode {
    pub parts: Vec<(Operand, Type)>,
    pub text: TextCode,
    /// How knowledge rates or classes the alternative.
    pub ratings: Vec<Rating>,
}

/// What one entry of knowledge says of an alternative, once its parts and `me` are in their slots.
#[derive(Clone, Debug)]
pub struct Rating {
    /// The entry's number in [`Program::knowledge`](super::Program::knowledge).
    pub entry: usize,
    pub code: BlockId,
    pub kind: RatingKind,
}

#[derive(Clone, Debug)]
pub enum RatingKind {
    /// The greater the better, in units of 1/`den`.
    Greatest { value: Slot, den: i64 },
    /// The less the better.
    Least { value: Slot, den: i64 },
    /// A share in units of 1/`den`; `first` is the number of a prioritised rule, or −1.
    Weight { first: Slot, weight: Slot, den: i64 },
    /// The class of the action, attribute by attribute.
    Class(Vec<Slot>),
    /// Whether a filter keeps the action: 0 or 1.
    Kept(Slot),
}

/// An entry of knowledge: where the owner who asks goes, and what it computes from a state alone.
#[derive(Clone, Debug)]
pub struct KnowledgeCode {
    pub me: Slot,
    /// For a layout: where the cell goes.
    pub cell: Option<Slot>,
    /// `None` for what only rates actions.
    pub of_state: Option<StateKnowledge>,
}

#[derive(Clone, Debug)]
pub struct StateKnowledge {
    pub code: BlockId,
    /// An evaluation's value; a category's subject and value; an abstraction's attributes; the conditions of a layout.
    pub values: Vec<(Operand, Type)>,
}

/// How an action prints: `code` fills the slots that the pieces read.
#[derive(Clone, Debug)]
pub struct TextCode {
    pub code: BlockId,
    /// The first of these whose condition holds is printed.
    pub cases: Vec<TextCaseCode>,
    /// What is printed otherwise.
    pub pieces: Vec<TextPiece>,
    /// What is printed for those who do not see which case it is.
    pub hidden: Vec<TextPiece>,
}

/// What an action prints under a condition.
#[derive(Clone, Debug)]
pub struct TextCaseCode {
    /// 0 or 1, where no case before it holds.
    pub cond: Slot,
    /// As of a hole; who does not see whether the condition holds is printed nothing from here on.
    pub viewers: Vec<Slot>,
    pub pieces: Vec<TextPiece>,
}

impl TextCode {
    /// All that may be printed.
    pub fn pieces(&self) -> impl Iterator<Item = &TextPiece> {
        self.cases
            .iter()
            .flat_map(|case| &case.pieces)
            .chain(&self.pieces)
            .chain(&self.hidden)
    }
}

#[derive(Clone, Debug)]
pub enum TextPiece {
    Literal(String),
    Hole {
        value: Operand,
        ty: Type,
        /// Slots of player bits; who is missing from one of them does not see the hole.
        viewers: Vec<Slot>,
    },
    /// What prints where a slot has a value.
    Where {
        slot: Slot,
        value: i64,
        pieces: Vec<TextPiece>,
    },
}

impl TextPiece {
    /// Calls `f` on every slot that it reads.
    pub fn for_each_slot(&mut self, f: &mut dyn FnMut(&mut Slot)) {
        match self {
            TextPiece::Literal(_) => {}
            TextPiece::Hole { value, viewers, .. } => {
                f(&mut value.slot);
                viewers.iter_mut().for_each(f);
            }
            TextPiece::Where { slot, pieces, .. } => {
                f(slot);
                pieces.iter_mut().for_each(|piece| piece.for_each_slot(f));
            }
        }
    }
}

impl Node {
    /// Its listings: one for each arm of a decision, one of chance, none at an end.
    pub fn listings(&self) -> Vec<&Listing> {
        match &self.kind {
            NodeKind::Decision(arms) => arms.iter().map(|a| &a.listing).collect(),
            NodeKind::Chance(listing) => vec![listing],
            NodeKind::Terminal => Vec::new(),
        }
    }
}
