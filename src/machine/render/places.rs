//! Where things are on the boards of a game, in numbers and not in marks: for pictures that are not made of text.

use super::{layers, reads_no_state};
use crate::machine::{Machine, State};
use crate::model::boards::Board;
use crate::model::types::Type;
use crate::model::{BoardLayout, KnowledgeKind};

/// What a variable says of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The variable with its indices: `guard[1]`.
    pub name: String,
    /// The variable without them.
    pub variable: String,
    /// The nodes or cells that it holds, by ordinal.
    pub nodes: Vec<usize>,
}

/// The nodes or cells of a board, and how they lie.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardPlan {
    pub name: String,
    /// By ordinal.
    pub nodes: Vec<String>,
    /// Pairs that are next to each other, the lower ordinal first, each once.
    pub edges: Vec<(usize, usize)>,
    /// Where they lie, to the right and down from the top: as cells lie in rows and columns, or as the viewer's layout draws
    /// the names of nodes, a row of text being as high as two characters are wide. `None` where nothing says so.
    pub places: Option<Vec<(f64, f64)>>,
}

#[doc(hidden)]
impl Machine {
    /// The boards of the game, as they lie for a player.
    pub fn board_plans(&self, player: usize) -> Vec<BoardPlan> {
        let boards = self.description().boards.iter();
        boards.map(|board| self.board_plan(board, player)).collect()
    }

    fn board_plan(&self, board: &Board, player: usize) -> BoardPlan {
        let next = board.neighbours(None);
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for (from, to) in next.iter().enumerate() {
            let ends = to.iter().map(|to| *to as usize);
            edges.extend(ends.map(|to| (from.min(to), from.max(to))));
        }
        edges.sort_unstable();
        edges.dedup();
        edges.retain(|(from, to)| from != to);
        let name = |i| board.node.show(board.node.value_at(i as u64));
        BoardPlan {
            name: board.name.clone(),
            nodes: (0..board.size()).map(name).collect(),
            edges,
            places: self.lattice(board).or_else(|| self.drawn(board, player)),
        }
    }

    fn lattice(&self, board: &Board) -> Option<Vec<(f64, f64)>> {
        board.lattice.as_ref()?;
        let shape = super::cells::shape(self.description(), &board.node)?;
        let place = |&(row, column): &(usize, usize)| {
            let shift = if shape.slanted { row as f64 / 2.0 } else { 0.0 };
            (column as f64 + shift, row as f64)
        };
        Some(shape.places.iter().map(place).collect())
    }

    fn drawn(&self, board: &Board, player: usize) -> Option<Vec<(f64, f64)>> {
        let of_board = |layout: &&BoardLayout| layout.board == board.name;
        let layouts = self
            .knowledge_of(player)
            .filter_map(|(_, k)| match &k.kind {
                KnowledgeKind::Layout(layout) => Some(layout),
                _ => None,
            });
        let graph = layouts.filter(of_board).find_map(|l| l.graph.as_ref())?;
        let places = &graph.picture.as_ref()?.places;
        (places.len() == board.size()).then(|| {
            let place = places.iter().map(|place| {
                let middle = place.column as f64 + place.length as f64 / 2.0;
                (middle, 2.0 * place.row as f64)
            });
            place.collect()
        })
    }

    /// What the viewer's layout of a board says of each node by lines that read no state: what stays as it is.
    pub fn fixed_marks(&self, state: &State, board: &str, player: usize) -> Vec<Vec<String>> {
        let Some(board) = self.description().boards.iter().find(|b| b.name == board) else {
            return Vec::new();
        };
        let none = vec![Vec::new(); board.size()];
        let Some((entry, layout)) = self.layouts(player).find(|(_, l)| l.board == board.name)
        else {
            return none;
        };
        let is_fixed = |rule: usize, mark: usize| {
            let rule = &layout.rules[rule];
            !rule.otherwise && reads_no_state(&rule.marks[mark].cond)
        };
        let held = self.holding(state, (entry, layout), &board.node, player);
        let marks = held.map(|nodes| {
            let texts = nodes.into_iter().map(|holding| {
                let fixed = holding
                    .into_iter()
                    .filter(|&(rule, mark)| is_fixed(rule, mark));
                let texts = fixed.map(|(rule, mark)| layout.rules[rule].marks[mark].text.clone());
                texts.collect()
            });
            texts.collect()
        });
        marks.unwrap_or(none)
    }

    /// The variables that hold nodes of a board, as far as a player sees them. What has a value for each node is none of them.
    pub fn held(&self, state: &State, board: &str, player: usize) -> Vec<Held> {
        let Some(board) = self.description().boards.iter().find(|b| b.name == board) else {
            return Vec::new();
        };
        let node: &Type = &board.node;
        let elements = self.elements(state, Some(player));
        let layers = layers(node, &elements).into_iter();
        let held = layers
            .filter(|layer| layer.value.is_none())
            .map(|layer| Held {
                variable: self.description().var(layer.var).name.clone(),
                name: layer.name,
                nodes: layer.cells.iter().map(|cell| *cell as usize).collect(),
            });
        held.collect()
    }
}
