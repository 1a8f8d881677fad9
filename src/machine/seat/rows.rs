//! The entries of a seat in rows, as people read them.

use super::event_texts::DrawnInto;
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
            row.drawn_for = texts.drawn_into(site).and_then(|into| {
                let own = || machine.player_name(self.player).to_string();
                match self.sees_its_own_alone(machine, into) {
                    true => Some(own()),
                    false => drawn_for(machine, &into.vars, row),
                }
            });
        }
        told
    }

    /// Whether all that the player sees of where a draw goes is its own: then what it sees of the draw was for it.
    fn sees_its_own_alone(&self, machine: &Machine, into: &DrawnInto) -> bool {
        let own = machine.player_name(self.player);
        let seen = self.visible.iter().map(|element| element.name.as_str());
        let mut seen = seen.filter(|place| into.vars.iter().any(|var| var == variable(place)));
        let is_own = |place: &str| owner(machine, place) == Some(own);
        !into.in_part && seen.next().is_some_and(is_own) && seen.all(is_own)
    }
}

/// The name of the variable of a place.
fn variable(place: &str) -> &str {
    place.split('[').next().unwrap_or(place)
}

/// The first player among the indices of a place.
fn owner<'m>(machine: &'m Machine, place: &str) -> Option<&'m str> {
    let mut indices = place.split(['[', ']']).skip(1).step_by(2);
    indices.find_map(|index| machine.player_names().find(|name| *name == index))
}

/// The player whose place a draw went into: one that has changed and holds what the draw tells.
fn drawn_for(machine: &Machine, into: &[String], row: &StepText) -> Option<String> {
    let drawn = &row.moves.first()?.text;
    let drawn: Vec<&str> = elements(drawn).filter(|e| *e != HIDDEN).collect();
    if drawn.is_empty() {
        return None;
    }
    let changes = row.changes.iter().filter(|(place, value)| {
        let there = || elements(value);
        into.iter().any(|var| var == variable(place))
            && drawn.iter().all(|e| there().any(|t| t == *e))
    });
    let mut owners = changes.map(|(place, _)| owner(machine, place));
    let first = owners.next()??;
    owners
        .all(|other| other == Some(first))
        .then(|| first.to_string())
}

/// The elements of a value as it prints, if it is a set, and else the value.
fn elements(text: &str) -> impl Iterator<Item = &str> {
    text.trim_start_matches('{')
        .trim_end_matches('}')
        .split(", ")
}
