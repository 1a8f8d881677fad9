//! The way back: the value of every state from those of its successors, the last layer first.
//!
//! A value is what player 0 is still going to get, in units of 1/`Machine::payoff_denominator`: rewards of accumulators on the
//! way are added to the values that they lead to. Where every state is always reached after the same number of plies, one
//! pass over the layers will do. Where it is not, a state may lead to an earlier layer; then it waits for another pass.

use super::edges::{Edges, Kind, Ways};
use super::expand::{Expander, Shape};
use super::expanded::uniform;
use super::forward::{Found, RUNS, split};
use super::grid::Grid;
use super::state_table::{Rows, StateId, StateTable};
use super::threads::PerThread;
use super::{Phase, Watch};
use crate::machine::{Machine, PlayError, Rewards};
use crate::solve::SolveError;
use crate::solve::matrix::MatrixSolver;
use crate::threads;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// The values of all states, NaN where one is not known yet.
pub(super) struct Values {
    pub list: Vec<f64>,
    /// The widest gap between the guarantees of a matrix game, layer by layer; `None` where a layer is not solved.
    pub gaps: Vec<Option<f64>>,
}

/// How many states a batch has.
const BATCH: u32 = 1 << 15;

impl Values {
    pub fn new(found: &Found) -> Values {
        Values {
            list: vec![f64::NAN; found.table.len()],
            gaps: vec![None; found.layers.len()],
        }
    }

    pub fn get(&self, id: StateId) -> f64 {
        self.list[id as usize]
    }

    /// Takes over a layer that was solved in an earlier run; `None` where it does not fit.
    pub fn restore(
        &mut self,
        layer: Range<StateId>,
        number: usize,
        values: &[f64],
        gap: f64,
    ) -> Option<()> {
        if layer.len() != values.len() || !values.iter().all(|v| v.is_finite()) {
            return None;
        }
        for (id, &value) in std::iter::zip(layer, values) {
            self.list[id as usize] = value;
        }
        *self.gaps.get_mut(number)? = Some(gap);
        Some(())
    }

    /// Values what is left. Whether it got to the end.
    ///
    /// # Errors
    /// Those of play.
    pub fn run(
        &mut self,
        found: &mut Found,
        machine: &Machine,
        rewards: &Rewards,
        watch: &mut dyn Watch,
        cancel: &AtomicBool,
    ) -> Result<bool, SolveError> {
        let total = found.table.len() as u64;
        let solved = |gaps: &[Option<f64>], found: &Found| -> u64 {
            let layers = gaps.iter().enumerate().filter(|(_, g)| g.is_some());
            layers.map(|(i, _)| found.layer(i).len() as u64).sum()
        };
        let mut done = solved(&self.gaps, found);
        let mut gaps: Vec<f64> = vec![0.0; found.layers.len()];
        let workers = PerThread::new(|| Worker::new(machine, rewards));
        while self.gaps.iter().any(Option::is_none) {
            let before = done;
            for layer in (0..found.layers.len()).rev() {
                while self.gaps[layer].is_none() {
                    let pass = self.pass(found, layer, &workers, &mut |new| {
                        done += new;
                        watch.progress(Phase::Valuing, done, Some(total));
                        !cancel.load(Ordering::Relaxed)
                    })?;
                    let Some(pass) = pass else {
                        return Ok(false);
                    };
                    gaps[layer] = gaps[layer].max(pass.gap);
                    if pass.left > 0 {
                        if pass.new == 0 {
                            break;
                        }
                        continue;
                    }
                    self.gaps[layer] = Some(gaps[layer]);
                    found.edges[layer] = None;
                    let range = found.layer(layer);
                    let mut values = range.map(|id| self.get(id));
                    if !watch.layer_solved(layer, gaps[layer], &mut values) {
                        return Ok(false);
                    }
                }
            }
            if done == before {
                return Err(SolveError::Endless);
            }
        }
        Ok(true)
    }

    /// Values the states of a layer whose successors are all valued. `None` when it was stopped.
    fn pass(
        &mut self,
        found: &Found,
        layer: usize,
        workers: &PerThread<Worker<'_>>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Option<Pass>, SolveError> {
        let mut pass = Pass::default();
        let table = &found.table;
        let all = found.layer(layer);
        let kept = found.edges.get(layer).and_then(Option::as_ref);
        match kept {
            Some(kept) => {
                for batch in kept.runs.chunks(RUNS) {
                    let values = &*self;
                    let valued = threads::map(batch, |run| {
                        workers
                            .mine()
                            .1
                            .value_by_edges(table, values, run, &kept.grid)
                    });
                    if !go_on(self.take(valued, &mut pass)?) {
                        return Ok(None);
                    }
                }
            }
            None => {
                let mut at = all.start;
                while at < all.end {
                    let end = at.saturating_add(BATCH).min(all.end);
                    let values = &*self;
                    let valued = threads::map(&split(at..end), |run| {
                        workers.mine().1.value_by_steps(table, values, run.clone())
                    });
                    if !go_on(self.take(valued, &mut pass)?) {
                        return Ok(None);
                    }
                    at = end;
                }
            }
        }
        Ok(Some(pass))
    }

    /// Enters what the threads found; how many states that were.
    fn take(
        &mut self,
        valued: Vec<Result<Valued, PlayError>>,
        pass: &mut Pass,
    ) -> Result<u64, PlayError> {
        let before = pass.new;
        for run in valued {
            let run = run?;
            pass.new += run.values.len() as u64;
            pass.left += run.left;
            pass.gap = pass.gap.max(run.gap);
            for (id, value) in run.values {
                self.list[id as usize] = value;
            }
        }
        Ok(pass.new - before)
    }
}

/// What came of one pass over a layer.
#[derive(Debug, Default)]
struct Pass {
    new: u64,
    left: u64,
    gap: f64,
}

/// What came of a run of states.
#[derive(Debug, Default)]
struct Valued {
    values: Vec<(StateId, f64)>,
    left: u64,
    gap: f64,
}

struct Worker<'m> {
    machine: &'m Machine,
    expander: Expander<'m>,
    solver: MatrixSolver,
    matrix: Vec<f64>,
    successors: Rows,
}

impl<'m> Worker<'m> {
    fn new(machine: &'m Machine, rewards: &Rewards) -> Worker<'m> {
        Worker {
            machine,
            expander: Expander::new(machine, rewards),
            solver: MatrixSolver::default(),
            matrix: Vec::new(),
            successors: Rows::default(),
        }
    }

    /// Values states whose edges are kept.
    fn value_by_edges(
        &mut self,
        table: &StateTable,
        values: &Values,
        run: &Edges,
        grid: &Grid,
    ) -> Result<Valued, PlayError> {
        let mut valued = Valued::default();
        for i in 0..run.len() {
            let id = run.first + i as StateId;
            if !values.get(id).is_nan() {
                continue;
            }
            self.matrix.clear();
            let kind = match run.ways(i) {
                Ways::Listed {
                    kind,
                    successors,
                    rewards,
                } => {
                    let found = successors.iter().map(|&s| values.get(s));
                    self.matrix.extend(found);
                    for (entry, r) in std::iter::zip(&mut self.matrix, rewards) {
                        *entry += f64::from(r.cast_signed());
                    }
                    kind
                }
                Ways::Product {
                    lines,
                    columns,
                    rewards,
                } => {
                    for &line in lines {
                        let states = grid.line(line);
                        let found = columns.iter().map(|&c| values.get(states[c as usize]));
                        self.matrix.extend(found);
                    }
                    for (entry, &r) in std::iter::zip(&mut self.matrix, rewards) {
                        *entry += f64::from(r);
                    }
                    Kind::Decision(lines.len() as u32)
                }
            };
            if self.matrix.iter().any(|v| v.is_nan()) {
                valued.left += 1;
                continue;
            }
            let value = match kind {
                Kind::Terminal => self.terminal(table, id)?,
                Kind::UniformChance => mean(&self.matrix, |_| 1.0),
                Kind::WeightedChance => {
                    let (node, words) = table.get(id);
                    self.expander.list(node, words)?;
                    self.weighted()
                }
                Kind::Decision(rows) => {
                    let columns = self.matrix.len() / rows as usize;
                    self.decision(columns, &mut valued.gap)
                }
            };
            valued.values.push((id, value));
        }
        Ok(valued)
    }

    /// Values states by stepping to their successors once more.
    fn value_by_steps(
        &mut self,
        table: &StateTable,
        values: &Values,
        run: Range<StateId>,
    ) -> Result<Valued, PlayError> {
        let mut valued = Valued::default();
        self.expander.forget_lines();
        for id in run {
            if !values.get(id).is_nan() {
                continue;
            }
            self.matrix.clear();
            self.successors.clear();
            let (node, words) = table.get(id);
            let shape = self.expander.expand(node, words, &mut |child| {
                self.successors.push(table, child.node, child.words);
                self.matrix.push(child.reward as f64);
            })?;
            let mut entries = self.matrix.iter_mut();
            table.find_all(&self.successors, |successor| {
                if let Some(entry) = entries.next() {
                    *entry += successor.map_or(f64::NAN, |s| values.get(s));
                }
            });
            if self.matrix.iter().any(|v| v.is_nan()) {
                valued.left += 1;
                continue;
            }
            let value = match shape {
                Shape::Terminal => self.terminal(table, id)?,
                Shape::Chance(_) => self.weighted(),
                Shape::Decision(_, columns) => self.decision(columns, &mut valued.gap),
            };
            valued.values.push((id, value));
        }
        Ok(valued)
    }

    /// What is still to come at the end: the payoff without what accumulators have earned.
    fn terminal(&self, table: &StateTable, id: StateId) -> Result<f64, PlayError> {
        let state = table.state(self.machine, id);
        let payoff = self.machine.payoff_units(&state)?[0];
        Ok((payoff - self.machine.accumulated(&state)[0]) as f64)
    }

    /// The mean of the values by the weights of the outcomes that were listed last.
    fn weighted(&self) -> f64 {
        let outcomes = &self.expander.outcomes.list;
        if uniform(outcomes) {
            return mean(&self.matrix, |_| 1.0);
        }
        mean(&self.matrix, |i| outcomes[i].1 as f64)
    }

    fn decision(&mut self, columns: usize, gap: &mut f64) -> f64 {
        let found = self.solver.solve(&self.matrix, columns);
        *gap = gap.max(found.gap());
        found.value()
    }
}

fn mean(values: &[f64], weight: impl Fn(usize) -> f64) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for (i, value) in values.iter().enumerate() {
        sum += value * weight(i);
        total += weight(i);
    }
    sum / total
}
