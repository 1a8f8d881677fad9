//! Searches that decide one move.

mod belief;
mod information_sets;
mod smmcts;
#[path = "../support/mod.rs"]
mod support;
