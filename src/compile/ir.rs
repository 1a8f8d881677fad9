//! The intermediate representation: what a game becomes, and all that any back end needs to know.
//!
//! A program is one control-flow graph. Playing runs it from the block where a node resumes to the next `Rest`; options
//! are listed by blocks of their own, which `Emit` tuples. Values live in *slots* of a flat frame of 64-bit words: a scalar
//! takes one slot and holds an `i64`, a set takes ⌈elements/64⌉ slots of bits. A variable's elements stand side by side.
//! Between nodes the slots that matter are packed (`layout`).
//!
//! How a choice or a draw is sampled is part of a program's meaning, so that every back end plays the same game from the
//! same seed. Where a listing has a [`Trial`], that runs until it hits, so many times at most. Otherwise, and after so many
//! misses, the sample is the k-th of the n tuples in listing order with one bounded number below n (by weight: below the
//! sum of the weights), whatever way a back end finds that tuple; a deal takes one number for each card, below the number
//! of cards left, for that card's place among them. Outside trials nothing in the graph draws a random number.

use super::layout::Layout;
use super::places::Marks;
use crate::model::types::Type;
use crate::model::{Description, PlayerMask, SiteId, VarId};
use crate::text::diagnostics::Code;
use crate::text::span::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The first slot of a value.
pub type Slot = u32;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u32);

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Index into [`Program::faults`].
pub type FaultId = u32;

/// A value in the frame: its first slot and how many words it takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    pub slot: Slot,
    pub words: u16,
}

#[derive(Debug)]
pub struct Program {
    pub description: Arc<Description>,
    /// What the frame holds; temporaries follow after the last named one.
    pub slots: Vec<SlotInfo>,
    /// The length of the frame in words.
    pub frame: u32,
    /// Where each variable's elements begin, by `VarId`.
    pub vars: Vec<VarSlots>,
    pub blocks: Vec<Block>,
    /// Where play begins.
    pub entry: BlockId,
    pub nodes: Vec<Node>,
    pub payoff: PayoffCode,
    pub layout: Layout,
    /// Constant tables, each a row of equal-sized values.
    pub tables: Vec<Table>,
    pub faults: Vec<Fault>,
    /// What helps players, one to one with the description's.
    pub knowledge: Vec<KnowledgeCode>,
    /// Where each piece of code that keeps notes up begins, and where play goes on after it.
    pub notes: FxHashMap<BlockId, BlockId>,
    /// The places that `Reach` tells of; empty unless the game was compiled with marks.
    pub marks: Marks,
}

/// One named value of the frame.
#[derive(Clone, Debug)]
pub struct SlotInfo {
    pub name: String,
    pub slot: Slot,
    pub ty: Type,
    /// The variable that it is an element of; locals have none.
    pub var: Option<VarId>,
}

#[derive(Clone, Debug)]
pub struct VarSlots {
    pub base: Slot,
    pub words: u16,
    pub elements: u32,
    /// Who sees each element.
    pub viewers: Vec<PlayerMask>,
}

#[derive(Clone, Debug, Default)]
pub struct Block {
    pub instrs: Vec<Instr>,
    pub term: Term,
    /// In steps, of which a run has a bounded number; 0 counts as 1.
    pub cost: u32,
}

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Term {
    Jump(BlockId),
    Branch {
        cond: Slot,
        then: BlockId,
        otherwise: BlockId,
    },
    /// Play rests at a node.
    Rest(NodeId),
    /// The end of a listing or of a payoff.
    #[default]
    Return,
    /// An error of play.
    Fail(FaultId),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Add,
    Sub,
    Mul,
    /// Rounded down.
    Div,
    /// With the sign of the divisor.
    Mod,
    Min,
    Max,
    Eq,
    Ne,
    Lt,
    Le,
    And,
    Or,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum SetOp {
    Union,
    Difference,
    Intersect,
}

/// One step of straight-line code. Scalars are slots; sets are operands of one or more words.
#[derive(Clone, Debug, PartialEq)]
pub enum Instr {
    Const {
        dst: Slot,
        value: i64,
    },
    Copy {
        dst: Slot,
        src: Slot,
        words: u16,
    },
    Binary {
        op: Op,
        dst: Slot,
        a: Slot,
        b: Slot,
    },
    /// As `Binary` with a constant on the right.
    Immediate {
        op: Op,
        dst: Slot,
        a: Slot,
        value: i64,
    },
    Not {
        dst: Slot,
        a: Slot,
    },
    /// `dst = if cond then a else b`.
    Select {
        dst: Slot,
        cond: Slot,
        a: Slot,
        b: Slot,
        words: u16,
    },
    /// `dst = frame[base + index * words …]`, for an index below `count`.
    Load {
        dst: Slot,
        base: Slot,
        index: Slot,
        words: u16,
        count: u32,
    },
    Store {
        base: Slot,
        index: Slot,
        src: Slot,
        words: u16,
        count: u32,
    },
    /// `dst = tables[table][index]`.
    Table {
        dst: Slot,
        table: u32,
        index: Slot,
        words: u16,
    },
    /// An error of play unless `lo <= value <= hi`.
    Check {
        value: Slot,
        lo: i64,
        hi: i64,
        fault: FaultId,
    },
    SetConst {
        dst: Slot,
        words: Vec<u64>,
    },
    SetBinary {
        op: SetOp,
        dst: Slot,
        a: Slot,
        b: Slot,
        words: u16,
    },
    /// `dst = element in set`; false for an element outside.
    SetTest {
        dst: Slot,
        set: Operand,
        element: Slot,
    },
    SetInsert {
        set: Operand,
        element: Slot,
    },
    SetRemove {
        set: Operand,
        element: Slot,
    },
    SetCount {
        dst: Slot,
        set: Operand,
    },
    /// The least element after `after`, or −1.
    SetNext {
        dst: Slot,
        set: Operand,
        after: Slot,
    },
    /// The greatest element, or −1.
    SetLast {
        dst: Slot,
        set: Operand,
    },
    SetEq {
        dst: Slot,
        a: Slot,
        b: Slot,
        words: u16,
    },
    /// `a ⊆ b`.
    SetSubset {
        dst: Slot,
        a: Slot,
        b: Slot,
        words: u16,
    },
    /// The elements of `src` that come before `element`.
    SetBefore {
        dst: Slot,
        src: Operand,
        element: Slot,
    },
    /// The `count` greatest elements of `src`.
    SetTop {
        dst: Slot,
        src: Operand,
        count: Slot,
    },
    /// The elements from `lo` to `hi`, both included.
    SetRange {
        dst: Operand,
        lo: Slot,
        hi: Slot,
    },
    /// The nodes next to those of `src`, without those of `src`. The table holds the neighbours of each node.
    SetAround {
        dst: Operand,
        src: Operand,
        table: u32,
    },
    /// What can be reached from `from` by steps inside `within`. The table holds the neighbours of each node.
    SetGroup {
        dst: Operand,
        from: Operand,
        within: Operand,
        table: u32,
    },
    /// The cells after `from` in a direction, as long as they are in `within`; or, with `both`, the unbroken line in
    /// `within` through `from`, that way and the opposite one. The table holds for each cell and each of the `ways` the
    /// next cell, plus one, or 0.
    SetRun {
        dst: Operand,
        from: Slot,
        way: Slot,
        within: Operand,
        table: u32,
        ways: u32,
        both: bool,
    },
    /// The distance from one node to another. The table holds for each node those to all nodes, in `words` words with
    /// `bits` bits for each distance.
    Hops {
        dst: Slot,
        from: Slot,
        to: Slot,
        table: u32,
        words: u16,
        bits: u32,
    },
    /// Renumbers elements by adding `by`; an error of play when one leaves `0..size`. The element of `src` with ordinal 0
    /// has the value `lo`.
    SetShift {
        dst: Operand,
        src: Operand,
        lo: i64,
        by: i64,
        size: u64,
        fault: FaultId,
    },
    /// Somebody sees something. Each player among the viewers of anything gets the values that it sees. The alternative
    /// is seen by its viewers and by all who see a part.
    Event(Box<EventCode>),
    /// The first subset of `set` with `count` elements in the order of [`ListingKind::Subset`]; `found`: there is one.
    SubsetFirst {
        dst: Operand,
        set: Operand,
        count: Slot,
        found: Slot,
    },
    /// The subset of `set` after the one in `dst`, with as many elements; `found`: there is one.
    SubsetNext {
        dst: Operand,
        set: Operand,
        found: Slot,
    },
    /// Play comes to a place; it changes nothing of the game.
    Reach {
        place: u32,
    },
    /// One tuple of a listing: the values of the parts, and for a weighted draw the weight. Of tuples with a `rank` only
    /// those with the least one count. `bulk`: many tuples at once.
    Emit {
        alternative: u32,
        parts: Vec<Operand>,
        weight: Option<Slot>,
        rank: Option<Slot>,
        bulk: Option<Bulk>,
    },
    /// Something is sampled: in a trial, and in the flow of a playout. The rest of a program leaves sampling to whoever
    /// runs it.
    Sample(Box<SampleCode>),
}

/// Tuples that are emitted at once: one for each value of the last part, or of the last two, in order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Bulk {
    /// Every subset of a set with so many elements.
    Subsets { set: Operand, count: Slot },
    /// Every element of a set, whose element with ordinal 0 has the value `lo`.
    Elements { set: Operand, lo: i64 },
    /// Every element of a set for the part before the last, and with each of them every element of another set for the
    /// last; each set with the value of its ordinal 0.
    Pairs {
        first: (Operand, i64),
        second: (Operand, i64),
    },
}

impl Bulk {
    /// How many parts the values are for.
    pub fn parts(&self) -> usize {
        match self {
            Bulk::Subsets { .. } | Bulk::Elements { .. } => 1,
            Bulk::Pairs { .. } => 2,
        }
    }
}

/// What is sampled in the middle of a flow. Each takes its random numbers as [`Program`]s say.
#[derive(Clone, Debug, PartialEq)]
pub enum SampleCode {
    /// A number below the one in `n`, or 0 for none.
    Below { dst: Slot, n: Slot },
    /// A number below `bound`, and the element of the set that has so many elements before it; `hit`: whether there is
    /// one. The element with ordinal 0 has the value `lo`.
    Member {
        dst: Slot,
        set: Operand,
        lo: i64,
        bound: u64,
        hit: Slot,
    },
    /// No number: how many attempts are left, as something that no pass takes for known.
    Attempts { dst: Slot, n: u32 },
    /// One element of a set, whose element with ordinal 0 has the value `lo`.
    Element {
        dst: Slot,
        set: Operand,
        lo: i64,
        fault: FaultId,
    },
    /// `count` elements of a set.
    Subset {
        dst: Operand,
        set: Operand,
        count: Slot,
        fault: FaultId,
    },
    /// No number: whether any tuple has been emitted since the last sampling.
    Listed { dst: Slot },
    /// One of the tuples emitted since the last sampling, by weight; its values go to the parts of its alternative.
    Tuple {
        chosen: Slot,
        alternatives: Vec<Vec<Operand>>,
        fault: FaultId,
    },
    /// For who follows the playout: the action taken at a node, or the outcome drawn there.
    Told {
        /// `None`: chance.
        player: Option<Slot>,
        node: NodeId,
        /// The number of the arm.
        arm: u32,
        chosen: Slot,
        alternatives: Vec<Vec<Operand>>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct EventCode {
    pub site: SiteId,
    /// For a choice: the chooser's slot.
    pub chooser: Option<Slot>,
    /// For a choice, a draw or a deal: the number of the alternative.
    pub alternative: Option<u32>,
    /// A word of player bits: who learns of the event though they see no part.
    pub viewers: Slot,
    /// Values, each with the slot of its viewers' bits.
    pub parts: Vec<(Operand, Slot)>,
}

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
    /// Where play looks beforehand whether anything would be listed.
    pub look: Option<Look>,
}

/// Code in the flow of play that finds out whether there is anything to choose.
#[derive(Copy, Clone, Debug)]
pub struct Look {
    pub code: BlockId,
    /// Where play goes on with the answer: to the node if there is something, and nobody else goes there.
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
    /// Whether it hit: 0 or 1.
    pub hit: Slot,
    /// After so many misses the tuples are listed.
    pub attempts: u32,
}

#[derive(Clone, Debug)]
pub enum ListingKind {
    /// Every element of one set: `code` leaves it in `set`, whose element with ordinal 0 has the value `lo`.
    Set {
        code: BlockId,
        set: Operand,
        lo: i64,
    },
    /// Loops that `Emit` every tuple.
    Loop { code: BlockId, weighted: bool },
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
    /// The entry's number in [`Program::knowledge`].
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
    pub pieces: Vec<TextPiece>,
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
}

#[derive(Clone, Debug)]
pub struct PayoffCode {
    pub code: BlockId,
    /// One slot a player, in units of 1/`den`.
    pub values: Vec<Slot>,
    pub den: i64,
    /// The least and the greatest value of each.
    pub bounds: Vec<(i64, i64)>,
    /// What the accumulators have earned, one slot a player, and the code that adds it up.
    pub accumulated: Option<(BlockId, Vec<Slot>)>,
    /// The variables that are accumulators.
    pub accumulators: Vec<VarId>,
    /// What is wrong when the claimed sum is not kept.
    pub fault: FaultId,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub words: u16,
    pub values: Vec<u64>,
}

/// What an error of play says.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub code: Code,
    pub span: Span,
    /// `{}` stands for the offending value.
    pub message: String,
    pub hint: Option<String>,
}

impl Program {
    /// How much there is of it: an instruction is 1, and so are 64 entries of tables.
    pub fn size(&self) -> usize {
        let code: usize = self.blocks.iter().map(|block| 1 + block.instrs.len()).sum();
        let tables: usize = self.tables.iter().map(|table| table.values.len()).sum();
        code + tables / 64
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}
