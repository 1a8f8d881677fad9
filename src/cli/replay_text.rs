//! One recorded game, move by move: all of it, or what one player saw.

use super::output::table;
use super::problem::ProblemJson;
use crate::arena::record::{GameLine, Header};
use crate::machine::step_text::{Transition, step_text};
use crate::machine::{Machine, Payoffs};
use indexmap::IndexMap;
use serde::Serialize;

/// What is shown of a game.
#[derive(Serialize)]
pub struct Shown {
    game: String,
    number: u64,
    seed: u64,
    /// Whose eyes it is seen with; `None`: everything is seen.
    #[serde(rename = "as")]
    viewer: Option<String>,
    /// By seat: who played there.
    seats: IndexMap<String, String>,
    plies: Vec<PlyShown>,
    /// By seat; only the viewer's own if there is a viewer.
    payoffs: IndexMap<String, f64>,
    pub diagnostics: Vec<ProblemJson>,
}

#[derive(Serialize)]
struct PlyShown {
    /// From 1. With a viewer, only the plies count of which it saw anything.
    ply: usize,
    moves: Vec<MoveShown>,
    /// The variables that have another value afterwards, with it.
    changes: IndexMap<String, String>,
}

#[derive(Serialize)]
struct MoveShown {
    /// Nobody in a draw.
    by: Option<String>,
    #[serde(rename = "move")]
    text: String,
}

impl Shown {
    pub fn new(first: &Header, line: &GameLine, viewer: Option<usize>) -> Shown {
        Shown {
            game: first.game.clone(),
            number: line.game,
            seed: line.seed,
            viewer: viewer.and_then(|v| first.seats.get(v).cloned()),
            seats: line.seats.clone(),
            plies: Vec::new(),
            payoffs: IndexMap::new(),
            diagnostics: Vec::new(),
        }
    }

    pub fn end(&mut self, machine: &Machine, payoffs: &Payoffs, viewer: Option<usize>) {
        let seats = payoffs
            .iter()
            .enumerate()
            .filter(|(p, _)| viewer.is_none_or(|v| v == *p));
        self.payoffs = seats
            .map(|(p, x)| (machine.player_name(p).to_string(), *x))
            .collect();
    }

    pub fn text(&self) -> String {
        let viewer = match &self.viewer {
            Some(name) => format!(", as {name} saw it"),
            None => String::new(),
        };
        let mut text = format!(
            "{}, game {}, seed {}{viewer}\n",
            self.game, self.number, self.seed
        );
        let seats = self
            .seats
            .iter()
            .map(|(seat, who)| vec![seat.clone(), who.clone()]);
        text.push_str(&table(&seats.collect::<Vec<_>>(), &[]));
        text.push('\n');
        let mut rows = Vec::new();
        for ply in &self.plies {
            let changes = ply
                .changes
                .iter()
                .map(|(name, value)| format!("{name} = {value}"));
            let mut changes = changes.collect::<Vec<_>>().join("; ");
            let mut number = ply.ply.to_string();
            for m in &ply.moves {
                let by = m.by.clone().unwrap_or_else(|| "(drawn)".to_string());
                rows.push(vec![
                    std::mem::take(&mut number),
                    by,
                    m.text.clone(),
                    std::mem::take(&mut changes),
                ]);
            }
            if ply.moves.is_empty() {
                rows.push(vec![number, String::new(), String::new(), changes]);
            }
        }
        text.push_str(&table(&rows, &[0]));
        if !self.payoffs.is_empty() {
            let payoffs = self.payoffs.iter().map(|(seat, x)| format!("{seat} {x}"));
            let payoffs = payoffs.collect::<Vec<_>>().join(", ");
            text.push_str(&format!("\npayoffs: {payoffs}\n"));
        }
        text
    }
}

/// Adds what a step shows to the viewer, or all of it.
pub fn narrate(machine: &Machine, step: &Transition<'_>, viewer: Option<usize>, shown: &mut Shown) {
    let Some(told) = step_text(machine, step, viewer) else {
        return;
    };
    let moves = told.moves.into_iter();
    shown.plies.push(PlyShown {
        ply: if viewer.is_some() {
            shown.plies.len() + 1
        } else {
            step.ply
        },
        moves: moves
            .map(|m| MoveShown {
                by: m.by,
                text: m.text,
            })
            .collect(),
        changes: told.changes.into_iter().collect(),
    });
}
