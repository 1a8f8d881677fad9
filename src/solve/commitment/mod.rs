//! Commitment: the best mixed strategy of a *leader* whom a *follower* watches before it answers, the strong Stackelberg
//! equilibrium: the follower answers best, and of answers that are equally good gives the one that is best for the leader.
//!
//! A game of two players is posed as a [`Program`], and a method finds the [`Commitment`]. Where players learn nothing on the
//! way (`open_loop`) the leader mixes plans, lists of actions, of which those that always lead to the same count once (`plans`).
//! Other games are posed over their tree (`sequence_form`), and the leader has a behaviour strategy.
//!
//! Searches (`plan_search`) pose nothing: they find plans one by one, and the best answers to them by dynamic programming
//! (`answers`).

pub mod answers;
#[cfg(feature = "lp")]
pub mod bc2015;
#[cfg(feature = "lp")]
pub mod dobss;
pub mod double_oracle;
pub mod dual_simplex;
pub mod found;
#[cfg(feature = "lp")]
mod mixed_integer;
pub mod mixed_uct;
pub mod mixes;
pub mod multiple_lp;
pub mod open_loop;
pub mod plan_search;
pub mod plan_tree;
pub mod plans;
pub mod posed;
pub mod program;
#[cfg(feature = "lp")]
mod reduced;
pub mod schedule;
pub mod sequence_form;
pub mod steps;

pub use found::Commitment;
pub use plan_search::{SearchPlans, SearchTask, Sought};
pub use posed::{Form, PoseOptions, Posed, Prescribed, Unposed, pose};
pub use program::Program;

use super::methods::{Parameter, Progress};
use super::tree::TreeError;
use std::sync::atomic::AtomicBool;

/// A way to find the best commitment.
pub struct CommitmentMethod {
    pub name: &'static str,
    /// One sentence or two.
    pub doc: &'static str,
    pub parameters: &'static [Parameter],
    /// Whether something random takes part, so that there is a seed.
    pub is_random: bool,
    pub by: Way,
}

impl CommitmentMethod {
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|p| p.name == name)
    }
}

/// How a method works.
pub enum Way {
    /// On the whole game, posed as a program.
    Posed(SolvePosed),
    /// On plans that it finds itself.
    Search(SearchPlans),
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
    mixed_uct::METHOD,
    double_oracle::METHOD,
];
