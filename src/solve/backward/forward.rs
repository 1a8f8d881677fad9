//! The way out: finds every state, layer by layer of plies from the start.
//!
//! The states of a batch are expanded on all threads, and what they lead to is entered in the table in the order of the
//! batch, so the numbers of states do not depend on the threads.

use super::edges::{Edges, Kept, Kind, MOST_ROWS};
use super::expand::{Expander, Shape};
use super::grid::{Grid, NO_STATE};
use super::table::{Rows, StateId, Table};
use super::threads::PerThread;
use super::{Phase, SavedLayer, Watch};
use crate::machine::{Machine, PlayError, Product, Rewards};
use crate::solve::SolveError;
use rayon::prelude::*;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was found so far.
pub(super) struct Found {
    pub table: Table,
    /// Where each layer begins; the last one ends with the table.
    pub layers: Vec<StateId>,
    /// For each layer the ways on from its states, as far as they are kept.
    pub edges: Vec<Option<Kept>>,
    /// The bytes of the edges that are kept.
    edge_bytes: u64,
    /// The most bytes that were in use at a time.
    pub peak: u64,
    /// Whether edges are still kept.
    keeping: bool,
    /// The next layer, as far as it comes of products.
    grid: Grid,
    room: Room,
}

/// Room for entering successors.
#[derive(Debug, Default)]
struct Room {
    /// The lines of the rows of a product in the grid, and the numbers of the columns.
    lines: Vec<u32>,
    columns: Vec<u32>,
    /// The pairs of which the grid knows no state, and their lines and columns.
    missing: Rows,
    places: Vec<(u32, u32)>,
    /// The states that were entered.
    ids: Vec<StateId>,
}

/// Runs of states that are expanded together by one thread, and how many of them there are in a batch.
pub(super) const RUNS: usize = 32;
/// About how many successors a batch may have.
const SUCCESSORS: u64 = 1 << 16;
const MOST_STATES: u64 = 8192;

/// What comes of a run of states, in memory that serves one run after another.
#[derive(Default)]
struct Expanded {
    /// The number of the expander.
    expander: usize,
    /// The successors of a run of states, one after another.
    successors: Rows,
    /// The successors of the states for which they are a product.
    products: Vec<Product>,
    /// For all successors in the order of the states; none where nothing is ever earned.
    rewards: Vec<i32>,
    states: Vec<Origin>,
    /// The number of all successors.
    count: usize,
    /// False when a reward or a number of successors is too large to be kept.
    fits: bool,
}

/// A state that was expanded.
struct Origin {
    kind: Kind,
    successors: u32,
    is_product: bool,
}

impl Found {
    /// With the initial state as the first layer.
    pub fn new(machine: &Machine) -> Result<Found, PlayError> {
        let mut table = Table::new(machine);
        let initial = machine.initial()?;
        let (node, words) = (machine.node(&initial), initial.words());
        table.insert(node, words);
        Ok(Found {
            table,
            layers: vec![0],
            edges: Vec::new(),
            edge_bytes: 0,
            peak: 0,
            keeping: true,
            grid: Grid::default(),
            room: Room::default(),
        })
    }

    /// The states of a layer.
    pub fn layer(&self, layer: usize) -> Range<StateId> {
        let end = self.layers.get(layer + 1).copied();
        self.layers[layer]..end.unwrap_or(self.table.len() as StateId)
    }

    /// Bytes in use, with room for the values of all states.
    fn bytes(&self) -> u64 {
        let values = 8 * self.table.len() as u64;
        self.table.bytes() + values + self.edge_bytes + self.grid.bytes()
    }

    /// Adds a layer that was found in an earlier run; `None` where it cannot be one.
    pub fn restore(&mut self, layer: &SavedLayer, machine: &Machine) -> Option<()> {
        let start = self.table.len() as StateId;
        let outside = machine.states_from_outside();
        let stride = machine.state_words();
        if layer.nodes.is_empty() || layer.words.len() != layer.nodes.len() * stride {
            return None;
        }
        for (i, &node) in layer.nodes.iter().enumerate() {
            let words = &layer.words[i * stride..(i + 1) * stride];
            outside.read(node, words)?;
            let before = self.table.len();
            self.table.insert(node, words)?;
            if self.table.len() == before {
                return None;
            }
        }
        self.layers.push(start);
        Some(())
    }

    /// Goes on from the last layer until there is nothing new. Whether it got to the end.
    ///
    /// # Errors
    /// Those of play; [`SolveError::OutOfMemory`].
    pub fn run(
        &mut self,
        machine: &Machine,
        rewards: &Rewards,
        limit: u64,
        watch: &mut dyn Watch,
        cancel: &AtomicBool,
    ) -> Result<bool, SolveError> {
        let expanders = PerThread::new(|| Expander::new(machine, rewards));
        let mut results: Vec<Expanded> = (0..RUNS).map(|_| Expanded::default()).collect();
        loop {
            let layer = self.layers.len() - 1;
            let range = self.layer(layer);
            self.edges.resize_with(layer + 1, || None);
            let mut kept: Option<Vec<Edges>> = self.keeping.then(Vec::new);
            let earning = !rewards.is_empty();
            let mut at = range.start;
            let (mut states, mut successors) = (0u64, 0u64);
            while at < range.end {
                if cancel.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                // As many states as have about so many successors, by those of the layer so far.
                let size = match successors.checked_div(states) {
                    None => RUNS as u64,
                    Some(mean) => (SUCCESSORS / mean.max(1)).clamp(RUNS as u64, MOST_STATES),
                };
                let end = (u64::from(at) + size).min(u64::from(range.end)) as StateId;
                let runs = split(at..end);
                expanders.for_each(Expander::forget_lines);
                let expanded: Vec<Result<(), PlayError>> = runs
                    .par_iter()
                    .zip(&mut results)
                    .map(|(run, result)| {
                        let (number, mut expander) = expanders.mine();
                        result.expander = number;
                        result.expand(&mut expander, &self.table, rewards, run.clone())
                    })
                    .collect();
                for ((run, result), done) in runs.iter().zip(&results).zip(expanded) {
                    done?;
                    states += u64::from(run.end - run.start);
                    successors += result.count as u64;
                    let keep = kept.is_some() && result.fits;
                    let mut edges = keep
                        .then(|| Edges::new(run.start, earning, result.listed(), result.paired()));
                    let expander = expanders.get(result.expander);
                    self.enter(result, &expander, &mut edges)?;
                    match (&mut kept, edges) {
                        (Some(list), Some(mut edges)) => {
                            edges.finish();
                            self.edge_bytes += edges.bytes();
                            list.push(edges);
                        }
                        (given_up, _) => {
                            let runs = given_up.take().unwrap_or_default();
                            self.edge_bytes -= runs.iter().map(Edges::bytes).sum::<u64>();
                        }
                    }
                    self.bound(limit, &mut kept)?;
                }
                at = end;
                watch.progress(Phase::Finding, self.table.len() as u64, None);
            }
            let mut grid = std::mem::take(&mut self.grid);
            self.edges[layer] = kept.map(|runs| {
                grid.seal();
                self.edge_bytes += grid.bytes();
                Kept { runs, grid }
            });
            if range.end == self.table.len() as StateId {
                return Ok(true);
            }
            self.layers.push(range.end);
            let new = self.layer(layer + 1);
            let table = &self.table;
            let mut states = new.map(|id| table.get(id));
            if !watch.layer_found(layer + 1, &mut states) {
                return Ok(false);
            }
        }
    }

    /// Puts the successors of a run into the table, and into the edges where these are wanted; they are given up where they
    /// cannot be kept.
    fn enter(
        &mut self,
        found: &Expanded,
        expander: &Expander<'_>,
        edges: &mut Option<Edges>,
    ) -> Result<(), SolveError> {
        match self.enter_all(found, expander, edges) {
            Some(()) => Ok(()),
            None => Err(self.out_of_memory(u64::from(u32::MAX))),
        }
    }

    /// As [`Found::enter`]; `None` when there is no room.
    fn enter_all(
        &mut self,
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
                        self.enter_in_grid(expander, product)?;
                    } else {
                        self.enter_pairs(expander, product)?;
                    }
                    let Some(edges) = edges else {
                        continue;
                    };
                    let Room { lines, columns, .. } = &self.room;
                    if in_grid && !edges.push_product(lines, columns, earned) {
                        self.room.gather(&self.grid);
                    } else if in_grid {
                        continue;
                    }
                    edges.push(state.kind, &self.room.ids, earned);
                }
            } else {
                let ids = &mut self.room.ids;
                ids.clear();
                let start = listed;
                listed += states.iter().map(|s| s.successors as usize).sum::<usize>();
                let each = &mut |id| ids.push(id);
                if !self
                    .table
                    .insert_all(&found.successors, start..listed, each)
                {
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

    /// Puts the states of a product into the table: those that the grid does not know. Its lines and columns stay in the room.
    fn enter_in_grid(&mut self, expander: &Expander<'_>, product: &Product) -> Option<()> {
        let stride = product.accumulated.len();
        let mut words: SmallVec<[u64; 16]> = SmallVec::from_elem(0, stride);
        let Room {
            lines,
            columns,
            missing,
            places,
            ..
        } = &mut self.room;
        missing.clear();
        places.clear();
        self.grid.place(product, lines, columns);
        let rows = product.rows.parts.chunks_exact(stride);
        for ((row, &line), &of) in rows.zip(&*lines).zip(&product.lines) {
            let known = self.grid.line(line);
            for (i, &at) in columns.iter().enumerate() {
                if known.get(at as usize).is_none_or(|id| *id == NO_STATE) {
                    let column = &product.columns.parts[i * stride..(i + 1) * stride];
                    let change = expander.changes(of)[product.columns.numbers[i] as usize];
                    expander.join(product, row, column, change, &mut words);
                    missing.push(&self.table, product.node, &words);
                    places.push((line, at));
                }
            }
        }
        let (grid, mut places) = (&mut self.grid, places.iter());
        let entered = self.table.insert_all(missing, 0..missing.len(), &mut |id| {
            if let Some(&(line, column)) = places.next() {
                grid.set(line, column, id);
            }
        });
        entered.then_some(())
    }

    /// The same without the grid. The states of all pairs stay in the room.
    fn enter_pairs(&mut self, expander: &Expander<'_>, product: &Product) -> Option<()> {
        let stride = product.accumulated.len();
        let mut words: SmallVec<[u64; 16]> = SmallVec::from_elem(0, stride);
        let Room { missing, ids, .. } = &mut self.room;
        missing.clear();
        ids.clear();
        let rows = product.rows.parts.chunks_exact(stride);
        for (row, &line) in rows.zip(&product.lines) {
            let changes = expander.changes(line);
            let columns = product.columns.parts.chunks_exact(stride);
            for (column, &number) in columns.zip(&product.columns.numbers) {
                let change = changes[number as usize];
                expander.join(product, row, column, change, &mut words);
                missing.push(&self.table, product.node, &words);
            }
        }
        let all = 0..missing.len();
        let entered = self.table.insert_all(missing, all, &mut |id| ids.push(id));
        entered.then_some(())
    }

    /// Holds the memory within its bound: gives up the edges first, those of the present layer too.
    fn bound(&mut self, limit: u64, kept: &mut Option<Vec<Edges>>) -> Result<(), SolveError> {
        // Room for the next run: it rarely adds more than a few thousand states.
        let next = self.table.bytes_for(4096);
        if self.bytes() + next > limit && self.keeping {
            self.keeping = false;
            self.edges.iter_mut().for_each(|e| *e = None);
            *kept = None;
            self.edge_bytes = 0;
        }
        if self.bytes() + next > limit {
            return Err(self.out_of_memory(limit));
        }
        self.peak = self.peak.max(self.bytes() + next);
        Ok(())
    }

    fn out_of_memory(&self, limit: u64) -> SolveError {
        SolveError::OutOfMemory {
            limit,
            states: self.table.len() as u64,
            plies: self.layers.len() as u64,
        }
    }
}

impl Room {
    /// The states of all pairs of the product that was entered last, by way of the grid.
    fn gather(&mut self, grid: &Grid) {
        self.ids.clear();
        for &line in &self.lines {
            let states = grid.line(line);
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

impl Expanded {
    /// The number of successors that are no products, and of those that are.
    fn listed(&self) -> usize {
        self.successors.len()
    }

    fn paired(&self) -> usize {
        self.count - self.successors.len()
    }

    fn expand(
        &mut self,
        expander: &mut Expander<'_>,
        table: &Table,
        rewards: &Rewards,
        run: Range<StateId>,
    ) -> Result<(), PlayError> {
        self.successors.clear();
        self.rewards.clear();
        self.states.clear();
        self.count = 0;
        self.fits = true;
        let mut products = 0;
        for id in run {
            let (node, words) = table.get(id);
            if products == self.products.len() {
                self.products.push(Product::default());
            }
            let product = &mut self.products[products];
            let successors = &mut self.successors;
            let (earned, fits) = (&mut self.rewards, &mut self.fits);
            let earning = !rewards.is_empty();
            let mut keep = |reward: i64| {
                *fits &= reward == i64::from(reward as i32);
                reward as i32
            };
            let (shape, is_product) =
                expander.expand_or_join(node, words, product, &mut |child| {
                    successors.push(table, child.node, child.words);
                    if earning {
                        earned.push(keep(child.reward));
                    }
                })?;
            if is_product {
                let columns = &product.columns.numbers;
                for &line in product.lines.iter().filter(|_| earning) {
                    let all = expander.earned(line);
                    earned.extend(columns.iter().map(|&c| keep(all[c as usize])));
                }
                products += 1;
            }
            let kind = match shape {
                Shape::Terminal => Kind::Terminal,
                Shape::Chance(_) if uniform(&expander.outcomes.list) => Kind::UniformChance,
                Shape::Chance(_) => Kind::WeightedChance,
                Shape::Decision(rows, _) => {
                    self.fits &= rows < MOST_ROWS;
                    Kind::Decision(rows as u32)
                }
            };
            self.count += shape.len();
            self.fits &= self.count < u32::MAX as usize / 4;
            self.states.push(Origin {
                kind,
                successors: shape.len() as u32,
                is_product,
            });
        }
        Ok(())
    }
}

/// Whether all outcomes have the same weight.
pub(super) fn uniform<T>(outcomes: &[(T, u64)]) -> bool {
    outcomes.windows(2).all(|w| w[0].1 == w[1].1)
}

/// A batch as runs of about the same length.
pub(super) fn split(batch: Range<StateId>) -> Vec<Range<StateId>> {
    let size = batch.len().div_ceil(RUNS).max(1);
    batch
        .clone()
        .step_by(size)
        .map(|start| start..(start.saturating_add(size as u32)).min(batch.end))
        .collect()
}
