//! UCT against others who are taken to play something known (I2-UCT: Karwowski & Mańdziuk 2019, Algorithm 1). Before each
//! simulation the player's own choices are replayed from the beginning of the game against the others, who choose as they are
//! taken to (`replay.rs`); a replay that does not tell the player what it saw is thrown away. Once all are, the player goes by its
//! belief instead (`believed.rs`), for as long as the game lasts. From where that leads, one simulation of UCT plays on (`simulation.rs`): the player's choices are learned, by all that it saw, and the others go on as before.
//!
//! What is learned stays while the game goes on (Algorithm 2 hands the tree on from one move to the next). As the others do not
//! learn, the player faces a decision problem, and the search tends to the best answer to them.

mod believed;
mod others;
mod replay;
mod simulation;
mod table;
#[cfg(test)]
mod tests;

use super::belief_parameters;
use super::budget::Budget;
use super::exploration::{Constant, Exploration};
use super::history::target::Target;
use super::history::{key, see};
use super::mcts::FinalChoice;
use super::mcts::policies::sample;
use super::result::{ActionStatistics, SearchResult};
use super::searcher::{HistorySearcher, OnlineSearch};
use super::supported_games::{self, Unsuited};
use crate::belief::Policy;
use crate::belief::policy::{self, Others};
use crate::machine::{Actions, InformationKeys, Machine, Observation, PlayError};
use crate::random::Stream;
use believed::Believed;
use others::Model;
use rand::RngExt;
use replay::Replays;
use simulation::Simulations;
use std::sync::Arc;
use table::Table;

/// What can be set about the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// What the others are taken to do.
    pub others: Others,
    pub c: Constant,
    pub final_choice: FinalChoice,
}

impl HistorySearcher for Options {
    fn suits(&self, machine: &Machine) -> Result<(), Box<Unsuited>> {
        supported_games::OTHERS.suits(machine, || ("i2_uct".to_string(), Vec::new()))?;
        belief_parameters::has_others(self.others, machine)
    }

    fn begin(
        &self,
        machine: &Arc<Machine>,
        player: usize,
        model: Option<Arc<dyn Policy>>,
    ) -> Box<dyn OnlineSearch> {
        Box::new(Search::new(self, machine, player, model))
    }
}

/// The search of one player through one game.
pub struct Search {
    machine: Arc<Machine>,
    player: usize,
    policy: Option<Arc<dyn Policy>>,
    options: Options,
    table: Table,
    seen: Vec<Observation>,
    /// The keys of what the player saw; those of the others mean nothing.
    keys: InformationKeys,
    /// Once no replay came to a question.
    believed: Option<Believed>,
}

impl Search {
    pub fn new(
        options: &Options,
        machine: &Arc<Machine>,
        player: usize,
        model: Option<Arc<dyn Policy>>,
    ) -> Search {
        let exploration = Exploration::new(machine, options.c);
        Search {
            player,
            policy: model.or_else(|| policy::of(options.others, machine)),
            options: options.clone(),
            table: Table::new(player, exploration),
            seen: Vec::new(),
            believed: None,
            keys: InformationKeys::new(machine.player_count()),
            machine: Arc::clone(machine),
        }
    }

    /// What is known of the actions at an information state, by its key.
    fn result(&self, key: u64, actions: &Actions, playouts: u64, rng: &mut Stream) -> SearchResult {
        let known = self.table.find(key).filter(|a| a.len() == actions.len());
        let Some(arms) = known.filter(|_| playouts > 0) else {
            let chosen = rng.random_range(0..actions.len() as u64) as usize;
            return SearchResult::blind(actions, chosen);
        };
        let visits: Vec<f64> = arms.iter().map(|arm| arm.visits).collect();
        let sums: Vec<f64> = arms.iter().map(|arm| arm.sum).collect();
        let strategy = self.options.final_choice.strategy(&visits, &sums);
        let statistics = std::iter::zip(actions.iter(), arms).map(|(action, arm)| {
            let mean = (arm.visits > 0.0).then(|| arm.sum / arm.visits);
            ActionStatistics {
                action: action.clone(),
                visits: arm.visits as u64,
                mean,
            }
        });
        SearchResult {
            actions: statistics.collect(),
            chosen: sample(strategy.iter().copied(), 1.0, rng),
            strategy,
            playouts,
            nodes: self.table.len(),
        }
    }
}

impl OnlineSearch for Search {
    fn observe(&mut self, observation: &Observation) {
        see(&mut self.keys, self.player, observation);
        if let Some(believed) = &mut self.believed {
            believed.observe(observation);
        }
        self.seen.push(observation.clone());
    }

    fn search(
        &mut self,
        node: u32,
        actions: &Actions,
        budget: &Budget<'_>,
        rng: &mut Stream,
    ) -> Result<SearchResult, PlayError> {
        let machine = Arc::clone(&self.machine);
        let key = key(&self.keys, self.player, node, actions);
        let target = Target::new(&machine, self.player, &self.seen, node, actions);
        let mut replays = Replays::new(&machine, self.player, target);
        let mut simulations = Simulations::new(&machine, self.player, self.options.others);
        let known = Model::new(&machine, self.policy.as_deref());
        let mut model = known;
        let mut playouts = 0;
        let in_time = || (budget.keep_going)();
        let mut ways = match &mut self.believed {
            Some(believed) => believed.ways(node, actions, &in_time)?,
            None => None,
        };
        while budget.allows(playouts) {
            let game = match &ways {
                Some(ways) => Some(ways.game(&machine, &known, rng)?),
                // One playout is made in any case: by the belief, if no replay comes to the question in time.
                None => {
                    let first = playouts == 0 && self.believed.is_some();
                    replays.next(&model, &|| first || in_time(), rng)?
                }
            };
            let Some(game) = game else {
                if self.believed.is_none() && (playouts == 0 || in_time()) {
                    let others = (self.options.others, self.policy.as_ref());
                    let believed = Believed::new(&machine, self.player, others, &self.seen, rng);
                    let believed = self.believed.insert(believed);
                    ways = believed.ways(node, actions, &in_time)?;
                    if ways.is_some() {
                        continue;
                    }
                }
                // They have done what they were taken never to do, or hardly ever: whatever they did before, it is not known.
                if model.is_even() || !in_time() {
                    break;
                }
                model = known.evenly();
                replays.weigh_anew();
                continue;
            };
            simulations.play(game, &known, &mut self.table, rng)?;
            playouts += 1;
        }
        Ok(self.result(key, actions, playouts, rng))
    }
}
