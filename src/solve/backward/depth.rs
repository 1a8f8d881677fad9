//! Depth-limited exploitability, Ex_d of Lanctot, Lisý & Winands 2013, section 4.3.
//!
//! What can the opponent of a given strategy win from a state on, if after d more nodes (chance nodes count) both sides play
//! perfectly? It is a lower bound of what the strategy can lose at all, and needs the strategy near the state only.

use super::Solved;
use super::expand::{Expander, Shape};
use super::state_table::StateId;
use crate::machine::{Action, Machine, State};
use crate::solve::SolveError;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// A strategy by state: what a search found, or what a solver gave.
pub trait StateStrategy {
    /// The probability of each of the player's actions in a state, in the order of `Machine::legal`; `None` where the
    /// strategy says nothing. The probabilities need not add up to 1 exactly; at least one is above 0.
    ///
    /// # Errors
    /// Those of play.
    fn probabilities(
        &mut self,
        machine: &Machine,
        state: &State,
        player: usize,
        actions: &[Action],
    ) -> Result<Option<Vec<f64>>, SolveError>;
}

/// Every action with the same probability.
#[derive(Debug)]
pub struct Uniform;

impl StateStrategy for Uniform {
    fn probabilities(
        &mut self,
        _: &Machine,
        _: &State,
        _: usize,
        actions: &[Action],
    ) -> Result<Option<Vec<f64>>, SolveError> {
        Ok(Some(vec![1.0; actions.len()]))
    }
}

/// A solved game plays its own optimal strategy.
impl StateStrategy for &Solved {
    fn probabilities(
        &mut self,
        _: &Machine,
        state: &State,
        player: usize,
        _: &[Action],
    ) -> Result<Option<Vec<f64>>, SolveError> {
        let super::Solution::Decision(movers) = self.solution(state)? else {
            return Ok(None);
        };
        let own = movers.into_iter().find(|(p, _)| *p == player);
        Ok(own.map(|(_, choices)| choices.iter().map(|c| c.probability).collect()))
    }
}

/// What a strategy is worth near a state. In units of payoff.
#[derive(Copy, Clone, Debug, PartialEq, serde::Serialize)]
pub struct Exploitability {
    /// What the opponent can get against it.
    pub best_response: f64,
    /// What the opponent gets when both play perfectly.
    pub value: f64,
    /// The difference: what the strategy loses against its worst opponent, Ex(s, σ). Never below 0 but for rounding.
    pub loss: f64,
    /// In how many states the strategy said nothing; it is taken to play its first action there.
    pub undefined: u64,
}

/// The depth-limited exploitability of the strategy of `player` from `state` on: for `depth` nodes the strategy is
/// followed against its best response, and the exact values of the solved game stand for what comes after. The strategy is
/// asked once for each state and number of nodes that are left; states that differ in what accumulators have earned are one.
///
/// # Errors
/// Those of play and of the strategy; [`SolveError::Unreachable`] for a state that play does not come to;
/// [`SolveError::Stopped`] soon after `stop` was set.
pub fn exploitability(
    solved: &Solved,
    state: &State,
    player: usize,
    depth: u32,
    strategy: &mut dyn StateStrategy,
    stop: &AtomicBool,
) -> Result<Exploitability, SolveError> {
    let opponent = 1 - player.min(1);
    let id = solved.find(state).ok_or(SolveError::Unreachable)?;
    let mut traversal = Traversal {
        solved,
        expander: Expander::new(&solved.machine, &solved.rewards),
        player,
        strategy,
        stop,
        undefined: 0,
        known: FxHashMap::default(),
    };
    let units = traversal.run(id, depth)?;
    let earned = solved.machine.accumulated(state)[0] as f64;
    let best_response = solved.payoffs(earned + units)[opponent];
    let value = solved.payoffs(earned + solved.values.get(id))[opponent];
    Ok(Exploitability {
        best_response,
        value,
        loss: best_response - value,
        undefined: traversal.undefined,
    })
}

struct Traversal<'a> {
    solved: &'a Solved,
    expander: Expander<'a>,
    player: usize,
    strategy: &'a mut dyn StateStrategy,
    stop: &'a AtomicBool,
    undefined: u64,
    known: FxHashMap<(StateId, u32), f64>,
}

/// What is known of a state whose successors are being looked at.
struct Opened {
    /// The number of each successor, and what player 0 earns on the way to it.
    next: Vec<(StateId, f64)>,
    kind: Kind,
}

enum Kind {
    /// With the probabilities of the outcomes.
    Chance(Vec<f64>),
    /// With the probabilities of the player's actions, and the number of columns.
    Decision(Vec<f64>, usize),
}

impl Traversal<'_> {
    /// What player 0 is still going to get, in units of 1/`Machine::payoff_denominator`, when the opponent answers best.
    fn run(&mut self, root: StateId, depth: u32) -> Result<f64, SolveError> {
        let mut stack: Vec<(StateId, u32, Option<Opened>)> = vec![(root, depth, None)];
        while let Some((id, depth, opened)) = stack.pop() {
            if self.value(id, depth).is_some() {
                continue;
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(SolveError::Stopped);
            }
            match opened {
                Some(opened) => {
                    let value = self.weigh(&opened, depth);
                    self.known.insert((id, depth), value);
                }
                None => match self.open(id)? {
                    Some(opened) => {
                        let successors: Vec<StateId> = opened.next.iter().map(|n| n.0).collect();
                        stack.push((id, depth, Some(opened)));
                        let unknown = successors
                            .into_iter()
                            .filter(|&s| self.value(s, depth - 1).is_none());
                        stack.extend(unknown.map(|s| (s, depth - 1, None)));
                    }
                    None => {
                        self.known.insert((id, depth), self.solved.values.get(id));
                    }
                },
            }
        }
        Ok(self.value(root, depth).unwrap_or(f64::NAN))
    }

    fn value(&self, id: StateId, depth: u32) -> Option<f64> {
        match depth {
            0 => Some(self.solved.values.get(id)),
            _ => self.known.get(&(id, depth)).copied(),
        }
    }

    /// `None` at the end of the game.
    fn open(&mut self, id: StateId) -> Result<Option<Opened>, SolveError> {
        let solved = self.solved;
        let table = &solved.found.table;
        let state = table.state(&solved.machine, id);
        let mut next: Vec<(StateId, f64)> = Vec::new();
        let mut known = true;
        let (node, words) = table.get(id);
        let shape = self.expander.expand(node, words, &mut |child| match table
            .find(child.node, child.words)
        {
            Some(id) => next.push((id, child.reward as f64)),
            None => known = false,
        })?;
        if !known {
            return Err(SolveError::Unreachable);
        }
        let kind = match shape {
            Shape::Terminal => return Ok(None),
            Shape::Chance(n) => {
                let outcomes = &self.expander.outcomes;
                Kind::Chance((0..n).map(|i| outcomes.probability(i)).collect())
            }
            Shape::Decision(_, columns) => {
                let actions = self.expander.actions_of(self.player).to_vec();
                Kind::Decision(self.own(&state, &actions)?, columns)
            }
        };
        Ok(Some(Opened { next, kind }))
    }

    /// The value of a state whose successors have theirs.
    fn weigh(&self, opened: &Opened, depth: u32) -> f64 {
        let of = |at: usize| {
            let (id, reward) = opened.next[at];
            reward + self.value(id, depth - 1).unwrap_or(f64::NAN)
        };
        let mean = |probabilities: &[f64], at: &dyn Fn(usize) -> usize| -> f64 {
            let list = probabilities.iter().enumerate();
            list.map(|(i, p)| if *p > 0.0 { p * of(at(i)) } else { 0.0 })
                .sum()
        };
        match &opened.kind {
            Kind::Chance(probabilities) => mean(probabilities, &|i| i),
            Kind::Decision(own, columns) => {
                // The units are those of player 0, which an opponent in the other seat minimises.
                if self.player == 0 {
                    let answers = (0..*columns).map(|j| mean(own, &|i| i * columns + j));
                    answers.fold(f64::INFINITY, f64::min)
                } else {
                    let rows = opened.next.len() / columns;
                    let answers = (0..rows).map(|i| mean(own, &|j| i * columns + j));
                    answers.fold(f64::NEG_INFINITY, f64::max)
                }
            }
        }
    }

    /// The probabilities of the player's actions; a single 1 where the player does not move.
    fn own(&mut self, state: &State, actions: &[Action]) -> Result<Vec<f64>, SolveError> {
        if actions.is_empty() {
            return Ok(vec![1.0]);
        }
        let machine = &self.solved.machine;
        let said = self
            .strategy
            .probabilities(machine, state, self.player, actions)?;
        let said = said.map(|mut list| {
            list.resize(actions.len(), 0.0);
            let sum: f64 = list.iter().sum();
            list.iter_mut().for_each(|p| *p /= sum);
            list
        });
        Ok(match said {
            Some(list) if list.iter().all(|p| (0.0..=1.0).contains(p)) => list,
            _ => {
                self.undefined += 1;
                let mut first = vec![0.0; actions.len()];
                first[0] = 1.0;
                first
            }
        })
    }
}
