//! A short cut to the states that rows and columns of parts lead to (`machine::Product`): where many states of a layer
//! come of the same parts, a number for each part leads to a place in an array, and nothing is compared.
//!
//! Every state here is in the table too. A grid is for the successors of one layer. On the way back it tells the
//! successors of a state by the lines of its rows and the numbers of its columns, which are fewer than all pairs.

use super::state_table::StateId;
use crate::machine::{Product, Side};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The words of a part, and the node after them.
type Part = SmallVec<[u64; 4]>;

#[derive(Debug, Default)]
pub(super) struct Grid {
    rows: Numbers,
    columns: Numbers,
    commons: Numbers,
    /// For each common part the lines of its rows; `NONE` where there is none yet.
    lines: Vec<Vec<u32>>,
    /// For each line the states by their columns; [`NO_STATE`] where none is known yet.
    states: Vec<Vec<StateId>>,
    /// How many places there are, and how many of them are taken.
    places: usize,
    taken: usize,
}

/// Parts, numbered.
#[derive(Debug, Default)]
struct Numbers {
    of: FxHashMap<Part, u32>,
    /// Those of sides that were asked for, by the node and where the side stands: the same come again and again. The side is
    /// kept, so that no other comes to stand there.
    sides: FxHashMap<(u32, usize), (Arc<Side>, Vec<u32>)>,
}

/// No line.
const NONE: u32 = u32::MAX;
/// In a line: no state is known there.
pub(super) const NO_STATE: StateId = StateId::MAX;
/// So many places for each that is taken, and so many anyway, are no waste.
const SPARSE: usize = 4;
const FEW: usize = 1 << 16;
/// How many sides are remembered before they are given up.
const MOST_SIDES: usize = 1 << 14;

impl Grid {
    /// Forgets the parts: nothing is placed any more, and what was stays.
    pub fn seal(&mut self) {
        *self = Grid {
            states: std::mem::take(&mut self.states),
            places: self.places,
            taken: self.taken,
            ..Grid::default()
        };
        self.states.shrink_to_fit();
        self.states.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// Whether most places are of use.
    pub fn pays(&self) -> bool {
        self.places <= FEW + SPARSE * self.taken
    }

    /// Fills in the lines of the rows of a product and the numbers of its columns.
    pub fn place(&mut self, product: &Product, lines: &mut Vec<u32>, columns: &mut Vec<u32>) {
        let stride = product.common.len();
        let node = product.node;
        let common = self.commons.number(node, &product.common) as usize;
        if common >= self.lines.len() {
            self.lines.resize_with(common + 1, Vec::new);
        }
        let known = &mut self.lines[common];
        lines.clear();
        for &row in self.rows.all(node, &product.rows, stride) {
            let row = row as usize;
            if row >= known.len() {
                self.places += row + 1 - known.len();
                known.resize(row + 1, NONE);
            }
            if known[row] == NONE {
                known[row] = self.states.len() as u32;
                self.states.push(Vec::new());
            }
            lines.push(known[row]);
        }
        columns.clear();
        let numbers = self.columns.all(node, &product.columns, stride);
        columns.extend_from_slice(numbers);
    }

    /// The states of a line by their columns; [`NO_STATE`] where none is known, and there may be fewer than columns.
    pub fn line(&self, line: u32) -> &[StateId] {
        &self.states[line as usize]
    }

    pub fn set(&mut self, line: u32, column: u32, id: StateId) {
        let column = column as usize;
        let states = &mut self.states[line as usize];
        if column >= states.len() {
            self.places += column + 1 - states.len();
            states.resize(column + 1, NO_STATE);
        }
        states[column] = id;
        self.taken += 1;
    }

    pub fn bytes(&self) -> u64 {
        let numbers = [&self.rows, &self.columns, &self.commons];
        let parts: usize = numbers.iter().map(|n| n.of.capacity()).sum();
        let lines = self.states.capacity() + self.lines.capacity();
        // A line may have twice the room that it needs.
        let places = 2 * self.places * size_of::<StateId>();
        let lines = lines * size_of::<Vec<StateId>>();
        (places + lines + parts * (size_of::<Part>() + 8)) as u64
    }
}

impl Numbers {
    /// The numbers of the parts of a side, of so many words each.
    fn all(&mut self, node: u32, side: &Arc<Side>, stride: usize) -> &[u32] {
        let key = (node, Arc::as_ptr(side).addr());
        if !self.sides.contains_key(&key) {
            if self.sides.len() >= MOST_SIDES {
                self.sides.clear();
            }
            let parts = side.parts.chunks_exact(stride);
            let numbers = parts.map(|part| self.number(node, part)).collect();
            self.sides.insert(key, (Arc::clone(side), numbers));
        }
        &self.sides[&key].1
    }

    fn number(&mut self, node: u32, words: &[u64]) -> u32 {
        let next = self.of.len() as u32;
        let mut part = Part::from_slice(words);
        part.push(u64::from(node));
        *self.of.entry(part).or_insert(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(common: u64, rows: &[u64], columns: &[u64]) -> Product {
        let side = |parts: &[u64]| {
            Arc::new(Side {
                parts: parts.to_vec(),
                numbers: (0..parts.len() as u32).collect(),
            })
        };
        Product {
            node: 1,
            rows: side(rows),
            columns: side(columns),
            common: vec![common],
            ..Product::default()
        }
    }

    #[test]
    fn a_place_is_that_of_its_parts() {
        let mut grid = Grid::default();
        let (mut lines, mut columns) = (Vec::new(), Vec::new());
        grid.place(&product(0, &[5, 6], &[7, 8]), &mut lines, &mut columns);
        let (a, b, y) = (lines[0], lines[1], columns[1]);
        assert!(a != b && columns[0] != y);
        grid.set(a, y, 3);
        let get = |grid: &Grid, line: u32, column: u32| {
            let state = grid.line(line).get(column as usize).copied();
            state.filter(|id| *id != NO_STATE)
        };
        assert_eq!((get(&grid, a, y), get(&grid, b, y)), (Some(3), None));
        grid.place(&product(0, &[6, 5], &[8]), &mut lines, &mut columns);
        assert_eq!((&lines[..], &columns[..]), (&[b, a][..], &[y][..]));
        grid.place(&product(1, &[5], &[8]), &mut lines, &mut columns);
        assert_eq!(get(&grid, lines[0], columns[0]), None);
        assert!(grid.pays());
        let bytes = grid.bytes();
        grid.seal();
        assert!(grid.bytes() > 0 && grid.bytes() < bytes);
        assert_eq!((get(&grid, a, y), get(&grid, b, y)), (Some(3), None));
    }

    #[test]
    fn a_grid_with_few_states_does_not_pay() {
        let mut grid = Grid::default();
        let (mut lines, mut columns) = (Vec::new(), Vec::new());
        for i in 0..1000 {
            grid.place(&product(0, &[i], &[i]), &mut lines, &mut columns);
            grid.set(lines[0], columns[0], i as StateId);
        }
        assert!(!grid.pays());
    }
}
