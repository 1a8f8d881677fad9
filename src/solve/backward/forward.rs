//! The way out: finds every state, layer by layer of plies from the start.
//!
//! The states of a batch are expanded on all threads, and what they lead to is entered in the table in the order of the
//! batch, so the numbers of states do not depend on the threads.

use super::edges::{Edges, Kept};
use super::expand::Expander;
use super::expanded::Expanded;
use super::insertion::Inserter;
use super::state_table::{StateId, StateTable};
use super::threads::PerThread;
use super::{Phase, SavedLayer, Watch};
use crate::machine::{Machine, PlayError, Rewards};
use crate::solve::SolveError;
use crate::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was found so far.
pub(super) struct Found {
    pub table: StateTable,
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
    entrance: Inserter,
}

/// Runs of states that are expanded together by one thread, and how many of them there are in a batch.
pub(super) const RUNS: usize = 32;
/// About how many successors a batch may have.
const SUCCESSORS: u64 = 1 << 16;
const MOST_STATES: u64 = 8192;

impl Found {
    /// With the initial state as the first layer.
    pub fn new(machine: &Machine) -> Result<Found, PlayError> {
        let mut table = StateTable::new(machine);
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
            entrance: Inserter::default(),
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
        self.table.bytes() + values + self.edge_bytes + self.entrance.grid.bytes()
    }

    /// Adds a layer that was found in an earlier run; `None` where it cannot be one.
    pub fn restore(&mut self, layer: &SavedLayer, machine: &Machine) -> Option<()> {
        let start = self.table.len() as StateId;
        let stride = machine.state_words();
        if layer.nodes.is_empty() || layer.words.len() != layer.nodes.len() * stride {
            return None;
        }
        for (i, &node) in layer.nodes.iter().enumerate() {
            let words = &layer.words[i * stride..(i + 1) * stride];
            machine.read_state(node, words).ok()?;
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
                let expanded = threads::map_with(&runs, &mut results, |run, result| {
                    let (number, mut expander) = expanders.mine();
                    result.expander = number;
                    result.expand(&mut expander, &self.table, rewards, run.clone())
                });
                for ((run, result), done) in runs.iter().zip(&results).zip(expanded) {
                    done?;
                    states += u64::from(run.end - run.start);
                    successors += result.count as u64;
                    let keep = kept.is_some() && result.fits;
                    let mut edges = keep
                        .then(|| Edges::new(run.start, earning, result.listed(), result.paired()));
                    let expander = expanders.get(result.expander);
                    let entrance = &mut self.entrance;
                    let entered = entrance.enter(&mut self.table, result, &expander, &mut edges);
                    if entered.is_none() {
                        return Err(self.out_of_memory(u64::from(u32::MAX)));
                    }
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
            let mut grid = std::mem::take(&mut self.entrance.grid);
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

/// A batch as runs of about the same length.
pub(super) fn split(batch: Range<StateId>) -> Vec<Range<StateId>> {
    let size = batch.len().div_ceil(RUNS).max(1);
    batch
        .clone()
        .step_by(size)
        .map(|start| start..(start.saturating_add(size as u32)).min(batch.end))
        .collect()
}
