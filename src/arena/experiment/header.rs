//! The first line of the results of a part of an experiment: everything that they follow from.

use super::plan::{Shard, Variant};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    #[serde(rename = "ruse-experiment")]
    pub version: u32,
    /// The version of the program that played.
    pub program: String,
    /// Which part this is, as `2/8`.
    pub shard: String,
    /// Games in each pairing; of an experiment of matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Of how many games in each pairing the counts are, the first of them, where `games` was raised after they were made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<u64>,
    /// How often each player searches, or a strategy is made; of an experiment about convergence or fresh searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<u64>,
    /// After how many simulations it is measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<u64>,
    /// How deep; nothing for the whole game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depth: Vec<u32>,
    /// With how many playouts each search is made; of an experiment about fresh searches, as what follows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub playouts: Vec<u64>,
    /// How many searches make up a strategy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<u64>,
    /// Who commits itself; of an experiment about commitments, as what follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader: Option<String>,
    /// After how many rounds or programs it is looked what was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<u64>,
    /// Whether the exact value is there too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<bool>,
    pub seed: u64,
    pub variants: Vec<VariantHeader>,
}

/// What the results of a variant follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantHeader {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of the game.
    pub game: String,
    /// The fingerprint of the description.
    pub description: String,
    /// Every param with its value.
    pub params: IndexMap<String, String>,
    pub players: IndexMap<String, String>,
    /// Who plays which seat, as `SeatingPlan` reads it; of an experiment of matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairings: Vec<String>,
}

impl Header {
    /// A first line of this program, of no variants yet.
    pub fn new(shard: Shard, seed: u64) -> Header {
        Header {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_string(),
            shard: shard.to_string(),
            games: None,
            counted: None,
            runs: None,
            iterations: Vec::new(),
            depth: Vec::new(),
            playouts: Vec::new(),
            searches: Vec::new(),
            leader: None,
            after: Vec::new(),
            exact: None,
            seed,
            variants: Vec::new(),
        }
    }

    /// Adds a variant.
    pub fn add(&mut self, variant: &Variant) {
        let description = variant.machine.description();
        let players = variant.players.iter();
        self.variants.push(VariantHeader {
            name: variant.name.clone(),
            game: description.name.clone(),
            description: variant.description.clone(),
            params: description.params.clone(),
            players: players.map(|(n, s)| (n.clone(), s.to_string())).collect(),
            pairings: Vec::new(),
        });
    }

    /// Reads a first line.
    ///
    /// # Errors
    /// When it is none, or of a version that is not read; in words.
    pub fn parse(line: &[u8]) -> Result<Header, String> {
        let value: Value = serde_json::from_slice(line).map_err(|e| reason(&e))?;
        match value.get("ruse-experiment").and_then(Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => {
                return Err(format!(
                    "the results have version {version}, and this program reads version {VERSION}"
                ));
            }
            None => return Err("it has no key `ruse-experiment`".to_string()),
        }
        serde_json::from_value(value).map_err(|e| reason(&e))
    }

    /// Whether there are fewer pieces of work in each cell there than here.
    pub fn is_raised(&self, there: &Header) -> bool {
        let fewer =
            |there: Option<u64>, here: Option<u64>| there.zip(here).is_some_and(|(t, h)| t < h);
        fewer(there.games, self.games) || fewer(there.runs, self.runs)
    }

    /// What differs in another first line, in words; empty where nothing does. The program is left out, because equal
    /// results may come from several, and so are games or runs of which there were fewer: what they are does not depend on
    /// how many there are.
    pub fn differences(&self, there: &Header) -> Vec<String> {
        let value = |header: &Header| {
            let mut value = serde_json::to_value(header).unwrap_or_default();
            if let Some(fields) = value.as_object_mut() {
                fields.shift_remove("program");
                fields.shift_remove("counted");
            }
            value
        };
        let mut there = there.clone();
        if self.is_raised(&there) {
            (there.games, there.runs) = (self.games, self.runs);
        }
        let mut found = Vec::new();
        differ("", &value(&there), &value(self), &mut found);
        found
    }
}

/// Tells of every place at which two values differ.
fn differ(path: &str, there: &Value, here: &Value, found: &mut Vec<String>) {
    let below = |key: &str| match path {
        "" => key.to_string(),
        _ => format!("{path}.{key}"),
    };
    match (there, here) {
        (Value::Object(there), Value::Object(here)) => {
            let more = there.keys().filter(|k| !here.contains_key(*k));
            for key in here.keys().chain(more) {
                let value = |fields: &serde_json::Map<String, Value>| {
                    fields.get(key).cloned().unwrap_or_default()
                };
                differ(&below(key), &value(there), &value(here), found);
            }
            if there.keys().ne(here.keys()) && there.len() == here.len() && there == here {
                found.push(format!("`{path}` has another order"));
            }
        }
        (Value::Array(there), Value::Array(here)) if there.len() == here.len() => {
            for (i, (there, here)) in std::iter::zip(there, here).enumerate() {
                differ(&format!("{path}[{}]", i + 1), there, here, found);
            }
        }
        (Value::Array(there), Value::Array(here)) => {
            let (there, here) = (there.len(), here.len());
            found.push(format!("`{path}` are {there} there and {here} here"));
        }
        (there, here) if there != here => {
            let shown = |value: &Value| match value {
                Value::Null => "missing".to_string(),
                value => value.to_string(),
            };
            let (there, here) = (shown(there), shown(here));
            found.push(format!("`{path}` is {there} there and {here} here"));
        }
        _ => {}
    }
}

/// What a reader of JSON has to say, without the place.
pub(super) fn reason(e: &serde_json::Error) -> String {
    let message = e.to_string();
    message
        .split(" at line ")
        .next()
        .unwrap_or_default()
        .to_string()
}
