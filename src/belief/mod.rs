//! World states that fit what one player did and saw.
//!
//! A belief is advanced by the player's own observations and questions alone; steps in between that the player does not
//! notice are closed over. Others choose uniformly or by a policy, chance draws by its probabilities; the player's own choices are given.
//! States with the same identity ([`Machine::exact_key`](crate::machine::Machine::exact_key)) are one hypothesis.
//!
//! Up to a number of states, and of steps to find them, the set is complete. Beyond that it is made of *particles*, which are
//! drawn: histories from the beginning of the game. [`Report`] says so.

mod error;
mod exact;
mod particles;
pub mod policy;
mod record;
mod sampler;
pub mod told;
mod trail;

pub use error::BeliefError;
pub use policy::{Heuristic, Others, Policy};
pub use sampler::Sampler;

use crate::machine::{Action, Actions, Machine, Observation, PlayError, State};
use crate::random::{Stream, stream};
use exact::{Exact, Item, Stop};
use particles::Cloud;
use policy::Trembling;
use record::{Question, Record};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// What a state weighs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Weighting {
    /// All distinct states that fit weigh the same, on however many ways they were come to: what determinization and
    /// information-set search take (Nijssen & Winands 2012, section IV-B; Cowling, Powley & Whitehouse 2012). Of particles these are the states that are among them.
    #[default]
    Support,
    /// The probability of the state, given the player's observations, if all others choose as [`Options::others`] says.
    Posterior,
}

/// A world state that may be the true one.
#[derive(Clone, Debug)]
pub struct Hypothesis {
    pub state: State,
    /// Its share, by the weighting of the belief; 1 over all hypotheses.
    pub weight: f64,
    /// The class of [`Options::category`], if one is asked for and there is one.
    pub class: Option<u64>,
}

/// How good a belief is.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Distinct states.
    pub states: usize,
    /// How many equally likely states would be as uncertain: 1 / Σ w².
    pub effective: f64,
    /// Whether all states that fit are there. Once they are particles it stays false for the rest of the game.
    pub complete: bool,
    /// Where they are particles: how these are.
    pub particles: Option<ParticleReport>,
}

/// How good particles are at a question.
#[derive(Copy, Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct ParticleReport {
    /// How many there are.
    pub particles: usize,
    /// How many of those at the question before, or at the beginning, fitted what was seen since.
    pub survived: usize,
    /// How many equally likely ones would have been as uncertain, before they were resampled if they were: (Σ w)² / Σ w².
    pub effective: f64,
    /// Whether they were resampled.
    pub resampled: bool,
    /// Whether time was over before all were advanced and moved about.
    pub late: bool,
    /// How many other histories were proposed in the place of particles, to move them about.
    pub tried: u64,
    /// How many of these were taken.
    pub accepted: u64,
    /// How often in the game none was left, so that others had to be searched for.
    pub repairs: u64,
    /// At how many questions of the game none was found either.
    pub lost: u64,
}

/// What can be set about a belief.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub weighting: Weighting,
    /// How the others are taken to choose, with [`Weighting::Posterior`]: the states that they never come to by that are none.
    pub others: Others,
    /// The most states of a complete set, 1 or more.
    pub most: usize,
    /// How many particles there are where these would be too many, 1 or more.
    pub particles: usize,
    /// Whether states are two also where they differ in nothing but what somebody has on view and nothing asks for any more:
    /// for who shows them.
    pub views: bool,
    /// Whether states are two also where somebody saw something else on the way to them, and whether one way to each is
    /// kept, for [`Belief::histories`]. Particles are then not merged at all.
    pub histories: bool,
    /// An entry of the player's knowledge: a category whose class is kept for each state, as it was when the category's place
    /// last changed; of particles as it is.
    pub category: Option<usize>,
}

impl Options {
    /// The place and the class of the category that is asked for, in a state where it has one. Errors wait until the player is
    /// asked, in [`Belief::asked`].
    fn classify(&self, machine: &Machine, seat: usize, state: &State) -> Option<(u64, u64)> {
        let found = machine.category(state, self.category?, seat);
        found.ok().flatten()
    }

    /// What tells a state from others.
    fn identity(&self, machine: &Machine, state: &State) -> SmallVec<[u64; 16]> {
        match self.views {
            true => machine.kept_key(state),
            false => machine.exact_key(state),
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            weighting: Weighting::default(),
            others: Others::default(),
            most: 20_000,
            particles: 500,
            views: false,
            histories: false,
            category: None,
        }
    }
}

/// A state, its weight and its class.
type Weighted<'s> = (&'s State, f64, Option<u64>);

/// What one player may know of where play is.
pub struct Belief {
    machine: Arc<Machine>,
    options: Options,
    policy: Option<Arc<dyn Policy>>,
    /// The same with slips, once somebody has done what it excludes.
    trembling: Option<Arc<dyn Policy>>,
    seat: usize,
    seed: u64,
    record: Record,
    known: Known,
    hypotheses: Vec<Hypothesis>,
    /// What each distinct state weighs, where hypotheses have states in common.
    shares: Option<Vec<f64>>,
}

/// What a belief is made of.
enum Known {
    /// Nothing, before the first question.
    Beginning,
    /// The states at the last question. Their weights are those of [`Weighting::Posterior`].
    States(Vec<Item>),
    Particles(Box<Cloud>),
    /// No state fits, or none was found.
    Nothing {
        complete: bool,
    },
}

impl Belief {
    pub fn new(machine: &Arc<Machine>, options: Options) -> Belief {
        Belief {
            machine: Arc::clone(machine),
            options,
            policy: match options.weighting {
                Weighting::Posterior => policy::of(options.others, machine),
                Weighting::Support => None,
            },
            trembling: None,
            seat: 0,
            seed: 0,
            record: Record::default(),
            known: Known::Beginning,
            hypotheses: Vec::new(),
            shares: None,
        }
    }

    /// The same with a policy of the others, where states weigh what they are likely. Once somebody has done what it excludes, it
    /// is taken to slip in one of ten choices for the rest of the game.
    #[must_use]
    pub fn with_policy(mut self, policy: Arc<dyn Policy>) -> Belief {
        if self.options.weighting == Weighting::Posterior {
            self.policy = Some(policy);
        }
        self
    }

    /// A new game begins. What must be drawn comes from `seed`.
    pub fn begin(&mut self, seat: usize, seed: u64) {
        (self.seat, self.seed) = (seat, seed);
        self.record.seen.clear();
        self.record.questions.clear();
        self.known = Known::Beginning;
        self.trembling = None;
        self.shares = None;
        self.hypotheses.clear();
    }

    /// The player has seen something, its own choices included.
    pub fn observe(&mut self, observation: &Observation) {
        self.record.seen.push(observation.clone());
    }

    /// The player is asked to choose at a node, among these actions. Gives the states that fit all that was seen, and this
    /// question. Earlier questions need not have been told: what the player chose there is among what it saw.
    ///
    /// # Errors
    /// [`BeliefError::Nothing`] where no state fits, or none was found: then one may be found at the next question. Those of
    /// the rules.
    pub fn asked(&mut self, node: u32, actions: &Actions) -> Result<&[Hypothesis], BeliefError> {
        self.asked_in_time(node, actions, &|| true)
    }

    /// As [`Belief::asked`]. Where `in_time` says that time is over, particles stand for the states that were not found by
    /// then, no more of them are advanced than must be and they are moved about no more; where none is left, others are
    /// searched for no longer than they must be.
    ///
    /// # Errors
    /// As [`Belief::asked`].
    pub fn asked_in_time(
        &mut self,
        node: u32,
        actions: &Actions,
        in_time: &dyn Fn() -> bool,
    ) -> Result<&[Hypothesis], BeliefError> {
        self.hypotheses.clear();
        let before = self.record.questions.last().map_or(0, |q| q.seen);
        let seen = self.record.seen.len();
        self.record.questions.push(Question { seen, node });
        let known = std::mem::replace(&mut self.known, Known::Nothing { complete: false });
        self.known = match known {
            Known::Nothing { complete } => Known::Nothing { complete },
            Known::Particles(mut cloud) => {
                self.advance(&mut cloud, self.record.questions.len() - 1, in_time)?;
                Known::Particles(cloud)
            }
            Known::Beginning => self.exact(None, before, (node, actions), in_time)?,
            Known::States(items) => self.exact(Some(items), before, (node, actions), in_time)?,
        };
        if self.is_lost()
            && let Some(policy) = self.policy.clone().filter(|p| p.excludes())
            && self.trembling.is_none()
        {
            self.trembling = Some(Arc::new(Trembling(policy)));
            self.known = self.exact(None, 0, (node, actions), in_time)?;
        }
        self.weigh();
        if let Some(category) = self.options.category {
            for unknown in self.hypotheses.iter().filter(|h| h.class.is_none()) {
                self.machine.category(&unknown.state, category, self.seat)?;
            }
        }
        match self.hypotheses.is_empty() {
            false => Ok(&self.hypotheses),
            true => Err(BeliefError::Nothing {
                complete: self.is_complete(),
            }),
        }
    }

    fn policy(&self) -> Option<&dyn Policy> {
        self.trembling.as_deref().or(self.policy.as_deref())
    }

    /// Whether no state fits the last question, or none was found.
    fn is_lost(&self) -> bool {
        match &self.known {
            Known::Beginning | Known::States(_) => false,
            Known::Particles(cloud) => !cloud.fits(),
            Known::Nothing { .. } => true,
        }
    }

    /// Whether all states that fit are there.
    fn is_complete(&self) -> bool {
        match self.known {
            Known::Beginning | Known::States(_) => true,
            Known::Particles(_) => false,
            Known::Nothing { complete } => complete,
        }
    }

    /// All states at a question, from those at the one before; particles, if they are too many.
    fn exact(
        &self,
        items: Option<Vec<Item>>,
        before: usize,
        (node, actions): (u32, &Actions),
        in_time: &dyn Fn() -> bool,
    ) -> Result<Known, BeliefError> {
        let seen = &self.record.seen[before..];
        let policy = self.policy();
        let mut exact = Exact::new(&self.machine, self.seat, (self.options, policy), seen);
        match items {
            Some(items) => exact.again(items),
            None => exact.initial()?,
        }
        match exact.asked(node, actions, in_time) {
            Ok(items) if items.is_empty() => Ok(Known::Nothing { complete: true }),
            Ok(items) => Ok(Known::States(items)),
            Err(Stop::Rules(error)) => Err(error.into()),
            Err(Stop::Full) => {
                let count = self.options.particles;
                let start = (&self.record, policy);
                let mut cloud = Cloud::new(&self.machine, self.seat, start, count)?;
                for question in 0..self.record.questions.len() {
                    self.advance(&mut cloud, question, in_time)?;
                }
                Ok(Known::Particles(Box::new(cloud)))
            }
        }
    }

    fn advance(
        &self,
        cloud: &mut Cloud,
        question: usize,
        in_time: &dyn Fn() -> bool,
    ) -> Result<(), PlayError> {
        let rng: &mut Stream = &mut stream(self.seed, &[question as u64]);
        let question = (&self.record, question, self.policy());
        cloud.advance(&self.machine, self.seat, question, in_time, rng)
    }

    /// The states that fitted at the last question.
    pub fn hypotheses(&self) -> &[Hypothesis] {
        &self.hypotheses
    }

    /// What happened on one way to each hypothesis at the last question, step by step, in the order of the hypotheses, if
    /// [`Options::histories`] asks for that; else in each particle, where there are any.
    pub fn histories(&self) -> Vec<Vec<Vec<Action>>> {
        match &self.known {
            Known::Particles(cloud) => cloud.histories().collect(),
            Known::States(items) => items
                .iter()
                .filter_map(|i| Some(i.trail.as_ref()?.steps()))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// About the states at the last question.
    pub fn report(&self) -> Report {
        let weights = self.hypotheses.iter().map(|h| h.weight);
        let (states, squares) = match &self.shares {
            Some(shares) => (shares.len(), shares.iter().map(|w| w * w).sum()),
            None => (self.hypotheses.len(), weights.map(|w| w * w).sum::<f64>()),
        };
        Report {
            states,
            effective: if squares > 0.0 { 1.0 / squares } else { 0.0 },
            complete: self.is_complete(),
            particles: match &self.known {
                Known::Particles(cloud) => Some(cloud.report()),
                _ => None,
            },
        }
    }

    /// The distinct states, with their weights.
    fn weigh(&mut self) {
        let mut weighted: Vec<Weighted<'_>> = match &self.known {
            Known::Beginning | Known::Nothing { .. } => Vec::new(),
            Known::Particles(cloud) if !cloud.fits() => Vec::new(),
            Known::States(items) => {
                let class = |i: &Item| i.class.map(|(_, class)| class);
                let states = items.iter().map(|i| (&i.state, i.weight, class(i)));
                let twice = self.policy.as_ref().is_some_and(|p| p.remembers());
                match twice && !self.options.histories {
                    // The same state stands there with what others remember of the ways to it.
                    true => self.merged(states),
                    false => states.collect(),
                }
            }
            Known::Particles(cloud) => {
                let class = |state| self.options.classify(&self.machine, self.seat, state);
                let class = |state| class(state).map(|(_, class)| class);
                let states = cloud.states().map(|(s, weight)| (s, weight, class(s)));
                match self.options.histories {
                    true => states.collect(),
                    false => self.merged(states),
                }
            }
        };
        let total: f64 = weighted.iter().map(|(_, weight, _)| weight).sum();
        for (_, weight, _) in &mut weighted {
            *weight /= total;
        }
        // Where histories or classes are told apart, a state may stand there more than once.
        let apart = self.options.histories || self.options.category.is_some();
        let places = apart.then(|| self.places(&weighted));
        let mut shares = places.as_ref().map(|places| {
            let states = places.iter().max().map_or(0, |last| last + 1);
            let mut shares = vec![0.0; states];
            std::iter::zip(places, &weighted).for_each(|(&p, (_, w, _))| shares[p] += w);
            shares
        });
        if self.options.weighting == Weighting::Support {
            let states = shares.as_ref().map_or(weighted.len(), Vec::len);
            let even = 1.0 / states as f64;
            for (i, (_, weight, _)) in weighted.iter_mut().enumerate() {
                // All states weigh the same; the ways to one share that by how likely they are.
                *weight = match (&places, &shares) {
                    (Some(places), Some(shares)) if shares[places[i]] > 0.0 => {
                        even * (*weight / shares[places[i]])
                    }
                    // All are too unlikely for a number.
                    (Some(places), _) => {
                        let ways = places.iter().filter(|place| **place == places[i]);
                        even / ways.count() as f64
                    }
                    _ => even,
                };
            }
            shares.iter_mut().flatten().for_each(|share| *share = even);
        }
        self.shares = shares;
        let hypotheses = weighted.into_iter();
        let hypotheses = hypotheses.map(|(state, weight, class)| Hypothesis {
            state: state.clone(),
            weight,
            class,
        });
        self.hypotheses = hypotheses.collect();
    }

    /// For each state which of the distinct ones it is, by the order in which they come.
    fn places(&self, weighted: &[Weighted<'_>]) -> Vec<usize> {
        let mut known = FxHashMap::default();
        let states = weighted.iter().map(|(state, _, _)| {
            let next = known.len();
            let identity = self.options.identity(&self.machine, state);
            *known.entry(identity).or_insert(next)
        });
        states.collect()
    }

    /// Each state once, with each of its classes.
    fn merged<'s>(&self, states: impl Iterator<Item = Weighted<'s>>) -> Vec<Weighted<'s>> {
        let mut merged: Vec<Weighted<'_>> = Vec::new();
        let mut places = FxHashMap::default();
        for (state, weight, class) in states {
            let place = places.entry((self.options.identity(&self.machine, state), class));
            let place = *place.or_insert(merged.len());
            match merged.get_mut(place) {
                Some((_, sum, _)) => *sum += weight,
                None => merged.push((state, weight, class)),
            }
        }
        merged
    }
}
