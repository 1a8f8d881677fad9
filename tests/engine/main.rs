//! The compiled game at run time: laws that hold whatever the rules, and the ways to sample, play out and step, which agree.

mod at_once;
mod by_sets;
mod cursor;
mod families;
mod fixed;
mod hand_written;
mod laws;
mod lines;
mod lister;
mod noted;
mod observed_steps;
mod one_move;
mod peeking;
mod playouts;
mod policies;
mod product;
mod random_games;
mod reader;
mod records;
mod sampling;
mod small;
mod small_sets;
mod states;
mod stepping;
mod strategies;
mod subsets;
#[path = "../support/mod.rs"]
mod support;
