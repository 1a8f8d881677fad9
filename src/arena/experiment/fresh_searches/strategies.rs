//! The strategy that fresh searches make up over a whole game, and what is to be gained against it.

use crate::machine::{Actions, Event, Machine, Observation};
use crate::players::by_information_state::FreshSearch;
use crate::players::{Patience, PlayerError, Question};
use crate::random::derive;
use crate::solve::tree::{TreeError, retrace};
use crate::solve::{Profile, Sequences, Tree, exploitability};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// All questions that can be asked in a game.
pub struct Questions {
    machine: Arc<Machine>,
    tree: Tree,
    sequences: Sequences,
    asked: Vec<Asked>,
}

/// What a player is asked, and what it has seen by then.
struct Asked {
    information_state: usize,
    player: usize,
    seen: Vec<Observation>,
    node: u32,
    actions: Actions,
}

impl Questions {
    /// Those of the game whose tree this is, but for those with one answer.
    ///
    /// # Errors
    /// Those of play.
    pub fn new(machine: &Arc<Machine>, tree: Tree) -> Result<Questions, TreeError> {
        let mut asked = Vec::new();
        for (number, state) in tree.information_states().iter().enumerate() {
            if state.choices < 2 {
                continue;
            }
            let player = state.player as usize;
            let mut seen = Vec::new();
            let mut note = |event: Event<'_>| {
                if event.viewers.contains(player) {
                    seen.push(Observation::from(&event));
                }
            };
            let mut at = machine.initial_observed(&mut note)?;
            for step in retrace(machine, &tree, state.node)?.steps {
                machine.step_observed(&mut at, &step, &mut note)?;
            }
            let mut actions = Actions::default();
            machine.legal(&at, player, &mut actions)?;
            asked.push(Asked {
                information_state: number,
                player,
                seen,
                node: machine.node(&at),
                actions,
            });
        }
        Ok(Questions {
            machine: Arc::clone(machine),
            sequences: Sequences::new(&tree),
            tree,
            asked,
        })
    }

    /// NashConv where all players play the mean of so many searches, for each of some numbers of searches, which ascend: the
    /// first of them are the same. `None` when it was cancelled.
    ///
    /// # Errors
    /// Those of a search, with the name of the player.
    pub fn nash_conv(
        &self,
        search: &FreshSearch,
        searches: &[u64],
        seed: u64,
        cancel: &AtomicBool,
    ) -> Result<Option<Vec<f64>>, (String, PlayerError)> {
        let most = searches.last().copied().unwrap_or(0);
        let mut weights = vec![vec![0.0; self.tree.choice_count()]; searches.len()];
        for asked in &self.asked {
            let question = Question {
                node: asked.node,
                seat: asked.player,
                actions: &asked.actions,
                patience: Patience::ENDLESS,
            };
            let range = self.tree.information_states()[asked.information_state].range();
            let mut sum = vec![0.0; range.len()];
            for number in 0..most {
                if cancel.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let seed = derive(seed, &[asked.information_state as u64, number]);
                let found = search.probabilities(&self.machine, &asked.seen, &question, seed);
                let found = found
                    .map_err(|error| (self.machine.player_name(asked.player).to_string(), error))?;
                for (sum, p) in std::iter::zip(&mut sum, found) {
                    *sum += p;
                }
                if let Ok(place) = searches.binary_search(&(number + 1)) {
                    weights[place][range.clone()].copy_from_slice(&sum);
                }
            }
        }
        let nash_conv = weights.iter().map(|weights| {
            let profile = Profile::from_weights(&self.tree, weights);
            exploitability(&self.sequences, &profile).nash_conv
        });
        Ok(Some(nash_conv.collect()))
    }
}
