//! Exact solvers, against values from elsewhere.

mod auction;
mod backward;
mod commitment;
mod extensive_form;
mod matrix;
mod solvers;
#[path = "../support/mod.rs"]
mod support;
