//! Which game the file of a solver is about.

use crate::machine::Machine;
use crate::syntax::fingerprint::fingerprint;
use crate::text::sources::Sources;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// What the numbers in a file of a solver follow from. Files go with one version of the program: another one may number nodes
/// and information states in another way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameId {
    /// The version of the program.
    pub ruse: String,
    pub game: String,
    /// The fingerprint of the description.
    pub description: String,
    pub params: IndexMap<String, String>,
}

impl GameId {
    /// The game of a machine that was made from these texts.
    pub fn of(machine: &Machine, sources: &Sources) -> GameId {
        let description = machine.description();
        GameId {
            ruse: env!("CARGO_PKG_VERSION").to_string(),
            game: description.name.clone(),
            description: fingerprint(sources),
            params: description.params.clone(),
        }
    }
}
