//! The world states of the nodes, packed one behind the other: a simulation reads only the one where it leaves the tree.

use super::Nodes;
use crate::machine::{Machine, State};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub struct States<'m> {
    machine: &'m Machine,
    /// [`Machine::node`] of each.
    nodes: Vec<u32>,
    /// [`Machine::state_words`] of each.
    words: Vec<u64>,
    /// The place of each by [`Machine::exact_key`], where a node stands for a state. No state comes back in the course of a
    /// game, as every loop counts its rounds: the ways of the tree have no circles.
    places: Option<FxHashMap<SmallVec<[u64; 16]>, u32>>,
}

impl<'m> States<'m> {
    pub fn new(machine: &'m Machine, nodes: Nodes) -> States<'m> {
        States {
            machine,
            nodes: Vec::new(),
            words: Vec::new(),
            places: (nodes == Nodes::States).then(FxHashMap::default),
        }
    }

    pub fn push(&mut self, state: &State) {
        if let Some(places) = &mut self.places {
            places.insert(self.machine.exact_key(state), self.nodes.len() as u32);
        }
        self.nodes.push(self.machine.node(state));
        self.words.extend_from_slice(state.words());
    }

    /// After how many others a state was pushed; `None` for one that was not, and where nodes are histories.
    pub fn find(&self, state: &State) -> Option<u32> {
        let places = self.places.as_ref()?;
        places.get(&self.machine.exact_key(state)).copied()
    }

    /// The state that was pushed after so many others.
    pub fn get(&self, at: u32) -> State {
        let (at, n) = (at as usize, self.machine.state_words());
        let words = &self.words[at * n..(at + 1) * n];
        self.machine.state_at(self.nodes[at], words)
    }
}
