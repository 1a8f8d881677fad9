//! Strategies that are made up anew at every information state, such as a search's: put down as a profile, so that best
//! responses can be had against them.

use super::backward::depth::StateStrategy;
use super::profile::{Profile, shares};
use super::tree::{Tree, TreeError};
use crate::machine::{Action, Machine};
use indexmap::IndexMap;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering};

/// The strategy of `player`, asked once for each world state in which it decides. Where it says nothing it
/// plays its first action; the other players get even shares.
///
/// A player that cannot tell where it is has no world state that it knows: the game must have perfect information, but for
/// simultaneous moves. `progress` hears the number of information states so far.
///
/// # Errors
/// Those of the strategy; [`TreeError::Stopped`]; [`TreeError::Hidden`] where an information state has several histories.
pub fn search_profile(
    machine: &Machine,
    tree: &Tree,
    player: usize,
    strategy: &mut dyn StateStrategy,
    progress: &mut dyn FnMut(u64),
    cancel: &AtomicBool,
) -> Result<Profile, TreeError> {
    let mut profile = Profile::uniform(tree);
    let mut known: IndexMap<SmallVec<[u64; 16]>, Vec<f64>> = IndexMap::new();
    for (done, number) in (0..).zip(tree.states_of(player)) {
        let information_state = &tree.information_states()[number];
        if information_state.histories != 1 {
            return Err(TreeError::Hidden(player));
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(TreeError::Stopped);
        }
        progress(done);
        let range = information_state.range();
        if range.len() == 1 {
            continue;
        }
        let state = tree.world(machine, number)?;
        let weights = match known.entry(machine.exact_key(&state)) {
            indexmap::map::Entry::Occupied(entry) => entry.into_mut(),
            indexmap::map::Entry::Vacant(entry) => {
                let actions: Vec<Action> = range
                    .clone()
                    .filter_map(|choice| tree.action(choice).cloned())
                    .collect();
                let weights = strategy.probabilities(machine, &state, player, &actions)?;
                entry.insert(weights.unwrap_or_else(|| {
                    let mut first = vec![0.0; actions.len()];
                    first[0] = 1.0;
                    first
                }))
            }
        };
        shares(weights, &mut profile.probabilities[range]);
    }
    Ok(profile)
}
