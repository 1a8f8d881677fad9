//! One recorded game, move by move: all of it, or what one player saw.

use super::output::table;
use super::problem::ProblemJson;
use crate::arena::record::{GameLine, Header};
use crate::machine::seat::EventTexts;
use crate::machine::step_text::{StepText, Transition, step_text};
use crate::machine::{Machine, Payoffs, Seat};
use crate::text::sources::Sources;
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
    /// It was saved before its end.
    pub goes_on: bool,
    pub diagnostics: Vec<ProblemJson>,
}

#[derive(Serialize)]
struct PlyShown {
    /// From 1. With a viewer, the events count that it saw, a choice of several at a time as several.
    ply: usize,
    moves: Vec<MoveShown>,
    /// What was revealed to the viewer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    revealed: Vec<RevealShown>,
    /// The variables that have another value afterwards, with it, and for a viewer the shown values.
    changes: IndexMap<String, String>,
}

#[derive(Serialize)]
struct RevealShown {
    /// The words of the rule that reveals it.
    what: Option<String>,
    value: String,
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
            goes_on: false,
            diagnostics: Vec::new(),
        }
    }

    /// Adds a step, the whole of it.
    pub fn step(&mut self, machine: &Machine, step: &Transition<'_>) {
        self.add(step.ply, step_text(machine, step));
    }

    /// Adds what reached the viewer.
    pub fn rows(&mut self, machine: &Machine, sources: &Sources, seat: &Seat) {
        let mut texts = EventTexts::new(machine);
        texts.quote(sources);
        for (number, row) in (1..).zip(seat.rows(machine, &texts).rows) {
            self.add(number, row);
        }
    }

    fn add(&mut self, ply: usize, told: StepText) {
        let moves = told.moves.into_iter();
        let revealed = told.revealed.into_iter();
        self.plies.push(PlyShown {
            ply,
            moves: moves
                .map(|m| MoveShown {
                    by: m.by,
                    text: m.text,
                })
                .collect(),
            revealed: revealed
                .map(|(what, value)| RevealShown { what, value })
                .collect(),
            changes: told.changes.into_iter().chain(told.shown).collect(),
        });
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
            let moves = ply.moves.iter().map(|m| {
                let by = m.by.clone().unwrap_or_else(|| "(drawn)".to_string());
                (by, m.text.clone())
            });
            let revealed = ply.revealed.iter().map(|r| {
                let text = match &r.what {
                    Some(what) => format!("{what} = {}", r.value),
                    None => r.value.clone(),
                };
                ("(revealed)".to_string(), text)
            });
            let mut news: Vec<(String, String)> = moves.chain(revealed).collect();
            if news.is_empty() {
                news.push(Default::default());
            }
            for (by, text) in news {
                let (number, changes) = (std::mem::take(&mut number), std::mem::take(&mut changes));
                rows.push(vec![number, by, text, changes]);
            }
        }
        text.push_str(&table(&rows, &[0]));
        if self.goes_on {
            text.push_str("\nthe game is not over\n");
        }
        if !self.payoffs.is_empty() {
            let payoffs = self.payoffs.iter().map(|(seat, x)| format!("{seat} {x}"));
            let payoffs = payoffs.collect::<Vec<_>>().join(", ");
            text.push_str(&format!("\npayoffs: {payoffs}\n"));
        }
        text
    }
}
