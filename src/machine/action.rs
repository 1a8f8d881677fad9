//! Actions of players and outcomes of chance: tuples of values, and lists of them that are filled again and again.

use smallvec::SmallVec;

/// An action or a chance outcome: the number of the alternative, then the words of each of its parts in order (a scalar
/// takes one word, a set ⌈elements/64⌉).
#[derive(
    Clone,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
)]
pub struct Action(pub SmallVec<[u64; 4]>);

/// A list of actions in a fixed order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Actions(pub Vec<Action>);

impl std::ops::Deref for Actions {
    type Target = [Action];
    fn deref(&self) -> &[Action] {
        &self.0
    }
}

/// The outcomes of a chance node, each with a positive integer weight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    pub list: Vec<(Action, u64)>,
    /// The sum of the weights.
    pub total: u64,
}

impl Outcomes {
    /// The greatest number of outcomes that is listed.
    pub const LIMIT: usize = 10_000_000;

    /// The probability of outcome `i`.
    pub fn probability(&self, i: usize) -> f64 {
        self.list[i].1 as f64 / self.total as f64
    }
}
