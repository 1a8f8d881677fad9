//! The tree of a search: nodes in one vector, children by number. It holds statistics and no states.
//!
//! A decision node's lists of actions and statistics are made when it is passed for the first time after the playout that
//! added it, because most nodes at the fringe never are.

use crate::machine::{Action, Actions};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The place of a node in the tree.
pub type NodeId = u32;

pub const ROOT: NodeId = 0;

/// The tree stops growing at this many nodes; playouts then leave it at its fringe.
pub const NODE_LIMIT: usize = 1 << 23;

/// One action of one player at a node.
#[derive(Copy, Clone, Debug, Default)]
pub struct Arm {
    pub visits: u64,
    /// The sum of the player's payoffs over those visits.
    pub sum: f64,
    /// Where it leads when nobody else chooses at the node; [`ROOT`] while there is no such node.
    pub child: NodeId,
}

/// One of the players who choose at a node, with statistics of their own ("decoupled").
#[derive(Clone, Debug)]
pub struct Mover {
    pub player: usize,
    pub actions: Actions,
    pub arms: Vec<Arm>,
    /// How many arms have a visit.
    pub tried: usize,
}

#[derive(Clone, Debug)]
pub struct Decision {
    /// How often an action was selected here: the sum of the visits of any one mover's arms.
    pub visits: u64,
    pub movers: SmallVec<[Mover; 1]>,
}

#[derive(Clone, Debug)]
pub enum Node {
    /// A decision node without statistics as yet.
    Leaf,
    Decision(Box<Decision>),
    Chance,
}

/// The places in the movers' lists of what was chosen at a node.
pub type Joint = SmallVec<[u32; 4]>;

/// How a node is reached from its parent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Edge {
    Joint(NodeId, Joint),
    Outcome(NodeId, Action),
}

#[derive(Clone, Debug)]
pub struct Tree {
    pub nodes: Vec<Node>,
    /// Children by joint action, and by chance outcome; those of a lone mover are in the arms.
    children: FxHashMap<Edge, NodeId>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            nodes: vec![Node::Leaf],
            children: FxHashMap::default(),
        }
    }
}

impl Tree {
    pub fn child(&self, edge: &Edge) -> Option<NodeId> {
        if let Some(arm) = self.lone(edge) {
            return (arm.child != ROOT).then_some(arm.child);
        }
        self.children.get(edge).copied()
    }

    /// Adds a node at the end of `edge`; `None` when the tree is full.
    pub fn add(&mut self, edge: Edge, node: Node) -> Option<NodeId> {
        if self.nodes.len() >= NODE_LIMIT {
            return None;
        }
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node);
        match self.lone_mut(&edge) {
            Some(arm) => arm.child = id,
            None => {
                self.children.insert(edge, id);
            }
        }
        Some(id)
    }

    /// The number of decision nodes.
    pub fn decisions(&self) -> usize {
        self.nodes
            .iter()
            .filter(|n| !matches!(n, Node::Chance))
            .count()
    }

    /// The arm that holds the child itself, where one player chooses alone.
    fn lone(&self, edge: &Edge) -> Option<&Arm> {
        let Edge::Joint(parent, joint) = edge else {
            return None;
        };
        match &self.nodes[*parent as usize] {
            Node::Decision(d) if d.movers.len() == 1 => d.movers[0].arms.get(joint[0] as usize),
            _ => None,
        }
    }

    fn lone_mut(&mut self, edge: &Edge) -> Option<&mut Arm> {
        let Edge::Joint(parent, joint) = edge else {
            return None;
        };
        match &mut self.nodes[*parent as usize] {
            Node::Decision(d) if d.movers.len() == 1 => d.movers[0].arms.get_mut(joint[0] as usize),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    fn decision(movers: usize, actions: usize) -> Node {
        let mover = Mover {
            player: 0,
            actions: Actions(vec![Action::default(); actions]),
            arms: vec![Arm::default(); actions],
            tried: 0,
        };
        Node::Decision(Box::new(Decision {
            visits: 0,
            movers: std::iter::repeat_n(mover, movers).collect(),
        }))
    }

    #[test]
    fn children_are_found_again() {
        for movers in [1, 2] {
            let mut tree = Tree::default();
            tree.nodes[0] = decision(movers, 3);
            let edge = |i: u32| Edge::Joint(ROOT, std::iter::repeat_n(i, movers).collect());
            assert_eq!(tree.child(&edge(1)), None);
            let chance = tree.add(edge(1), Node::Chance).unwrap();
            assert_eq!(tree.child(&edge(1)), Some(chance));
            assert_eq!(tree.child(&edge(2)), None);
            let outcome = Edge::Outcome(chance, Action(smallvec![0, 5]));
            let leaf = tree.add(outcome.clone(), Node::Leaf).unwrap();
            assert_eq!(tree.child(&outcome), Some(leaf));
            assert_eq!(tree.decisions(), 2);
        }
    }
}
