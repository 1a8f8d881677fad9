//! A strategy at the table.

use super::table::Table;
use super::{Kind, Strategy};
use crate::machine::Observation;
use crate::players::player::{Player, PlayerError, Question};
use crate::players::rebuild::Rebuild;
use crate::random::{place, stream};
use crate::solve::SolveError;
use crate::solve::backward::Solution;
use rand::RngExt;
use std::sync::Arc;

/// Plays a strategy, by what its seat saw.
pub struct StrategyPlayer {
    strategy: Arc<Strategy>,
    seat: usize,
    seed: u64,
    decisions: u64,
    /// What was seen, by its number in the table of the seat.
    history: u32,
    /// The same as a copy of the game, where the strategy goes by states.
    copy: Rebuild,
}

impl StrategyPlayer {
    pub fn new(strategy: &Arc<Strategy>) -> StrategyPlayer {
        StrategyPlayer {
            strategy: Arc::clone(strategy),
            seat: 0,
            seed: 0,
            decisions: 0,
            history: 0,
            copy: Rebuild::new(&strategy.machine),
        }
    }

    fn table(&self) -> Option<&Table> {
        match &self.strategy.kind {
            Kind::InformationStates(tables) => tables.get(self.seat),
            Kind::States(_) => None,
        }
    }

    /// The probability with which the player takes each of the actions.
    ///
    /// # Errors
    /// [`PlayerError::LostTrack`] where what was seen is no information state of the game; those of the rules.
    pub fn probabilities(&mut self, question: &Question<'_>) -> Result<Vec<f64>, PlayerError> {
        if question.actions.len() == 1 {
            return Ok(vec![1.0]);
        }
        let lost = || {
            let what = "its strategy has no information state for what it saw";
            PlayerError::LostTrack(what.to_string())
        };
        match &self.strategy.kind {
            Kind::InformationStates(tables) => {
                let table = tables.get(self.seat).ok_or_else(lost)?;
                let found = table.probabilities(self.history, question.node, question.actions);
                Ok(found.ok_or_else(lost)?.to_vec())
            }
            Kind::States(solved) => {
                let state = self.copy.asked(question)?;
                let solution = solved.solution(state).map_err(|error| match error {
                    SolveError::Rules(error) => PlayerError::Rules(error),
                    other => PlayerError::LostTrack(other.message()),
                })?;
                let Solution::Decision(movers) = solution else {
                    return Err(lost());
                };
                let own = movers.into_iter().find(|(p, _)| *p == question.seat);
                let (_, choices) = own.ok_or_else(lost)?;
                Ok(choices.into_iter().map(|c| c.probability).collect())
            }
        }
    }
}

impl Player for StrategyPlayer {
    fn begin(&mut self, seat: usize, seed: u64) -> Result<(), PlayerError> {
        (self.seat, self.seed) = (seat, seed);
        (self.decisions, self.history) = (0, 0);
        self.copy.begin(seat)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        match self.table() {
            Some(table) => self.history = table.after(self.history, observation),
            None => self.copy.observe(observation),
        }
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<usize, PlayerError> {
        let mut rng = stream(self.seed, &[self.decisions]);
        self.decisions += 1;
        let probabilities = self.probabilities(question)?;
        Ok(drawn(&probabilities, rng.random()))
    }

    fn decided(&mut self, _question: &Question<'_>) -> Result<(), PlayerError> {
        self.decisions += 1;
        Ok(())
    }
}

/// The place that a number from 0 to 1 falls on. What is never played is never drawn, whatever the rounding.
pub fn drawn(probabilities: &[f64], at: f64) -> usize {
    let total: f64 = probabilities.iter().sum();
    place(probabilities.iter().copied(), at * total)
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn what_has_no_probability_is_not_drawn() {
        let mix = [0.0, 0.25, 0.0, 0.75, 0.0];
        for (at, place) in [(0.0, 1), (0.24, 1), (0.25, 3), (0.999, 3), (1.0, 3)] {
            assert_eq!(drawn(&mix, at), place, "{at}");
        }
        assert_eq!(drawn(&[1.0], 0.5), 0);
    }
}
