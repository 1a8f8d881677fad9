//! The compiled game at run time: states, legal actions, chance, steps, observations, views, payoffs.
//!
//! Everything above this folder plays through [`Machine`] and knows no rule of any game.

pub mod action;
pub mod error;
pub mod history;
pub mod state;

pub use action::{Action, Actions, Outcomes};
pub use error::PlayError;
pub use history::{Event, Histories, InformationKeys, Observation};
pub use state::State;

use crate::check::description::{Claim, Description, PlayerMask};
use crate::syntax::span::Span;
use rand::Rng;
use smallvec::SmallVec;
use std::sync::Arc;

/// Whose move it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The players who choose now, simultaneously when there are several. Never empty.
    Decision(PlayerMask),
    Chance,
    Terminal,
}

/// One number a player, in seating order, in units of payoff as the description states them.
pub type Payoffs = SmallVec<[f64; 8]>;

/// A compiled game. Immutable and cheap to share in an `Arc`.
#[derive(Debug)]
pub struct Machine {
    description: Arc<Description>,
}

/// Something that some player does not see, and why a perfect-information player cannot play the game.
#[derive(Clone, Debug)]
pub struct Hidden {
    pub span: Span,
    /// In words: ``Bob does not see what is drawn into `card` ``.
    pub reason: String,
}

/// What kind of game it is, known at load time.
#[derive(Clone, Debug)]
pub struct Features {
    pub simultaneous: bool,
    pub chance: bool,
    /// Every choice and draw that some player does not see whole. Empty: perfect information (but for simultaneity).
    pub hidden: Vec<Hidden>,
    pub claim: Claim,
    /// The least and the greatest payoff of each player that the rules could give.
    pub payoff_bounds: Vec<(f64, f64)>,
}

/// What a player may see of the state variables, ready to print.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct View {
    pub entries: Vec<ViewEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct ViewEntry {
    /// With its indices: `hand[Alice]`.
    pub name: String,
    pub value: String,
}

impl Machine {
    pub fn description(&self) -> &Description {
        &self.description
    }

    pub fn player_count(&self) -> usize {
        self.description.player_count()
    }

    pub fn player_name(&self, player: usize) -> &str {
        &self.description.players.values[player].name
    }

    pub fn features(&self) -> &Features {
        unimplemented!()
    }

    /// The first node of play. Fails where the rules run into an error before it.
    pub fn initial(&self) -> Result<State, PlayError> {
        unimplemented!()
    }

    pub fn turn(&self, _state: &State) -> Turn {
        unimplemented!()
    }

    /// All actions of one of the players to move, in a fixed order; never empty. Clears `actions` first.
    pub fn legal(
        &self,
        _state: &State,
        _player: usize,
        _actions: &mut Actions,
    ) -> Result<(), PlayError> {
        unimplemented!()
    }

    /// One action of one of the players to move, uniform over its tuples.
    pub fn sample(
        &self,
        _state: &State,
        _player: usize,
        _rng: &mut impl Rng,
    ) -> Result<Action, PlayError> {
        unimplemented!()
    }

    /// All outcomes of a chance node with their integer weights; never empty. Fails when there are more than
    /// [`Outcomes::LIMIT`].
    pub fn outcomes(&self, _state: &State, _outcomes: &mut Outcomes) -> Result<(), PlayError> {
        unimplemented!()
    }

    /// One outcome of a chance node by its probability.
    pub fn sample_chance(&self, _state: &State, _rng: &mut impl Rng) -> Result<Action, PlayError> {
        unimplemented!()
    }

    /// Plays on to the next node. `actions` holds one action for each player to move, in seating order; at a chance node
    /// the one outcome. The state is left as it was on an error.
    pub fn step(&self, state: &mut State, actions: &[Action]) -> Result<(), PlayError> {
        self.step_observed(state, actions, &mut |_| {})
    }

    /// As [`Machine::step`], and tells of every event in order: the choices or the draw themselves first, then reveals
    /// and changes of shown values.
    pub fn step_observed(
        &self,
        _state: &mut State,
        _actions: &[Action],
        _sink: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), PlayError> {
        unimplemented!()
    }

    /// As [`Machine::initial`], with the events before the first node.
    pub fn initial_observed(&self, _sink: &mut dyn FnMut(Event<'_>)) -> Result<State, PlayError> {
        unimplemented!()
    }

    /// The place in play where the state rests; part of a chooser's information state.
    pub fn node(&self, _state: &State) -> u32 {
        unimplemented!()
    }

    /// Identity of the world state from here on: the node and its live variables, hashed.
    pub fn key(&self, _state: &State) -> u64 {
        unimplemented!()
    }

    /// The same, exact.
    pub fn exact_key(&self, _state: &State) -> SmallVec<[u64; 16]> {
        unimplemented!()
    }

    /// As [`Machine::exact_key`] without accumulators: variables that are only added to and enter the payoff linearly.
    /// Two states with the same reduced key have the same future but for the difference of [`Machine::accumulated`].
    pub fn reduced_key(&self, _state: &State) -> SmallVec<[u64; 16]> {
        unimplemented!()
    }

    /// The part of each player's payoff that accumulators have earned so far, in units of 1/`payoff_denominator`.
    pub fn accumulated(&self, _state: &State) -> SmallVec<[i64; 8]> {
        unimplemented!()
    }

    /// Payoffs at a terminal state.
    pub fn payoffs(&self, state: &State) -> Result<Payoffs, PlayError> {
        let den = self.payoff_denominator() as f64;
        Ok(self
            .payoff_units(state)?
            .iter()
            .map(|&n| n as f64 / den)
            .collect())
    }

    /// Payoffs at a terminal state, exact, in units of 1/`payoff_denominator`.
    pub fn payoff_units(&self, _state: &State) -> Result<SmallVec<[i64; 8]>, PlayError> {
        unimplemented!()
    }

    pub fn payoff_denominator(&self) -> i64 {
        unimplemented!()
    }

    /// The state variables that a player sees, with their values.
    pub fn view(&self, _state: &State, _player: usize) -> View {
        unimplemented!()
    }

    /// The text of an action that `player` may take in `state`, as `viewer` sees it; what the viewer may not see prints
    /// as `·`. `None`: everything.
    pub fn action_text(
        &self,
        _state: &State,
        _player: usize,
        _action: &Action,
        _viewer: Option<usize>,
    ) -> String {
        unimplemented!()
    }

    /// The text of a chance outcome, likewise.
    pub fn outcome_text(
        &self,
        _state: &State,
        _outcome: &Action,
        _viewer: Option<usize>,
    ) -> String {
        unimplemented!()
    }
}
