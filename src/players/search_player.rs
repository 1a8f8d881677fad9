//! A search as a player: keeps a copy of the game up to date by what it sees, and searches from it.

use super::Clock;
use super::deciding::{Deciding, Means};
use super::limits::Limits;
use super::player::{Player, PlayerError, Question};
use super::rebuild::Rebuild;
use super::thought::Thought;
use crate::machine::{Machine, Observation};
use crate::search::Searcher;
use std::sync::Arc;

pub struct SearchPlayer {
    machine: Arc<Machine>,
    deciding: Deciding,
    searcher: Box<dyn Searcher>,
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
            deciding: Deciding::new(limits, clock),
            searcher,
            copy: Rebuild::new(machine),
        }
    }
}

impl Player for SearchPlayer {
    fn begin(&mut self, seat: usize, seed: u64) -> Result<(), PlayerError> {
        self.deciding.begin(seed);
        self.copy.begin(seat)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.copy.observe(observation);
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<usize, PlayerError> {
        self.deciding.decide(question, |means| {
            let Means {
                budget, mut rng, ..
            } = means;
            let root = self.copy.asked(question)?;
            let found =
                self.searcher
                    .search(&self.machine, root, question.seat, &budget, &mut rng)?;
            Ok(found.chosen)
        })
    }

    fn decided(&mut self, _question: &Question<'_>) -> Result<(), PlayerError> {
        self.deciding.skip();
        Ok(())
    }

    fn thought(&self) -> Thought {
        self.deciding.thought()
    }
}
