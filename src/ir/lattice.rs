//! Boards on which neighbours lie a few fixed distances apart in the numbering of the nodes, such as grids: there the
//! neighbours of a whole set are found by shifting it.

use super::Table;

/// The most distances. More are no lattice.
const MOST_WAYS: usize = 8;

/// The rows of a table as shifts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lattice {
    /// How far a step leads, and the nodes from which there is one.
    pub ways: Vec<(i32, Box<[u64]>)>,
    pub words: u16,
}

impl Lattice {
    /// `None` where the table, which holds a set of nodes for each node, is no lattice.
    pub fn new(table: &Table) -> Option<Lattice> {
        let words = usize::from(table.words);
        let mut ways: Vec<(i32, Box<[u64]>)> = Vec::new();
        for (from, row) in table.values.chunks_exact(words.max(1)).enumerate() {
            if from >= 64 * words {
                return None;
            }
            for to in (0..64 * words).filter(|to| row[to / 64] >> (to % 64) & 1 == 1) {
                let by = to as i32 - from as i32;
                let known = ways.iter().position(|(b, _)| *b == by);
                let way = match known {
                    Some(way) => way,
                    None if ways.len() == MOST_WAYS => return None,
                    None => {
                        ways.push((by, vec![0; words].into()));
                        ways.len() - 1
                    }
                };
                ways[way].1[from / 64] |= 1 << (from % 64);
            }
        }
        Some(Lattice {
            ways,
            words: table.words,
        })
    }

    /// How many words are shifted to find the neighbours of a set.
    pub fn work(&self) -> usize {
        self.ways.len() * usize::from(self.words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::reach;

    /// The neighbours of a set by shifts, bit by bit.
    fn shifted(lattice: &Lattice, set: &[u64]) -> Vec<u64> {
        let mut found = vec![0; set.len()];
        for (by, from) in &lattice.ways {
            let moved: Vec<u64> = std::iter::zip(set, from).map(|(s, f)| s & f).collect();
            for (e, bit) in (0..64 * set.len()).map(|e| (e, moved[e / 64] >> (e % 64) & 1)) {
                if bit == 1 {
                    let to = (e as i32 + by) as usize;
                    found[to / 64] |= 1 << (to % 64);
                }
            }
        }
        found
    }

    #[test]
    fn a_grid_is_a_lattice_and_its_shifts_are_its_steps() {
        let (columns, rows) = (9, 9);
        let mut table = Table {
            words: 2,
            values: vec![0; 2 * columns * rows],
        };
        for cell in 0..columns * rows {
            let (x, y) = (cell % columns, cell / columns);
            let mut add = |to: usize| table.values[2 * cell + to / 64] |= 1 << (to % 64);
            if x > 0 {
                add(cell - 1);
            }
            if x + 1 < columns {
                add(cell + 1);
            }
            if y > 0 {
                add(cell - columns);
            }
            if y + 1 < rows {
                add(cell + columns);
            }
        }
        let lattice = Lattice::new(&table).unwrap();
        let mut ways: Vec<i32> = lattice.ways.iter().map(|(by, _)| *by).collect();
        ways.sort_unstable();
        assert_eq!(ways, [-9, -1, 1, 9]);
        for set in [[1, 0], [1 << 63, 1], [0x8040_2010_0804_0201, 0x1_0000]] {
            let next = |n: u64| &table.values[2 * n as usize..2 * n as usize + 2];
            let rows = reach::neighbours(&set, next);
            assert_eq!(shifted(&lattice, &set)[..], rows[..]);
        }
    }

    #[test]
    fn a_graph_with_many_distances_is_none() {
        let values = (0..40).map(|n| 1 << (n * n % 40)).collect();
        assert_eq!(Lattice::new(&Table { words: 1, values }), None);
    }
}
