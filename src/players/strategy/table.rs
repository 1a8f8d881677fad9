//! The strategy of one seat by what it saw: from observations to the information state, and there to probabilities.

use crate::machine::{Action, Actions, Event, Machine, Observation, PlayError};
use crate::solve::Profile;
use crate::solve::commitment::mixes::Mix;
use crate::solve::commitment::open_loop::OpenLoop;
use crate::solve::commitment::schedule::each_question;
use crate::solve::profile::shares;
use crate::solve::tree::{Tree, TreeError, retrace};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A history that no information state goes on from.
pub const ELSEWHERE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub struct Table {
    /// What was seen so far, by its number, and what is seen then: the number of both together. Nothing seen is 0.
    histories: FxHashMap<(u32, Observation), u32>,
    /// By what was seen and the place in play. What may be chosen differs only where a player's own earlier choice does.
    states: FxHashMap<(u32, u32), SmallVec<[Row; 1]>>,
}

/// An information state.
#[derive(Debug)]
struct Row {
    actions: Vec<Action>,
    probabilities: Vec<f64>,
}

impl Table {
    /// The strategy that a player has in a profile.
    ///
    /// # Errors
    /// Those of play, which building the tree would have met already.
    pub fn of(
        machine: &Machine,
        tree: &Tree,
        profile: &Profile,
        player: usize,
    ) -> Result<Table, TreeError> {
        let mut table = Table::default();
        for number in tree.states_of(player) {
            let information_state = &tree.information_states()[number];
            let range = information_state.range();
            let way = retrace(machine, tree, information_state.node)?;
            let mut history = 0;
            let mut see = |event: Event<'_>| {
                if event.viewers.contains(player) {
                    history = table.extend(history, Observation::from(&event));
                }
            };
            let mut state = machine.initial_observed(&mut see)?;
            for step in &way.steps {
                machine.step_observed(&mut state, step, &mut see)?;
            }
            let place = machine.node(&state);
            let actions = range.clone().filter_map(|c| tree.action(c).cloned());
            let row = Row {
                actions: actions.collect(),
                probabilities: profile.probabilities[range].to_vec(),
            };
            table.states.entry((history, place)).or_default().push(row);
        }
        Ok(table)
    }

    /// The strategy of a player that goes by plans, in a game in which nobody learns anything on the way. After what it never does
    /// itself, every choice is as likely as every other. `None` where it may do too many things one after the other.
    ///
    /// # Errors
    /// Those of play.
    pub fn of_plans(
        machine: &Machine,
        game: &OpenLoop,
        player: usize,
        mix: &Mix,
    ) -> Result<Option<Table>, PlayError> {
        let mut table = Table::default();
        let all = each_question(game, machine, player, &mut |done, seen, class| {
            let mut history = 0;
            for observation in seen {
                history = table.extend(history, observation.clone());
            }
            let mut weights = vec![0.0; class.actions.len()];
            for (share, plan) in mix {
                if let Some([next, ..]) = plan.strip_prefix(done)
                    && let Some(weight) = weights.get_mut(*next as usize)
                {
                    *weight += share;
                }
            }
            let mut probabilities = vec![0.0; weights.len()];
            shares(&weights, &mut probabilities);
            let mut places: SmallVec<[u32; 1]> = SmallVec::new();
            for &state in &class.states {
                let place = machine.node(game.world(state));
                if !places.contains(&place) {
                    places.push(place);
                }
            }
            for place in places {
                let row = Row {
                    actions: class.actions.clone(),
                    probabilities: probabilities.clone(),
                };
                table.states.entry((history, place)).or_default().push(row);
            }
        })?;
        Ok(all.then_some(table))
    }

    fn extend(&mut self, history: u32, observation: Observation) -> u32 {
        let next = self.histories.len() as u32 + 1;
        *self.histories.entry((history, observation)).or_insert(next)
    }

    /// What was seen, with one observation more.
    pub fn after(&self, history: u32, observation: &Observation) -> u32 {
        let key = (history, observation.clone());
        self.histories.get(&key).copied().unwrap_or(ELSEWHERE)
    }

    /// The probability of each action, where the player saw this and is asked that.
    pub fn probabilities(&self, history: u32, place: u32, actions: &Actions) -> Option<&[f64]> {
        let rows = self.states.get(&(history, place))?;
        let row = rows.iter().find(|row| row.actions == actions.0)?;
        Some(&row.probabilities)
    }
}
