//! What players that search have in common: how long each search may take, and random numbers for each decision.

use super::Clock;
use super::limits::Limits;
use super::player::{PlayerError, Question};
use crate::random::{Stream, stream};
use crate::search::Budget;
use std::sync::Arc;

/// The decisions of a player in one game after another.
pub struct Deciding {
    clock: Clock,
    limits: Limits,
    seed: u64,
    decisions: u64,
}

/// What one decision may use.
pub struct Means<'a> {
    /// Whether there is time left.
    pub in_time: &'a dyn Fn() -> bool,
    pub budget: Budget<'a>,
    pub rng: Stream,
}

impl Deciding {
    pub fn new(limits: Limits, clock: &Clock) -> Deciding {
        Deciding {
            clock: Arc::clone(clock),
            limits,
            seed: 0,
            decisions: 0,
        }
    }

    /// A game begins; everything random in it follows from `seed`.
    pub fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.decisions = 0;
    }

    /// A decision that was made already: the next one has the random numbers that it would have had.
    pub fn skip(&mut self) {
        self.decisions += 1;
    }

    /// The next decision: the place of what `find` finds, or the only action.
    ///
    /// # Errors
    /// Those of `find`.
    pub fn decide(
        &mut self,
        question: &Question<'_>,
        find: impl FnOnce(Means<'_>) -> Result<usize, PlayerError>,
    ) -> Result<usize, PlayerError> {
        let rng = stream(self.seed, &[self.decisions]);
        self.skip();
        if question.actions.len() == 1 {
            return Ok(0);
        }
        let in_time = self.limits.in_time(&self.clock);
        find(Means {
            budget: self
                .limits
                .budget(&Limits::keep_going(&in_time, question.patience)),
            in_time: &in_time,
            rng,
        })
    }
}
