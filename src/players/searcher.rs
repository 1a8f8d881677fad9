//! From a spec to the search that it stands for, and to its budget.

use super::Clock;
use super::catalogue::DEFAULT_PLAYOUTS;
use super::spec::PlayerSpec;
use crate::machine::{Machine, PlayError, State};
use crate::random::Stream;
use crate::search::smmcts::{Expansion, Nodes, Select, SmMctsOptions, Unsuited};
use crate::search::uct::UctOptions;
use crate::search::{Budget, FinalChoice, SearchResult, smmcts, uct};
use std::sync::Arc;
use std::time::Duration;

/// A search with its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum Searcher {
    Uct(UctOptions),
    SmMcts(SmMctsOptions),
}

impl Searcher {
    /// By the values of the spec; see the catalogue for what they mean. `None` for a player that does not search.
    pub fn of(spec: &PlayerSpec) -> Option<Searcher> {
        match spec.entry().name {
            "uct" => Some(Searcher::Uct(UctOptions {
                exploration: spec.number("c"),
                final_choice: match spec.word("final") {
                    Some("mean") => FinalChoice::Mean,
                    Some("share") => FinalChoice::Share,
                    _ => FinalChoice::Visits,
                },
            })),
            "smmcts" => Some(Searcher::SmMcts(SmMctsOptions {
                select: match spec.word("select") {
                    Some("duct_max") => Select::DuctMax,
                    Some("duct_mix") => Select::DuctMix,
                    Some("exp3") => Select::Exp3,
                    Some("oos") => Select::Oos,
                    Some("oos_plus") => Select::OosPlus,
                    _ => Select::RegretMatching,
                },
                expansion: match spec.word("expand") {
                    Some("action") => Expansion::Action,
                    _ => Expansion::Matrix,
                },
                nodes: match spec.word("nodes") {
                    Some("states") => Nodes::States,
                    _ => Nodes::Histories,
                },
                exploration: spec.number("c"),
                gamma: spec.number("gamma"),
                unit: spec.number("unit"),
            })),
            _ => None,
        }
    }

    /// Whether the search knows what to do in a game, hidden information apart.
    ///
    /// # Errors
    /// What is wrong with the game, and where its text says so.
    pub fn suits(&self, machine: &Machine) -> Result<(), Unsuited> {
        match self {
            Searcher::Uct(_) => Ok(()),
            Searcher::SmMcts(options) => options.select.suits(machine),
        }
    }

    /// Searches from `root` for `player`, who must be one of those to move there, until the budget is used up.
    ///
    /// # Errors
    /// Those of play from any playout; where `player` has nothing to choose, or the search does not suit the game.
    pub fn search(
        &self,
        machine: &Machine,
        root: &State,
        player: usize,
        budget: &Budget<'_>,
        rng: &mut Stream,
    ) -> Result<SearchResult, PlayError> {
        match self {
            Searcher::Uct(options) => uct::search(machine, root, player, options, budget, rng),
            Searcher::SmMcts(options) => {
                smmcts::search(machine, root, player, options, budget, rng)
            }
        }
    }

    /// As [`Searcher::search`], with what the one tree says for each player who moves at `root`, in seating order;
    /// nothing where nobody does.
    ///
    /// # Errors
    /// As [`Searcher::search`].
    pub fn search_for_all(
        &self,
        machine: &Machine,
        root: &State,
        budget: &Budget<'_>,
        rng: &mut Stream,
    ) -> Result<Vec<(usize, SearchResult)>, PlayError> {
        match self {
            Searcher::Uct(options) => uct::search_for_all(machine, root, options, budget, rng),
            Searcher::SmMcts(options) => {
                smmcts::search_for_all(machine, root, options, budget, rng)
            }
        }
    }
}

/// How long a search may take, by its spec.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    playouts: Option<u64>,
    time: Option<Duration>,
}

impl Limits {
    pub fn of(spec: &PlayerSpec) -> Limits {
        let time = spec.count("ms").map(Duration::from_millis);
        let unlimited = if time.is_some() {
            None
        } else {
            Some(DEFAULT_PLAYOUTS)
        };
        Limits {
            playouts: spec.count("playouts").or(unlimited),
            time,
        }
    }

    /// Says whether there is time left, counted from here.
    pub fn in_time(&self, clock: &Clock) -> impl Fn() -> bool + use<> {
        let (clock, time) = (Arc::clone(clock), self.time);
        let start = clock();
        move || time.is_none_or(|limit| clock().saturating_sub(start) < limit)
    }

    /// The budget of one search, which also ends when `keep_going` says so.
    pub fn budget<'a>(&self, keep_going: &'a dyn Fn() -> bool) -> Budget<'a> {
        Budget {
            playouts: self.playouts,
            keep_going,
        }
    }
}
