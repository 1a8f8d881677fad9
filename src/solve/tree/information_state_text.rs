//! Information states in words: what a player saw on the way, move by move.

use super::{Tree, TreeError, retrace};
use crate::machine::step_text::{Reveals, Transition, step_text};
use crate::machine::{Machine, Observation};
use crate::model::PlayerSet;

/// Puts the information states of a tree into words.
pub struct InformationStateTexts<'a> {
    machine: &'a Machine,
    tree: &'a Tree,
    reveals: Reveals,
}

impl<'a> InformationStateTexts<'a> {
    pub fn new(machine: &'a Machine, tree: &'a Tree) -> InformationStateTexts<'a> {
        InformationStateTexts {
            machine,
            tree,
            reveals: Reveals::new(machine),
        }
    }

    /// What the player of an information state saw before it, in order: `7` for a draw, `Ann raise` for a choice, the value or
    /// `name = value` for what was revealed.
    ///
    /// # Errors
    /// Those of play.
    pub fn saw(&self, information_state: usize) -> Result<Vec<String>, TreeError> {
        let state = &self.tree.information_states()[information_state];
        let player = state.player as usize;
        let way = retrace(self.machine, self.tree, state.node)?;
        let mut saw = Vec::new();
        let sees = |who: PlayerSet| who.contains(player);
        let revealed = |events: &[(PlayerSet, Observation)], saw: &mut Vec<String>| {
            for (_, observation) in events.iter().filter(|(who, _)| sees(*who)) {
                match self.reveals.read(observation) {
                    Some((Some(name), value)) => saw.push(format!("{name} = {value}")),
                    Some((None, value)) => saw.push(value),
                    None => {}
                }
            }
        };
        revealed(&way.opening, &mut saw);
        for (ply, step) in (1..).zip(&way.steps) {
            let shown = Transition {
                ply,
                before: &step.before,
                after: &step.after,
                actions: &step.actions,
                events: &step.events,
            };
            for m in step_text(self.machine, &shown, Some(player)).map_or(Vec::new(), |t| t.moves) {
                saw.push(match m.by {
                    Some(by) => format!("{by} {}", m.text),
                    None => m.text,
                });
            }
            revealed(&step.events, &mut saw);
        }
        Ok(saw)
    }

    /// The choices at an information state, as their player reads them.
    ///
    /// # Errors
    /// Those of play.
    pub fn choices(&self, information_state: usize) -> Result<Vec<String>, TreeError> {
        let state = &self.tree.information_states()[information_state];
        let player = state.player as usize;
        let world = self.tree.world(self.machine, information_state)?;
        let actions = state.range().filter_map(|choice| self.tree.action(choice));
        Ok(actions
            .map(|a| self.machine.action_text(&world, player, a, Some(player)))
            .collect())
    }
}
