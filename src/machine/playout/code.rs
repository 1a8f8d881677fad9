//! The code of a playout: flat, with slots of 16 bits, so that a frame of 65,536 words needs no look at its bounds.

/// A slot of the frame.
pub(super) type At = u16;

/// Where a jump goes.
pub(super) type Pc = u32;

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
    /// Any tuple has been emitted since the last sampling.
    JumpListed {
        to: Pc,
    },
    JumpNotListed {
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
    /// `a ∩ b` is not empty.
    JumpMeets {
        a: At,
        b: At,
        to: Pc,
    },
    JumpMisses {
        a: At,
        b: At,
        to: Pc,
    },
    JumpMeetsWide {
        a: At,
        b: At,
        words: u16,
        to: Pc,
    },
    JumpMissesWide {
        a: At,
        b: At,
        words: u16,
        to: Pc,
    },
    /// A row of one word of a table is not 0.
    JumpRow {
        index: At,
        count: u32,
        from: u32,
        to: Pc,
    },
    JumpNotRow {
        index: At,
        count: u32,
        from: u32,
        to: Pc,
    },
    /// While `a < b`, `a` goes up by one and play goes on at `to`.
    CountOn {
        a: At,
        b: At,
        to: Pc,
        cost: u32,
    },
    /// The least element of `a` after `b`; without one a jump.
    NextOr {
        dst: At,
        a: At,
        b: At,
        to: Pc,
    },
    NextWideOr {
        dst: At,
        a: At,
        words: u16,
        b: At,
        to: Pc,
    },
    /// The least element of `a` after `b`; with one a jump back.
    NextLoop {
        dst: At,
        a: At,
        b: At,
        to: Pc,
        cost: u32,
    },
    /// The run or the line from `from` has at least so many cells.
    JumpLine {
        from: At,
        way: At,
        within: At,
        rays: u16,
        least: u16,
        to: Pc,
    },
    JumpNotLine {
        from: At,
        way: At,
        within: At,
        rays: u16,
        least: u16,
        to: Pc,
    },

    /// There is a line through `from`: the number of the lines in `lines`.
    JumpLines {
        from: At,
        within: At,
        lines: u16,
        to: Pc,
    },
    JumpNoLines {
        from: At,
        within: At,
        lines: u16,
        to: Pc,
    },

    Copy {
        dst: At,
        a: At,
    },
    /// Two copies, one after the other.
    CopyTwo {
        dst: At,
        a: At,
        second: At,
        b: At,
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
    /// `a ∖ b ∖ c`.
    WithoutBoth {
        dst: At,
        a: At,
        b: At,
        c: At,
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
    /// `a · mul + add`.
    Affine {
        dst: At,
        a: At,
        mul: i16,
        add: i16,
    },
    /// `a · mul + add + b`.
    AffineAdd {
        dst: At,
        a: At,
        mul: i16,
        add: i16,
        b: At,
    },
    /// Puts an element into a word for each of some slots that holds more than `a`: `from` for `b`, and so on; `anew`: into
    /// an empty word.
    MoreThan {
        dst: At,
        a: At,
        b: At,
        count: u8,
        from: u8,
        anew: bool,
    },
    /// The number of the range in `checks`.
    Check {
        a: At,
        check: u16,
    },
    AddCheck {
        dst: At,
        a: At,
        b: At,
        check: u16,
    },
    AddConstCheck {
        dst: At,
        a: At,
        value: i16,
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
    /// A load from `a · mul + add`.
    LoadAffine {
        dst: At,
        base: At,
        a: At,
        mul: i16,
        add: i16,
        count: u16,
    },
    LoadAddCheck {
        dst: At,
        base: At,
        index: At,
        count: u16,
        value: i16,
        check: u16,
    },
    /// An element of an array goes up by `value` and is checked.
    Bump {
        base: At,
        index: At,
        count: u16,
        value: i16,
        check: u16,
    },
    /// A row of one word from `from` on, of `count`.
    Table {
        dst: At,
        index: At,
        count: u32,
        from: u32,
    },
    /// The row `a · mul + add`.
    TableAffine {
        dst: At,
        a: At,
        mul: i16,
        add: i16,
        count: u16,
        from: u32,
    },
    /// A row `∩ b`.
    TableAnd {
        dst: At,
        index: At,
        b: At,
        count: u32,
        from: u32,
    },
    /// A row `∪ b`.
    TableOr {
        dst: At,
        index: At,
        b: At,
        count: u32,
        from: u32,
    },
    /// A row `∖ b`.
    TableWithout {
        dst: At,
        index: At,
        b: At,
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
    /// Inserts `b + add`.
    InsertAt {
        a: At,
        b: At,
        add: i16,
    },
    /// Removes `b + add`.
    RemoveAt {
        a: At,
        b: At,
        add: i16,
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
    /// Inserts `add` more than what each of some slots holds, from `b` on.
    InsertRow {
        a: At,
        words: u16,
        b: At,
        add: i16,
        count: u8,
    },
    /// The set of `add` more than what each of some slots holds, from `b` on.
    Gather {
        dst: At,
        words: u16,
        b: At,
        add: i16,
        count: u8,
    },
    /// Inserts `b + add`.
    InsertWideAt {
        a: At,
        words: u16,
        b: At,
        add: i16,
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
    WithoutBothWide {
        dst: At,
        a: At,
        b: At,
        c: At,
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
    /// The set of the one element `b + add`.
    Single {
        dst: At,
        words: u16,
        b: At,
        add: i16,
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

    /// The row `a · mul + b`, from a place that may lie before the table.
    TableWideBy {
        dst: At,
        a: At,
        mul: i16,
        b: At,
        words: u16,
        from: u32,
    },
    /// The row `a · mul + b` `∖ c`.
    TableWithoutWideBy {
        dst: At,
        a: At,
        mul: i16,
        b: At,
        c: At,
        words: u8,
        from: u32,
    },
    /// A row `∪ b`.
    TableOrWide {
        dst: At,
        index: At,
        words: u16,
        b: At,
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
    /// How many cells it has.
    LineCount {
        dst: At,
        from: At,
        way: At,
        within: At,
        rays: u16,
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
    /// One element of `a ∖ b ∖ c`.
    ElementWithout {
        dst: At,
        a: At,
        b: At,
        c: At,
        lo: At,
        fault: u16,
    },
    /// One element of `a ∖ b ∖ c`, which also goes into `set`.
    TakeWithout {
        dst: At,
        set: At,
        a: At,
        b: At,
        c: At,
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
