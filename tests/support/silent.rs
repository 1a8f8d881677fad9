//! A strategy for tests of those who ask strategies.

use ruse::internal::machine::{Action, Machine, State};
use ruse::internal::solve::SolveError;
use ruse::internal::solve::backward::depth::StateStrategy;

/// Says nothing, so that the first action is played everywhere.
pub struct Silent;

impl StateStrategy for Silent {
    fn probabilities(
        &mut self,
        _: &Machine,
        _: &State,
        _: usize,
        _: &[Action],
    ) -> Result<Option<Vec<f64>>, SolveError> {
        Ok(None)
    }
}
