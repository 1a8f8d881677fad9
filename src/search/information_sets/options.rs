//! What can be set about the search.

use super::{Categories, Coalition, Keying, Memory, Root, Selection, filter, others, search};
use crate::belief;
use crate::machine::{Machine, PlayError};
use crate::model::PlayerSet;
use crate::random::Stream;
use crate::search::belief_parameters;
use crate::search::mcts::{FinalChoice, RollOuts};
use crate::search::supported_games::Unsuited;
use crate::search::{BeliefSearcher, Budget, SearchResult};
use std::sync::Arc;

/// How trees of several determinizations come to one move.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Decide {
    /// Each tree has a vote for its own final choice; where votes are equal, the plays over all trees decide (Nijssen &
    /// Winands 2012, section IV-B).
    #[default]
    Vote,
    /// The highest mean payoff over all trees (section IV-B as well).
    Average,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub keying: Keying,
    pub selection: Selection,
    /// W of Progressive History; 0: there is none.
    pub history: f64,
    pub coalition: Coalition,
    /// By what else than the belief says states weigh.
    pub categories: Option<Categories>,
    /// Whether the filters of the searching player's knowledge are asked at the root.
    pub filtered: bool,
    pub roll_outs: RollOuts,
    pub final_choice: FinalChoice,
    /// With [`Keying::Determinizations`].
    pub decide: Decide,
    /// With [`Keying::Movers`]: whether others learn in states of their own beliefs.
    pub redeterminized: bool,
    /// With [`Keying::Movers`] and [`Keying::Searchers`]: whether the table is kept from one question of a game to the next.
    pub reuse: bool,
    pub belief: belief::Options,
}

impl BeliefSearcher for Options {
    fn suits(&self, machine: &Machine) -> Result<(), Box<Unsuited>> {
        self.coalition.suits(machine)?;
        self.categories.iter().try_for_each(|c| c.suits(machine))?;
        belief_parameters::suits(&self.belief, machine)?;
        if self.filtered {
            filter::suits(machine)?;
        }
        if self.redeterminized {
            others::suits(machine)?;
        }
        self.roll_outs.suits(machine)
    }

    fn belief(&self, machine: &Machine, player: usize) -> belief::Options {
        let categories = self.categories.as_ref();
        belief::Options {
            category: categories.and_then(|c| c.entry(machine, player)),
            histories: self.by_history(),
            ..self.belief
        }
    }

    fn goes_on(&self) -> bool {
        self.reuse
    }

    fn search(
        &self,
        machine: &Arc<Machine>,
        root: &Root<'_>,
        memory: &mut Memory,
        budget: &Budget<'_>,
        rng: &mut Stream,
    ) -> Result<SearchResult, PlayError> {
        search(machine, root, self, memory, budget, rng)
    }
}

impl Options {
    /// Whether nodes go by what was seen from the beginning of the game on.
    pub(super) fn by_history(&self) -> bool {
        self.redeterminized || self.reuse
    }

    /// Who hears of what happens in the tree: nodes go by what these see.
    pub(super) fn heard_by(&self, searcher: usize) -> PlayerSet {
        match self.keying {
            Keying::Searchers => PlayerSet::only(searcher),
            Keying::Movers | Keying::Actions | Keying::Determinizations => PlayerSet::ALL,
        }
    }
}
