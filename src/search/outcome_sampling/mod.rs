//! Online outcome sampling (Lisý, Lanctot & Bowling 2015): outcome sampling of the whole game, from its beginning, by its rules.
//! What is learned stays while the game goes on; where the searching player is asked, the games are aimed at what it has seen
//! by then.
//!
//! The sampling and the learning are those of the solver ([`OutcomeSampler`]). `walk.rs` is a game by the rules, `memory.rs` the
//! information states that there is something about, and `history/target.rs` says which ways of play tell the player what it saw.
//!
//! The paper adds one information state a game and plays on evenly from there. Here those on the way to the target are
//! added at once, in games that are not targeted too, so that it can be hit from the first game on.

mod memory;
#[cfg(test)]
mod tests;
mod walk;

use super::budget::Budget;
use super::history::target::Target;
use super::history::{key, see};
use super::mcts::RollOuts;
use super::mcts::policies::{sample, shares};
use super::result::{ActionStatistics, SearchResult};
use super::searcher::{HistorySearcher, OnlineSearch};
use super::supported_games::{self, Unsuited};
use crate::belief::Policy;
use crate::machine::{Actions, InformationKeys, Machine, Observation, PlayError};
use crate::random::Stream;
use crate::solve::regret::outcome_walk::OutcomeSampler;
use crate::solve::regret::sampling::RegretTables;
use memory::Memory;
use std::sync::Arc;
use walk::{Engines, GameWalk, Start};

/// What can be set about the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// δ: how often a game is aimed at what the searching player saw.
    pub targeting: f64,
    /// ε: how often a player who explores chooses evenly.
    pub exploration: f64,
    /// η: how likely at least everybody is taken to choose what the searching player saw.
    pub trembling: f64,
    /// Whether what was learned of choices stands in for what is not sampled.
    pub baselines: bool,
    /// Whether regrets never fall below 0.
    pub positive_regrets: bool,
    /// Whether later games count more in the average strategy.
    pub linear_averages: bool,
    pub roll_outs: RollOuts,
}

impl HistorySearcher for Options {
    fn suits(&self, machine: &Machine) -> Result<(), Box<Unsuited>> {
        supported_games::OPPONENTS.suits(machine, || ("oos".to_string(), Vec::new()))?;
        self.roll_outs.suits(machine)
    }

    fn begin(
        &self,
        machine: &Arc<Machine>,
        player: usize,
        _model: Option<Arc<dyn Policy>>,
    ) -> Box<dyn OnlineSearch> {
        Box::new(Search::new(self, machine, player))
    }
}

/// The search of one player through one game.
pub struct Search {
    machine: Arc<Machine>,
    roll_outs: RollOuts,
    targeting: f64,
    player: usize,
    sampler: OutcomeSampler,
    memory: Memory,
    seen: Vec<Observation>,
    /// The keys of what the player saw; those of the others mean nothing.
    keys: InformationKeys,
    /// How many games were sampled; the players take turns to explore.
    games: u64,
}

impl Search {
    pub fn new(options: &Options, machine: &Arc<Machine>, player: usize) -> Search {
        let players = machine.player_count();
        let mut sampler = OutcomeSampler::new(RegretTables::default(), options.exploration);
        sampler.positive_regrets = options.positive_regrets;
        sampler.trembling = options.trembling;
        sampler.linear_averages = options.linear_averages;
        Search {
            roll_outs: options.roll_outs.clone(),
            targeting: options.targeting,
            player,
            sampler: match options.baselines {
                true => sampler.with_baselines(players),
                false => sampler,
            },
            memory: Memory::new(players),
            seen: Vec::new(),
            keys: InformationKeys::new(players),
            games: 0,
            machine: Arc::clone(machine),
        }
    }

    /// The average strategy at an information state, by its key; what the regrets call for where there is no average yet, and
    /// even shares where nothing is known.
    fn strategy(&mut self, key: u64, actions: usize) -> Vec<f64> {
        let Some(choices) = self.memory.find(self.player, key) else {
            return vec![1.0 / actions as f64; actions];
        };
        let sums = &self.sampler.tables.sums[choices.clone()];
        if sums.iter().sum::<f64>() > 0.0 {
            return shares(sums.iter().copied());
        }
        self.sampler.tables.at(choices).to_vec()
    }
}

impl OnlineSearch for Search {
    fn observe(&mut self, observation: &Observation) {
        see(&mut self.keys, self.player, observation);
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
        // Before anything was seen, every game begins as this one.
        let aims = self.targeting > 0.0 && !self.seen.is_empty();
        self.sampler.targeting = if aims { self.targeting } else { 0.0 };
        let mut target = Target::new(&machine, self.player, &self.seen, node, actions);
        let start = Start::new(&machine, aims.then_some(&mut target))?;
        let mut engines = Engines::new(&machine, &self.roll_outs);
        let mut visits = vec![0; actions.len()];
        let mut sums = vec![(0.0, 0.0); actions.len()];
        let mut playouts = 0;
        while budget.allows(playouts) {
            let explorer = (self.games % machine.player_count() as u64) as usize;
            let (target, memory) = (aims.then_some(&mut target), &mut self.memory);
            let mut walk = GameWalk::new(&machine, &start, target, memory, &mut engines);
            self.sampler.play(&mut walk, explorer, rng)?;
            let payoff = walk.paid(explorer);
            self.games += 1;
            playouts += 1;
            if explorer == self.player
                && let Some(choices) = self.memory.find(explorer, key)
                && let Some(taken) = self.sampler.way().iter().find(|t| t.choices == choices)
            {
                visits[taken.choice] += 1;
                sums[taken.choice].0 += taken.weight;
                sums[taken.choice].1 += taken.weight * payoff;
            }
        }
        let strategy = self.strategy(key, actions.len());
        let places = std::iter::zip(visits, sums);
        let found =
            std::iter::zip(actions.iter(), places).map(|(action, (visits, (weight, sum)))| {
                ActionStatistics {
                    action: action.clone(),
                    visits,
                    mean: (weight > 0.0).then(|| sum / weight),
                }
            });
        Ok(SearchResult {
            actions: found.collect(),
            chosen: sample(strategy.iter().copied(), 1.0, rng),
            strategy,
            playouts,
            nodes: self.memory.len(),
        })
    }
}
