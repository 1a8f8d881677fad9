//! The extensive form of a game, built once from its machine into flat arrays.
//!
//! Nodes are chance nodes with exact probabilities, decisions of one player at an information state, and ends. Players who
//! choose at the same time stand one below the other in seating order, and none of them sees what the ones above chose. An
//! information state is what the player saw so far, where it is asked, its own last choice and what it may choose from: a
//! player forgets nothing, so every tree here has perfect recall. What is solved over a tree is in other files.

pub mod build;
pub mod error;
pub mod information_state_text;
pub mod positions;
pub mod retrace;

pub use build::{TreeOptions, build, build_to};
pub use error::TreeError;
pub use positions::TreePosition;
pub use retrace::{Retraced, retrace};

use crate::machine::Action;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use std::ops::Range;

/// A node. Its children stand next to one another, after it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub kind: NodeKind,
    /// The first child; of no meaning at an end.
    pub first: u32,
    /// The number of children; 0 at an end.
    pub children: u32,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// With the number of its payoff vector.
    Terminal(u32),
    /// With the place of its first probability.
    Chance(u32),
    /// With the number of its information state, whose player moves.
    Decision(u32),
}

/// An information state: all nodes at which a player cannot tell where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InformationState {
    pub player: u32,
    /// The number of its first choice among the choices of the whole game.
    pub first: u32,
    /// The number of its choices.
    pub choices: u32,
    /// The last choice that the player made before; none at its first decision.
    pub before: Option<u32>,
    /// A node of it: the first that was met.
    pub node: u32,
    /// The number of distinct histories that the player cannot tell apart here. What others choose at the same time makes
    /// none: that has not happened yet.
    pub histories: u32,
}

impl InformationState {
    /// The numbers of its choices.
    pub fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.choices) as usize
    }
}

/// The extensive form of a game.
///
/// Information states are numbered player by player, and each comes after those that its player met before it. The choices
/// of all of them are numbered in one row in the same order: a strategy is one probability a choice.
#[derive(Clone, Debug)]
pub struct Tree {
    players: usize,
    nodes: Vec<Node>,
    /// Of each node; the root's is itself.
    parents: Vec<u32>,
    probabilities: Vec<f64>,
    /// One payoff a player for each vector, in units of payoff.
    payoffs: Vec<f64>,
    information_states: Vec<InformationState>,
    /// For each player the first of its information states, then the number of all.
    first_states: Vec<u32>,
    /// For each player the first of its choices, then the number of all.
    first_choices: Vec<u32>,
    /// The action of each choice, by its number in `actions`.
    choices: Vec<u32>,
    actions: IndexSet<Action, FxBuildHasher>,
    /// Whether nodes with one way on were left out.
    skip_forced: bool,
}

impl Tree {
    pub fn players(&self) -> usize {
        self.players
    }

    /// All nodes; the root is the first, and children come after their parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub fn parent(&self, node: u32) -> Option<u32> {
        (node != 0).then(|| self.parents[node as usize])
    }

    /// The probabilities of the children of a chance node, which add up to 1.
    pub fn probabilities(&self, node: &Node) -> &[f64] {
        match node.kind {
            NodeKind::Chance(first) => {
                &self.probabilities[first as usize..(first + node.children) as usize]
            }
            _ => &[],
        }
    }

    /// The payoff of each player in a vector of payoffs.
    pub fn payoffs(&self, vector: u32) -> &[f64] {
        let first = vector as usize * self.players;
        &self.payoffs[first..first + self.players]
    }

    pub fn information_states(&self) -> &[InformationState] {
        &self.information_states
    }

    /// The numbers of a player's information states.
    pub fn states_of(&self, player: usize) -> Range<usize> {
        self.first_states[player] as usize..self.first_states[player + 1] as usize
    }

    /// The numbers of a player's choices.
    pub fn choices_of(&self, player: usize) -> Range<usize> {
        self.first_choices[player] as usize..self.first_choices[player + 1] as usize
    }

    /// The number of choices at all information states together.
    pub fn choice_count(&self) -> usize {
        self.choices.len()
    }

    pub fn action(&self, choice: usize) -> Option<&Action> {
        self.actions.get_index(self.choices[choice] as usize)
    }

    pub fn skips_forced(&self) -> bool {
        self.skip_forced
    }

    /// The number of ends.
    pub fn terminals(&self) -> usize {
        self.nodes.iter().filter(|n| n.children == 0).count()
    }

    /// The memory that the arrays take, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + size_of::<u32>())
            + self.information_states.len() * size_of::<InformationState>()
            + self.choices.len() * size_of::<u32>()
    }
}

/// What distinguishes information states.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
struct Identity {
    player: u32,
    /// What the player saw, by its number in `Histories`.
    history: u32,
    /// The place in play.
    place: u32,
    /// The player's last choice, counted from 1.
    before: u32,
    /// The list of what it may choose from.
    options: u32,
}

/// Information states in the order in which they are met.
type Met = IndexMap<Identity, InformationState, FxBuildHasher>;
