//! What the summaries of all experiments say of a variant.

use super::plan::Variant;
use indexmap::IndexMap;
use serde::Serialize;

/// The settings of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantHead {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub game: String,
    pub params: IndexMap<String, String>,
    /// The spec of each player.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub players: IndexMap<String, String>,
}

impl VariantHead {
    pub fn of(variant: &Variant) -> VariantHead {
        let description = variant.machine.description();
        let players = variant.players.iter();
        VariantHead {
            name: variant.name.clone(),
            game: description.name.clone(),
            params: description.params.clone(),
            players: players.map(|(n, s)| (n.clone(), s.to_string())).collect(),
        }
    }

    /// The name of the variant, or of its game.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.game)
    }
}
