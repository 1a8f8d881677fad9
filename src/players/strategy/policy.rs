//! A strategy as what others are taken to play, by somebody who has to guess where play is.

use super::{Kind, Strategy};
use crate::belief::Policy;
use crate::machine::{Actions, Machine, Observation, PlayError, State};

impl Policy for Strategy {
    fn remembers(&self) -> bool {
        matches!(self.kind, Kind::InformationStates(_))
    }

    fn excludes(&self) -> bool {
        true
    }

    fn after(&self, player: usize, memory: u32, seen: &Observation) -> u32 {
        match &self.kind {
            Kind::InformationStates(tables) => tables
                .get(player)
                .map_or(memory, |table| table.after(memory, seen)),
            Kind::States(_) => memory,
        }
    }

    /// Even shares where the strategy does not know what to do.
    fn shares(
        &self,
        machine: &Machine,
        state: &State,
        (player, memory): (usize, u32),
        actions: &Actions,
    ) -> Result<Vec<f64>, PlayError> {
        let known = match &self.kind {
            Kind::InformationStates(tables) => tables
                .get(player)
                .and_then(|table| table.probabilities(memory, machine.node(state), actions)),
            Kind::States(_) => None,
        };
        Ok(match known {
            Some(shares) => shares.to_vec(),
            None => vec![1.0 / actions.len() as f64; actions.len()],
        })
    }
}
