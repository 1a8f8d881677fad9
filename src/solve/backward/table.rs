//! The states that were found, numbered in the order of their discovery, each once.
//!
//! Two states are one when they have the same node and the same identity (`Machine::identity`): accumulators do not count.
//! Of each the first that was found stands here with all of its words, so that play can go on from it. Equality is always
//! decided on the words themselves; hashes only say where to look.

use super::paged::Paged;
use crate::machine::history::mix;
use crate::machine::{Machine, State};

/// The number of a state.
pub type StateId = u32;

#[derive(Debug)]
pub(super) struct Table {
    nodes: Paged<u32>,
    words: Paged<u64>,
    /// Open addressing: in each place 0, or the number of a state plus 1 below the upper half of its hash. A power of two.
    index: Vec<u64>,
    /// For each node the bits of each word that count.
    identity: Vec<Box<[u64]>>,
}

/// The most states that a table can number.
const MOST: usize = u32::MAX as usize - 1;

impl Table {
    pub fn new(machine: &Machine) -> Table {
        Table {
            nodes: Paged::new(1),
            words: Paged::new(machine.state_words()),
            index: vec![0; 1 << 10],
            identity: (0..machine.nodes() as u32)
                .map(|node| machine.identity(node).into())
                .collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, id: StateId) -> u32 {
        self.nodes.get(id as usize)[0]
    }

    pub fn words(&self, id: StateId) -> &[u64] {
        self.words.get(id as usize)
    }

    /// The state as the machine wants it.
    pub fn state(&self, machine: &Machine, id: StateId) -> State {
        machine.state_at(self.node(id), self.words(id))
    }

    pub fn hash(&self, node: u32, words: &[u64]) -> u64 {
        std::iter::zip(words, &self.identity[node as usize])
            .fold(mix(1, u64::from(node)), |key, (w, m)| mix(key, w & m))
    }

    pub fn find(&self, hash: u64, node: u32, words: &[u64]) -> Option<StateId> {
        self.look(hash, node, words).ok()
    }

    /// The number of a state, which is a new one if it was not there; `None` when there is no room.
    pub fn insert(&mut self, hash: u64, node: u32, words: &[u64]) -> Option<StateId> {
        let free = match self.look(hash, node, words) {
            Ok(id) => return Some(id),
            Err(free) => free,
        };
        if self.len() >= MOST {
            return None;
        }
        let id = self.len() as StateId;
        self.nodes.push(&[node]);
        self.words.push(words);
        self.index[free] = entry(hash, id);
        if self.len() * 3 > self.index.len() * 2 {
            self.grow();
        }
        Some(id)
    }

    /// Where a state is, or the free place for it.
    fn look(&self, hash: u64, node: u32, words: &[u64]) -> Result<StateId, usize> {
        let last = self.index.len() - 1;
        let identity = &self.identity[node as usize];
        let mut at = hash as usize & last;
        loop {
            let found = self.index[at];
            if found == 0 {
                return Err(at);
            }
            if found >> 32 == hash >> 32 {
                let id = (found as u32) - 1;
                let same = self.node(id) == node
                    && std::iter::zip(self.words(id), words)
                        .zip(identity)
                        .all(|((a, b), m)| (a ^ b) & m == 0);
                if same {
                    return Ok(id);
                }
            }
            at = (at + 1) & last;
        }
    }

    fn grow(&mut self) {
        let size = self.index.len() * 2;
        let mut index = vec![0; size];
        for id in 0..self.len() as StateId {
            let hash = self.hash(self.node(id), self.words(id));
            let mut at = hash as usize & (size - 1);
            while index[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            index[at] = entry(hash, id);
        }
        self.index = index;
    }

    pub fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.words.bytes() + 8 * self.index.len() as u64
    }

    /// The bytes that `more` states would need besides.
    pub fn bytes_for(&self, more: usize) -> u64 {
        let len = self.len() + more;
        let mut index = self.index.len();
        while len * 3 > index * 2 {
            index *= 2;
        }
        // While it grows, the old index is there too.
        let growth = if index > self.index.len() { index } else { 0 };
        (growth * 8 + more * 4 + self.words.stride() * more * 8) as u64
    }
}

fn entry(hash: u64, id: StateId) -> u64 {
    hash >> 32 << 32 | u64::from(id + 1)
}
