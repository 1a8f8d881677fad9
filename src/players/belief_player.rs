//! A search over what the player may know: keeps a belief up to date by what it sees, and searches from it.

use super::Clock;
use super::limits::Limits;
use super::player::{Player, PlayerError, Question};
use crate::belief::{self, Belief, BeliefError, Report};
use crate::machine::{Machine, Observation};
use crate::random::{derive, stream};
use crate::search::information_sets::{Memory, Root};
use crate::search::{BeliefSearcher, Budget, SearchResult};
use std::sync::Arc;

pub struct BeliefPlayer {
    machine: Arc<Machine>,
    clock: Clock,
    limits: Limits,
    searcher: Box<dyn BeliefSearcher>,
    seed: u64,
    decisions: u64,
    options: belief::Options,
    belief: Belief,
    memory: Memory,
}

/// Names the stream that a belief draws from.
const BELIEF: u64 = 1;

impl BeliefPlayer {
    pub fn new(
        searcher: Box<dyn BeliefSearcher>,
        limits: Limits,
        machine: &Arc<Machine>,
        clock: &Clock,
    ) -> BeliefPlayer {
        let options = belief::Options::default();
        BeliefPlayer {
            options,
            belief: Belief::new(machine, options),
            machine: Arc::clone(machine),
            clock: Arc::clone(clock),
            limits,
            searcher,
            seed: 0,
            decisions: 0,
            memory: Memory::default(),
        }
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<(), PlayerError> {
        self.belief.asked(question.node, question.actions)?;
        Ok(())
    }
}

/// What a search finds for a player who saw this and is asked that, and the belief that it rests on.
///
/// # Errors
/// [`PlayerError::LostTrack`] where nothing fits what was seen; those of play.
pub fn search_by_belief(
    machine: &Arc<Machine>,
    searcher: &dyn BeliefSearcher,
    seen: &[Observation],
    question: &Question<'_>,
    seed: u64,
    budget: &Budget<'_>,
) -> Result<(SearchResult, Report), PlayerError> {
    let options = searcher.belief(machine, question.seat);
    let mut belief = Belief::new(machine, options);
    belief.begin(question.seat, derive(seed, &[BELIEF]));
    seen.iter().for_each(|o| belief.observe(o));
    belief.asked(question.node, question.actions)?;
    let root = Root {
        player: question.seat,
        actions: question.actions,
        hypotheses: belief.hypotheses(),
        histories: &match options.histories {
            true => belief.histories(),
            false => Vec::new(),
        },
    };
    let memory = &mut Memory::default();
    let found = searcher.search(machine, &root, memory, budget, &mut stream(seed, &[0]))?;
    Ok((found, belief.report()))
}

impl From<BeliefError> for PlayerError {
    fn from(error: BeliefError) -> PlayerError {
        match error {
            BeliefError::Rules(error) => PlayerError::Rules(error),
            nothing @ BeliefError::Nothing { .. } => PlayerError::LostTrack(nothing.to_string()),
        }
    }
}

impl Player for BeliefPlayer {
    fn begin(&mut self, seat: usize, seed: u64) -> Result<(), PlayerError> {
        self.seed = seed;
        self.decisions = 0;
        self.options = self.searcher.belief(&self.machine, seat);
        self.belief = Belief::new(&self.machine, self.options);
        self.belief.begin(seat, derive(seed, &[BELIEF]));
        self.memory.clear();
        Ok(())
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.belief.observe(observation);
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<usize, PlayerError> {
        let in_time = self.limits.in_time(&self.clock);
        let mut rng = stream(self.seed, &[self.decisions]);
        self.decisions += 1;
        if question.actions.len() == 1 {
            return Ok(0);
        }
        self.ask(question)?;
        let root = Root {
            player: question.seat,
            actions: question.actions,
            hypotheses: self.belief.hypotheses(),
            histories: &match self.options.histories {
                true => self.belief.histories(),
                false => Vec::new(),
            },
        };
        let budget = self.limits.budget(&in_time);
        let found =
            self.searcher
                .search(&self.machine, &root, &mut self.memory, &budget, &mut rng)?;
        Ok(found.chosen)
    }

    fn decided(&mut self, question: &Question<'_>) -> Result<(), PlayerError> {
        if self.searcher.goes_on() {
            return self.choose(question).map(drop);
        }
        self.decisions += 1;
        match question.actions.len() {
            1 => Ok(()),
            _ => self.ask(question),
        }
    }
}
