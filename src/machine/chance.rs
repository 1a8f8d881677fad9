//! Chance nodes: their outcomes with probabilities, or one at random.

use super::sampling::Numbers;
use super::{Action, Machine, Outcomes, PlayError, State};
use crate::compile::codes;
use crate::ir::{Listing, NodeKind};

impl Machine {
    /// All outcomes of a chance node with their integer weights, in a fixed order; never empty. Clears `outcomes` first.
    ///
    /// # Errors
    /// When there is nothing to draw, or there are [`Outcomes::LIMIT`] or more.
    pub fn outcomes(&self, state: &State, outcomes: &mut Outcomes) -> Result<(), PlayError> {
        let listing = self.chance_listing(state)?;
        self.list_all(listing, &mut self.unpack(state), outcomes)
    }

    /// As [`Machine::outcomes`] where there are `most` outcomes or fewer; false, and some of them or none, where there are
    /// more.
    ///
    /// # Errors
    /// When there is nothing to draw.
    #[doc(hidden)]
    pub fn few_outcomes(
        &self,
        state: &State,
        most: usize,
        outcomes: &mut Outcomes,
    ) -> Result<bool, PlayError> {
        let listing = self.chance_listing(state)?;
        self.list_few(most, listing, &mut self.unpack(state), outcomes)
    }

    /// One outcome of a chance node by its probability.
    ///
    /// # Errors
    /// When there is nothing to draw.
    pub fn sample_chance(
        &self,
        state: &State,
        rng: &mut impl Numbers,
    ) -> Result<Action, PlayError> {
        let listing = self.chance_listing(state)?;
        let mut frame = self.unpack(state);
        self.sample_from(listing, &mut frame, rng)
    }

    pub(super) fn chance_listing(&self, state: &State) -> Result<&Listing, PlayError> {
        let node = &self.program.nodes[state.node as usize];
        match &node.kind {
            NodeKind::Chance(listing) => Ok(listing),
            _ => Err(PlayError {
                code: codes::ILLEGAL_MOVE,
                span: node.span,
                message: "nothing is drawn here".into(),
                hint: None,
            }),
        }
    }
}
