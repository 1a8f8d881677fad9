//! The world states of the nodes, packed one behind the other: a simulation reads only the one where it leaves the tree.

use crate::machine::{Machine, State};

pub struct States<'m> {
    machine: &'m Machine,
    /// [`Machine::node`] of each.
    nodes: Vec<u32>,
    /// [`Machine::state_words`] of each.
    words: Vec<u64>,
}

impl<'m> States<'m> {
    pub fn new(machine: &'m Machine) -> States<'m> {
        States {
            machine,
            nodes: Vec::new(),
            words: Vec::new(),
        }
    }

    pub fn push(&mut self, state: &State) {
        self.nodes.push(self.machine.node(state));
        self.words.extend_from_slice(state.words());
    }

    /// The state that was pushed after so many others.
    pub fn get(&self, at: u32) -> State {
        let (at, n) = (at as usize, self.machine.state_words());
        let words = &self.words[at * n..(at + 1) * n];
        self.machine.state_at(self.nodes[at], words)
    }
}
