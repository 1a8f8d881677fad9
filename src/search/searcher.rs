//! What every search can do, and how it declares itself: its name, its parameters, the games that it is for. Players and
//! the catalogue of `ruse players` are made of that.

use super::budget::Budget;
use super::information_sets::{Memory, Root};
use super::mcts;
use super::parameters::{Parameter, Values};
use super::result::SearchResult;
use super::supported_games::Unsuited;
use crate::belief::{self, Policy};
use crate::machine::{Actions, Machine, Observation, PlayError, State};
use crate::random::Stream;
use std::fmt::Debug;
use std::sync::Arc;

/// A kind of search.
#[derive(Debug)]
pub struct Declaration {
    pub name: &'static str,
    /// One or two sentences.
    pub doc: &'static str,
    /// What can be set, the budget apart, in the order in which it is listed.
    pub parameters: fn() -> &'static [Parameter],
    /// The search with these settings.
    pub make: Make,
}

/// Makes a search of what is set about it.
#[derive(Copy, Clone, Debug)]
pub enum Make {
    /// One that takes the world state for known, so it cannot play a game with hidden information.
    State(fn(&Values) -> Box<dyn Searcher>),
    /// One that takes states that may be the true one.
    Belief(fn(&Values) -> Box<dyn BeliefSearcher>),
    /// One that takes what the player saw, and goes on while the game does.
    History(fn(&Values) -> Box<dyn HistorySearcher>),
}

impl Make {
    /// Whether the world state must be known.
    pub fn needs_perfect_information(self) -> bool {
        matches!(self, Make::State(_))
    }
}

/// A search with its settings that starts from what a player may know of where play is.
pub trait BeliefSearcher: Debug + Send + Sync {
    /// Whether it takes a game.
    ///
    /// # Errors
    /// What is wrong with the game, and where its text says so.
    fn suits(&self, machine: &Machine) -> Result<(), Box<Unsuited>>;

    /// The belief that it asks for, for a player.
    fn belief(&self, machine: &Machine, player: usize) -> belief::Options;

    /// Whether what it finds for one question depends on its work at those before: on its memory.
    fn goes_on(&self) -> bool;

    /// Searches until the budget is used up. The memory is that of the game under way.
    ///
    /// # Errors
    /// Those of play from any simulation.
    fn search(
        &self,
        machine: &Arc<Machine>,
        root: &Root<'_>,
        memory: &mut Memory,
        budget: &Budget<'_>,
        rng: &mut Stream,
    ) -> Result<SearchResult, PlayError>;
}

/// A search with its settings that goes by what the player saw from the beginning of the game on.
pub trait HistorySearcher: Debug + Send + Sync {
    /// Whether it takes a game.
    ///
    /// # Errors
    /// What is wrong with the game, and where its text says so.
    fn suits(&self, machine: &Machine) -> Result<(), Box<Unsuited>>;

    /// A player's search through a game that begins. `model` is what the others are taken to play, where they are taken to play
    /// something.
    fn begin(
        &self,
        machine: &Arc<Machine>,
        player: usize,
        model: Option<Arc<dyn Policy>>,
    ) -> Box<dyn OnlineSearch>;
}

/// The search of one player through one game: what it finds for one question is of use for the next.
pub trait OnlineSearch: Send {
    /// The player has seen something, its own choices included.
    fn observe(&mut self, observation: &Observation);

    /// Searches until the budget is used up, for the player who is asked to choose at a node among these actions. Where nothing
    /// could be searched there is no playout, and the choice is blind.
    ///
    /// # Errors
    /// Those of play from any playout.
    fn search(
        &mut self,
        node: u32,
        actions: &Actions,
        budget: &Budget<'_>,
        rng: &mut Stream,
    ) -> Result<SearchResult, PlayError>;
}

/// A search with its settings, for any game that it suits.
pub trait Searcher: Debug + Send + Sync {
    /// Whether it takes a game, hidden information apart.
    ///
    /// # Errors
    /// What is wrong with the game, and where its text says so.
    fn suits(&self, machine: &Machine) -> Result<(), Box<Unsuited>>;

    /// Searches from `root` for `player`, who must be one of those to move there, until the budget is used up.
    ///
    /// # Errors
    /// Those of play from any playout; where `player` has nothing to choose, or the search does not suit the game.
    fn search(
        &self,
        machine: &Machine,
        root: &State,
        player: usize,
        budget: &Budget<'_>,
        rng: &mut Stream,
    ) -> Result<SearchResult, PlayError>;

    /// As [`Searcher::search`], with what is found for each player who moves at `root`, in seating order; nothing where
    /// nobody does.
    ///
    /// # Errors
    /// As [`Searcher::search`].
    fn search_for_all(
        &self,
        machine: &Machine,
        root: &State,
        budget: &Budget<'_>,
        rng: &mut Stream,
    ) -> Result<Vec<(usize, SearchResult)>, PlayError>;

    /// Its settings, if it grows a tree that can be read on the way ([`mcts::Search`]).
    fn tree(&self) -> Option<&mcts::Options> {
        None
    }
}
