//! The world state, rebuilt by a player from its own observations in a game of perfect information.
//!
//! The player keeps a copy of the game. What it sees at a node says what was chosen or drawn there, once the events of all
//! who choose there have come; the copy then makes that step, and must show the player the very same events. It does not
//! guess: where nothing fits, the player has lost track and says so.

use super::player::{PlayerError, Question};
use crate::machine::{Action, Actions, Event, Machine, Observation, PlayError, State, Turn};
use crate::model::{PlayerSet, SiteKind};
use std::collections::VecDeque;
use std::sync::Arc;

/// A copy of the game in the hands of one player.
pub struct Rebuild {
    machine: Arc<Machine>,
    seat: usize,
    /// `None` before the first game.
    state: Option<State>,
    /// What was seen and is not yet part of the copy, oldest first.
    pending: VecDeque<Observation>,
}

impl Rebuild {
    pub fn new(machine: &Arc<Machine>) -> Rebuild {
        Rebuild {
            machine: Arc::clone(machine),
            seat: 0,
            state: None,
            pending: VecDeque::new(),
        }
    }

    /// A new game begins.
    ///
    /// # Errors
    /// Those of the rules before the first node.
    pub fn begin(&mut self, seat: usize) -> Result<(), PlayerError> {
        self.seat = seat;
        self.pending.clear();
        self.state = None;
        Ok(())
    }

    /// Takes note of something seen.
    pub fn observe(&mut self, observation: &Observation) {
        self.pending.push_back(observation.clone());
    }

    /// The state in which the player is asked to choose.
    ///
    /// # Errors
    /// [`PlayerError::LostTrack`] when what was seen leads to no such state, or to one with other legal actions.
    pub fn asked(&mut self, question: &Question<'_>) -> Result<&State, PlayerError> {
        self.catch_up()?;
        let Some(state) = &self.state else {
            return Err(lost("the game has not begun"));
        };
        if !self.pending.is_empty() {
            return Err(lost("only a part of what happened at a node was seen"));
        }
        match self.machine.turn(state) {
            Turn::Decision(movers)
                if movers.contains(question.seat) && self.machine.node(state) == question.node => {}
            _ => return Err(lost("asked to choose at another place than expected")),
        }
        let mut actions = Actions::default();
        self.machine.legal(state, question.seat, &mut actions)?;
        if actions != *question.actions {
            return Err(lost("asked to choose among other actions than expected"));
        }
        Ok(state)
    }

    /// Makes all the steps that the observations tell of.
    fn catch_up(&mut self) -> Result<(), PlayerError> {
        if self.state.is_none() {
            let mut seen = Vec::new();
            let state = self
                .machine
                .initial_observed(&mut |e| note(&mut seen, &e, self.seat))?;
            if !self.accept(&seen) {
                return Err(lost("the game began otherwise than expected"));
            }
            self.state = Some(state);
        }
        while let Some(state) = &self.state {
            let movers = match self.machine.turn(state) {
                Turn::Terminal => break,
                Turn::Chance => None,
                Turn::Decision(movers) => Some(movers),
            };
            let n = movers.map_or(1, PlayerSet::len);
            if self.moves().take(n).count() < n {
                break;
            }
            let Some(actions) = self.observed_actions(movers) else {
                return Err(lost("somebody chose who was not to move"));
            };
            let Some((next, used)) = self.attempt(state, &actions)? else {
                return Err(lost("no step fits what was seen"));
            };
            self.pending.drain(..used);
            self.state = Some(next);
        }
        Ok(())
    }

    /// What was seen and is not yet part of the copy, without what shown defs told in between.
    fn moves(&self) -> impl Iterator<Item = &Observation> {
        let description = self.machine.description();
        let shown = |o: &&Observation| description.site(o.site).kind == SiteKind::Shown;
        self.pending.iter().filter(move |o| !shown(o))
    }

    /// The actions that the oldest observations tell of: one for each player to move, in seating order, or the outcome.
    fn observed_actions(&self, movers: Option<PlayerSet>) -> Option<Vec<Action>> {
        let Some(movers) = movers else {
            return Some(vec![Action(self.moves().next()?.values.clone())]);
        };
        movers
            .iter()
            .map(|p| {
                self.moves()
                    .take(movers.len())
                    .find(|o| o.chooser == Some(p as u8))
                    .map(|o| Action(o.values.clone()))
            })
            .collect()
    }

    /// The state after a step, and the number of observations that it explains, if it shows this player just what was seen.
    fn attempt(
        &self,
        state: &State,
        actions: &[Action],
    ) -> Result<Option<(State, usize)>, PlayError> {
        let mut seen = Vec::new();
        let mut next = state.clone();
        self.machine
            .step_observed(&mut next, actions, &mut |e| note(&mut seen, &e, self.seat))?;
        Ok(self.fits(&seen).then_some((next, seen.len())))
    }

    fn fits(&self, seen: &[Observation]) -> bool {
        seen.len() <= self.pending.len() && std::iter::zip(seen, &self.pending).all(|(a, b)| a == b)
    }

    fn accept(&mut self, seen: &[Observation]) -> bool {
        let fits = self.fits(seen);
        if fits {
            self.pending.drain(..seen.len());
        }
        fits
    }
}

fn note(seen: &mut Vec<Observation>, event: &Event<'_>, seat: usize) {
    if event.viewers.contains(seat) {
        seen.push(Observation::from(event));
    }
}

fn lost(what: &str) -> PlayerError {
    PlayerError::LostTrack(what.to_string())
}
