//! What is said of strategies over a tree: the size of the tree, what players are paid and could gain, and what they do at
//! some information states.

use super::best_response::{Exploitability, left_to_other};
use super::error::SolveError;
use super::profile::Profile;
use super::sequences::Sequences;
use super::tree::information_state_text::InformationStateTexts;
use super::tree::{Tree, TreeError};
use crate::machine::{Action, Machine};
use crate::model::Claim;
use indexmap::IndexMap;
use serde::Serialize;

/// The size of a tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TreeSize {
    pub nodes: usize,
    pub terminals: usize,
    /// By player.
    pub information_states: IndexMap<String, usize>,
    /// By player, over all its information states.
    pub choices: IndexMap<String, usize>,
}

impl TreeSize {
    pub fn of(machine: &Machine, tree: &Tree) -> TreeSize {
        let by_player = |count: &dyn Fn(usize) -> usize| {
            let players = 0..tree.players();
            players
                .map(|p| (machine.player_name(p).to_string(), count(p)))
                .collect()
        };
        TreeSize {
            nodes: tree.nodes().len(),
            terminals: tree.terminals(),
            information_states: by_player(&|p| tree.states_of(p).len()),
            choices: by_player(&|p| tree.choices_of(p).len()),
        }
    }
}

/// What players are paid, and what they could gain, in units of payoff.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gains {
    /// By player: what it is paid.
    pub values: IndexMap<String, f64>,
    /// By player: what it would be paid for a best response.
    pub best_responses: IndexMap<String, f64>,
    /// The sum over the players of what each would gain.
    pub nash_conv: f64,
    /// The same, divided by the number of players.
    pub exploitability: f64,
}

impl Gains {
    pub fn of(machine: &Machine, found: &Exploitability) -> Gains {
        let named = |list: &[f64]| {
            let named = list.iter().enumerate();
            named
                .map(|(p, x)| (machine.player_name(p).to_string(), x + 0.0))
                .collect()
        };
        Gains {
            values: named(&found.values),
            best_responses: named(&found.best_responses),
            nash_conv: found.nash_conv + 0.0,
            exploitability: found.per_player() + 0.0,
        }
    }
}

/// What a player's best response leaves to the other of two, in units of payoff.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftToOther {
    pub player: String,
    /// What it is paid as things are.
    pub paid: f64,
    /// What it is paid at least, and at most: best responses may be equally good for the one and not for the other.
    pub least: f64,
    pub most: f64,
}

impl LeftToOther {
    /// Of a game of two players whose payoffs have no constant sum; elsewhere what one gains the other loses.
    pub fn of(
        machine: &Machine,
        sequences: &Sequences,
        player: usize,
        profile: &Profile,
    ) -> Option<LeftToOther> {
        let claim = machine.description().payoff.claim;
        if machine.player_count() != 2 || claim != Claim::GeneralSum {
            return None;
        }
        let left = left_to_other(sequences, player, profile);
        let other = 1 - player;
        Some(LeftToOther {
            player: machine.player_name(other).to_string(),
            paid: sequences.value(other, &profile.plans(sequences)) + 0.0,
            least: left.least + 0.0,
            most: left.most + 0.0,
        })
    }
}

/// A strategy at one information state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LocalStrategy {
    pub player: String,
    /// What the player saw before.
    pub saw: Vec<String>,
    pub choices: Vec<Choice>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    #[serde(rename = "move")]
    pub text: String,
    pub probability: f64,
}

/// Strategies at some information states, in words.
///
/// # Errors
/// Those of play.
pub fn local_strategies(
    machine: &Machine,
    tree: &Tree,
    states: &[usize],
    profile: &Profile,
) -> Result<Vec<LocalStrategy>, TreeError> {
    let texts = InformationStateTexts::new(machine, tree);
    let local = |&number: &usize| {
        let state = &tree.information_states()[number];
        let probabilities = &profile.probabilities[state.range()];
        let choices = texts.choices(number)?.into_iter().zip(probabilities);
        Ok(LocalStrategy {
            player: machine.player_name(state.player as usize).to_string(),
            saw: texts.saw(number)?,
            choices: choices
                .map(|(text, &probability)| Choice { text, probability })
                .collect(),
        })
    };
    states.iter().map(local).collect()
}

impl Tree {
    /// The information states at which somebody decides next after some steps, or a certain player does.
    ///
    /// # Errors
    /// Those of play; [`SolveError::Unreachable`] where play does not come there.
    pub fn decisions_after(
        &self,
        machine: &Machine,
        steps: &[Vec<Action>],
        player: Option<usize>,
    ) -> Result<Vec<usize>, TreeError> {
        match self.follow(machine, steps)? {
            Some(place) => self.next_decisions(machine, &place, player),
            None => Err(TreeError::Walk(SolveError::Unreachable)),
        }
    }
}
