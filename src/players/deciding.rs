//! What players that search have in common: how long each search may take, and random numbers for each decision.

use super::Clock;
use super::limits::Limits;
use super::player::{PlayerError, Question};
use super::thought::Thought;
use crate::random::{Stream, stream};
use crate::search::Budget;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// The decisions of a player in one game after another.
pub struct Deciding {
    clock: Clock,
    limits: Limits,
    seed: u64,
    decisions: u64,
    thought: Thought,
}

/// What one decision may use.
pub struct Means<'a> {
    /// Whether there is time left.
    pub in_time: &'a dyn Fn() -> bool,
    pub budget: Budget<'a>,
    pub rng: Stream,
    /// To be called where a belief is up to date, before the search.
    pub believed: &'a dyn Fn(),
}

impl Deciding {
    pub fn new(limits: Limits, clock: &Clock) -> Deciding {
        Deciding {
            clock: Arc::clone(clock),
            limits,
            seed: 0,
            decisions: 0,
            thought: Thought::default(),
        }
    }

    /// A game begins; everything random in it follows from `seed`.
    pub fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.decisions = 0;
        self.thought = Thought::default();
    }

    /// A decision that was made already: the next one has the random numbers that it would have had.
    pub fn skip(&mut self) {
        self.decisions += 1;
    }

    /// How long the decisions of this game took.
    pub fn thought(&self) -> Thought {
        self.thought
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
        let start = (self.clock)();
        let passed = || (self.clock)().saturating_sub(start);
        let belief = Cell::new(Duration::ZERO);
        let in_time = self.limits.in_time(&self.clock);
        let found = find(Means {
            budget: self
                .limits
                .budget(&Limits::keep_going(&in_time, question.patience)),
            in_time: &in_time,
            rng,
            believed: &|| belief.set(passed()),
        });
        self.thought += Thought {
            choices: 1,
            all: passed(),
            belief: belief.get(),
        };
        found
    }
}
