//! The world state, rebuilt by a player from its own observations in a game of perfect information.
//!
//! The player keeps a copy of the game. What it sees at a node says what was chosen or drawn there, once the events of all
//! who choose there have come; the copy then makes that step, and must show the player the very same events. It does not
//! guess: where nothing fits, the player has lost track and says so.

use super::player::{PlayerError, Question};
use crate::machine::{Action, Actions, Event, Machine, Observation, PlayError, State, Turn};
use std::collections::VecDeque;
use std::sync::Arc;

/// How many ways to hand out simultaneous choices among the players are tried.
const TRIES: usize = 5040;

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
                if movers >> question.seat & 1 == 1
                    && self.machine.node(state) == question.node => {}
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
                Turn::Decision(mask) => Some(mask),
            };
            let n = movers.map_or(1, |mask| mask.count_ones() as usize);
            if self.pending.is_empty() || self.pending.len() < n {
                break;
            }
            let told: Vec<Action> = self
                .pending
                .iter()
                .take(n)
                .map(|o| Action(o.values.clone()))
                .collect();
            let next = match self.attempt(state, &told) {
                Ok(Some(next)) => next,
                first => match self.reorder(state, movers.unwrap_or(0), &told)? {
                    Some(next) => next,
                    // The error of the plain order tells more than that nothing fits.
                    None => match first {
                        Err(error) => return Err(error.into()),
                        Ok(_) => return Err(lost("no step fits what was seen")),
                    },
                },
            };
            let (next, used) = next;
            self.pending.drain(..used);
            self.state = Some(next);
        }
        Ok(())
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

    /// The same for simultaneous choices that were told in another order than that of the seats.
    fn reorder(
        &self,
        state: &State,
        movers: u32,
        told: &[Action],
    ) -> Result<Option<(State, usize)>, PlayerError> {
        if told.len() < 2 {
            return Ok(None);
        }
        let mut legal = Vec::new();
        for player in (0..self.machine.player_count()).filter(|p| movers >> p & 1 == 1) {
            let mut actions = Actions::default();
            self.machine.legal(state, player, &mut actions)?;
            legal.push(actions);
        }
        let fits = |mover: usize, told_at: usize| legal[mover].contains(&told[told_at]);
        let mut tries = 0;
        let mut found = None;
        assignments(told.len(), &fits, &mut |order| {
            tries += 1;
            let actions: Vec<Action> = order.iter().map(|&i| told[i].clone()).collect();
            found = self.attempt(state, &actions).ok().flatten();
            found.is_some() || tries >= TRIES
        });
        Ok(found)
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

/// Runs through the ways to give each of `n` movers another one of `n` things that fits, in a fixed order, until `visit`
/// says that it is enough.
fn assignments(
    n: usize,
    fits: &dyn Fn(usize, usize) -> bool,
    visit: &mut dyn FnMut(&[usize]) -> bool,
) {
    let mut order: Vec<usize> = Vec::with_capacity(n);
    let mut next = 0;
    loop {
        let free = (next..n).find(|i| !order.contains(i) && fits(order.len(), *i));
        match free {
            Some(i) => {
                order.push(i);
                next = 0;
                if order.len() < n {
                    continue;
                }
                if visit(&order) {
                    return;
                }
            }
            None if order.is_empty() => return,
            None => {}
        }
        next = match order.pop() {
            Some(last) => last + 1,
            None => return,
        };
    }
}

fn note(seen: &mut Vec<Observation>, event: &Event<'_>, seat: usize) {
    if event.viewers >> seat & 1 == 1 {
        seen.push(Observation {
            site: event.site,
            values: event.values.into(),
        });
    }
}

fn lost(what: &str) -> PlayerError {
    PlayerError::LostTrack(what.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(n: usize, fits: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
        let mut list = Vec::new();
        assignments(n, fits, &mut |order| {
            list.push(order.to_vec());
            false
        });
        list
    }

    #[test]
    fn every_assignment_once() {
        assert_eq!(all(2, &|_, _| true), vec![vec![0, 1], vec![1, 0]]);
        let mut four = all(4, &|_, _| true);
        assert_eq!(four.len(), 24);
        four.sort();
        four.dedup();
        assert_eq!(four.len(), 24);
    }

    #[test]
    fn only_what_fits() {
        assert_eq!(
            all(3, &|mover, i| mover != i),
            vec![vec![1, 2, 0], vec![2, 0, 1]]
        );
        assert!(all(3, &|mover, _| mover != 1).is_empty());
    }

    #[test]
    fn stops_when_told() {
        let mut n = 0;
        assignments(5, &|_, _| true, &mut |_| {
            n += 1;
            n == 7
        });
        assert_eq!(n, 7);
    }
}
