//! Tree search where the state of play is not known: every simulation begins in a state drawn from what the searching player
//! may know, and statistics belong to what somebody knows, not to states.
//!
//! The nodes stand in one table, by mover and by a key that says which histories share a node ([`Keying`]). That is the main
//! difference between information-set search (Cowling, Powley & Whitehouse 2012) and determinization (Nijssen & Winands 2012,
//! section IV-B). In a node there may be other actions from one simulation to the next; in information-set search UCB counts
//! how often each was there (section IV of the former), and in determinization how often the node was visited.
//!
//! A simulation (`simulation.rs`) adds the nodes of the first place on its way that has none, and plays on from there.
//! Players who choose at the same time have a node each and select without seeing one another.

mod action_history;
mod categories;
mod coalition;
mod filter;
mod keys;
mod memory;
mod observed_actions;
mod options;
mod others;
pub mod parameters;
mod past;
mod selection;
mod simulation;
mod table;

pub use categories::Categories;
pub use coalition::{Coalition, Credit};
pub use keys::Keying;
pub use memory::Memory;
pub use options::{Decide, Options};
pub use selection::Selection;

use super::budget::Budget;
use super::mcts::policies::sample;
use super::result::{ActionStatistics, SearchResult};
use crate::belief::{Hypothesis, Policy, Sampler};
use crate::machine::{Action, Actions, Machine, PlayError};
use crate::random::Stream;
use simulation::Simulations;
use std::sync::Arc;

/// What the searching player knows where it is asked.
#[derive(Copy, Clone, Debug)]
pub struct Root<'a> {
    pub player: usize,
    /// Its actions, the same in all hypotheses.
    pub actions: &'a Actions,
    /// The states that may be the true one. Not empty.
    pub hypotheses: &'a [Hypothesis],
    /// For each hypothesis one way there, if the belief that was asked for keeps them.
    pub histories: &'a [Vec<Vec<Action>>],
    /// What the others are taken to play, where the belief goes by that.
    pub policy: Option<&'a Arc<dyn Policy>>,
}

/// Searches until the budget is used up. With [`Options::reuse`] it goes on from what is in the memory, and leaves there what
/// is of use for the next question.
///
/// # Errors
/// Those of play from any simulation.
pub fn search(
    machine: &Arc<Machine>,
    root: &Root<'_>,
    options: &Options,
    memory: &mut Memory,
    budget: &Budget<'_>,
    rng: &mut Stream,
) -> Result<SearchResult, PlayError> {
    let sampler = match &options.categories {
        Some(categories) => Sampler::by(&categories.weigh(machine, root)),
        None => Sampler::new(root.hypotheses),
    };
    let kept = match options.reuse {
        true => memory.take(),
        false => Memory::default().take(),
    };
    let mut simulations = Simulations::new(machine, root, options, kept)?;
    let mut playouts = 0;
    while budget.allows(playouts) {
        simulations.run(&sampler, rng)?;
        playouts += 1;
    }
    let found = simulations.found();
    let actions = std::iter::zip(root.actions.iter(), &found.tallies).map(|(action, tally)| {
        ActionStatistics {
            action: action.clone(),
            visits: tally.visits as u64,
            mean: (tally.visits > 0.0).then(|| tally.sum / tally.visits),
        }
    });
    let strategy = match options.filtered {
        true => filter::amended(machine, root, found.strategy)?,
        false => found.strategy,
    };
    let result = SearchResult {
        actions: actions.collect(),
        chosen: sample(strategy.iter().copied(), 1.0, rng),
        strategy,
        playouts,
        nodes: simulations.nodes(),
    };
    if options.reuse {
        memory.keep(simulations.into_kept());
    }
    Ok(result)
}
