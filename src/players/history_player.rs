//! A search that goes on while a game does: it is told what the player sees, and asked where the player is.

use super::Clock;
use super::deciding::{Deciding, Means};
use super::limits::Limits;
use super::player::{Player, PlayerError, Question};
use super::thought::Thought;
use crate::belief::Policy;
use crate::machine::{Machine, Observation};
use crate::random::stream;
use crate::search::{Budget, HistorySearcher, OnlineSearch, SearchResult};
use std::sync::Arc;

pub struct HistoryPlayer {
    machine: Arc<Machine>,
    deciding: Deciding,
    searcher: Box<dyn HistorySearcher>,
    model: Option<Arc<dyn Policy>>,
    blind: u64,
    /// That of the game under way.
    search: Box<dyn OnlineSearch>,
}

impl HistoryPlayer {
    /// `model` is what the others are taken to play, where they are taken to play something.
    pub fn new(
        (searcher, model): (Box<dyn HistorySearcher>, Option<Arc<dyn Policy>>),
        limits: Limits,
        machine: &Arc<Machine>,
        clock: &Clock,
    ) -> HistoryPlayer {
        HistoryPlayer {
            search: searcher.begin(machine, 0, model.clone()),
            machine: Arc::clone(machine),
            deciding: Deciding::new(limits, clock),
            searcher,
            model,
            blind: 0,
        }
    }
}

impl Player for HistoryPlayer {
    fn begin(&mut self, seat: usize, seed: u64) -> Result<(), PlayerError> {
        self.deciding.begin(seed);
        self.blind = 0;
        self.search = self.searcher.begin(&self.machine, seat, self.model.clone());
        Ok(())
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.search.observe(observation);
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<usize, PlayerError> {
        self.deciding.decide(question, |means| {
            let Means {
                budget, mut rng, ..
            } = means;
            let (node, actions) = (question.node, question.actions);
            let found = self.search.search(node, actions, &budget, &mut rng)?;
            self.blind += u64::from(found.playouts == 0);
            Ok(found.chosen)
        })
    }

    fn blind_choices(&self) -> u64 {
        self.blind
    }

    fn thought(&self) -> Thought {
        self.deciding.thought()
    }
}

/// What a search finds, begun anew, for a player who saw this and is asked that.
///
/// # Errors
/// Those of play.
pub fn search_by_history(
    machine: &Arc<Machine>,
    (searcher, model): (&dyn HistorySearcher, Option<Arc<dyn Policy>>),
    seen: &[Observation],
    question: &Question<'_>,
    seed: u64,
    budget: &Budget<'_>,
) -> Result<SearchResult, PlayerError> {
    let mut search = searcher.begin(machine, question.seat, model);
    seen.iter().for_each(|o| search.observe(o));
    let mut rng = stream(seed, &[0]);
    Ok(search.search(question.node, question.actions, budget, &mut rng)?)
}
