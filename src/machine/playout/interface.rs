//! How a flow is entered, and what it leaves in the frame.

use super::frames::At;
use crate::compile::playout::{Entry, Flow};
use crate::ir::Slot;

/// Where code is entered.
pub(super) type Pc = u32;

/// How code is entered and what it leaves in the frame.
#[derive(Debug)]
pub(super) struct Interface {
    /// Where each node is entered, where it is there that one looks at the keys.
    pub entries: Vec<(Entry, Vec<Pc>)>,
    /// The same for nodes that are entered at one place; [`MANY`] for others.
    single: Vec<Pc>,
    /// What stands in the frame before anything runs, from slot `base` on.
    pub base: usize,
    pub constants: Vec<u64>,
    pub payoffs: Vec<Slot>,
    pub last: At,
    /// What the payoffs must add up to, if that is easy to say.
    pub sum: Option<i64>,
}

/// Where a node is entered depends on what is known there.
const MANY: Pc = Pc::MAX;

fn single(entries: &[(Entry, Vec<Pc>)]) -> Vec<Pc> {
    let starts = entries.iter().map(|(_, starts)| match starts[..] {
        [start] => start,
        _ => MANY,
    });
    starts.collect()
}

impl Interface {
    /// Of code that looks at the keys itself, in the frame.
    pub fn numbered(flow: &Flow) -> Interface {
        Interface {
            single: (0..).take(flow.entries.len()).collect(),
            ..Interface::new(flow, Vec::new())
        }
    }

    /// Of code whose entries lie there.
    pub fn new(flow: &Flow, entries: Vec<(Entry, Vec<Pc>)>) -> Interface {
        Interface {
            single: single(&entries),
            entries,
            base: flow.pool.base as usize,
            constants: flow.pool.words.clone(),
            payoffs: flow.payoffs.clone(),
            last: flow.last as At,
            sum: None,
        }
    }

    /// Puts the constants where the code reads them.
    pub fn fill(&self, frame: &mut [u64]) {
        let to = self.base..self.base + self.constants.len();
        frame[to].copy_from_slice(&self.constants);
    }

    /// Where a state of a node is entered; `value` gives what its slots hold.
    #[inline]
    pub fn entry(&self, node: u32, value: impl Fn(Slot) -> Option<i64>) -> Pc {
        let start = self.single[node as usize];
        if start != MANY {
            return start;
        }
        let (entry, starts) = &self.entries[node as usize];
        let mut at = 0;
        for &(slot, lo, size) in &entry.keys {
            let key = value(slot).unwrap_or(lo).wrapping_sub(lo);
            at = at * size as usize + key.clamp(0, i64::from(size) - 1) as usize;
        }
        starts[at]
    }
}
