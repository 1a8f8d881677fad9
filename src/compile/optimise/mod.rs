//! Passes over the flow of a playout, one a file. Each leaves a flow that plays the same games from the same seeds.
//!
//! `partial_evaluation` writes blocks anew for the constants known where they are entered. `value_numbering` (global)
//! removes what is computed or decided already. `copy_coalescing` computes values in the slots that they are copied to.
//! `dead_branches` leaves out branches and loops on which nothing hangs, `dead_code` what is not read. `simplify_cfg` threads
//! jumps and merges blocks. `tail_duplication` copies what follows trials and listings alike. `early_exit` ends loops that only
//! look for an element. `line_lengths` asks for so many cells in line without counting them. `tabulation` looks small computations up, `decision_tables` small decisions. `partial_dead_code` and
//! `sinking` move stores and computations to the ways on which they are read. The passes share `values`, `bounds` and
//! `forward_analysis`: what is known at a point of the flow.

mod algebra;
mod bounds;
pub mod constant_pool;
mod copy_coalescing;
mod dead_branches;
mod dead_code;
mod decision_tables;
mod early_exit;
mod effects;
mod forward_analysis;
mod line_lengths;
mod partial_dead_code;
mod partial_evaluation;
mod simplify_cfg;
mod sinking;
mod tabulation;
mod tail_duplication;
#[cfg(test)]
mod tests;
mod value_numbering;
mod values;

use super::playout::Flow;
use crate::ir::Program;
pub(crate) use dead_code::{live_in, live_out, successors, transfer};
pub(crate) use effects::changed_from;
pub(crate) use forward_analysis::order;

/// One pass over a flow.
pub struct Pass {
    pub name: &'static str,
    run: fn(&Program, &mut Flow),
}

/// All passes in their order; the clearing ones come more than once.
pub const PASSES: [Pass; 25] = [
    dead_branches::PASS,
    dead_code::PASS,
    partial_evaluation::PASS,
    simplify_cfg::PASS,
    tail_duplication::PASS,
    simplify_cfg::PASS,
    copy_coalescing::PASS,
    value_numbering::PASS,
    dead_code::PASS,
    copy_coalescing::PASS,
    dead_code::PASS,
    early_exit::PASS,
    simplify_cfg::PASS,
    value_numbering::PASS,
    line_lengths::PASS,
    dead_code::PASS,
    simplify_cfg::PASS,
    tabulation::PASS,
    decision_tables::PASS,
    dead_code::PASS,
    simplify_cfg::PASS,
    partial_dead_code::PASS,
    dead_code::PASS,
    sinking::PASS,
    simplify_cfg::PASS,
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
