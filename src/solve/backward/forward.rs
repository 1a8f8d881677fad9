//! The way out: finds every state, layer by layer of plies from the start.
//!
//! The states of a batch are expanded on all threads, and what they lead to is entered in the table in the order of the
//! batch, so the numbers of states do not depend on the threads.

use super::edges::{Edges, Kind};
use super::expand::{Expander, Shape};
use super::grid::Grid;
use super::table::{Rows, StateId, Table};
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
    pub edges: Vec<Option<Vec<Edges>>>,
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

/// Room for entering one product.
#[derive(Debug, Default)]
struct Room {
    /// The lines of the rows in the grid, and the numbers of the columns.
    lines: Vec<usize>,
    numbers: Vec<usize>,
    /// The state of each pair, as far as the grid knows it.
    ids: Vec<Option<StateId>>,
    /// The others, and their rows and columns.
    missing: Rows,
    places: Vec<(usize, usize)>,
}

/// Runs of states that are expanded together by one thread, and how many of them there are in a batch.
pub(super) const RUNS: usize = 32;
/// About how many successors a batch may have.
const SUCCESSORS: u64 = 1 << 16;
const MOST_STATES: u64 = 8192;

/// Expands the states of a run, in memory that serves one run after another.
struct Worker<'m> {
    expander: Expander<'m>,
    /// The successors of a run of states, one after another.
    successors: Rows,
    /// The successors of the states for which they are a product.
    products: Vec<Product>,
    rewards: Vec<i32>,
    states: Vec<Expanded>,
    /// The number of all successors.
    count: usize,
    /// False when a reward or a number of successors is too large to be kept.
    fits: bool,
}

/// A state that was expanded.
struct Expanded {
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
        self.table.bytes() + 8 * self.table.len() as u64 + self.edge_bytes + self.grid.bytes()
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
        let worker = |_| Worker::new(machine, rewards);
        let mut workers: Vec<Worker<'_>> = (0..RUNS).map(worker).collect();
        loop {
            let layer = self.layers.len() - 1;
            let range = self.layer(layer);
            self.edges.resize_with(layer + 1, || None);
            let mut kept: Option<Vec<Edges>> = self.keeping.then(Vec::new);
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
                let expanded: Vec<Result<(), PlayError>> = runs
                    .par_iter()
                    .zip(&mut workers)
                    .map(|(run, worker)| worker.expand(&self.table, rewards, run.clone()))
                    .collect();
                for ((run, worker), done) in runs.iter().zip(&workers).zip(expanded) {
                    done?;
                    states += u64::from(run.end - run.start);
                    successors += worker.count as u64;
                    let edges = self.enter(run.start, worker, kept.is_some())?;
                    match (&mut kept, edges) {
                        (Some(list), Some(edges)) => {
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
            self.edges[layer] = kept;
            self.grid.clear();
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

    /// Puts the successors of a run into the table; the edges to them, if they are wanted and can be kept.
    fn enter(
        &mut self,
        first: StateId,
        found: &Worker<'_>,
        keep: bool,
    ) -> Result<Option<Edges>, SolveError> {
        let mut edges = (keep && found.fits).then(|| Edges::new(first, found.count));
        let mut each = |id| {
            if let Some(edges) = &mut edges {
                edges.push(id);
            }
        };
        let mut products = found.products.iter();
        let mut at = 0;
        let mut entered = true;
        for states in found.states.chunk_by(|a, b| a.is_product == b.is_product) {
            if states[0].is_product {
                for product in products.by_ref().take(states.len()) {
                    entered &= self.enter_product(found, product, &mut each);
                }
            } else {
                let end = at + states.iter().map(|s| s.successors as usize).sum::<usize>();
                let table = &mut self.table;
                entered &= table.insert_all(&found.successors, at..end, &mut each);
                at = end;
            }
        }
        if !entered {
            return Err(self.out_of_memory(u64::from(u32::MAX)));
        }
        if let Some(edges) = &mut edges {
            let states = found.states.iter().map(|s| (s.kind, s.successors));
            edges.finish(states, found.rewards.clone());
        }
        Ok(edges)
    }

    /// Puts the states of a product into the table, most of them by way of the grid; false when there is no room.
    fn enter_product(
        &mut self,
        found: &Worker<'_>,
        product: &Product,
        each: &mut impl FnMut(StateId),
    ) -> bool {
        let stride = product.accumulated.len();
        let mut words: SmallVec<[u64; 16]> = SmallVec::from_elem(0, stride);
        let columns = product.columns.chunks_exact(stride);
        let mut grid = self.grid.pays().then_some(&mut self.grid);
        let Room {
            lines,
            numbers,
            ids,
            missing,
            places,
        } = &mut self.room;
        ids.clear();
        missing.clear();
        places.clear();
        if let Some(grid) = &mut grid {
            grid.place(product, lines, numbers);
        }
        let mut changes = product.changes.iter();
        for (i, row) in product.rows.chunks_exact(stride).enumerate() {
            for (j, column) in columns.clone().enumerate() {
                let change = changes.next().map_or(0, |c| *c);
                let known = grid.as_ref().and_then(|g| g.get(lines[i], numbers[j]));
                ids.push(known);
                if known.is_none() {
                    found
                        .expander
                        .join(product, row, column, change, &mut words);
                    missing.push(&self.table, product.node, &words);
                    places.push((i, j));
                }
            }
        }
        let mut unknown = ids.iter_mut().filter(|id| id.is_none());
        let mut places = places.iter();
        let entered = self.table.insert_all(missing, 0..missing.len(), &mut |id| {
            if let Some(unknown) = unknown.next() {
                *unknown = Some(id);
            }
            if let (Some(grid), Some(&(i, j))) = (&mut grid, places.next()) {
                grid.set(lines[i], numbers[j], id);
            }
        });
        ids.iter().flatten().for_each(|id| each(*id));
        entered
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

impl<'m> Worker<'m> {
    fn new(machine: &'m Machine, rewards: &Rewards) -> Worker<'m> {
        Worker {
            expander: Expander::new(machine, rewards),
            successors: Rows::default(),
            products: Vec::new(),
            rewards: Vec::new(),
            states: Vec::new(),
            count: 0,
            fits: true,
        }
    }

    fn expand(
        &mut self,
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
            let (successors, earned, fits) =
                (&mut self.successors, &mut self.rewards, &mut self.fits);
            let mut earn = |reward: i64| {
                if !rewards.is_empty() {
                    let reward = i32::try_from(reward);
                    *fits &= reward.is_ok();
                    earned.push(reward.unwrap_or(0));
                }
            };
            let expander = &mut self.expander;
            let (shape, is_product) =
                expander.expand_or_join(node, words, product, &mut |child| {
                    successors.push(table, child.node, child.words);
                    earn(child.reward);
                })?;
            if is_product {
                for &change in &product.changes {
                    earn(expander.earned(product, change));
                }
                products += 1;
            }
            let kind = match shape {
                Shape::Terminal => Kind::Terminal,
                Shape::Chance(_) if uniform(&expander.outcomes.list) => Kind::UniformChance,
                Shape::Chance(_) => Kind::WeightedChance,
                Shape::Decision(rows, _) => {
                    self.fits &= rows < u32::MAX as usize / 2;
                    Kind::Decision(rows as u32)
                }
            };
            self.count += shape.len();
            self.fits &= self.count < u32::MAX as usize;
            self.states.push(Expanded {
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
