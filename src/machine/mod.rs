//! The compiled game at run time: states, legal actions, chance, steps, observations, views, payoffs.
//!
//! Everything above this folder plays through [`Machine`], without rules of any game. `interpret` runs the program;
//! the other files are one group of questions each.

pub mod action;
mod chance;
mod contains;
mod endless;
pub mod error;
mod event_sink;
mod glimpse;
pub mod history;
mod interpret;
mod keys;
mod knowledge;
mod lister;
mod observed_stepper;
mod options;
mod packing;
mod parse_move;
mod playout;
mod playout_policy;
mod product;
mod render;
mod rewards;
mod sampling;
pub mod seat;
mod shared_lists;
pub mod state;
mod step;
pub mod step_text;
mod stepper;
mod view;

#[cfg(test)]
mod tests;

pub use crate::compile::features::{Features, Hidden};
pub use crate::compile::playout_policy::PlayoutPolicy;
pub use crate::ir::{CoveragePoint, CoveragePointKind};
pub use action::{Action, Actions, Outcomes};
pub use error::PlayError;
pub use event_sink::Answer;
pub use glimpse::{Drawn, Glimpse, Glimpses, Odds};
pub use history::{Event, HIDDEN_LABEL, Histories, InformationKeys, Observation};
pub use knowledge::Class;
pub use lister::{KeptOptions, Lister, OptionStore};
pub use observed_stepper::ObservedStepper;
pub use parse_move::{FindError, SharedText, find_text, plain_sign};
pub use playout::{
    Counted, Cursor, Engine, Lookahead, MOST_PLIES, Move, NoNative, Offer, Played, Playouts,
    moves_before,
};
pub use product::{Product, Side};
pub use render::{BoardPlan, Cells, Held, Map, Node as MapNode, Picture, RenderedBoard, Way};
pub use rewards::Rewards;
pub use sampling::{Numbers, below};
pub use seat::Seat;
pub use shared_lists::SharedActions;
pub use state::{State, StateError};
pub use stepper::{Listed, Stepper};
pub use view::{Element, View, ViewEntry};

use crate::compile::features::features;
use crate::ir::{Program, Slot};
use crate::model::{Description, PlayerSet};
use crate::text::diagnostics::Diagnostic;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex};

/// Whose move it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The players who choose now, simultaneously when there are several. Never empty.
    Decision(PlayerSet),
    /// Something is drawn: [`Machine::outcomes`], [`Machine::sample_chance`].
    Chance,
    /// The game is over: [`Machine::payoffs`].
    Terminal,
}

/// One number a player, in seating order, in units of payoff as the description states them.
pub type Payoffs = SmallVec<[f64; 8]>;

/// A compiled game, made by [`load`](crate::load). Immutable; share it in an `Arc`.
///
/// A state belongs to whoever plays: [`Machine::initial`] gives the first one and [`Machine::step`] the next, as long as
/// [`Machine::turn`] names somebody to move. Players are numbered from 0 in seating order.
pub struct Machine {
    program: Program,
    features: Features,
    /// For each named slot the number of its field, or `NO_FIELD`.
    field_of: Vec<u32>,
    /// The bounds of each field: see [`state::bounds`].
    bounds: Vec<Option<(i64, i64)>>,
    /// The code of uniform playouts.
    codes: Arc<playout::Codes>,
    /// That of playouts by other policies.
    policies: Mutex<Vec<Arc<playout::Codes>>>,
    /// What playouts, steps and lists run in.
    frames: playout::Frames,
}

const NO_FIELD: u32 = u32::MAX;

/// Prints the game's name; the program itself prints through `Display`.
impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Machine({})", self.description().name)
    }
}

impl Machine {
    /// Makes a verified program playable.
    #[doc(hidden)]
    pub fn new(program: Program) -> Machine {
        let features = features(&program);
        let mut field_of = vec![NO_FIELD; program.frame as usize];
        for (i, field) in program.layout.fields.iter().enumerate() {
            field_of[field.slot as usize] = i as u32;
        }
        Machine {
            bounds: state::bounds(&program),
            program,
            features,
            field_of,
            codes: Arc::default(),
            policies: Mutex::default(),
            frames: playout::Frames::default(),
        }
    }

    /// The same game with marks: [`Machine::coverage_points`] lists where play has come to. Slower than the machine itself.
    ///
    /// # Errors
    /// As `crate::compile::compile_marked`.
    #[doc(hidden)]
    pub fn marked(&self) -> Result<Machine, Vec<Diagnostic>> {
        crate::compile::compile_marked(self.description().clone()).map(Machine::new)
    }

    /// For a machine with marks: its coverage points, and whether play has come to each since it was made. The options
    /// of a choice count once they were listed. Other machines have none.
    #[doc(hidden)]
    pub fn coverage_points(&self) -> impl Iterator<Item = (CoveragePoint, bool)> + '_ {
        self.program.marks.iter()
    }

    /// The name that the text gives the game.
    pub fn name(&self) -> &str {
        &self.description().name
    }

    /// The checked text that the machine was compiled from.
    #[doc(hidden)]
    pub fn description(&self) -> &Description {
        &self.program.description
    }

    /// The program that the machine runs, for printing and for other back ends.
    #[doc(hidden)]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// How many players the game has; they are numbered from 0 in seating order.
    pub fn player_count(&self) -> usize {
        self.description().player_count()
    }

    /// A player's name; `?` for one who does not play.
    pub fn player_name(&self, player: usize) -> &str {
        let known = self.description().players.values.get(player);
        known.map_or("?", |value| &value.name)
    }

    /// The names of all players, in seating order.
    #[doc(hidden)]
    pub fn player_names(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.player_count()).map(|player| self.player_name(player))
    }

    /// What kind of game it is.
    #[doc(hidden)]
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// Who moves in a state: players, chance, or nobody any more.
    pub fn turn(&self, state: &State) -> Turn {
        self.turn_at(state.node, &state.words)
    }

    /// The number of the place in play where the state rests; part of a chooser's information state.
    pub fn node(&self, state: &State) -> u32 {
        state.node
    }

    /// One slot of a state at rest, by its words.
    fn read(&self, words: &[u64], slot: Slot) -> u64 {
        match self.field_of[slot as usize] {
            NO_FIELD => self
                .program
                .layout
                .fixed
                .iter()
                .find(|(s, _)| *s == slot)
                .map_or(0, |(_, value)| *value as u64),
            field => self.program.layout.fields[field as usize].read(words),
        }
    }
}
