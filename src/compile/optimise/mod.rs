//! Passes over the flow of a playout, one a file. Each leaves a flow that plays the same games from the same seeds.
//!
//! `specialise` writes blocks anew for what is known where they are entered: constants are folded, loops over constant
//! sets unrolled, branches decided, the code of each player told apart. `number` finds out what is computed already and
//! what is decided already. `copies` computes values where they go. `dead` drops what nobody wants. `join` puts blocks
//! together. `twin` copies what follows trials and listings alike. `tables` looks small computations up, `decide` small decisions. `delay` and `sink` move what is stored to
//! the ways on which it is wanted. `values`, `bounds` and `state` are what several of them ask for what is known.

mod algebra;
mod bounds;
mod copies;
mod dead;
mod decide;
mod delay;
mod effects;
mod join;
mod number;
pub mod pool;
mod sink;
mod specialise;
mod state;
mod tables;
#[cfg(test)]
mod tests;
mod twin;
mod values;

use super::playout::Flow;
use crate::ir::Program;
pub(crate) use dead::{live_after, live_into, pass, successors};
pub(crate) use effects::changed_from;

/// One pass over a flow.
pub struct Pass {
    pub name: &'static str,
    run: fn(&Program, &mut Flow),
}

/// All passes in their order; the clearing ones come more than once.
pub const PASSES: [Pass; 22] = [
    dead::PASS,
    specialise::PASS,
    join::PASS,
    twin::PASS,
    join::PASS,
    copies::PASS,
    number::PASS,
    dead::PASS,
    copies::PASS,
    dead::PASS,
    join::PASS,
    number::PASS,
    dead::PASS,
    join::PASS,
    tables::PASS,
    decide::PASS,
    dead::PASS,
    join::PASS,
    delay::PASS,
    dead::PASS,
    sink::PASS,
    join::PASS,
];

/// How far the passes go.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Until<'a> {
    /// No pass at all: the flow as it was written.
    Written,
    /// Up to and with the first pass of a name.
    Pass(&'a str),
    /// So many passes.
    First(usize),
    All,
}

/// Runs passes in their order.
pub fn optimise(program: &Program, flow: &mut Flow, until: Until<'_>) {
    let passes = match until {
        Until::Written => 0,
        Until::Pass(name) => PASSES
            .iter()
            .position(|p| p.name == name)
            .map_or(PASSES.len(), |i| i + 1),
        Until::First(passes) => passes.min(PASSES.len()),
        Until::All => PASSES.len(),
    };
    for pass in &PASSES[..passes] {
        (pass.run)(program, flow);
    }
}
