//! Checked description to program (`ir`): control-flow graph, liveness, layout.
//!
//! `lower` writes the graph, `simplify_cfg` threads jumps and drops what is never reached, `liveness` and `layout` pack the
//! state. `playout` writes whole playouts as one flow, and the passes of `optimise` make that small.

mod accumulate;
pub mod codes;
pub(crate) mod dependence;
pub mod features;
mod layout;
pub(crate) mod liveness;
mod lower;
pub mod optimise;
pub mod playout;
pub mod playout_policy;
mod simplify_cfg;
#[cfg(test)]
mod tests;

use crate::ir::{Marks, Program, cost, verify};
use crate::model::Description;
use crate::text::diagnostics::Diagnostic;
use std::sync::Arc;

/// Compiles a checked description.
///
/// # Errors
/// Where something is too large to lay out, with the number and the bound.
pub fn compile(description: Description) -> Result<Program, Vec<Diagnostic>> {
    assemble(description, true)
}

/// As [`compile`], with a mark at every place that play can come to. The game is the same, and slower.
///
/// # Errors
/// As [`compile`].
pub fn compile_marked(description: Description) -> Result<Program, Vec<Diagnostic>> {
    assemble_with(description, true, true)
}

/// As [`compile`]; without `simplified` the graph stays as it was written, which plays the same and takes longer.
fn assemble(description: Description, simplified: bool) -> Result<Program, Vec<Diagnostic>> {
    assemble_with(description, simplified, false)
}

fn assemble_with(
    description: Description,
    simplified: bool,
    marked: bool,
) -> Result<Program, Vec<Diagnostic>> {
    let description = Arc::new(description);
    let (mut blocks, mut parts) = lower::lower(&description, marked)?;
    // What counts for identity is found while notes and rules are still separate.
    let identity = (!parts.notes.is_empty()).then(|| {
        liveness::live_at_nodes(&liveness::Graph {
            blocks: &blocks,
            nodes: &parts.nodes,
            payoff: &parts.payoff,
            frame: parts.frame,
            vars: &parts.vars,
            left_out: &parts.notes.iter().copied().collect(),
        })
    });
    if simplified {
        simplify_cfg::simplify(&mut blocks, &mut parts);
    }
    cost::count(&mut blocks, &parts.tables);
    let wanted = liveness::wanted_at_nodes(&liveness::Graph {
        blocks: &blocks,
        nodes: &parts.nodes,
        payoff: &parts.payoff,
        frame: parts.frame,
        vars: &parts.vars,
        left_out: &rustc_hash::FxHashMap::default(),
    });
    let layout = layout::layout(
        &description,
        &parts.slots,
        &parts.vars,
        &parts.payoff,
        &wanted,
        identity.as_deref(),
    )?;
    let program = Program {
        description,
        slots: parts.slots,
        frame: parts.frame,
        vars: parts.vars,
        blocks,
        entry: parts.entry,
        nodes: parts.nodes,
        payoff: parts.payoff,
        layout,
        tables: parts.tables,
        faults: parts.faults,
        knowledge: parts.knowledge,
        // An empty note leaves nothing to skip.
        notes: parts.notes.into_iter().filter(|(a, b)| a != b).collect(),
        marks: Marks::new(parts.places),
    };
    let kept = wanted.iter().map(|w| &w.live);
    let checked = verify::verify(&program).and_then(|()| verify::verify_kept(&program, kept));
    checked.map_err(|reason| {
        vec![
            Diagnostic::error(
                codes::INTERNAL,
                program.description.payoff.span,
                format!("the compiler made a program that it must not run: {reason}"),
            )
            .hint("this is a mistake in Ruse and not in the game; please report it"),
        ]
    })?;
    Ok(program)
}
