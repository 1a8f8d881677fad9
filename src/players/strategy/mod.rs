//! Players that know beforehand what they do wherever they may be asked: by a file that a solver saved, or because the game is
//! solved for them before play begins.
//!
//! Such a player is named (`strategy(file=kuhn.json)`, `solve(method=cfr+)`), then prepared, once for all games that it plays:
//! the file comes from a loader, and nothing is opened here. At the table it gets its own observations and questions, as every
//! player.

pub mod commitment;
pub mod declarations;
pub mod player;
mod policy;
pub mod preparation;
mod table;

pub use player::StrategyPlayer;
pub use preparation::{Preparation, PrepareError};

use crate::machine::Machine;
use crate::solve::backward::Solved;
use std::sync::Arc;
use table::Table;

/// What all players of a game do wherever they are asked.
pub struct Strategy {
    /// The game that it is for.
    machine: Arc<Machine>,
    kind: Kind,
}

enum Kind {
    /// By what a player saw: for each seat a table.
    InformationStates(Vec<Table>),
    /// By the state, which everybody knows: of a game in which nothing is hidden.
    States(Box<Solved>),
}

impl Strategy {
    /// Whether it was made for this very machine.
    pub(super) fn is_for(&self, machine: &Arc<Machine>) -> bool {
        Arc::ptr_eq(&self.machine, machine)
    }
}

impl std::fmt::Debug for Strategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a strategy for {}", self.machine.description().name)
    }
}
