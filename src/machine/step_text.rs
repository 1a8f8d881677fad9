//! A step of a game in words, all of it; and the rows that people read.

use super::{Machine, State, Turn, View};
use crate::machine::Action;
use crate::machine::seat::Field;
use indexmap::IndexMap;

/// A step that was taken: a choice of everybody who chose at once, or a draw.
pub struct Transition<'a> {
    /// The number of the step in its game, from 1.
    pub ply: usize,
    pub before: &'a State,
    pub after: &'a State,
    /// One for each player to move, in seating order, or the outcome.
    pub actions: &'a [Action],
}

/// A row of a game in words: a step, or what reached a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StepText {
    /// The choices or the draw; what may not be seen of one prints as `·`.
    pub moves: Vec<MoveText>,
    /// The values that were revealed, with the words of the rule that reveals them.
    pub revealed: Vec<(Option<String>, String)>,
    /// The shown values that are other than before, with whose they are: `held[Ben]`.
    pub shown: Vec<(String, String)>,
    /// The variables that have another value afterwards, with it.
    pub changes: Vec<(String, String)>,
    /// The fields of boards that these changes touch.
    pub fields: Vec<Field>,
    /// Of a draw that a player was told of: into whose place it went, as far as a change shows it.
    pub drawn_for: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MoveText {
    /// Nobody in a draw.
    pub by: Option<String>,
    pub text: String,
}

/// The whole of a step, with everything that is hidden in it.
pub fn step_text(machine: &Machine, step: &Transition<'_>) -> StepText {
    StepText {
        moves: moves(machine, step),
        changes: changes(
            &machine.whole_view(step.before),
            &machine.whole_view(step.after),
        ),
        ..StepText::default()
    }
}

fn moves(machine: &Machine, step: &Transition<'_>) -> Vec<MoveText> {
    let Turn::Decision(movers) = machine.turn(step.before) else {
        let text = |a| machine.outcome_text(step.before, a, None);
        let texts = step.actions.iter().map(text);
        return texts.map(|text| MoveText { by: None, text }).collect();
    };
    let moves = movers.iter().zip(step.actions);
    moves
        .map(|(p, action)| MoveText {
            by: Some(machine.player_name(p).to_string()),
            text: machine.action_text(step.before, p, action, None),
        })
        .collect()
}

fn changes(before: &View, after: &View) -> Vec<(String, String)> {
    let old: IndexMap<&str, &str> = before
        .entries
        .iter()
        .map(|e| (e.name.as_str(), e.value.as_str()))
        .collect();
    let new = after.entries.iter();
    let new = new.filter(|e| old.get(e.name.as_str()) != Some(&e.value.as_str()));
    new.map(|e| (e.name.clone(), e.value.clone())).collect()
}
