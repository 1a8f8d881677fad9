//! One choice by a playout policy, sampled on a state: the reference for compiled playouts.

use super::sampling::below;
use super::{Action, Actions, Machine, PlayError, State};
use crate::compile::playout::{UNRATED, WEIGHED};
use crate::compile::playout_policy::{EPSILON_UNITS, PlayoutPolicy};
use crate::ir::RatingKind;
use rand::{Rng, RngExt};

#[doc(hidden)]
impl Machine {
    /// One action of a player to move as a playout policy chooses it.
    ///
    /// # Errors
    /// As [`Machine::legal`] and [`Machine::preferences`].
    pub fn sample_by(
        &self,
        state: &State,
        policy: &PlayoutPolicy,
        player: usize,
        rng: &mut impl Rng,
    ) -> Result<Action, PlayError> {
        let listing = &self.arm_of(state, player)?.listing;
        let Some(entry) = policy.heuristic(listing, player) else {
            return self.sample(state, player, rng);
        };
        let epsilon = policy.epsilon(player);
        if epsilon > 0 && below(rng, EPSILON_UNITS) < epsilon {
            return self.sample(state, player, rng);
        }
        let mut actions = Actions::default();
        self.legal(state, player, &mut actions)?;
        if !policy.is_fusible(&self.program) {
            let shares = self.preferences(state, entry, player, &actions)?;
            return Ok(by_share(&actions, &shares, rng));
        }
        let mut best: Vec<(&Action, u64)> = Vec::new();
        let mut least = UNRATED;
        for action in actions.iter() {
            let (rank, weight) = self.ranked(state, entry, player, action)?;
            if rank < least {
                least = rank;
                best.clear();
            }
            if rank == least {
                best.push((action, weight));
            }
        }
        let total: u64 = best.iter().map(|(_, weight)| weight).sum();
        let mut k = below(rng, total.max(1));
        for (action, weight) in best {
            if k < weight {
                return Ok(action.clone());
            }
            k -= weight;
        }
        self.sample(state, player, rng)
    }

    /// How good an action is by a heuristic, the less the better, and its weight among those that are as good.
    fn ranked(
        &self,
        state: &State,
        entry: usize,
        player: usize,
        action: &Action,
    ) -> Result<(i64, u64), PlayError> {
        let mut found = (UNRATED, 1);
        self.rate(state, entry, player, action, &mut |rating, frame| {
            let value = |slot: u32| frame[slot as usize] as i64;
            found = match rating.kind {
                RatingKind::Greatest { value: v, .. } => (-value(v), 1),
                RatingKind::Least { value: v, .. } => (value(v), 1),
                RatingKind::Weight { first, .. } if value(first) >= 0 => (value(first), 1),
                RatingKind::Weight { weight, .. } if value(weight) > 0 => {
                    (WEIGHED, value(weight) as u64)
                }
                _ => (UNRATED, 1),
            };
        })?;
        Ok(found)
    }
}

/// One of some actions by their shares, which add up to 1.
fn by_share(actions: &Actions, shares: &[f64], rng: &mut impl Rng) -> Action {
    let mut left: f64 = rng.random();
    let likely = std::iter::zip(actions.iter(), shares).filter(|(_, share)| **share > 0.0);
    let mut taken = None;
    for (action, share) in likely {
        taken = Some(action);
        left -= share;
        if left < 0.0 {
            break;
        }
    }
    taken.cloned().unwrap_or_else(|| actions.0[0].clone())
}
