//! Coverage points: the places of a text that play can come to.
//!
//! Only a program that was compiled with marks has any; then `Instr::Reach` stands at each of them. Every other program
//! is the same as if this file did not exist.

use crate::text::span::Span;
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// What happens at a coverage point.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CoveragePointKind {
    /// A statement runs.
    Statement,
    /// Payoffs are worked out.
    Payoff,
    /// A labelled alternative is taken.
    Taken,
    /// A labelled alternative is among the options.
    Offered,
    /// The condition of a `where` holds.
    Held,
    /// The condition of a `where`, or of an `if` without `else`, does not hold.
    Failed,
    /// The first branch of the expression `if c then a else b`.
    Then,
    /// Its second branch.
    Else,
    /// The n-th arm of a `match` that gives a value.
    Arm(u32),
    /// A loop ends because its condition no longer holds, or no player is left. The span is that of the condition.
    Ended,
    /// A loop with a condition ends at its bound, and the condition would still hold, as far as that can be said.
    Bound,
}

impl CoveragePointKind {
    /// Whether a game is only covered once play has come here. The others are looked at to give hints.
    pub fn counts(self) -> bool {
        !matches!(
            self,
            CoveragePointKind::Offered | CoveragePointKind::Ended | CoveragePointKind::Bound
        )
    }
}

/// A coverage point. Copies of a rule that is called several times are one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CoveragePoint {
    pub span: Span,
    pub kind: CoveragePointKind,
}

/// The coverage points of a program, and which of them play has come to: the one thing about a program that changes as it runs.
#[derive(Debug, Default)]
pub struct Marks {
    places: Vec<CoveragePoint>,
    reached: Vec<AtomicBool>,
}

impl Marks {
    pub fn new(places: Vec<CoveragePoint>) -> Marks {
        let reached = places.iter().map(|_| AtomicBool::new(false)).collect();
        Marks { places, reached }
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Takes down that play has come to a place.
    pub fn reach(&self, place: u32) {
        if let Some(reached) = self.reached.get(place as usize) {
            reached.store(true, Ordering::Relaxed);
        }
    }

    /// Every place, and whether play has come to it.
    pub fn iter(&self) -> impl Iterator<Item = (CoveragePoint, bool)> + '_ {
        let reached = self.reached.iter().map(|r| r.load(Ordering::Relaxed));
        self.places.iter().copied().zip(reached)
    }
}
