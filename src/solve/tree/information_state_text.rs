//! Information states in words: what a player saw on the way, move by move.

use super::{Tree, TreeError, retrace};
use crate::machine::seat::{EventTexts, News};
use crate::machine::{Machine, Observation, Seat};

/// Puts the information states of a tree into words.
pub struct InformationStateTexts<'a> {
    machine: &'a Machine,
    tree: &'a Tree,
    texts: EventTexts,
}

impl<'a> InformationStateTexts<'a> {
    pub fn new(machine: &'a Machine, tree: &'a Tree) -> InformationStateTexts<'a> {
        InformationStateTexts {
            machine,
            tree,
            texts: EventTexts::new(machine),
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
        let mut seats = [Seat::new(self.machine, player)];
        let mut at = self.machine.initial_seated(&mut seats, &mut |_| {})?;
        for actions in &way.steps {
            let machine = self.machine;
            machine.step_seated(&mut at, actions, &mut seats, &mut |_| {})?;
        }
        let mut saw = Vec::new();
        for entry in seats[0].entries() {
            saw.extend(entry.shown.iter().filter_map(|shown| self.told(shown)));
            match &entry.news {
                News::Move { by, text, .. } => saw.push(match by {
                    Some(by) => format!("{} {text}", self.machine.player_name(*by)),
                    None => text.clone(),
                }),
                News::Revealed(_, Some(said)) if said.is_empty() => {}
                News::Revealed(_, Some(said)) => saw.push(said.clone()),
                News::Revealed(observation, None) => saw.extend(self.told(observation)),
                News::Question(_) | News::End => {}
            }
        }
        Ok(saw)
    }

    fn told(&self, observation: &Observation) -> Option<String> {
        Some(match self.texts.read(observation)? {
            (Some(name), value) => format!("{name} = {value}"),
            (None, value) => value,
        })
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
