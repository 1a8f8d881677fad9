//! Backward induction: the value of every state of a two-player constant-sum game without hidden information, or of a game
//! of one player.
//!
//! All states are found first, merged by their identity, layer by layer (`forward`). Then they are valued, the last layer
//! first (`induction`): expectation where chance moves, the better action where one player does, and a matrix game where both do
//! (Lanctot, Lisý & Winands 2013, section 2; Rhoads & Bartholdi 2012). Points that are only added up are no part of a state;
//! they are rewards on the way.
//!
//! The result does not depend on the number of threads, which is that of the [`crate::threads::Threads`] in use. No file is written here;
//! a [`Watch`] hears of every finished layer and may keep it, and [`Saved`] brings it back.

mod applicability;
pub mod checkpoint;
pub mod depth;
pub mod depth_limited_tree;
mod edges;
mod expand;
mod expanded;
mod forward;
mod grid;
mod induction;
mod insertion;
mod paged;
mod solution;
mod state_table;
mod threads;

pub use applicability::suited;
pub use solution::{Choice, Solution};

use super::SolveError;
use super::methods::{Method, Solver};
use crate::machine::{Machine, Rewards, Turn};
use forward::Found;
use induction::Values;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub const METHOD: Method = Method {
    name: "backward",
    doc: "Backward induction over states, with a matrix game where both players choose at once. Two players and a constant \
          sum, or one player; nothing hidden. Simultaneous moves and chance are fine. Exact up to rounding.",
    parameters: &[],
    is_random: false,
    suits: suited,
    solver: Solver::States,
};

/// What [`solve`](crate::solve) may use.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BackwardOptions {
    /// The most bytes that the tables of states, values and edges may take together.
    pub memory: u64,
}

impl Default for BackwardOptions {
    /// 4 GiB.
    fn default() -> BackwardOptions {
        BackwardOptions { memory: 4 << 30 }
    }
}

/// What a solver is doing.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    Finding,
    Valuing,
}

/// Who looks on, and may keep what is finished. Everything is called on one thread. The methods that return a bool stop
/// the solver with false.
pub trait Watch {
    /// So many states have been found, or valued of a total that is then known.
    fn progress(&mut self, _phase: Phase, _states: u64, _total: Option<u64>) {}

    /// All states of a layer are known, by node and words (`Machine::state_at`). Layer 0, the start, is left out.
    fn layer_found(
        &mut self,
        _layer: usize,
        _states: &mut dyn ExactSizeIterator<Item = (u32, &[u64])>,
    ) -> bool {
        true
    }

    /// The values of all states of a layer, in the order of the states; with the widest gap of a matrix game in it.
    fn layer_solved(
        &mut self,
        _layer: usize,
        _gap: f64,
        _values: &mut dyn ExactSizeIterator<Item = f64>,
    ) -> bool {
        true
    }
}

/// Nobody looks on.
impl Watch for () {}

/// What an earlier run found. Nobody needs to vouch for it: what cannot be of the game is refused.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    /// The layers from 1 on.
    pub layers: Vec<SavedLayer>,
    /// Of some of the layers: the number, the gap and the values.
    pub values: Vec<(usize, f64, Vec<f64>)>,
}

/// The states of a layer, as [`Watch::layer_found`] got them.
#[derive(Clone, Debug, Default)]
pub struct SavedLayer {
    pub nodes: Vec<u32>,
    /// `Machine::state_words` for each state.
    pub words: Vec<u64>,
}

/// The states of a game, each counted once.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All of them.
    pub states: u64,
    /// Those in which somebody chooses.
    pub decision: u64,
    /// Those in which something is drawn.
    pub chance: u64,
    /// Those in which the game is over.
    pub terminal: u64,
    /// The decision states at which both players choose at once.
    pub matrix_games: u64,
}

/// A solved game: the value of every state, and how to play there.
pub struct Solved {
    machine: Arc<Machine>,
    rewards: Rewards,
    found: Found,
    values: Values,
    counts: Counts,
}

/// How a run ended.
pub enum Completion {
    /// To the end.
    Solved(Box<Solved>),
    /// It was stopped after so many states were found, and so many of them valued.
    Stopped { found: u64, valued: u64 },
}

/// Solves a game. `cancel` stops the run; what `watch` kept of it can be given as `saved` the next time, of the same machine.
///
/// # Errors
/// [`SolveError::Unsuited`] for a game that the method does not take; [`SolveError::OutOfMemory`]; [`SolveError::Saved`] when
/// `saved` is of another game; those of play.
pub fn solve(
    machine: &Arc<Machine>,
    options: &BackwardOptions,
    saved: Saved,
    watch: &mut dyn Watch,
    cancel: &AtomicBool,
) -> Result<Completion, SolveError> {
    suited(machine).map_err(SolveError::Unsuited)?;
    let rewards = Rewards::new(machine, 0);
    let mut found = Found::new(machine)?;
    for layer in saved.layers {
        found.restore(&layer, machine).ok_or(SolveError::Saved)?;
    }
    if !found.run(machine, &rewards, options.memory, watch, cancel)? {
        let found = found.table.len() as u64;
        return Ok(Completion::Stopped { found, valued: 0 });
    }
    let mut values = Values::new(&found);
    for (layer, gap, list) in saved.values {
        if layer >= found.layers.len() {
            return Err(SolveError::Saved);
        }
        let range = found.layer(layer);
        let restored = values.restore(range, layer, &list, gap);
        restored.ok_or(SolveError::Saved)?;
    }
    if !values.run(&mut found, machine, &rewards, watch, cancel)? {
        let valued = (0..found.table.len() as u32).filter(|&id| !values.get(id).is_nan());
        return Ok(Completion::Stopped {
            found: found.table.len() as u64,
            valued: valued.count() as u64,
        });
    }
    let counts = count(machine, &found);
    Ok(Completion::Solved(Box::new(Solved {
        machine: Arc::clone(machine),
        rewards,
        found,
        values,
        counts,
    })))
}

fn count(machine: &Machine, found: &Found) -> Counts {
    let mut counts = Counts::default();
    for id in 0..found.table.len() as u32 {
        counts.states += 1;
        let (node, words) = found.table.get(id);
        match machine.turn_at(node, words) {
            Turn::Terminal => counts.terminal += 1,
            Turn::Chance => counts.chance += 1,
            Turn::Decision(movers) => {
                counts.decision += 1;
                counts.matrix_games += u64::from(movers.len() > 1);
            }
        }
    }
    counts
}

impl Solved {
    /// The game.
    #[doc(hidden)]
    pub fn machine(&self) -> &Arc<Machine> {
        &self.machine
    }

    /// How many states the game has, and of what kind.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The number of layers: one more than the greatest number of plies that it takes, at the shortest, to come to a state.
    pub fn layers(&self) -> usize {
        self.found.layers.len()
    }

    /// The most bytes that the tables took at a time, the values of all states found by then included.
    pub fn peak_memory(&self) -> u64 {
        self.found.peak
    }

    /// The widest gap between what the strategies of both players guarantee in one matrix game, in units of payoff.
    pub fn gap(&self) -> f64 {
        let gaps = self.values.gaps.iter().flatten();
        gaps.fold(0.0f64, |m, &g| m.max(g)) / self.machine.payoff_denominator() as f64
    }
}
