//! A search as a player: keeps a copy of the game up to date by what it sees, and searches from it.

use super::Clock;
use super::limits::Limits;
use super::player::{Player, PlayerError, Question};
use super::rebuild::Rebuild;
use crate::machine::{Machine, Observation};
use crate::random::stream;
use crate::search::Searcher;
use std::sync::Arc;

pub struct SearchPlayer {
    machine: Arc<Machine>,
    clock: Clock,
    limits: Limits,
    searcher: Box<dyn Searcher>,
    seed: u64,
    decisions: u64,
    copy: Rebuild,
}

impl SearchPlayer {
    pub fn new(
        searcher: Box<dyn Searcher>,
        limits: Limits,
        machine: &Arc<Machine>,
        clock: &Clock,
    ) -> SearchPlayer {
        SearchPlayer {
            machine: Arc::clone(machine),
            clock: Arc::clone(clock),
            limits,
            searcher,
            seed: 0,
            decisions: 0,
            copy: Rebuild::new(machine),
        }
    }
}

impl Player for SearchPlayer {
    fn begin(&mut self, seat: usize, seed: u64) -> Result<(), PlayerError> {
        self.seed = seed;
        self.decisions = 0;
        self.copy.begin(seat)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.copy.observe(observation);
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<usize, PlayerError> {
        let mut rng = stream(self.seed, &[self.decisions]);
        self.decisions += 1;
        if question.actions.len() == 1 {
            return Ok(0);
        }
        let in_time = self.limits.in_time(&self.clock);
        let keep_going = Limits::keep_going(&in_time, question.patience);
        let root = self.copy.asked(question)?;
        let budget = self.limits.budget(&keep_going);
        let found = self
            .searcher
            .search(&self.machine, root, question.seat, &budget, &mut rng)?;
        Ok(found.chosen)
    }

    fn decided(&mut self, _question: &Question<'_>) -> Result<(), PlayerError> {
        self.decisions += 1;
        Ok(())
    }
}
