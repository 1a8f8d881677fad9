//! Exact solvers, against values from elsewhere.

mod backward;
mod matrix;
mod solvers;
#[path = "../support/mod.rs"]
mod support;
