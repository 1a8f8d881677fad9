//! Searches that decide one move.

mod belief;
mod exploration;
mod information_sets;
mod modelled;
mod outcome_sampling;
mod particles;
mod smmcts;
#[path = "../support/mod.rs"]
mod support;
