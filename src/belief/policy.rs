//! How the others are taken to choose, where a state weighs as much as it is likely.

use crate::machine::{Actions, Event, Machine, Observation, PlayError, State};
use crate::model::PlayerSet;
use smallvec::SmallVec;
use std::sync::Arc;

/// What the others are taken to do.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// They choose evenly among their actions.
    #[default]
    Uniform,
    /// By the first playout heuristic that the game's knowledge has for each, as [`Heuristic`] says.
    Heuristic,
    /// By a strategy that somebody hands over ([`Belief::with_policy`](super::Belief::with_policy)).
    Strategy,
}

/// What a policy keeps of what each player saw, by player; empty where it reads nothing but the state.
pub type Memory = SmallVec<[u32; 4]>;

/// How players choose.
pub trait Policy: Send + Sync {
    /// Whether it goes by what the player saw. If it does not, it reads the state alone.
    fn remembers(&self) -> bool;

    /// Whether it may give an action a probability of 0.
    fn excludes(&self) -> bool;

    /// What it keeps of what a player saw, with one observation more; 0 before the first.
    fn after(&self, player: usize, memory: u32, seen: &Observation) -> u32;

    /// The probability of each of the actions of `who` in a state, 1 in all: a player, and what is kept of what it saw.
    ///
    /// # Errors
    /// Those of the rules.
    fn shares(
        &self,
        machine: &Machine,
        state: &State,
        who: (usize, u32),
        actions: &Actions,
    ) -> Result<Vec<f64>, PlayError>;
}

/// What a policy keeps before the game begins.
pub fn beginning(policy: Option<&dyn Policy>, players: usize) -> Memory {
    match policy.is_some_and(Policy::remembers) {
        true => Memory::from_elem(0, players),
        false => Memory::new(),
    }
}

/// Whose observations count where a belief of `seat` follows play: what only others see matters to a policy that remembers.
pub fn heard_by(policy: Option<&dyn Policy>, seat: usize) -> PlayerSet {
    match policy.is_some_and(Policy::remembers) {
        true => PlayerSet::ALL,
        false => PlayerSet::only(seat),
    }
}

/// Takes an event in for all who saw it.
pub fn remember(policy: Option<&dyn Policy>, memory: &mut Memory, event: &Event<'_>) {
    let Some(policy) = policy.filter(|_| !memory.is_empty()) else {
        return;
    };
    let seen = Observation::from(event);
    for player in event.viewers {
        if let Some(own) = memory.get_mut(player) {
            *own = policy.after(player, *own, &seen);
        }
    }
}

/// The share of all choices that playout heuristics leave to chance, which are made evenly: what a heuristic never does is not
/// impossible. So it is of other policies once somebody has done what they exclude.
pub const EPSILON: f64 = 0.1;

/// By the first playout heuristic of each player, ε-greedy with ε = 0.1, as roll-outs choose; evenly where there is none.
#[derive(Clone, Debug)]
pub struct Heuristic {
    /// The entry in the game's knowledge, by player.
    entries: Vec<Option<usize>>,
}

impl Heuristic {
    pub fn new(machine: &Machine) -> Heuristic {
        Heuristic {
            entries: machine.playout_heuristics(),
        }
    }
}

impl Policy for Heuristic {
    fn remembers(&self) -> bool {
        false
    }

    fn excludes(&self) -> bool {
        false
    }

    fn after(&self, _player: usize, memory: u32, _seen: &Observation) -> u32 {
        memory
    }

    fn shares(
        &self,
        machine: &Machine,
        state: &State,
        (player, _): (usize, u32),
        actions: &Actions,
    ) -> Result<Vec<f64>, PlayError> {
        let even = 1.0 / actions.len() as f64;
        let Some(entry) = self.entries.get(player).copied().flatten() else {
            return Ok(vec![even; actions.len()]);
        };
        let shares = machine.preferences(state, entry, player, actions)?;
        Ok(trembling(shares))
    }
}

/// The same with a share of [`EPSILON`] made evenly.
fn trembling(mut shares: Vec<f64>) -> Vec<f64> {
    let even = 1.0 / shares.len() as f64;
    for share in &mut shares {
        *share = (1.0 - EPSILON) * *share + EPSILON * even;
    }
    shares
}

/// Another policy whose players sometimes slip: a share of [`EPSILON`] of all choices is made evenly.
pub struct Trembling(pub Arc<dyn Policy>);

impl Policy for Trembling {
    fn remembers(&self) -> bool {
        self.0.remembers()
    }

    fn excludes(&self) -> bool {
        false
    }

    fn after(&self, player: usize, memory: u32, seen: &Observation) -> u32 {
        self.0.after(player, memory, seen)
    }

    fn shares(
        &self,
        machine: &Machine,
        state: &State,
        who: (usize, u32),
        actions: &Actions,
    ) -> Result<Vec<f64>, PlayError> {
        self.0.shares(machine, state, who, actions).map(trembling)
    }
}

impl std::fmt::Debug for dyn Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Policy")
    }
}

/// The policy that belongs to a setting; none for one that is to be handed over, and where all choose evenly.
pub fn of(others: Others, machine: &Machine) -> Option<Arc<dyn Policy>> {
    match others {
        Others::Heuristic => Some(Arc::new(Heuristic::new(machine))),
        Others::Uniform | Others::Strategy => None,
    }
}
