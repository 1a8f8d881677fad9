//! What functions are made of. The operations of a function are written once: on constants they are evaluated
//! (`evaluate/call`), in a program they become instructions (`compile/lower/call`).

use crate::model::{Expr, Rows};
use crate::text::diagnostics::Code;

/// A number that an operation has made, as the operations counts them.
#[derive(Copy, Clone)]
pub struct Number(pub u32);

/// A set that an operation has made, of so many words.
#[derive(Copy, Clone)]
pub struct Set {
    pub at: u32,
    pub words: u16,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Op {
    Add,
    Mul,
    /// Of a divisor above 0: what is left, never negative.
    Mod,
    Min,
    Max,
}

/// One operation. The tables are those of calls ([`Call::table`](super::Call)).
#[derive(Copy, Clone)]
pub enum Operation<'t> {
    Number(Number),
    /// With a constant on the right.
    With {
        op: Op,
        a: Number,
        value: i64,
    },
    Binary {
        op: Op,
        a: Number,
        b: Number,
    },
    /// The number of elements.
    Count(Set),
    /// The ordinal of the least element, -1 of the empty set.
    First(Set),
    /// The ordinal of the greatest element, -1 of the empty set.
    Last(Set),
    /// Whether a set comes before another, as 1 or 0.
    Before(Set, Set),
    /// One of two sets.
    Select {
        cond: Number,
        then: Set,
        otherwise: Set,
    },
    /// The greatest elements of a set, so many.
    Top {
        count: Number,
        set: Set,
    },
    /// The nodes next to those of a set and not in it. The table has the neighbours of each node.
    Around {
        from: Set,
        table: &'t Rows,
    },
    /// What can be reached from a set inside another. The table has the neighbours of each node.
    Group {
        from: Set,
        within: Set,
        table: &'t Rows,
    },
    /// The nodes after one in a direction as long as they are in a set; in `both` directions with the node itself. The
    /// table has, by node and direction, the next node (an optional).
    Run {
        from: Number,
        way: Number,
        /// How many directions there are; half of them on is the opposite.
        ways: u64,
        within: Set,
        both: bool,
        table: &'t Rows,
    },
    /// The distance of two nodes. The table has the distances from each node to all, packed.
    Hops {
        from: Number,
        to: Number,
        table: &'t Rows,
    },
}

/// An error of play.
pub struct Failure {
    pub code: Code,
    /// `{}` stands for the value that was checked.
    pub message: String,
    pub hint: &'static str,
}

/// Takes the operations of a function, one after the other. `None`: there is no value, which happens to constants only.
pub trait Operations {
    fn number(&mut self, e: &Expr) -> Option<Number>;

    /// The ordinal of a value in its type.
    fn ordinal(&mut self, e: &Expr) -> Option<Number>;

    fn set(&mut self, e: &Expr) -> Option<Set>;

    /// A number that needs no operation because it is known before play; where it is not, use [`Operations::number`].
    fn known(&mut self, e: &Expr) -> Option<i64>;

    /// Adds an operation that makes a number.
    fn push(&mut self, operation: Operation<'_>) -> Option<Number>;

    /// Ends in an error of play unless lo ≤ value ≤ hi.
    fn check(&mut self, value: Number, lo: i64, hi: i64, failure: Failure) -> Option<()>;
}
