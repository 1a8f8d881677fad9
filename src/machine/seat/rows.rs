//! The entries of a seat in rows, as people read them.

use super::{EventTexts, News, Seat};
use crate::machine::step_text::{MoveText, StepText};
use crate::machine::view::HIDDEN;
use crate::machine::{Machine, Observation};
use crate::model::SiteId;

/// What a player was told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rows {
    /// A row for each event. A row ends with the variables and shown values that were other at the player's next entry, so
    /// that it reads as what came of the event; what comes before the first event has a row without one.
    pub rows: Vec<StepText>,
    /// How many of them are older than the player's last choice and what was chosen at the same time.
    pub since: usize,
}

impl Seat {
    /// Everything that the player was told.
    #[doc(hidden)]
    pub fn rows(&self, machine: &Machine, texts: &EventTexts) -> Rows {
        let mut told = Rows::default();
        let shown = |list: &[Observation]| -> Vec<(String, String)> {
            let list = list.iter().filter_map(|o| texts.read(o));
            list.map(|(name, value)| (name.unwrap_or_default(), value))
                .collect()
        };
        let mut draws: Vec<(usize, SiteId)> = Vec::new();
        for (number, entry) in (1..).zip(&self.entries) {
            let changes = entry.changes.iter();
            let changes: Vec<_> = changes.map(|e| (e.name.clone(), e.value.clone())).collect();
            let before = shown(&entry.shown);
            let rows = &mut told.rows;
            if rows.is_empty() && !(changes.is_empty() && before.is_empty()) {
                rows.push(StepText::default());
            }
            if let Some(row) = rows.last_mut() {
                row.changes.extend(changes);
                row.fields.extend(entry.fields.iter().cloned());
                row.shown.extend(before);
            }
            if let News::Move { by: None, site, .. } = &entry.news {
                draws.push((rows.len(), *site));
            }
            match &entry.news {
                News::Move { by, text, .. } => rows.push(StepText {
                    moves: vec![MoveText {
                        by: by.map(|p| machine.player_name(p).to_string()),
                        text: text.clone(),
                    }],
                    ..StepText::default()
                }),
                // A rule that says nothing of it.
                News::Revealed(_, Some(said)) if said.is_empty() => {}
                News::Revealed(observation, said) => rows.push(StepText {
                    revealed: match said {
                        Some(said) => vec![(None, said.clone())],
                        None => texts.read(observation).into_iter().collect(),
                    },
                    ..StepText::default()
                }),
                // The question that is open now is not answered yet.
                News::Question(_) if number < self.entries.len() => told.since = rows.len(),
                News::Question(_) | News::End => {}
            }
        }
        for (number, site) in draws {
            let row = &mut told.rows[number];
            row.drawn_for = drawn_for(machine, texts.drawn_into(site), row);
        }
        told
    }
}

/// The player whose place a draw went into: one that has changed and holds what the draw tells.
fn drawn_for(machine: &Machine, into: &[String], row: &StepText) -> Option<String> {
    let drawn = &row.moves.first()?.text;
    let drawn: Vec<&str> = elements(drawn).filter(|e| *e != HIDDEN).collect();
    if drawn.is_empty() {
        return None;
    }
    let changes = row.changes.iter().filter(|(place, value)| {
        let name = place.split('[').next().unwrap_or(place);
        let there = || elements(value);
        into.iter().any(|var| var == name) && drawn.iter().all(|e| there().any(|t| t == *e))
    });
    let owner = |place: &str| {
        let mut indices = place.split(['[', ']']).skip(1).step_by(2);
        let owner = indices.find_map(|index| machine.player_names().find(|name| *name == index));
        owner.map(str::to_string)
    };
    let mut owners = changes.map(|(place, _)| owner(place));
    let owner = owners.next()??;
    owners
        .all(|other| other.as_ref() == Some(&owner))
        .then_some(owner)
}

/// The elements of a value as it prints, if it is a set, and else the value.
fn elements(text: &str) -> impl Iterator<Item = &str> {
    text.trim_start_matches('{')
        .trim_end_matches('}')
        .split(", ")
}
