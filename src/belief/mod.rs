//! World states that fit what one player did and saw.
//!
//! A belief is advanced by the player's own observations and questions alone; steps in between that the player does not
//! notice are closed over. Others choose uniformly, chance draws by its probabilities; the player's own choices are given.
//! States with the same identity ([`Machine::exact_key`](crate::machine::Machine::exact_key)) are one hypothesis.
//!
//! Up to a number of states the set is complete. Beyond that it is thinned at random, and where too much can be drawn or
//! chosen to be listed, a part of it is drawn: [`Report`] says so.

mod advance;
mod error;
mod sampler;

pub use error::BeliefError;
pub use sampler::Sampler;

use crate::machine::{Actions, Machine, Observation, State};
use crate::random::stream;
use advance::{Advance, Item};
use std::sync::Arc;

/// What a state weighs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Weighting {
    /// All distinct states that fit weigh the same: what determinization and information-set search take (Nijssen & Winands
    /// 2012, section IV-B; Cowling, Powley & Whitehouse 2012).
    #[default]
    Support,
    /// The probability of the state, given the player's observations, if all others choose uniformly.
    Posterior,
}

/// A world state that may be the true one.
#[derive(Clone, Debug)]
pub struct Hypothesis {
    pub state: State,
    /// Its share, by the weighting of the belief; 1 over all hypotheses.
    pub weight: f64,
}

/// How good a belief is.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Distinct states.
    pub states: usize,
    /// How many equally likely states would be as uncertain: 1 / Σ w².
    pub effective: f64,
    /// Whether all states that fit are there. After something was left out it stays false for the rest of the game.
    pub complete: bool,
}

/// What can be set about a belief.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub weighting: Weighting,
    /// The most states that are kept, 1 or more.
    pub most: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            weighting: Weighting::default(),
            most: 20_000,
        }
    }
}

/// What one player may know of where play is.
pub struct Belief {
    machine: Arc<Machine>,
    options: Options,
    seat: usize,
    seed: u64,
    /// How often it was advanced, for streams of random numbers.
    advanced: u64,
    /// Empty before the first question. Their weights are those of [`Weighting::Posterior`], as long as nothing is left out.
    items: Vec<Item>,
    hypotheses: Vec<Hypothesis>,
    complete: bool,
    /// What was seen since the last question, oldest first.
    pending: Vec<Observation>,
    begun: bool,
}

impl Belief {
    pub fn new(machine: &Arc<Machine>, options: Options) -> Belief {
        Belief {
            machine: Arc::clone(machine),
            options,
            seat: 0,
            seed: 0,
            advanced: 0,
            items: Vec::new(),
            hypotheses: Vec::new(),
            complete: true,
            pending: Vec::new(),
            begun: false,
        }
    }

    /// A new game begins. What must be drawn comes from `seed`.
    pub fn begin(&mut self, seat: usize, seed: u64) {
        (self.seat, self.seed, self.advanced) = (seat, seed, 0);
        (self.begun, self.complete) = (false, true);
        self.items.clear();
        self.hypotheses.clear();
        self.pending.clear();
    }

    /// The player has seen something, its own choices included.
    pub fn observe(&mut self, observation: &Observation) {
        self.pending.push(observation.clone());
    }

    /// The player is asked to choose at a node, among these actions. Gives the states that fit all that was seen, and this
    /// question. Earlier questions need not have been told: what the player chose there is among what it saw.
    ///
    /// # Errors
    /// [`BeliefError::Nothing`] where no state fits; those of the rules.
    pub fn asked(&mut self, node: u32, actions: &Actions) -> Result<&[Hypothesis], BeliefError> {
        let mut rng = stream(self.seed, &[self.advanced]);
        self.advanced += 1;
        let mut advance = Advance::new(&self.machine, self.seat, self.options, &self.pending);
        if self.begun {
            advance.again(std::mem::take(&mut self.items));
        } else {
            advance.initial()?;
        }
        self.begun = true;
        while advance.step(&mut rng)? {}
        self.items = advance.asked(node, actions, &mut rng)?;
        self.complete &= advance.complete;
        self.pending.clear();
        self.hypotheses.clear();
        if self.items.is_empty() {
            return Err(BeliefError::Nothing {
                complete: self.complete,
            });
        }
        self.weigh();
        Ok(&self.hypotheses)
    }

    /// The states that fitted at the last question.
    pub fn hypotheses(&self) -> &[Hypothesis] {
        &self.hypotheses
    }

    /// About the states at the last question.
    pub fn report(&self) -> Report {
        let squares: f64 = self.hypotheses.iter().map(|h| h.weight * h.weight).sum();
        Report {
            states: self.hypotheses.len(),
            effective: if squares > 0.0 { 1.0 / squares } else { 0.0 },
            complete: self.complete,
        }
    }

    fn weigh(&mut self) {
        let total: f64 = self.items.iter().map(|item| item.weight).sum();
        self.items.iter_mut().for_each(|item| item.weight /= total);
        let even = 1.0 / self.items.len() as f64;
        let weighted = self.items.iter().map(|item| Hypothesis {
            state: item.state.clone(),
            weight: match self.options.weighting {
                Weighting::Support => even,
                Weighting::Posterior => item.weight,
            },
        });
        self.hypotheses = weighted.collect();
    }
}
