//! Checked description to machine: control-flow graph, layout, typed IR, verifier.

use crate::check::description::Description;
use crate::diagnostics::Diagnostic;
use crate::machine::Machine;

/// Compiles a checked description. Fails where something is too large to lay out.
pub fn compile(_description: Description) -> Result<Machine, Vec<Diagnostic>> {
    unimplemented!()
}
