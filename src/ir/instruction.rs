//! Instructions: one step of straight-line code each, and what they are made of.

use super::{FaultId, NodeId};
use crate::model::SiteId;

/// The first slot of a value.
pub type Slot = u32;

/// A value in the frame: its first slot and how many words it takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    pub slot: Slot,
    pub words: u16,
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
    /// The first subset of `set` with `count` elements in the order of
    /// [`ListingKind::Subset`](super::ListingKind::Subset); `found`: there is one.
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

/// What is sampled in the middle of a flow. Each takes its random numbers as a [`Program`](super::Program) says.
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
