//! The others, as they are taken to choose.

use crate::belief::Policy;
use crate::belief::policy::{Memory, beginning, remember};
use crate::machine::{Action, Actions, Event, Machine, PlayError, State};
use crate::random::Stream;
use crate::search::mcts::policies::sample;

/// What the others play.
#[derive(Copy, Clone)]
pub struct Model<'m> {
    machine: &'m Machine,
    /// `None`: any of their actions, each as likely as every other.
    policy: Option<&'m dyn Policy>,
    is_even: bool,
}

impl<'m> Model<'m> {
    pub fn new(machine: &'m Machine, policy: Option<&'m dyn Policy>) -> Model<'m> {
        Model {
            machine,
            policy,
            is_even: policy.is_none(),
        }
    }

    /// The same, who choose evenly for now; what they saw is kept as before.
    pub fn evenly(self) -> Model<'m> {
        Model {
            is_even: true,
            ..self
        }
    }

    /// Whether they choose evenly, all of them.
    pub fn is_even(&self) -> bool {
        self.is_even
    }

    /// What is kept of what they saw before a game begins.
    pub fn beginning(&self) -> Memory {
        beginning(self.policy, self.machine.player_count())
    }

    /// Takes an event in for those who saw it.
    pub fn remember(&self, memory: &mut Memory, event: &Event<'_>) {
        remember(self.policy, memory, event);
    }

    /// How likely each of the actions of a player is.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn shares(
        &self,
        state: &State,
        memory: &Memory,
        player: usize,
        actions: &Actions,
    ) -> Result<Vec<f64>, PlayError> {
        let Some(policy) = self.policy.filter(|_| !self.is_even) else {
            return Ok(vec![1.0 / actions.len() as f64; actions.len()]);
        };
        let own = memory.get(player).copied().unwrap_or(0);
        policy.shares(self.machine, state, (player, own), actions)
    }

    /// An action of a player.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn choose(
        &self,
        state: &State,
        memory: &Memory,
        player: usize,
        rng: &mut Stream,
    ) -> Result<Action, PlayError> {
        if self.is_even() {
            return self.machine.sample(state, player, rng);
        }
        let mut actions = Actions::default();
        self.machine.legal(state, player, &mut actions)?;
        let shares = self.shares(state, memory, player, &actions)?;
        let total = shares.iter().sum();
        Ok(actions[sample(shares.iter().copied(), total, rng)].clone())
    }
}
