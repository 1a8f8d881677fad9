//! What a tree keeps of where in play its nodes are, and how a simulation finds its way by it.

use super::Nodes;
use super::tree::Joint;
use crate::machine::{Action, Machine, PlayError, State, Stepper};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The places in play of the nodes of a tree, and of the simulation under way.
///
/// A simulation begins at the root, which is node 0. Then it either passes on to a node that is there, or steps to one that
/// [`Positions::find`] finds or that is added.
pub trait Positions {
    /// A simulation begins at the root.
    fn begin(&mut self);

    /// It goes on to a node of the tree by these actions.
    ///
    /// # Errors
    /// Those of play.
    fn pass<'a>(&mut self, actions: impl FnOnce() -> Joint<'a>) -> Result<(), PlayError>;

    /// The state of play where the simulation is, which is at `node`.
    fn state(&self, node: u32) -> State;

    /// From there one step on, to a state that need not have a node.
    ///
    /// # Errors
    /// Those of play.
    fn step(&mut self, node: u32, actions: &[&Action]) -> Result<State, PlayError>;

    /// The node that stands for a state to which a step has led; `None`: a new one.
    fn find(&self, state: &State) -> Option<u32>;

    /// Another node, for a state to which a step has led, or for the root.
    fn add(&mut self, state: &State);

    /// The state of a node to which these steps lead from the root.
    fn at(&self, node: u32, path: &[Vec<Action>]) -> State;
}

/// The state of each node, packed, one behind the other: a simulation reads only the one where it leaves the tree.
pub struct Packed<'m> {
    machine: &'m Machine,
    stepper: Stepper<'m>,
    /// [`Machine::node`] of each.
    nodes: Vec<u32>,
    /// [`Machine::state_words`] of each.
    words: Vec<u64>,
    /// The place of each by [`Machine::exact_key`], where a node stands for a state. No state comes back in the course of a
    /// game, as every loop counts its rounds: the ways of the tree have no circles.
    indices: Option<FxHashMap<SmallVec<[u64; 16]>, u32>>,
    /// The words of the state to which a step has led.
    next: Vec<u64>,
}

impl<'m> Packed<'m> {
    pub fn new(machine: &'m Machine, nodes: Nodes) -> Packed<'m> {
        Packed {
            machine,
            stepper: machine.stepper(),
            nodes: Vec::new(),
            words: Vec::new(),
            indices: (nodes == Nodes::States).then(FxHashMap::default),
            next: vec![0; machine.state_words()],
        }
    }

    fn words(&self, node: u32) -> &[u64] {
        let (at, n) = (node as usize, self.machine.state_words());
        &self.words[at * n..(at + 1) * n]
    }
}

impl Positions for Packed<'_> {
    fn begin(&mut self) {}

    fn pass<'a>(&mut self, _actions: impl FnOnce() -> Joint<'a>) -> Result<(), PlayError> {
        Ok(())
    }

    fn state(&self, node: u32) -> State {
        let machine = self.machine;
        machine.state_at(self.nodes[node as usize], self.words(node))
    }

    fn step(&mut self, node: u32, actions: &[&Action]) -> Result<State, PlayError> {
        let (at, n) = (node as usize, self.machine.state_words());
        let words = &self.words[at * n..(at + 1) * n];
        let from = (self.nodes[at], words);
        let to = self.stepper.step_from(from, actions, &mut self.next)?;
        Ok(self.machine.state_at(to, &self.next))
    }

    fn find(&self, state: &State) -> Option<u32> {
        let indices = self.indices.as_ref()?;
        indices.get(&self.machine.exact_key(state)).copied()
    }

    fn add(&mut self, state: &State) {
        if let Some(indices) = &mut self.indices {
            indices.insert(self.machine.exact_key(state), self.nodes.len() as u32);
        }
        self.nodes.push(self.machine.node(state));
        self.words.extend_from_slice(state.words());
    }

    fn at(&self, node: u32, _path: &[Vec<Action>]) -> State {
        self.state(node)
    }
}
