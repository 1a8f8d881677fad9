//! What accumulators earn from one state to the next.
//!
//! Accumulators enter the payoffs linearly with constant factors, so what one of them earns is its factor times the change
//! of its value. The factors are found once, by adding up the payoffs of a state with that accumulator one higher.

use super::{Machine, State};
use crate::ir::Field;
use smallvec::SmallVec;

/// The rewards of one player, in units of 1/[`Machine::payoff_denominator`].
#[derive(Clone, Debug)]
pub struct Rewards {
    /// Each accumulator that the player has a share in, with the player's factor.
    factors: Vec<(Field, i64)>,
}

impl Rewards {
    /// The rewards of a player.
    pub fn new(machine: &Machine, player: usize) -> Rewards {
        let layout = &machine.program.layout;
        let accumulators = &machine.program.payoff.accumulators;
        // Node 0 will do: every node keeps all variables. All accumulators are at their least value.
        let words = layout.words;
        let earned = |raise: Option<&Field>| {
            let mut state = State {
                node: 0,
                words: SmallVec::from_elem(0, words),
            };
            if let Some(field) = raise {
                state.words[field.word as usize] |= 1 << field.shift;
            }
            machine.accumulated(&state).get(player).copied()
        };
        let base = earned(None).unwrap_or(0);
        let is_accumulator = |field: &&Field| {
            let slots = &machine.program.slots;
            let owner = slots.iter().find(|info| {
                let words = info.ty.words() as u32;
                (info.slot..info.slot + words).contains(&field.slot)
            });
            owner
                .and_then(|info| info.var)
                .is_some_and(|var| accumulators.contains(&var))
        };
        let factors = layout
            .fields
            .iter()
            .filter(is_accumulator)
            .map(|field| (*field, earned(Some(field)).unwrap_or(0) - base))
            .filter(|(_, factor)| *factor != 0)
            .collect();
        Rewards { factors }
    }

    /// Whether there are none, whatever is played.
    pub fn is_empty(&self) -> bool {
        self.factors.is_empty()
    }

    /// What the player earns on the way between two states, given by their words.
    pub fn between(&self, before: &[u64], after: &[u64]) -> i64 {
        self.factors
            .iter()
            .map(|(field, factor)| {
                let change = field.read(after).wrapping_sub(field.read(before)) as i64;
                change.wrapping_mul(*factor)
            })
            .fold(0, i64::wrapping_add)
    }
}
