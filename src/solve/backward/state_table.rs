//! The states that were found, numbered in the order of their discovery, each once.
//!
//! Two states are one when they have the same node and the same identity (`Machine::identity`): accumulators do not count.
//! Of each the first that was found stands here with all of its words, so that play can go on from it. Equality is always
//! decided on the words themselves; hashes only say where to look.

use super::paged::Paged;
use crate::machine::{Machine, State};
use crate::random::mix;
use smallvec::SmallVec;
use std::ops::Range;

/// The number of a state.
pub type StateId = u32;

#[derive(Debug)]
pub(super) struct StateTable {
    /// A row for each state: its words, and its node after them.
    rows: Paged<u64>,
    /// Open addressing: in each place 0, or the number of a state plus 1 below the upper half of its hash. A power of two.
    index: Vec<u64>,
    /// For each node the bits of a row that count, and where its hashes begin.
    identity: Vec<(Box<[u64]>, u64)>,
}

/// The most states that a table can number.
const MOST: usize = u32::MAX as usize - 1;
/// How many rows are looked up at a time.
const TOGETHER: usize = 64;
/// No state.
const NONE: StateId = u32::MAX;

/// States to be looked up: a row and a hash for each.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub rows: Vec<u64>,
    pub hashes: Vec<u64>,
}

impl Rows {
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.hashes.clear();
    }

    pub fn push(&mut self, table: &StateTable, node: u32, words: &[u64]) {
        self.rows.extend_from_slice(words);
        self.rows.push(u64::from(node));
        self.hashes.push(table.hash(node, words));
    }
}

impl StateTable {
    pub fn new(machine: &Machine) -> StateTable {
        let identity = |node: u32| {
            let words = machine.identity(node).iter().copied();
            (words.chain([u64::MAX]).collect(), mix(1, u64::from(node)))
        };
        StateTable {
            rows: Paged::new(machine.state_words() + 1),
            index: vec![0; 1 << 10],
            identity: (0..machine.nodes() as u32).map(identity).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The node and the words of a state.
    pub fn get(&self, id: StateId) -> (u32, &[u64]) {
        split(self.rows.get(id as usize))
    }

    /// The state as the machine takes it.
    pub fn state(&self, machine: &Machine, id: StateId) -> State {
        let (node, words) = self.get(id);
        machine.state_at(node, words)
    }

    fn hash(&self, node: u32, words: &[u64]) -> u64 {
        let (identity, start) = &self.identity[node as usize];
        std::iter::zip(words, identity).fold(*start, |key, (w, m)| mix(key, w & m))
    }

    pub fn find(&self, node: u32, words: &[u64]) -> Option<StateId> {
        self.probe(self.hash(node, words), &row(node, words)).ok()
    }

    /// The number of a state, which is a new one if it was not there; `None` when there is no room.
    pub fn insert(&mut self, node: u32, words: &[u64]) -> Option<StateId> {
        self.insert_row(self.hash(node, words), &row(node, words))
    }

    /// As [`StateTable::find`], one after another.
    pub fn find_all(&self, wanted: &Rows, mut each: impl FnMut(Option<StateId>)) {
        let stride = self.rows.stride();
        let together = wanted.rows.chunks(TOGETHER * stride);
        for (rows, hashes) in together.zip(wanted.hashes.chunks(TOGETHER)) {
            let guesses = self.guess(hashes, rows);
            for (i, row) in rows.chunks_exact(stride).enumerate() {
                match guesses[i] {
                    NONE => each(self.probe(hashes[i], row).ok()),
                    id => each(Some(id)),
                }
            }
        }
    }

    /// As [`StateTable::insert`], for a range of them one after another; false when there is no room.
    pub fn insert_all(
        &mut self,
        wanted: &Rows,
        range: Range<usize>,
        each: &mut impl FnMut(StateId),
    ) -> bool {
        let stride = self.rows.stride();
        let rows = &wanted.rows[range.start * stride..range.end * stride];
        let together = rows.chunks(TOGETHER * stride);
        for (rows, hashes) in together.zip(wanted.hashes[range].chunks(TOGETHER)) {
            let guesses = self.guess(hashes, rows);
            for (i, row) in rows.chunks_exact(stride).enumerate() {
                match guesses[i] {
                    NONE => match self.insert_row(hashes[i], row) {
                        Some(id) => each(id),
                        None => return false,
                    },
                    id => each(id),
                }
            }
        }
        true
    }

    /// Finds most of the states that are there. A table is much larger than a cache, so the places of all are read before
    /// any is looked at, and then the rows: the processor waits for many of them at a time.
    fn guess(&self, hashes: &[u64], rows: &[u64]) -> [StateId; TOGETHER] {
        let last = self.index.len() - 1;
        let mut first = [0u64; TOGETHER];
        for (entry, &hash) in std::iter::zip(&mut first, hashes) {
            *entry = self.index[hash as usize & last];
        }
        let mut guesses = [NONE; TOGETHER];
        for ((guess, &hash), mut entry) in guesses.iter_mut().zip(hashes).zip(first) {
            let mut at = hash as usize & last;
            while entry != 0 && entry >> 32 != hash >> 32 {
                at = (at + 1) & last;
                entry = self.index[at];
            }
            *guess = (entry as u32).wrapping_sub(1);
        }
        for (guess, row) in guesses
            .iter_mut()
            .zip(rows.chunks_exact(self.rows.stride()))
        {
            if *guess != NONE && !self.is_row(*guess, row) {
                *guess = NONE;
            }
        }
        guesses
    }

    /// Whether a state is that of a row.
    fn is_row(&self, id: StateId, row: &[u64]) -> bool {
        let (node, _) = split(row);
        let identity = &self.identity[node as usize].0;
        std::iter::zip(self.rows.get(id as usize), row)
            .zip(identity)
            .all(|((a, b), m)| (a ^ b) & m == 0)
    }

    /// Where a state is, or the free place for it.
    fn probe(&self, hash: u64, row: &[u64]) -> Result<StateId, usize> {
        let last = self.index.len() - 1;
        let mut at = hash as usize & last;
        loop {
            let found = self.index[at];
            if found == 0 {
                return Err(at);
            }
            let id = (found as u32) - 1;
            if found >> 32 == hash >> 32 && self.is_row(id, row) {
                return Ok(id);
            }
            at = (at + 1) & last;
        }
    }

    fn insert_row(&mut self, hash: u64, row: &[u64]) -> Option<StateId> {
        let free = match self.probe(hash, row) {
            Ok(id) => return Some(id),
            Err(free) => free,
        };
        if self.len() >= MOST {
            return None;
        }
        let id = self.len() as StateId;
        self.rows.push(row);
        self.index[free] = entry(hash, id);
        if self.len() * 3 > self.index.len() * 2 {
            self.grow();
        }
        Some(id)
    }

    fn grow(&mut self) {
        let size = self.index.len() * 2;
        let mut index = vec![0; size];
        for id in 0..self.len() as StateId {
            let (node, words) = self.get(id);
            let hash = self.hash(node, words);
            let mut at = hash as usize & (size - 1);
            while index[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            index[at] = entry(hash, id);
        }
        self.index = index;
    }

    pub fn bytes(&self) -> u64 {
        self.rows.bytes() + 8 * self.index.len() as u64
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
        (growth * 8 + self.rows.stride() * more * 8) as u64
    }
}

fn entry(hash: u64, id: StateId) -> u64 {
    hash >> 32 << 32 | u64::from(id + 1)
}

fn row(node: u32, words: &[u64]) -> SmallVec<[u64; 16]> {
    words.iter().copied().chain([u64::from(node)]).collect()
}

/// The node and the words of a row.
fn split(row: &[u64]) -> (u32, &[u64]) {
    match row.split_last() {
        Some((node, words)) => (*node as u32, words),
        None => (0, &[]),
    }
}
