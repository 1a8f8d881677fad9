//! Other players who do not know what the searching player knows: Re-determinizing ISMCTS (Goodman 2019,
//! arXiv:1902.06075).
//!
//! Every state that a search begins in fits what the searching player saw. So what others learn in the tree they learn where
//! that player has the cards that it has, and soon they play as if they saw them. Goodman therefore draws what is hidden
//! from an acting player again when a simulation comes to its decision, and gives the searching player its own cards back
//! afterwards. Cards can be given back; for any game the two are taken apart here:
//!
//! - A simulation from a state of the searching player's belief is for that player. It alone learns from it; the others
//!   select by what they have learned elsewhere.
//! - Where it passes a node of another player that was there before, a state is drawn from the belief of that player: from
//!   all that it saw on one way to where the simulation began, and since. A simulation of its own begins there, and the
//!   player learns from that. All who are not that player have nodes of their own in it, by what they have on view in the
//!   state drawn, and learn as in ISMCTS: nothing is drawn for them in turn.
//!
//! Both are simulations, and count as playouts.

use super::keys::Keys;
use super::past::Past;
use crate::belief::{self, Belief, BeliefError, Hypothesis, Policy, Sampler};
use crate::machine::{Actions, Event, Machine, Observation, PlayError, State};
use crate::model::PlayerSet;
use crate::random::Stream;
use crate::search::supported_games::{Games, Unsuited};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The most states of the complete belief of another player; beyond that it is made of particles.
const MOST: usize = 1_000;
/// So many.
const PARTICLES: usize = 100;
/// When the beliefs that are kept have so many states in all, they are forgotten.
const KEPT: usize = 200_000;

/// Whose a simulation is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// All learn from it.
    Everybody,
    /// The searching player's alone.
    Searcher,
    /// That of another player: it learns from it as itself.
    Other,
}

/// Where a simulation begins.
#[derive(Clone, Debug)]
pub struct Line {
    pub state: State,
    pub keys: Keys,
    pub whose: Whose,
}

/// What another player takes for possible at one of its nodes.
struct Possible {
    hypotheses: Vec<Hypothesis>,
    sampler: Sampler,
}

/// The beliefs of the others, and the simulations that are to begin in them.
pub struct Others<'m> {
    machine: &'m Arc<Machine>,
    options: belief::Options,
    /// What everybody is taken to play, if that is something.
    policy: Option<Arc<dyn Policy>>,
    /// By player and key; `None`: no state was found.
    beliefs: FxHashMap<(usize, u64), Option<Arc<Possible>>>,
    kept: usize,
    /// What happened in the simulation under way, with those who saw it.
    since: Vec<(PlayerSet, Observation)>,
    waiting: Vec<Line>,
}

/// Games with something to draw again.
static WITH_SECRETS: Games = Games {
    needs: "something that somebody does not see",
    lacks: |machine| {
        let payoff = machine.description().payoff.span;
        let open = machine.features().hidden.is_empty();
        open.then(|| (payoff, "everybody sees everything".to_string()))
    },
};

/// Whether anything is hidden in a game.
///
/// # Errors
/// That nothing is.
pub fn suits(machine: &Machine) -> Result<(), Box<Unsuited>> {
    WITH_SECRETS.suits(machine, || {
        let instead = vec!["redeterminize=false".to_string()];
        ("redeterminize=true".to_string(), instead)
    })
}

impl<'m> Others<'m> {
    /// With beliefs as that of the searching player, but smaller.
    pub fn new(
        machine: &'m Arc<Machine>,
        options: belief::Options,
        policy: Option<Arc<dyn Policy>>,
    ) -> Others<'m> {
        Others {
            machine,
            options: belief::Options {
                most: options.most.min(MOST),
                particles: options.particles.min(PARTICLES),
                histories: false,
                category: None,
                ..options
            },
            policy,
            beliefs: FxHashMap::default(),
            kept: 0,
            since: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// The next simulation, if one is to begin in the belief of another player.
    pub fn next(&mut self) -> Option<Line> {
        self.waiting.pop()
    }

    /// A simulation of the searching player begins.
    pub fn begin(&mut self) {
        self.since.clear();
    }

    /// Something has happened in it.
    pub fn see(&mut self, event: &Event<'_>) {
        self.since.push((event.viewers, Observation::from(event)));
    }

    /// The simulation of the searching player, which began after `past`, has come to a state where another player is asked
    /// among these actions: a simulation of that player's is to follow.
    ///
    /// # Errors
    /// Those of play.
    pub fn draw(
        &mut self,
        past: &Past,
        keys: &Keys,
        state: &State,
        (mover, actions): (usize, &Actions),
        rng: &mut Stream,
    ) -> Result<(), PlayError> {
        let place = (mover, keys.at(mover, self.machine.node(state)));
        let possible = match self.beliefs.get(&place) {
            Some(possible) => possible.clone(),
            None => {
                let possible = self.believe(past, state, place, actions)?.map(Arc::new);
                let states = possible.as_ref().map_or(1, |p| p.hypotheses.len());
                if self.kept + states > KEPT {
                    self.beliefs.clear();
                    self.kept = 0;
                }
                self.kept += states;
                self.beliefs.insert(place, possible.clone());
                possible
            }
        };
        // Where no state was found, the one at hand is as good as it gets.
        let state = match possible {
            Some(possible) => {
                let drawn = possible.sampler.draw(rng);
                possible.hypotheses[drawn].state.clone()
            }
            None => state.clone(),
        };
        self.waiting.push(Line {
            keys: keys.of_other(self.machine, &state, mover),
            state,
            whose: Whose::Other,
        });
        Ok(())
    }

    /// What a player takes for possible where it is asked, after all that it saw.
    fn believe(
        &self,
        past: &Past,
        state: &State,
        (mover, key): (usize, u64),
        actions: &Actions,
    ) -> Result<Option<Possible>, PlayError> {
        let mut belief = Belief::new(self.machine, self.options);
        if let Some(policy) = &self.policy {
            belief = belief.with_policy(Arc::clone(policy));
        }
        belief.begin(mover, key);
        let since = self
            .since
            .iter()
            .filter(|(viewers, _)| viewers.contains(mover));
        let seen = past.seen[mover].iter().chain(since.map(|(_, seen)| seen));
        seen.for_each(|observation| belief.observe(observation));
        match belief.asked(self.machine.node(state), actions) {
            Ok(hypotheses) => Ok(Some(Possible {
                sampler: Sampler::new(hypotheses),
                hypotheses: hypotheses.to_vec(),
            })),
            Err(BeliefError::Nothing { .. }) => Ok(None),
            Err(BeliefError::Rules(error)) => Err(error),
        }
    }
}
