//! Counterfactual regret minimisation for two-player zero-sum games: the average strategies of its iterations tend to an
//! equilibrium. One variant a file; they share regret matching.

pub mod baselines;
pub mod cfr;
pub mod cfr_plus;
pub mod external_sampling;
pub mod iterate;
pub mod mccfr;
pub mod outcome_sampling;
pub mod outcome_walk;
pub mod regret_matching;
pub mod sampling;

pub use cfr::Cfr;
pub use cfr_plus::CfrPlus;
pub use external_sampling::ExternalSampling;
pub use iterate::{Goal, Iterated, Milestone, iterate};
pub use outcome_sampling::OutcomeSampling;

use super::profile::Profile;

/// A method that gets better iteration by iteration.
pub trait RegretMinimizer {
    /// One more iteration.
    fn iterate(&mut self);

    /// The number of iterations so far.
    fn iterations(&self) -> u64;

    /// The average strategies so far; uniform where nothing is known yet.
    fn average(&self) -> Profile;
}
