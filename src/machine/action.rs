//! Actions of players and outcomes of chance: tuples of values, and lists of them that are filled again and again.

use smallvec::SmallVec;

/// An action of a player or an outcome of chance, as [`Machine::action_text`](super::Machine::action_text) and
/// [`Machine::outcome_text`](super::Machine::outcome_text) print it.
///
/// Serialised as a list of words: the number of the alternative, then the words of each of its parts in order (a scalar
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
pub struct Action(#[doc(hidden)] pub SmallVec<[u64; 4]>);

/// The actions that a player may choose from, in a fixed order; a slice of [`Action`]s. Filled by
/// [`Machine::legal`](super::Machine::legal), again and again without a new allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Actions(#[doc(hidden)] pub Vec<Action>);

impl std::ops::Deref for Actions {
    type Target = [Action];
    fn deref(&self) -> &[Action] {
        &self.0
    }
}

/// The outcomes of a chance node, each with a positive integer weight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Each outcome with its weight, in the order of [`Machine::outcomes`](super::Machine::outcomes).
    pub list: Vec<(Action, u64)>,
    /// The sum of the weights.
    pub total: u64,
}

impl Outcomes {
    /// [`Machine::outcomes`](super::Machine::outcomes) lists fewer outcomes than this.
    pub const LIMIT: usize = 10_000_000;

    /// The probability of outcome `i`.
    pub fn probability(&self, i: usize) -> f64 {
        self.list[i].1 as f64 / self.total as f64
    }
}
