//! What each player has noticed of the time that passed: the abstract state of the clock rule (see `clock.rs`).

use crate::model::{PlayerSet, VarId};
use crate::text::span::Span;

/// One player's clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Nothing hidden has passed since the last event that the player saw.
    Clean,
    /// A decision may have passed, without the player noticing it.
    Dirty { passed: Span },
    /// Since then, a variable that the player sees was stored.
    Stale {
        passed: Span,
        store: Span,
        var: VarId,
    },
}

impl Clock {
    fn rank(&self) -> u8 {
        match self {
            Clock::Clean => 0,
            Clock::Dirty { .. } => 1,
            Clock::Stale { .. } => 2,
        }
    }
}

/// What holds at one point of play, over all the ways to get there.
#[derive(Clone, Debug)]
pub struct Flow {
    /// False where play does not get.
    pub live: bool,
    pub clocks: Vec<Clock>,
}

impl Flow {
    pub fn start(players: usize) -> Flow {
        Flow {
            live: true,
            clocks: vec![Clock::Clean; players],
        }
    }

    /// The worse of two, player by player.
    pub fn join(&mut self, other: &Flow) {
        if !other.live {
            return;
        }
        if !self.live {
            *self = other.clone();
            return;
        }
        for (mine, theirs) in self.clocks.iter_mut().zip(&other.clocks) {
            if theirs.rank() > mine.rank() {
                *mine = theirs.clone();
            }
        }
    }

    /// True if a join with `other` would change nothing.
    pub fn covers(&self, other: &Flow) -> bool {
        !other.live
            || self.live
                && self
                    .clocks
                    .iter()
                    .zip(&other.clocks)
                    .all(|(a, b)| a.rank() >= b.rank())
    }

    /// An event that these players certainly see.
    pub fn seen(&mut self, viewers: PlayerSet) {
        for (p, clock) in self.clocks.iter_mut().enumerate() {
            if viewers.contains(p) {
                *clock = Clock::Clean;
            }
        }
    }

    /// A move of which these players may not have noticed anything.
    pub fn pass(&mut self, unaware: PlayerSet, passed: Span) {
        for (p, clock) in self.clocks.iter_mut().enumerate() {
            if unaware.contains(p) && *clock == Clock::Clean {
                *clock = Clock::Dirty { passed };
            }
        }
    }

    /// A store to something that these players may see.
    pub fn store(&mut self, viewers: PlayerSet, store: Span, var: VarId) {
        for p in viewers {
            if let Some(clock) = self.clocks.get_mut(p)
                && let Clock::Dirty { passed } = *clock
            {
                *clock = Clock::Stale { passed, store, var };
            }
        }
    }
}
