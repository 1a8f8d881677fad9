//! The portable engine: opcodes that a loop goes through, on every processor.
//!
//! `translate` writes them, one for an instruction of the flow (`instruction_selection`) and one for a branch with its
//! comparison, and `run` executes them over a frame. What is rare runs as the interpreter does it.

mod compact_tuples;
mod emitted_tuples;
mod frame_access;
mod instruction_selection;
mod opcode;
mod run;
#[cfg(test)]
mod tests;
mod translate;

pub(super) use emitted_tuples::Emitted;
pub(super) use run::run;
pub(super) use translate::{Code, translate};
