//! One recorded game, move by move: all of it, or what one player saw.

use super::output::table;
use super::problem::ProblemJson;
use crate::arena::record::{GameLine, Header, Step};
use crate::machine::{Action, Machine, Payoffs, Turn, View};
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
pub fn narrate(machine: &Machine, step: &Step<'_>, viewer: Option<usize>, shown: &mut Shown) {
    let changes = match viewer {
        Some(v) => changes(&machine.view(step.before, v), &machine.view(step.after, v)),
        None => changes(
            &machine.whole_view(step.before),
            &machine.whole_view(step.after),
        ),
    };
    let moves = moves(machine, step, viewer);
    let seen = step
        .events
        .iter()
        .any(|(who, _)| viewer.is_none_or(|v| who >> v & 1 == 1));
    if viewer.is_some() && !seen && changes.is_empty() {
        return;
    }
    shown.plies.push(PlyShown {
        ply: if viewer.is_some() {
            shown.plies.len() + 1
        } else {
            step.ply
        },
        moves,
        changes,
    });
}

/// The choices or the draw, as far as the viewer learns of them.
fn moves(machine: &Machine, step: &Step<'_>, viewer: Option<usize>) -> Vec<MoveShown> {
    let learns = |chooser: Option<u8>| {
        let Some(viewer) = viewer else { return true };
        let sees = |who: u32| who >> viewer & 1 == 1;
        step.events
            .iter()
            .any(|(who, event)| event.chooser == chooser && sees(*who))
    };
    let shown = |chooser: Option<usize>, action: &Action| {
        let text = match chooser {
            Some(p) => machine.action_text(step.before, p, action, viewer),
            None => machine.outcome_text(step.before, action, viewer),
        };
        // A draw that shows nothing of itself is none for the viewer, though something else may have come of it.
        let blank = chooser.is_none() && text == "·";
        (learns(chooser.map(|p| p as u8)) && !blank).then(|| MoveShown {
            by: chooser.map(|p| machine.player_name(p).to_string()),
            text,
        })
    };
    let Turn::Decision(mask) = machine.turn(step.before) else {
        return step.actions.iter().filter_map(|a| shown(None, a)).collect();
    };
    let movers = (0..machine.player_count()).filter(|p| mask >> p & 1 == 1);
    let moves = movers.zip(step.actions);
    moves
        .filter_map(|(p, action)| shown(Some(p), action))
        .collect()
}

fn changes(before: &View, after: &View) -> IndexMap<String, String> {
    let old: IndexMap<&str, &str> = before
        .entries
        .iter()
        .map(|e| (e.name.as_str(), e.value.as_str()))
        .collect();
    let new = after.entries.iter();
    let new = new.filter(|e| old.get(e.name.as_str()) != Some(&e.value.as_str()));
    new.map(|e| (e.name.clone(), e.value.clone())).collect()
}
