//! Passes over the flow of a playout, one a file. Each leaves a flow that plays the same games from the same seeds.
//!
//! `specialise` writes blocks anew for what is known where they are entered: constants are folded, loops over constant
//! sets unrolled, branches decided, the code of each player told apart. `copies` reads values where they come from and
//! writes them where they go. `dead` drops what nobody wants. `join` puts blocks together.

mod copies;
mod dead;
mod effects;
mod join;
pub mod pool;
mod specialise;

use super::ir::{Instr, Program};
use super::playout::Flow;
pub(crate) use dead::{live_after, live_into, pass};

/// Runs one instruction whose inputs are known over a frame; false where it ends in an error.
pub type Fold = fn(&Program, &mut [u64], &Instr) -> bool;

/// What passes work with.
pub struct Session<'p> {
    pub program: &'p Program,
    pub fold: Fold,
}

/// One pass over a flow.
pub struct Pass {
    pub name: &'static str,
    run: fn(&Session<'_>, &mut Flow),
}

/// All passes in their order; the clearing ones come more than once.
pub const PASSES: [Pass; 7] = [
    dead::PASS,
    specialise::PASS,
    join::PASS,
    copies::PASS,
    dead::PASS,
    copies::PASS,
    dead::PASS,
];

/// How far the passes go.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Until<'a> {
    /// No pass at all: the flow as it was written.
    Written,
    /// Up to and with the first pass of a name.
    Pass(&'a str),
    All,
}

/// Runs passes in their order.
pub fn optimise(session: &Session<'_>, flow: &mut Flow, until: Until<'_>) {
    let passes = match until {
        Until::Written => 0,
        Until::Pass(name) => PASSES
            .iter()
            .position(|p| p.name == name)
            .map_or(PASSES.len(), |i| i + 1),
        Until::All => PASSES.len(),
    };
    for pass in &PASSES[..passes] {
        (pass.run)(session, flow);
    }
}
