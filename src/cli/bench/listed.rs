//! Random games in which every player to move has all its actions listed.

use crate::machine::{Action, Actions, Machine, PlayError, State, Stepper, Turn};
use crate::random::Stream;
use rand::RngExt;
use smallvec::SmallVec;

/// Plays such games from one state, in buffers that are used again.
pub(super) struct Listed<'m> {
    machine: &'m Machine,
    stepper: Stepper<'m>,
    start: State,
    /// By the place of a player among those to move.
    lists: Vec<Actions>,
}

impl<'m> Listed<'m> {
    pub fn new(machine: &'m Machine, start: &State) -> Listed<'m> {
        Listed {
            machine,
            stepper: machine.stepper(),
            start: start.clone(),
            lists: Vec::new(),
        }
    }

    /// One game, to its payoffs.
    pub fn play(&mut self, rng: &mut Stream) -> Result<(), PlayError> {
        let mut state = self.start.clone();
        loop {
            self.stepper.start(self.machine.node(&state), state.words());
            state = match self.machine.turn(&state) {
                Turn::Terminal => return self.machine.payoff_units(&state).map(drop),
                Turn::Chance => {
                    let outcome = self.machine.sample_chance(&state, rng)?;
                    self.stepper.step_to(&[&outcome])?
                }
                Turn::Decision(movers) => {
                    if self.lists.len() < movers.len() {
                        self.lists.resize_with(movers.len(), Actions::default);
                    }
                    for (player, list) in std::iter::zip(movers.iter(), &mut self.lists) {
                        self.stepper.legal(player, list)?;
                    }
                    let lists = self.lists[..movers.len()].iter();
                    let taken: SmallVec<[&Action; 4]> = lists
                        .map(|list| &list[rng.random_range(0..list.len())])
                        .collect();
                    self.stepper.step_to(&taken)?
                }
            };
        }
    }
}
