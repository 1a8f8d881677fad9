//! Boards: their nodes, and which of them are next to each other.

use super::types::Type;

#[derive(Debug)]
pub struct Board {
    pub name: String,
    pub node: Type,
    /// An enum, where the edges have labels.
    pub label: Option<Type>,
    /// By the ordinal of the label (one entry without labels) and of the node: where the edges lead, in order.
    pub edges: Vec<Vec<Vec<u32>>>,
    pub lattice: Option<Lattice>,
}

/// What a board of cells in rows and columns has besides.
#[derive(Debug)]
pub struct Lattice {
    pub columns: u32,
    pub rows: u32,
    /// Whether row 1 is at the top.
    pub downwards: bool,
    /// Clockwise, so that the opposite of a direction is half the way round.
    pub direction: Type,
    /// By cell and direction, the cell that is one step on.
    pub steps: Vec<Vec<Option<u32>>>,
    /// The cells that share a side or a corner with each; none of its own on a board of hexagons.
    pub touching: Option<Vec<Vec<u32>>>,
}

impl Lattice {
    /// The most cells in a line.
    pub fn longest(&self) -> u32 {
        self.columns.max(self.rows)
    }

    /// The cells from one on, without it, in a direction, by its number.
    pub fn ray(&self, cell: usize, direction: usize) -> impl Iterator<Item = u32> {
        let next = move |at: usize| *self.steps.get(at)?.get(direction)?;
        std::iter::successors(next(cell), move |at| next(*at as usize))
    }

    /// Of each cell those that are a step on in some directions, in order.
    pub fn neighbours_by(&self, directions: &[u64]) -> Vec<Vec<u32>> {
        let taken = |direction: usize| {
            let word = directions.get(direction / 64);
            word.is_some_and(|word| word >> (direction % 64) & 1 == 1)
        };
        let of_cell = |steps: &Vec<Option<u32>>| {
            let taken = (0..).zip(steps).filter(|(direction, _)| taken(*direction));
            let mut cells: Vec<u32> = taken.filter_map(|(_, to)| *to).collect();
            cells.sort_unstable();
            cells
        };
        self.steps.iter().map(of_cell).collect()
    }
}

/// A set of nodes by its words.
pub fn node_set(board: &Board, nodes: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut words = vec![0u64; board.size().div_ceil(64).max(1)];
    for node in nodes {
        words[node / 64] |= 1 << (node % 64);
    }
    words
}

impl Board {
    pub fn size(&self) -> usize {
        self.edges.first().map_or(0, Vec::len)
    }

    /// The neighbours of each node by the edges whose label has its bit set in `labels`; by all without it.
    pub fn neighbours(&self, labels: Option<&[u64]>) -> Vec<Vec<u32>> {
        let taken = |label: usize| {
            labels.is_none_or(|words| {
                words
                    .get(label / 64)
                    .is_some_and(|w| w >> (label % 64) & 1 == 1)
            })
        };
        let mut next = vec![Vec::new(); self.size()];
        for (label, edges) in self.edges.iter().enumerate() {
            if taken(label) {
                for (all, some) in next.iter_mut().zip(edges) {
                    all.extend_from_slice(some);
                }
            }
        }
        for list in &mut next {
            list.sort_unstable();
            list.dedup();
        }
        next
    }

    /// The types that it brings, by the word after the dot.
    pub fn types(&self) -> Vec<(&'static str, &Type)> {
        let mut types = vec![match self.lattice {
            Some(_) => ("cell", &self.node),
            None => ("node", &self.node),
        }];
        types.extend(self.label.as_ref().map(|t| ("label", t)));
        types.extend(self.lattice.as_ref().map(|l| ("direction", &l.direction)));
        types
    }
}
