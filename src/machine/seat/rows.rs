//! The entries of a seat in rows, as people read them.

use super::{EventTexts, News, Seat};
use crate::machine::step_text::{MoveText, StepText};
use crate::machine::{Machine, Observation};

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
        told
    }
}
