//! What a game is, once checked: every name resolved, every type known, every param a constant, every rule and def
//! inlined. Everybody reads it: the visibility check, the compiler, and whoever wants to know what a game has.

pub mod boards;
pub mod codes;
pub mod evaluate;
mod event_view;
mod expression;
pub mod facts;
pub mod functions;
mod knowledge;
mod one_move;
mod payoff;
mod players;
pub mod reach;
mod reading;
mod same;
pub mod shape;
mod statement;
pub mod types;
mod variable;
pub mod visit;

pub use event_view::{EventCase, EventView, Viewers};
pub use expression::*;
pub use knowledge::*;
pub use one_move::*;
pub use payoff::*;
pub use players::{PlayerSet, Players};
pub use reading::{Reading, ReadingId};
pub use statement::*;
pub use variable::*;

use crate::text::span::Span;
use boards::Board;
use indexmap::IndexMap;
use std::sync::Arc;
use types::{EnumType, Type};

/// The elements of a constant table in row-major order, by their words.
pub type Rows = Arc<Vec<Vec<u64>>>;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A place in the text where something can be observed: a choice, a draw, a deal, a reveal, a shown def.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct SiteId(pub u32);

#[derive(Clone, Debug)]
pub struct Description {
    pub name: String,
    /// The values the params have, as text, in the order of the file.
    pub params: IndexMap<String, String>,
    /// The types the params are declared with.
    pub param_types: IndexMap<String, Type>,
    pub players: Arc<EnumType>,
    pub teams: Vec<Team>,
    pub vars: Vec<Var>,
    pub locals: Vec<Local>,
    pub sites: Vec<Site>,
    pub shown: Vec<ShownDef>,
    pub play: Block,
    /// For each hole of a text those who could know its value, but for the values of the choice or draw itself: who sees
    /// those stands with them.
    pub hole_viewers: Vec<PlayerSet>,
    /// Who sees the choices, draws, deals and reveals of play, in the order of the text.
    pub events: Vec<EventView>,
    /// The statements that read shown defs.
    pub readings: Vec<Reading>,
    pub payoff: Payoff,
    /// Where the nodes of boards lie; for drawing, since play knows boards by their tables.
    pub boards: Vec<Arc<Board>>,
    /// What helps players, in the order of the file. The game is the same without it.
    pub knowledge: Vec<Knowledge>,
    /// The names of the rules that nothing calls.
    pub uncalled: Vec<Span>,
}

impl Description {
    pub fn player_count(&self) -> usize {
        self.players.values.len()
    }

    /// All players.
    pub fn everyone(&self) -> PlayerSet {
        PlayerSet::first(self.player_count())
    }

    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }
}

/// Players who belong together, apart from seating.
#[derive(Clone, Debug)]
pub struct Team {
    pub name: String,
    /// Those of its members who have a seat.
    pub members: PlayerSet,
}
