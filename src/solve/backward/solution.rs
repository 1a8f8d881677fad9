//! What is to be said of a state of a solved game: its value, and how to play there.

use super::Solved;
use super::expand::{Expander, Shape};
use super::state_table::StateId;
use crate::machine::{Action, State, Turn};
use crate::model::PlayerSet;
use crate::solve::SolveError;
use crate::solve::matrix::MatrixSolver;

/// One way on from a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What is chosen or drawn.
    pub action: Action,
    /// The probability of an action in an optimal strategy, or of an outcome of chance.
    pub probability: f64,
    /// What the chooser gets with this action against the other player's optimal strategy; of an outcome, what player 0 gets
    /// after it. In units of payoff, from the start of the game.
    pub value: f64,
}

/// What to do in a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Solution {
    /// Nothing: the game is over.
    Terminal,
    /// The outcomes, in the order of `Machine::outcomes`.
    Chance(Vec<Choice>),
    /// The players to move, in seating order, each with all actions in the order of `Machine::legal`.
    Decision(Vec<(usize, Vec<Choice>)>),
}

impl Solved {
    /// The minimax value of a state for both players, in units of payoff, what was earned on the way included. `None` for a
    /// state that play does not come to.
    pub fn values(&self, state: &State) -> Option<[f64; 2]> {
        let units = self.values.get(self.find(state)?);
        Some(self.payoffs(units + self.machine.accumulated(state)[0] as f64))
    }

    /// What player 0 gets and what is left of the constant sum, of units of player 0.
    pub(super) fn payoffs(&self, units: f64) -> [f64; 2] {
        let first = units / self.machine.payoff_denominator() as f64;
        [first, self.sum() - first]
    }

    /// The constant that the payoffs add up to.
    pub fn sum(&self) -> f64 {
        match self.machine.features().claim {
            crate::model::Claim::ConstantSum { n, den } => n as f64 / den as f64,
            crate::model::Claim::GeneralSum => 0.0,
        }
    }

    /// The number of a state; `None` for one that play does not come to.
    pub(super) fn find(&self, state: &State) -> Option<StateId> {
        let (node, words) = (self.machine.node(state), state.words());
        self.found.table.find(node, words)
    }

    /// An optimal way to play in a state. Of several there is the one that the matrix-game solver finds first.
    ///
    /// # Errors
    /// Those of play; [`SolveError::Unreachable`] for a state that play does not come to.
    pub fn solution(&self, state: &State) -> Result<Solution, SolveError> {
        let earned = self.machine.accumulated(state)[0] as f64;
        let mut expander = Expander::new(&self.machine, &self.rewards);
        let table = &self.found.table;
        let mut matrix = Vec::new();
        let mut known = true;
        let (node, words) = (self.machine.node(state), state.words());
        let shape = expander.expand(node, words, &mut |child| match table
            .find(child.node, child.words)
        {
            Some(id) => matrix.push(earned + child.reward as f64 + self.values.get(id)),
            None => known = false,
        })?;
        if !known {
            return Err(SolveError::Unreachable);
        }
        Ok(match shape {
            Shape::Terminal => Solution::Terminal,
            Shape::Chance(_) => {
                let outcomes = &expander.outcomes;
                let list = std::iter::zip(&outcomes.list, matrix).enumerate();
                let choices = list.map(|(i, ((action, _), value))| Choice {
                    action: action.clone(),
                    probability: outcomes.probability(i),
                    value: self.payoffs(value)[0],
                });
                Solution::Chance(choices.collect())
            }
            Shape::Decision(_, columns) => {
                let mut solver = MatrixSolver::default();
                solver.solve(&matrix, columns);
                let (x, y) = (solver.row_strategy(), solver.column_strategy());
                let row = |i: usize| -> f64 {
                    let row = &matrix[i * columns..(i + 1) * columns];
                    std::iter::zip(row, y).map(|(a, p)| a * p).sum()
                };
                let column = |j: usize| -> f64 {
                    let column = matrix[j..].iter().step_by(columns);
                    column.zip(x).map(|(a, p)| a * p).sum()
                };
                let movers = match self.machine.turn(state) {
                    Turn::Decision(movers) => movers,
                    _ => PlayerSet::EMPTY,
                };
                let of = |player: usize| {
                    let actions = expander.actions_of(player).iter().enumerate();
                    let choices = actions.map(|(i, action)| Choice {
                        action: action.clone(),
                        probability: if player == 0 { x[i] } else { y[i] },
                        value: self.payoffs(if player == 0 { row(i) } else { column(i) })[player],
                    });
                    (player, choices.collect())
                };
                Solution::Decision(movers.iter().map(of).collect())
            }
        })
    }
}
