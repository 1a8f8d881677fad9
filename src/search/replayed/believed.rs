//! Where play may be by the player's belief, for questions to which no replay comes: the more was seen, the fewer replays
//! tell it, while a belief is kept up from one question to the next.

use super::others::Model;
use super::replay::Game;
use crate::belief::policy::Others;
use crate::belief::{self, Belief, BeliefError, Policy, Sampler, Weighting};
use crate::machine::{Action, Actions, InformationKeys, Machine, Observation, PlayError};
use crate::random::Stream;
use rand::RngExt;
use std::sync::Arc;

/// What a player believes, by how the others are taken to choose.
pub struct Believed {
    belief: Belief,
}

/// So many states, or particles, are enough.
const MOST: usize = 1_000;
const PARTICLES: usize = 500;

impl Believed {
    /// Of a player who has seen this.
    pub fn new(
        machine: &Arc<Machine>,
        player: usize,
        (others, policy): (Others, Option<&Arc<dyn Policy>>),
        seen: &[Observation],
        rng: &mut Stream,
    ) -> Believed {
        let options = belief::Options {
            weighting: Weighting::Posterior,
            others,
            most: MOST,
            particles: PARTICLES,
            histories: true,
            ..belief::Options::default()
        };
        let mut belief = Belief::new(machine, options);
        if let Some(policy) = policy {
            belief = belief.with_policy(Arc::clone(policy));
        }
        belief.begin(player, rng.random());
        seen.iter().for_each(|o| belief.observe(o));
        Believed { belief }
    }

    pub fn observe(&mut self, observation: &Observation) {
        self.belief.observe(observation);
    }

    /// The ways that may have led to a question; `None` where none is found.
    ///
    /// # Errors
    /// Those of play.
    pub fn ways(
        &mut self,
        node: u32,
        actions: &Actions,
        in_time: &dyn Fn() -> bool,
    ) -> Result<Option<Ways>, PlayError> {
        match self.belief.asked_in_time(node, actions, in_time) {
            Ok(_) => {}
            Err(BeliefError::Nothing { .. }) => return Ok(None),
            Err(BeliefError::Rules(error)) => return Err(error),
        }
        let hypotheses = self.belief.hypotheses();
        let histories = self.belief.histories();
        // A belief that keeps no way to a state is none to go by here.
        let fits = !hypotheses.is_empty() && hypotheses.len() == histories.len();
        Ok(fits.then(|| Ways {
            sampler: Sampler::new(hypotheses),
            histories,
        }))
    }
}

/// Ways to a question, by how likely they are.
pub struct Ways {
    sampler: Sampler,
    histories: Vec<Vec<Vec<Action>>>,
}

impl Ways {
    /// A game that went one of them.
    ///
    /// # Errors
    /// Those of play.
    pub fn game(
        &self,
        machine: &Machine,
        model: &Model<'_>,
        rng: &mut Stream,
    ) -> Result<Game, PlayError> {
        let mut keys = InformationKeys::new(machine.player_count());
        let mut memory = model.beginning();
        let state = machine.initial_observed(&mut |event| {
            keys.see(&event);
            model.remember(&mut memory, &event);
        })?;
        let mut game = Game {
            state,
            keys,
            memory,
        };
        for step in &self.histories[self.sampler.draw(rng)] {
            let mut state = game.state.clone();
            machine.step_observed(&mut state, step, &mut |event| game.see(model, &event))?;
            game.state = state;
        }
        Ok(game)
    }
}
