//! Graphs: the picture that a layout gives, and the ways from the nodes that it marks.

use super::Marked;
use crate::model::boards::Board;
use crate::model::{GraphLayout, Picture};

/// A graph with the marks of its nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    /// As the author drew it; its places are those of `nodes`.
    pub picture: Option<Picture>,
    /// All nodes, in order.
    pub nodes: Vec<Node>,
    /// Edges have labels, which no picture shows.
    pub labelled: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    pub name: String,
    /// Empty where no rule holds.
    pub mark: String,
    /// For a node that a condition marks: the number of the rule, and of the first of its marks that holds.
    pub rule: Option<(usize, usize)>,
    /// Where its edges lead, by their labels in order; of nodes with a rule only.
    pub ways: Vec<Way>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Way {
    /// Empty without labels.
    pub label: String,
    /// By their places in [`Map::nodes`].
    pub to: Vec<usize>,
}

pub(super) fn map(layout: &GraphLayout, marks: &[Marked]) -> Map {
    let board = &layout.board;
    let nodes = marks.iter().enumerate().map(|(i, marked)| {
        let rule = marked.rule.filter(|_| !marked.otherwise);
        Node {
            name: board.node.show(board.node.value_at(i as u64)),
            mark: marked.mark.clone(),
            rule,
            ways: rule.map_or(Vec::new(), |_| ways(board, i)),
        }
    });
    Map {
        picture: layout.picture.clone(),
        nodes: nodes.collect(),
        labelled: board.label.is_some(),
    }
}

fn ways(board: &Board, node: usize) -> Vec<Way> {
    let labels = board.edges.iter().enumerate().map(|(label, edges)| Way {
        label: match &board.label {
            Some(ty) => ty.show(ty.value_at(label as u64)),
            None => String::new(),
        },
        to: edges[node].iter().map(|to| *to as usize).collect(),
    });
    labels.filter(|way| !way.to.is_empty()).collect()
}
