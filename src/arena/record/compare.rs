//! What the first line of a record says beside that of another match, or beside the game as it is now.

use super::Header;
use crate::machine::Machine;
use crate::syntax::fingerprint::fingerprint;
use crate::text::diagnostics::shortened;
use crate::text::sources::Sources;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The longest values that are shown, in bytes.
const LONGEST_SHOWN: usize = 120;

impl Header {
    /// What another first line says otherwise, in words; empty where it is of the same match.
    pub fn differences(&self, there: &Header) -> Vec<String> {
        let fields = |h: &Header| match serde_json::to_value(h) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        let there = fields(there);
        let mut found = Vec::new();
        for (key, value) in fields(self) {
            let other = there.get(&key);
            if other == Some(&value) {
                continue;
            }
            let (other, value) = (
                other.map_or(String::new(), Value::to_string),
                value.to_string(),
            );
            found.push(format!(
                "`{key}` is {} there and {} here",
                shortened(&other, LONGEST_SHOWN),
                shortened(&value, LONGEST_SHOWN)
            ));
        }
        found
    }

    /// The name of the game of the record, if that is another one.
    pub fn other_game(&self, machine: &Machine) -> Option<Cow<'_, str>> {
        let other = machine.description().name != self.game;
        other.then(|| shortened(&self.game, LONGEST_SHOWN))
    }

    /// How the game has changed since it was recorded, in words; empty where it has not.
    pub fn changes(&self, machine: &Machine, sources: &Sources) -> Vec<String> {
        let description = machine.description();
        let now = fingerprint(sources);
        let mut found = Vec::new();
        if let Some(was) = self.other_game(machine) {
            found.push(format!("the game is {} and was {was}", description.name));
        }
        if description.params != self.params {
            let params = description.params.iter();
            let other = params.filter(|(k, v)| self.params.get(*k) != Some(v));
            let other: Vec<String> = other.map(|(k, v)| format!("{k} = {v}")).collect();
            found.push(format!("it has other params ({})", other.join(", ")));
        }
        if now != self.description {
            let short = |hash: &str| hash.chars().take("sha256:".len() + 12).collect::<String>();
            let (now, was) = (short(&now), short(&self.description));
            found.push(format!("its text has {now} and had {was}"));
        }
        found
    }
}
