//! A world state at rest: the node and the packed variables, flat words without a heap for games of ordinary size.

use smallvec::SmallVec;

/// A state of one machine. Only the machine that made it can read it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) node: u32,
    pub(super) words: SmallVec<[u64; 16]>,
}
