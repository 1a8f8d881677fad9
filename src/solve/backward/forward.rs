//! The way out: finds every state, layer by layer of plies from the start.
//!
//! The states of a batch are expanded on all threads, and what they lead to is entered in the table in the order of the
//! batch, so the numbers of states do not depend on the threads.

use super::edges::{Edges, Kind};
use super::expand::{Expander, Shape};
use super::table::{StateId, Table};
use super::{Phase, SavedLayer, Watch};
use crate::machine::{Machine, PlayError, Rewards};
use crate::solve::SolveError;
use rayon::prelude::*;
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
}

/// Runs of states that are expanded together by one thread, and how many of them there are in a batch.
const RUNS: usize = 32;
/// About how many successors a batch may have.
const SUCCESSORS: u64 = 1 << 18;
const MOST_STATES: u64 = 8192;

/// The successors of a run of states, one after another.
struct Successors {
    hashes: Vec<u64>,
    nodes: Vec<u32>,
    words: Vec<u64>,
    rewards: Vec<i32>,
    shapes: Vec<(Kind, u32)>,
    /// False when a reward or a number of successors is too large to be kept.
    fits: bool,
}

impl Found {
    /// With the initial state as the first layer.
    pub fn new(machine: &Machine) -> Result<Found, PlayError> {
        let mut table = Table::new(machine);
        let initial = machine.initial()?;
        let (node, words) = (machine.node(&initial), initial.words());
        table.insert(table.hash(node, words), node, words);
        Ok(Found {
            table,
            layers: vec![0],
            edges: Vec::new(),
            edge_bytes: 0,
            peak: 0,
            keeping: true,
        })
    }

    /// The states of a layer.
    pub fn layer(&self, layer: usize) -> Range<StateId> {
        let end = self.layers.get(layer + 1).copied();
        self.layers[layer]..end.unwrap_or(self.table.len() as StateId)
    }

    /// Bytes in use, with room for the values of all states.
    fn bytes(&self) -> u64 {
        self.table.bytes() + 8 * self.table.len() as u64 + self.edge_bytes
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
            let (hash, before) = (self.table.hash(node, words), self.table.len());
            self.table.insert(hash, node, words)?;
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
                let found = self.expand(machine, rewards, &runs);
                for (run, found) in std::iter::zip(runs, found) {
                    let found = found?;
                    states += u64::from(run.end - run.start);
                    successors += found.nodes.len() as u64;
                    let edges = self.enter(run.start, found, kept.is_some())?;
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
            if range.end == self.table.len() as StateId {
                return Ok(true);
            }
            self.layers.push(range.end);
            let new = self.layer(layer + 1);
            let table = &self.table;
            let mut states = new.map(|id| (table.node(id), table.words(id)));
            if !watch.layer_found(layer + 1, &mut states) {
                return Ok(false);
            }
        }
    }

    fn expand(
        &self,
        machine: &Machine,
        rewards: &Rewards,
        runs: &[Range<StateId>],
    ) -> Vec<Result<Successors, PlayError>> {
        let table = &self.table;
        runs.par_iter()
            .map_init(
                || Expander::new(machine, rewards),
                |expander, run| {
                    let mut found = Successors {
                        hashes: Vec::new(),
                        nodes: Vec::new(),
                        words: Vec::new(),
                        rewards: Vec::new(),
                        shapes: Vec::with_capacity(run.len()),
                        fits: true,
                    };
                    for id in run.clone() {
                        let state = table.state(machine, id);
                        let shape = expander.expand(state, &mut |child| {
                            found.hashes.push(table.hash(child.node, child.words));
                            found.nodes.push(child.node);
                            found.words.extend_from_slice(child.words);
                            if !rewards.is_empty() {
                                let reward = i32::try_from(child.reward);
                                found.fits &= reward.is_ok();
                                found.rewards.push(reward.unwrap_or(0));
                            }
                        })?;
                        let kind = match shape {
                            Shape::Terminal => Kind::Terminal,
                            Shape::Chance(_) if uniform(&expander.outcomes.list) => {
                                Kind::UniformChance
                            }
                            Shape::Chance(_) => Kind::WeightedChance,
                            Shape::Decision(rows, _) => {
                                found.fits &= rows < u32::MAX as usize / 2;
                                Kind::Decision(rows as u32)
                            }
                        };
                        found.fits &= found.nodes.len() < u32::MAX as usize;
                        found.shapes.push((kind, shape.len() as u32));
                    }
                    Ok(found)
                },
            )
            .collect()
    }

    /// Puts the successors of a run into the table; the edges to them, if they are wanted and can be kept.
    fn enter(
        &mut self,
        first: StateId,
        found: Successors,
        keep: bool,
    ) -> Result<Option<Edges>, SolveError> {
        let stride = found.words.len() / found.nodes.len().max(1);
        let mut edges = (keep && found.fits).then(|| Edges::new(first));
        for (i, (&hash, &node)) in std::iter::zip(&found.hashes, &found.nodes).enumerate() {
            let words = &found.words[i * stride..(i + 1) * stride];
            let id = self.table.insert(hash, node, words);
            let id = id.ok_or_else(|| self.out_of_memory(u64::from(u32::MAX)))?;
            if let Some(edges) = &mut edges {
                edges.push(id);
            }
        }
        if let Some(edges) = &mut edges {
            edges.finish(&found.shapes, found.rewards);
        }
        Ok(edges)
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
