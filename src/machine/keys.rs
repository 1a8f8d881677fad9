//! Identity of world states: what two states must share to have the same future.

use super::interpret::{Silent, run};
use super::{Machine, State};
use crate::random::mix;
use smallvec::SmallVec;

#[doc(hidden)]
impl Machine {
    /// Identity of the world state from here on: the node and its live variables, hashed.
    pub fn key(&self, state: &State) -> u64 {
        let mask = &self.program.layout.live[state.node as usize];
        state
            .words
            .iter()
            .zip(mask)
            .fold(mix(1, u64::from(state.node)), |key, (w, m)| mix(key, w & m))
    }

    /// The same, exact.
    pub fn exact_key(&self, state: &State) -> SmallVec<[u64; 16]> {
        self.masked(state, &self.program.layout.live[state.node as usize])
    }

    /// All that a state keeps, what is only on view included.
    pub fn kept_key(&self, state: &State) -> SmallVec<[u64; 16]> {
        std::iter::once(u64::from(state.node))
            .chain(state.words.iter().copied())
            .collect()
    }

    /// As [`Machine::exact_key`] without accumulators: variables that are only added to and enter the payoff linearly.
    /// Two states with the same reduced key have the same future but for the difference of [`Machine::accumulated`].
    pub fn reduced_key(&self, state: &State) -> SmallVec<[u64; 16]> {
        self.masked(state, &self.program.layout.reduced[state.node as usize])
    }

    fn masked(&self, state: &State, mask: &[u64]) -> SmallVec<[u64; 16]> {
        std::iter::once(u64::from(state.node))
            .chain(state.words.iter().zip(mask).map(|(w, m)| w & m))
            .collect()
    }

    /// The part of each player's payoff that accumulators have earned so far, in units of
    /// 1/[`Machine::payoff_denominator`].
    pub fn accumulated(&self, state: &State) -> SmallVec<[i64; 8]> {
        let Some((code, slots)) = &self.program.payoff.accumulated else {
            return SmallVec::from_elem(0, self.player_count());
        };
        let mut frame = self.unpack(state);
        // Sums of variables over constants cannot fail; if they did, nothing has been earned.
        if run(&self.program, &mut frame, *code, &mut Silent).is_err() {
            return SmallVec::from_elem(0, self.player_count());
        }
        slots
            .iter()
            .map(|&slot| frame[slot as usize] as i64)
            .collect()
    }
}
