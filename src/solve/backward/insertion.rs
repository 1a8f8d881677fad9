//! Puts the successors of states into the table, and into the edges that are kept of them.

use super::edges::Edges;
use super::expand::Expander;
use super::expanded::Expanded;
use super::grid::{Grid, NO_STATE};
use super::state_table::{Rows, StateId, StateTable};
use crate::machine::Product;
use smallvec::SmallVec;

/// The way into the next layer.
#[derive(Debug, Default)]
pub(super) struct Inserter {
    /// The next layer, as far as it comes of products.
    pub grid: Grid,
    /// The lines of the rows of a product in the grid, and the numbers of the columns.
    lines: Vec<u32>,
    columns: Vec<u32>,
    /// The pairs without a state in the grid, and their lines and columns.
    missing: Rows,
    places: Vec<(u32, u32)>,
    /// The states that were entered.
    ids: Vec<StateId>,
}

impl Inserter {
    /// Puts the successors of a run into the table, and into the edges where these are wanted; they are given up where they
    /// cannot be kept. `None` when the table has no room.
    pub fn enter(
        &mut self,
        table: &mut StateTable,
        found: &Expanded,
        expander: &Expander<'_>,
        edges: &mut Option<Edges>,
    ) -> Option<()> {
        let in_grid = self.grid.pays();
        let (mut products, mut listed) = (found.products.iter(), 0);
        let mut rewards = &found.rewards[..];
        for states in found.states.chunk_by(|a, b| a.is_product == b.is_product) {
            if states[0].is_product {
                for (state, product) in states.iter().zip(products.by_ref()) {
                    let earned = split_off(&mut rewards, state.successors);
                    if in_grid {
                        self.enter_in_grid(table, expander, product)?;
                    } else {
                        self.enter_pairs(table, expander, product)?;
                    }
                    let Some(edges) = edges else {
                        continue;
                    };
                    let Inserter { lines, columns, .. } = &*self;
                    if in_grid && !edges.push_product(lines, columns, earned) {
                        self.gather();
                    } else if in_grid {
                        continue;
                    }
                    edges.push(state.kind, &self.ids, earned);
                }
            } else {
                let ids = &mut self.ids;
                ids.clear();
                let start = listed;
                listed += states.iter().map(|s| s.successors as usize).sum::<usize>();
                let each = &mut |id| ids.push(id);
                if !table.insert_all(&found.successors, start..listed, each) {
                    return None;
                }
                let mut ids = &ids[..];
                for state in states {
                    let earned = split_off(&mut rewards, state.successors);
                    let ids = split_off(&mut ids, state.successors);
                    if let Some(edges) = edges {
                        edges.push(state.kind, ids, earned);
                    }
                }
            }
        }
        Some(())
    }

    /// Puts the states of a product into the table: those that are not in the grid. Its lines and columns stay here.
    fn enter_in_grid(
        &mut self,
        table: &mut StateTable,
        expander: &Expander<'_>,
        product: &Product,
    ) -> Option<()> {
        let mut words: SmallVec<[u64; 16]> = SmallVec::from_elem(0, product.common.len());
        let Inserter {
            grid,
            lines,
            columns,
            missing,
            places,
            ..
        } = self;
        missing.clear();
        places.clear();
        grid.place(product, lines, columns);
        for (i, &line) in lines.iter().enumerate() {
            let known = grid.line(line);
            for (j, &column) in columns.iter().enumerate() {
                if known.get(column as usize).is_none_or(|id| *id == NO_STATE) {
                    expander.join(product, (i, j), &mut words);
                    missing.push(table, product.node, &words);
                    places.push((line, column));
                }
            }
        }
        let mut places = places.iter();
        let entered = table.insert_all(missing, 0..missing.len(), &mut |id| {
            if let Some(&(line, column)) = places.next() {
                grid.set(line, column, id);
            }
        });
        entered.then_some(())
    }

    /// The same without the grid. The states of all pairs stay here.
    fn enter_pairs(
        &mut self,
        table: &mut StateTable,
        expander: &Expander<'_>,
        product: &Product,
    ) -> Option<()> {
        let mut words: SmallVec<[u64; 16]> = SmallVec::from_elem(0, product.common.len());
        let Inserter { missing, ids, .. } = self;
        missing.clear();
        ids.clear();
        for i in 0..product.lines.len() {
            for j in 0..product.columns.numbers.len() {
                expander.join(product, (i, j), &mut words);
                missing.push(table, product.node, &words);
            }
        }
        let all = 0..missing.len();
        let entered = table.insert_all(missing, all, &mut |id| ids.push(id));
        entered.then_some(())
    }

    /// The states of all pairs of the product that was entered last, by way of the grid.
    fn gather(&mut self) {
        self.ids.clear();
        for &line in &self.lines {
            let states = self.grid.line(line);
            self.ids
                .extend(self.columns.iter().map(|&c| states[c as usize]));
        }
    }
}

/// The first so many, or as many as there are, which are left out from then on.
fn split_off<'a, T>(list: &mut &'a [T], count: u32) -> &'a [T] {
    let (first, rest) = list.split_at((count as usize).min(list.len()));
    *list = rest;
    first
}
