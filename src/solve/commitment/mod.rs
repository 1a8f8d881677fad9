//! Commitment: the best mixed strategy of a *leader* whom a *follower* watches before it answers, the strong Stackelberg
//! equilibrium: the follower answers best, and of answers that are equally good gives the one that is best for the leader.
//!
//! A game of two players is posed as a [`Program`], and a method finds the [`Commitment`]. Where players learn nothing on the
//! way (`open_loop`) the leader mixes plans, lists of actions, of which those that always lead to the same count once (`plans`).
//! Other games are posed over their tree (`sequence_form`), and the leader has a behaviour strategy.

#[cfg(feature = "lp")]
pub mod bc2015;
#[cfg(feature = "lp")]
pub mod dobss;
pub mod dual_simplex;
pub mod found;
#[cfg(feature = "lp")]
mod mixed_integer;
pub mod multiple_lp;
pub mod open_loop;
pub mod plans;
pub mod posed;
pub mod program;
pub mod sequence_form;

pub use found::Commitment;
pub use posed::{Form, PoseOptions, Posed, Prescribed, Unposed, pose};
pub use program::Program;

use super::methods::Progress;
use super::tree::TreeError;
use std::sync::atomic::AtomicBool;

/// A way to find the best commitment.
pub struct CommitmentMethod {
    pub name: &'static str,
    /// One sentence or two.
    pub doc: &'static str,
    /// Whether it wants every game posed over its tree.
    pub over_tree: bool,
    pub solve: SolvePosed,
}

/// Finds the best commitment, or the best that was found until `stop` is set.
///
/// # Errors
/// [`TreeError::Stopped`] where nothing was found before it was stopped; [`TreeError::Unsolved`].
pub type SolvePosed = fn(&Posed, &mut dyn Progress, &AtomicBool) -> Result<Commitment, TreeError>;

/// All methods; the first is the usual one.
pub static COMMITMENTS: &[CommitmentMethod] = &[
    multiple_lp::METHOD,
    #[cfg(feature = "lp")]
    dobss::METHOD,
    #[cfg(feature = "lp")]
    bc2015::METHOD,
];
