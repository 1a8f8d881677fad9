//! Tests of rules: what a game does in lines of play, as text that a person can read, and how much of it they reach.
//!
//! A *script* (`parse`, `run`) is a text of moves and expectations. What happens is written down by a *transcript*, which
//! is compared with the one that was accepted before (`difference`). *Coverage* tells which places of the rules play came
//! to; *hints* tell what random play says about a game. Nothing here reads a file or knows a rule of any game.

pub mod codes;
mod counts;
pub mod coverage;
pub mod difference;
mod expect;
pub mod hints;
mod moves;
mod parse;
mod plain;
mod run;
pub mod script;
#[cfg(test)]
mod tests;
mod told;
mod transcript;

pub use coverage::{Coverage, Unreached};
pub use difference::{Change, changes, without_header};
pub use moves::{MovesError, play_moves};
pub use parse::parse;
pub use plain::plain;
pub use run::{Report, run};
pub use script::Script;
pub use told::Told;
pub use transcript::Transcript;

use crate::machine::Machine;
use crate::text::sources::Sources;
use std::sync::Arc;

/// A game to be tested: what plays, and what its reveals are called in its text.
#[derive(Clone)]
pub struct Table {
    pub machine: Arc<Machine>,
    pub told: Arc<Told>,
}

impl Table {
    pub fn new(machine: Arc<Machine>, sources: &Sources) -> Table {
        let told = Arc::new(Told::new(&machine, sources));
        Table { machine, told }
    }

    /// The first line of a snapshot: the game, and the values of its params.
    pub fn heading(&self) -> String {
        let description = self.machine.description();
        let params = description.params.iter().map(|(k, v)| format!("{k} = {v}"));
        let params: Vec<String> = params.collect();
        if params.is_empty() {
            return description.name.clone();
        }
        format!("{} ({})", description.name, params.join(", "))
    }
}
