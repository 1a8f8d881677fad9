//! From one state to all of its successors.

use super::super::branches::members;
use crate::machine::{
    Action, Actions, Machine, Outcomes, PlayError, Rewards, State, Stepper, Turn,
};

/// What kind of node a state is at, and how many ways lead on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Terminal,
    /// So many outcomes.
    Chance(usize),
    /// A matrix game: so many rows and columns. A player who does not move has one.
    Decision(usize, usize),
}

impl Shape {
    /// The number of successors.
    pub fn len(self) -> usize {
        match self {
            Shape::Terminal => 0,
            Shape::Chance(n) => n,
            Shape::Decision(rows, columns) => rows * columns,
        }
    }
}

/// A successor: the node and the words of its state, and what player 0 earns on the way in units of
/// 1/`Machine::payoff_denominator`.
pub(super) struct Child<'a> {
    pub node: u32,
    pub words: &'a [u64],
    pub reward: i64,
}

/// Expands one state after another.
pub(super) struct Expander<'m> {
    machine: &'m Machine,
    stepper: Stepper<'m>,
    rewards: Rewards,
    words: Vec<u64>,
    /// The actions of the players, rows and columns; empty for one who does not move.
    pub actions: [Actions; 2],
    pub outcomes: Outcomes,
}

impl<'m> Expander<'m> {
    pub fn new(machine: &'m Machine, rewards: &Rewards) -> Expander<'m> {
        Expander {
            machine,
            stepper: machine.stepper(),
            rewards: rewards.clone(),
            words: vec![0; machine.state_words()],
            actions: Default::default(),
            outcomes: Outcomes::default(),
        }
    }

    /// Lists what a state offers.
    pub fn list(&mut self, state: &State) -> Result<Shape, PlayError> {
        Ok(match self.machine.turn(state) {
            Turn::Terminal => Shape::Terminal,
            Turn::Chance => {
                self.machine.outcomes(state, &mut self.outcomes)?;
                Shape::Chance(self.outcomes.list.len())
            }
            Turn::Decision(movers) => {
                for actions in &mut self.actions {
                    actions.0.clear();
                }
                for player in members(movers).take_while(|p| *p < 2) {
                    self.machine
                        .legal(state, player, &mut self.actions[player])?;
                }
                let count = |p: usize| self.actions[p].len().max(1);
                Shape::Decision(count(0), count(1))
            }
        })
    }

    /// Lists what a state offers and calls `each` with every successor, those of player 0's first action first, then by the
    /// actions of player 1; or in the order of the outcomes.
    pub fn expand(
        &mut self,
        state: State,
        each: &mut impl FnMut(Child<'_>),
    ) -> Result<Shape, PlayError> {
        let shape = self.list(&state)?;
        let before: smallvec::SmallVec<[u64; 16]> = state.words().into();
        if shape != Shape::Terminal {
            self.stepper.start(state);
        }
        match shape {
            Shape::Terminal => {}
            Shape::Chance(_) => {
                for i in 0..self.outcomes.list.len() {
                    let outcome = &self.outcomes.list[i].0;
                    let node = self.stepper.step(&[outcome], &mut self.words)?;
                    each(self.child(&before, node));
                }
            }
            Shape::Decision(rows, columns) => {
                for i in 0..rows {
                    for j in 0..columns {
                        let [row, column] = &self.actions;
                        let node = match (row.get(i), column.get(j)) {
                            (Some(a), Some(b)) => self.stepper.step(&[a, b], &mut self.words)?,
                            (Some(a), None) | (None, Some(a)) => {
                                self.stepper.step(&[a], &mut self.words)?
                            }
                            (None, None) => continue,
                        };
                        each(self.child(&before, node));
                    }
                }
            }
        }
        Ok(shape)
    }

    fn child(&self, before: &[u64], node: u32) -> Child<'_> {
        Child {
            node,
            words: &self.words,
            reward: self.rewards.between(before, &self.words),
        }
    }

    /// The actions of one player in the state that was listed last.
    pub fn actions_of(&self, player: usize) -> &[Action] {
        &self.actions[player]
    }
}
