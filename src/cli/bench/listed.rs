//! Random games in which every player to move has all its actions listed.

use crate::machine::{Actions, Cursor, Machine, PlayError, State, Stepper, Turn};
use crate::random::Stream;
use rand::RngExt;

/// Plays such games from one state, in buffers that are used again.
pub(super) struct Listed<'m> {
    machine: &'m Machine,
    cursor: Option<Cursor<'m>>,
    stepper: Stepper<'m>,
    start: State,
    actions: Actions,
}

impl<'m> Listed<'m> {
    pub fn new(machine: &'m Machine, start: &State) -> Listed<'m> {
        Listed {
            machine,
            cursor: machine.cursor(),
            stepper: machine.stepper(),
            start: start.clone(),
            actions: Actions::default(),
        }
    }

    /// One game, to its payoffs.
    pub fn play(&mut self, rng: &mut Stream) -> Result<(), PlayError> {
        let before = rng.clone();
        if self.fast(rng).is_some() {
            return Ok(());
        }
        *rng = before;
        self.slow(rng)
    }

    /// `None`: not this way, or an error for which the slow way has the words.
    fn fast(&mut self, rng: &mut Stream) -> Option<()> {
        let cursor = self.cursor.as_mut()?;
        cursor.start(&self.start)?;
        while !cursor.offers().is_empty() {
            for offer in 0..cursor.offers().len() {
                let k = rng.random_range(0..cursor.offers()[offer].total);
                cursor.take(offer, k)?;
            }
            cursor.advance()?;
        }
        cursor.payoffs().map(drop)
    }

    fn slow(&mut self, rng: &mut Stream) -> Result<(), PlayError> {
        let mut state = self.start.clone();
        loop {
            self.stepper.start(self.machine.node(&state), state.words());
            let mut taken = Vec::new();
            match self.machine.turn(&state) {
                Turn::Terminal => return self.machine.payoff_units(&state).map(drop),
                Turn::Chance => taken.push(self.machine.sample_chance(&state, rng)?),
                Turn::Decision(movers) => {
                    for player in movers {
                        self.stepper.legal(player, &mut self.actions)?;
                        let k = rng.random_range(0..self.actions.len());
                        taken.push(self.actions[k].clone());
                    }
                }
            }
            let taken: Vec<_> = taken.iter().collect();
            state = self.stepper.step_to(&taken)?;
        }
    }
}
