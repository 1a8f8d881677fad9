//! Players as strategies by information state: what is held against best responses where somebody cannot tell where it is.

use super::belief_player::search_by_belief;
use super::catalogue::DEFAULT_PLAYOUTS;
use super::history_player::search_by_history;
use super::player::{PlayerError, Question};
use super::rebuild::Rebuild;
use super::spec::PlayerSpec;
use crate::machine::{Machine, Observation};
use crate::random::stream;
use crate::search::{BeliefSearcher, Budget, HistorySearcher, Searcher};
use std::sync::Arc;

/// A player that searches anew wherever it is asked, by what it saw.
#[derive(Debug)]
pub struct FreshSearch {
    search: Search,
    playouts: u64,
    spec: PlayerSpec,
}

#[derive(Debug)]
enum Search {
    State(Box<dyn Searcher>),
    Belief(Box<dyn BeliefSearcher>),
    History(Box<dyn HistorySearcher>),
    /// Even shares.
    Uniform,
}

/// The strategy of a player that searches anew at every information state; `None` for one whose choices do not follow from
/// what it saw and the seed alone.
pub fn by_information_state(spec: &PlayerSpec) -> Option<FreshSearch> {
    if spec.depends_on_time() {
        return None;
    }
    let by_state = spec.searcher().map(Search::State);
    let by_belief = || spec.belief_searcher().map(Search::Belief);
    let by_history = || spec.history_searcher().map(Search::History);
    let uniform = || (spec.entry().name == "random").then_some(Search::Uniform);
    let search = by_state.or_else(by_belief).or_else(by_history);
    Some(FreshSearch {
        search: search.or_else(uniform)?,
        playouts: spec.count("playouts").unwrap_or(DEFAULT_PLAYOUTS),
        spec: spec.clone(),
    })
}

impl FreshSearch {
    /// The same with so many playouts.
    pub fn with_playouts(self, playouts: u64) -> FreshSearch {
        FreshSearch { playouts, ..self }
    }

    /// How likely each action is for a player who saw this and is asked that; everything random follows from `seed`.
    ///
    /// # Errors
    /// Those of the search.
    pub fn probabilities(
        &self,
        machine: &Arc<Machine>,
        seen: &[Observation],
        question: &Question<'_>,
        seed: u64,
    ) -> Result<Vec<f64>, PlayerError> {
        let budget = Budget::playouts(self.playouts);
        let found = match &self.search {
            Search::Uniform => {
                let actions = question.actions.len();
                return Ok(vec![1.0 / actions as f64; actions]);
            }
            Search::Belief(searcher) => {
                let searcher = (&**searcher, self.spec.model(machine)?);
                // Such games are small: what is known comes of what was seen.
                let own = (seen, &[][..]);
                search_by_belief(machine, searcher, own, question, seed, (&budget, &|| {}))?.0
            }
            Search::History(searcher) => {
                let searcher = (&**searcher, self.spec.model(machine)?);
                search_by_history(machine, searcher, seen, question, seed, &budget)?
            }
            Search::State(searcher) => {
                let mut copy = Rebuild::new(machine);
                copy.begin(question.seat)?;
                seen.iter().for_each(|o| copy.observe(o));
                let state = copy.asked(question)?;
                let mut rng = stream(seed, &[0]);
                searcher.search(machine, state, question.seat, &budget, &mut rng)?
            }
        };
        Ok(found.strategy)
    }
}
