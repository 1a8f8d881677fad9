//! A short cut to the states that rows and columns of parts lead to (`machine::Product`): where many states of a layer
//! come of the same parts, a number for each part leads to a place in an array, and nothing is compared.
//!
//! What stands here stands in the table too. A grid is for the successors of one layer.

use super::table::StateId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The words of a part, and the node after them.
type Part = SmallVec<[u64; 4]>;

#[derive(Debug, Default)]
pub(super) struct Grid {
    rows: FxHashMap<Part, u32>,
    columns: FxHashMap<Part, u32>,
    /// For each row the states by their columns; `NONE` where nobody has been yet.
    states: Vec<Vec<StateId>>,
    /// How many places there are, and how many of them are taken.
    places: usize,
    taken: usize,
}

/// No state.
const NONE: StateId = StateId::MAX;
/// So many places for each that is taken, and so many anyway, are no waste.
const SPARSE: usize = 4;
const FEW: usize = 1 << 16;

impl Grid {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Grid::default();
    }

    /// Whether most places are of use.
    pub fn pays(&self) -> bool {
        self.places <= FEW + SPARSE * self.taken
    }

    pub fn row(&mut self, node: u32, words: &[u64]) -> usize {
        let next = self.states.len() as u32;
        let row = *self.rows.entry(part(node, words)).or_insert(next);
        if row == next {
            self.states.push(Vec::new());
        }
        row as usize
    }

    pub fn column(&mut self, node: u32, words: &[u64]) -> usize {
        let next = self.columns.len() as u32;
        *self.columns.entry(part(node, words)).or_insert(next) as usize
    }

    /// The state at a place, if somebody has been there.
    pub fn get(&self, row: usize, column: usize) -> Option<StateId> {
        let state = self.states[row].get(column).copied();
        state.filter(|id| *id != NONE)
    }

    pub fn set(&mut self, row: usize, column: usize, id: StateId) {
        let states = &mut self.states[row];
        if column >= states.len() {
            self.places += column + 1 - states.len();
            states.resize(column + 1, NONE);
        }
        states[column] = id;
        self.taken += 1;
    }

    pub fn bytes(&self) -> u64 {
        let parts = self.rows.capacity() + self.columns.capacity();
        let lines = self.states.capacity() * size_of::<Vec<StateId>>();
        // A line may have twice the room that it needs.
        (2 * self.places * size_of::<StateId>() + lines + parts * (size_of::<Part>() + 8)) as u64
    }
}

fn part(node: u32, words: &[u64]) -> Part {
    words.iter().copied().chain([u64::from(node)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_that_of_its_row_and_column() {
        let mut grid = Grid::default();
        let (a, b) = (grid.row(1, &[5]), grid.row(1, &[6]));
        let (x, y) = (grid.column(1, &[7]), grid.column(2, &[7]));
        assert_eq!((grid.row(1, &[5]), grid.column(2, &[7])), (a, y));
        assert!(a != b && x != y);
        grid.set(a, y, 3);
        assert_eq!(grid.get(a, y), Some(3));
        assert_eq!((grid.get(a, x), grid.get(b, y)), (None, None));
        assert!(grid.pays() && grid.bytes() > 0);
    }

    #[test]
    fn a_grid_with_few_states_does_not_pay() {
        let mut grid = Grid::default();
        for i in 0..1000 {
            let (row, column) = (grid.row(0, &[i]), grid.column(0, &[i]));
            grid.set(row, column, i as StateId);
        }
        assert!(!grid.pays());
        grid.clear();
        assert!(grid.pays());
    }
}
