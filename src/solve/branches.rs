//! The ways on from a node, numbered: outcomes of chance with their weights, or joint actions.

use super::error::SolveError;
use crate::machine::{Action, Actions, Machine, Outcomes, PlayError, State, Stepper, Turn};
use crate::model::PlayerSet;
use smallvec::SmallVec;

/// What a node offers. The lists are used again and again.
#[derive(Debug, Default)]
pub struct Branches {
    pub kind: Kind,
    outcomes: Outcomes,
    /// One list for each player to move, in seating order; there may be more lists than are in use.
    actions: Vec<Actions>,
    /// The number of branches.
    count: u64,
}

/// What a list is filled into.
enum Offered<'a> {
    Outcomes(&'a mut Outcomes),
    Actions(&'a mut Actions),
}

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Terminal,
    Chance,
    Decision(PlayerSet),
}

impl Branches {
    /// Notes what kind of node `state` is at, and lists nothing.
    pub fn set_kind(&mut self, machine: &Machine, state: &State) {
        self.count = 0;
        self.kind = match machine.turn(state) {
            Turn::Terminal => Kind::Terminal,
            Turn::Chance => Kind::Chance,
            Turn::Decision(mask) => Kind::Decision(mask),
        };
    }

    /// Lists what `state` offers, in place of what was here before.
    ///
    /// # Errors
    /// Those of play; [`SolveError::TooManyJointActions`] when their number does not fit 64 bits.
    pub fn fill(&mut self, machine: &Machine, state: &State) -> Result<(), SolveError> {
        self.fill_from(machine, state, |player, offered| match offered {
            Offered::Outcomes(outcomes) => machine.outcomes(state, outcomes),
            Offered::Actions(actions) => machine.legal(state, player, actions),
        })
    }

    /// As [`Branches::fill`], by a stepper, which starts there unless the game is over.
    ///
    /// # Errors
    /// As [`Branches::fill`].
    pub fn fill_by(
        &mut self,
        stepper: &mut Stepper<'_>,
        machine: &Machine,
        state: &State,
    ) -> Result<(), SolveError> {
        if machine.turn(state) != Turn::Terminal {
            stepper.start(machine.node(state), state.words());
        }
        self.fill_from(machine, state, |player, offered| match offered {
            Offered::Outcomes(outcomes) => stepper.outcomes(outcomes),
            Offered::Actions(actions) => stepper.legal(player, actions),
        })
    }

    fn fill_from(
        &mut self,
        machine: &Machine,
        state: &State,
        mut list: impl FnMut(usize, Offered<'_>) -> Result<(), PlayError>,
    ) -> Result<(), SolveError> {
        match machine.turn(state) {
            Turn::Terminal => {
                self.kind = Kind::Terminal;
                self.count = 0;
            }
            Turn::Chance => {
                self.kind = Kind::Chance;
                list(0, Offered::Outcomes(&mut self.outcomes))?;
                self.count = self.outcomes.list.len() as u64;
            }
            Turn::Decision(mask) => {
                self.kind = Kind::Decision(mask);
                let movers = mask.len();
                if self.actions.len() < movers {
                    self.actions.resize_with(movers, Actions::default);
                }
                for (player, actions) in std::iter::zip(mask.iter(), &mut self.actions) {
                    list(player, Offered::Actions(actions))?;
                }
                let lists = &self.actions[..movers];
                self.count = lists
                    .iter()
                    .try_fold(1u64, |n, list| n.checked_mul(list.len() as u64))
                    .ok_or_else(|| {
                        SolveError::TooManyJointActions(lists.iter().map(|l| l.len()).collect())
                    })?;
            }
        }
        Ok(())
    }

    /// The number of outcomes or joint actions; 0 at a terminal node.
    pub fn len(&self) -> u64 {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The actions of the `place`-th of the players to move, in the order of `Machine::legal`.
    pub fn options(&self, place: usize) -> &[Action] {
        &self.actions[place]
    }

    /// What to step with for branch `i`; the last player's action changes fastest.
    pub fn step(&self, i: u64, actions: &mut SmallVec<[Action; 4]>) {
        actions.clear();
        match self.kind {
            Kind::Terminal => {}
            Kind::Chance => actions.push(self.outcomes.list[i as usize].0.clone()),
            Kind::Decision(mask) => {
                let lists = &self.actions[..mask.len()];
                let mut rest = i;
                for list in lists.iter().rev() {
                    let n = list.len() as u64;
                    actions.push(list[(rest % n) as usize].clone());
                    rest /= n;
                }
                actions.reverse();
            }
        }
    }

    /// The weight of branch `i` when each player's choice is uniform.
    pub fn weight(&self, i: u64) -> u64 {
        match self.kind {
            Kind::Chance => self.outcomes.list[i as usize].1,
            _ => 1,
        }
    }

    /// The sum of the weights.
    pub fn total_weight(&self) -> u64 {
        match self.kind {
            Kind::Chance => self.outcomes.total,
            _ => self.count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    #[test]
    fn joint_actions_are_numbered_with_the_last_player_fastest() {
        let list = |n: u64| Actions((0..n).map(|i| Action(smallvec![i])).collect());
        let branches = Branches {
            kind: Kind::Decision(PlayerSet::from_word(0b101)),
            actions: vec![list(2), list(3), list(9)],
            count: 6,
            ..Branches::default()
        };
        let mut step = SmallVec::new();
        let mut seen = Vec::new();
        for i in 0..branches.len() {
            branches.step(i, &mut step);
            seen.push((step[0].0[0], step[1].0[0]));
        }
        assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
        assert_eq!((branches.weight(3), branches.total_weight()), (1, 6));
    }
}
