//! The extensive form of a game for other tools: a tree with names, exact chances and exact payoffs, which knows no machine.
//!
//! `gather` makes it of a [`Tree`](super::Tree) and its game. A format that is written is one file and one line of [`FORMATS`].

pub mod dot;
pub mod efg;
pub mod gather;
pub mod svg;

pub use gather::extensive_form;

use num_rational::Ratio;

/// A game as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensiveForm {
    pub title: String,
    /// In seating order.
    pub players: Vec<String>,
    /// The root is the first; children come after their parents, and next to one another.
    pub nodes: Vec<FormNode>,
    /// Player by player, and each after those that its player met before it.
    pub sets: Vec<InformationSet>,
    /// What chance nodes draw; nodes that draw the same have the same number.
    pub draws: Vec<Vec<Draw>>,
    /// One payoff a player for each vector, in units of payoff.
    pub payoffs: Vec<Vec<Ratio<i64>>>,
    /// After how many steps the tree was cut off, if it was to be.
    pub depth: Option<u32>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FormNode {
    pub kind: FormKind,
    /// The first child; of no meaning at an end.
    pub first: u32,
    /// The number of children; 0 at an end.
    pub children: u32,
}

impl FormNode {
    /// The numbers of its children.
    pub fn range(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.children
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// With the number of what is drawn, one outcome a child.
    Chance(u32),
    /// With the number of the information set, one move a child.
    Decision(u32),
    /// With the number of its payoffs.
    End(u32),
    /// The game goes on, but the tree does not.
    Cut,
}

/// Nodes that their player cannot tell apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InformationSet {
    pub player: u32,
    /// What the player saw before, in order.
    pub saw: Vec<String>,
    pub moves: Vec<String>,
}

/// An outcome of chance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    pub text: String,
    /// Above 0; those of a node add up to 1.
    pub probability: Ratio<u64>,
}

impl ExtensiveForm {
    /// The number of nodes where the tree was cut off.
    pub fn cut(&self) -> usize {
        let cut = |node: &&FormNode| node.kind == FormKind::Cut;
        self.nodes.iter().filter(cut).count()
    }
}

/// A format that an extensive form can be written in.
pub struct Format {
    pub name: &'static str,
    pub write: fn(&ExtensiveForm) -> String,
}

/// All formats.
pub const FORMATS: [Format; 3] = [
    Format {
        name: "efg",
        write: efg::write,
    },
    Format {
        name: "dot",
        write: dot::write,
    },
    Format {
        name: "svg",
        write: svg::write,
    },
];
