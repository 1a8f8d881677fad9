//! The number of distinct states: every state is visited once, however many histories lead to it.
//!
//! Two states are the same when they have the same future (`Machine::reduced_key`): points that are only added up until the
//! payoff is paid are not part of a state.

use super::branches::{Branches, Kind};
use super::error::SolveError;
use crate::machine::{Machine, State};
use rustc_hash::FxHashSet;
use serde::Serialize;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct States {
    /// All distinct states.
    pub total: u64,
    pub chance: u64,
    pub decision: u64,
    pub terminal: u64,
    /// False when the count was stopped before the end.
    #[serde(skip)]
    pub complete: bool,
}

/// Counts the distinct states that can come up. With `skip_forced`, a state that has exactly one outcome or joint action
/// is passed through and not counted. `progress` hears the number of states so far now and then; `cancel` stops the count.
///
/// # Errors
/// [`SolveError`] from any state.
pub fn count_states(
    machine: &Machine,
    skip_forced: bool,
    progress: &mut dyn FnMut(u64),
    cancel: &AtomicBool,
) -> Result<States, SolveError> {
    let mut counts = States::default();
    let mut seen: FxHashSet<Box<[u64]>> = FxHashSet::default();
    let mut waiting: Vec<State> = vec![machine.initial()?];
    let mut branches = Branches::default();
    let mut step = SmallVec::new();
    while let Some(mut state) = waiting.pop() {
        if cancel.load(Ordering::Relaxed) {
            return Ok(counts);
        }
        branches.fill(machine, &state)?;
        while skip_forced && branches.len() == 1 {
            branches.step(0, &mut step);
            machine.step(&mut state, &step)?;
            branches.fill(machine, &state)?;
        }
        if !seen.insert(machine.reduced_key(&state).as_slice().into()) {
            continue;
        }
        counts.total += 1;
        match branches.kind {
            Kind::Terminal => counts.terminal += 1,
            Kind::Chance => counts.chance += 1,
            Kind::Decision(_) => counts.decision += 1,
        }
        if counts.total.is_multiple_of(4096) {
            progress(counts.total);
        }
        for i in 0..branches.len() {
            // There may be very many ways on from one state.
            if cancel.load(Ordering::Relaxed) {
                return Ok(counts);
            }
            let mut next = state.clone();
            branches.step(i, &mut step);
            machine.step(&mut next, &step)?;
            waiting.push(next);
        }
    }
    counts.complete = true;
    Ok(counts)
}
