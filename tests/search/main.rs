//! Searches that decide one move.

mod smmcts;
#[path = "../support/mod.rs"]
mod support;
