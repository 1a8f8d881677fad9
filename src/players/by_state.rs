//! Players as strategies by state: what is held against exact values and best responses.

use super::catalogue::DEFAULT_PLAYOUTS;
use super::spec::PlayerSpec;
use crate::machine::{Action, Machine, State};
use crate::random::stream;
use crate::search::{Budget, Searcher};
use crate::solve::SolveError;
use crate::solve::backward::depth::StateStrategy;

/// The strategy of a player that searches anew in every state; `None` for one whose choices do not follow from the state and
/// the seed alone.
pub fn by_state(spec: &PlayerSpec, seed: u64) -> Option<Box<dyn StateStrategy>> {
    if spec.depends_on_time() {
        return None;
    }
    Some(Box::new(FreshSearch {
        searcher: spec.searcher()?,
        playouts: spec.count("playouts").unwrap_or(DEFAULT_PLAYOUTS),
        seed,
    }))
}

/// A search from every state anew, and the strategy that it ends with.
struct FreshSearch {
    searcher: Box<dyn Searcher>,
    playouts: u64,
    seed: u64,
}

impl StateStrategy for FreshSearch {
    fn probabilities(
        &mut self,
        machine: &Machine,
        state: &State,
        player: usize,
        _actions: &[Action],
    ) -> Result<Option<Vec<f64>>, SolveError> {
        let mut rng = stream(self.seed, &[machine.key(state), player as u64]);
        let budget = Budget {
            playouts: Some(self.playouts),
            keep_going: &|| true,
        };
        let found = self
            .searcher
            .search(machine, state, player, &budget, &mut rng)?;
        Ok(Some(found.strategy))
    }
}
