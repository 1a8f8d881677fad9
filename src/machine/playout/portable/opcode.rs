//! The opcodes: flat, with slots of 16 bits, so that a frame of 65,536 words needs no look at its bounds.

use crate::machine::playout::frames::At;
use crate::machine::playout::interface::Pc;

/// One operation of playout code. `a`, `b` are read, `dst` is written; where nothing else is said, sets have one word.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Opcode {
    /// A jump to what was written before: counted, so that nothing runs for ever.
    Back {
        to: Pc,
        /// What the blocks from there to here cost in steps.
        cost: u32,
    },
    JumpIf {
        a: At,
        to: Pc,
    },
    JumpIfNot {
        a: At,
        to: Pc,
    },
    JumpEq {
        a: At,
        b: At,
        to: Pc,
    },
    JumpNe {
        a: At,
        b: At,
        to: Pc,
    },
    JumpLt {
        a: At,
        b: At,
        to: Pc,
    },
    JumpLe {
        a: At,
        b: At,
        to: Pc,
    },
    /// `a ⊆ b`.
    JumpWithin {
        a: At,
        b: At,
        to: Pc,
    },
    JumpNotWithin {
        a: At,
        b: At,
        to: Pc,
    },
    JumpHas {
        a: At,
        b: At,
        to: Pc,
    },
    JumpHasNot {
        a: At,
        b: At,
        to: Pc,
    },
    JumpHasWide {
        a: At,
        words: u16,
        b: At,
        to: Pc,
    },
    JumpHasNotWide {
        a: At,
        words: u16,
        b: At,
        to: Pc,
    },
    JumpEqWide {
        a: At,
        b: At,
        words: u16,
        to: Pc,
    },
    JumpNeWide {
        a: At,
        b: At,
        words: u16,
        to: Pc,
    },
    JumpWithinWide {
        a: At,
        b: At,
        words: u16,
        to: Pc,
    },
    JumpNotWithinWide {
        a: At,
        b: At,
        words: u16,
        to: Pc,
    },

    Copy {
        dst: At,
        a: At,
    },
    CopyWide {
        dst: At,
        a: At,
        words: u16,
    },
    Add {
        dst: At,
        a: At,
        b: At,
    },
    Sub {
        dst: At,
        a: At,
        b: At,
    },
    Mul {
        dst: At,
        a: At,
        b: At,
    },
    Min {
        dst: At,
        a: At,
        b: At,
    },
    Max {
        dst: At,
        a: At,
        b: At,
    },
    Eq {
        dst: At,
        a: At,
        b: At,
    },
    Ne {
        dst: At,
        a: At,
        b: At,
    },
    Lt {
        dst: At,
        a: At,
        b: At,
    },
    Le {
        dst: At,
        a: At,
        b: At,
    },
    And {
        dst: At,
        a: At,
        b: At,
    },
    Or {
        dst: At,
        a: At,
        b: At,
    },
    /// `a ∖ b`.
    Without {
        dst: At,
        a: At,
        b: At,
    },
    Within {
        dst: At,
        a: At,
        b: At,
    },
    Not {
        dst: At,
        a: At,
    },
    Select {
        dst: At,
        cond: At,
        a: At,
        b: At,
    },
    AddConst {
        dst: At,
        a: At,
        value: i32,
    },
    /// The number of the range in `checks`.
    Check {
        a: At,
        check: u16,
    },
    Load {
        dst: At,
        base: At,
        index: At,
        count: u16,
    },
    LoadWide {
        dst: At,
        base: At,
        index: At,
        words: u16,
        count: u16,
    },
    Store {
        base: At,
        index: At,
        a: At,
        count: u16,
    },
    StoreWide {
        base: At,
        index: At,
        a: At,
        words: u16,
        count: u16,
    },
    /// A row of one word from `from` on, of `count`.
    Table {
        dst: At,
        index: At,
        count: u32,
        from: u32,
    },

    Has {
        dst: At,
        a: At,
        b: At,
    },
    Insert {
        a: At,
        b: At,
    },
    Remove {
        a: At,
        b: At,
    },
    Count {
        dst: At,
        a: At,
    },
    /// The least element of `a` after `b`, or −1.
    Next {
        dst: At,
        a: At,
        b: At,
    },
    First {
        dst: At,
        a: At,
    },
    Last {
        dst: At,
        a: At,
    },

    HasWide {
        dst: At,
        a: At,
        words: u16,
        b: At,
    },
    InsertWide {
        a: At,
        words: u16,
        b: At,
    },
    RemoveWide {
        a: At,
        words: u16,
        b: At,
    },
    UnionWide {
        dst: At,
        a: At,
        b: At,
        words: u16,
    },
    IntersectWide {
        dst: At,
        a: At,
        b: At,
        words: u16,
    },
    WithoutWide {
        dst: At,
        a: At,
        b: At,
        words: u16,
    },
    EqWide {
        dst: At,
        a: At,
        b: At,
        words: u16,
    },
    WithinWide {
        dst: At,
        a: At,
        b: At,
        words: u16,
    },
    NextWide {
        dst: At,
        a: At,
        words: u16,
        b: At,
    },
    CountWide {
        dst: At,
        a: At,
        words: u16,
    },
    TableWide {
        dst: At,
        index: At,
        words: u16,
        from: u32,
    },

    /// The neighbours of the nodes of a set, by the board of a number in `boards`.
    Neighbours {
        dst: At,
        a: At,
        board: u16,
    },
    /// What can be reached from `from` inside `within`.
    Group {
        dst: At,
        from: At,
        within: At,
        board: u16,
    },
    /// The run or the line of a cell inside a set of one word.
    Line {
        dst: At,
        from: At,
        way: At,
        within: At,
        rays: u16,
    },
    /// Whether the line of a cell inside a set of one word has at least so many cells.
    LineAtLeast {
        dst: At,
        from: At,
        within: At,
        rays: u16,
        way: u8,
        least: u8,
    },
    /// Renumbers the elements of a set of one word: the number of the shift in `shifts`.
    Shift {
        dst: At,
        a: At,
        shift: u16,
    },

    /// Anything else, as the interpreter does it: the number of the instruction in `others`.
    Other {
        number: u32,
    },

    /// A number below the one in `n`, or 0 for none.
    Below {
        dst: At,
        n: At,
    },
    /// A number below `bound`, and the element of a set of one word with so many before it; `hit`: whether there is one.
    Member {
        dst: At,
        a: At,
        hit: At,
        lo: At,
        bound: u32,
    },
    /// One element of a set of one word, whose ordinal 0 has the value of `lo`.
    Element {
        dst: At,
        a: At,
        lo: At,
        fault: u16,
    },
    ElementWide {
        dst: At,
        a: At,
        words: u16,
        lo: At,
        fault: u16,
    },
    /// `count` elements of a set of one word.
    Subset {
        dst: At,
        a: At,
        count: At,
        fault: u16,
    },
    /// The number of the sample in `samples`.
    Sample {
        number: u32,
    },
    /// Whether any tuple has been emitted since the last sampling.
    Listed {
        dst: At,
    },
    /// The number of the emission in `emissions`.
    Emit {
        number: u32,
    },

    End,
    Fail {
        fault: u32,
    },
}
