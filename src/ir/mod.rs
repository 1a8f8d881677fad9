//! The intermediate representation: what a game is compiled to, and all that a back end needs.
//!
//! A program is one control-flow graph. Playing runs it from the block where a node resumes to the next `Rest`; options
//! are listed by blocks of their own, which `Emit` tuples. Values live in *slots* of a flat frame of 64-bit words: a scalar
//! takes one slot and holds an `i64`, a set takes ⌈elements/64⌉ slots of bits. A variable's elements stand side by side.
//! Between nodes the slots that matter are packed (`layout`).
//!
//! An instruction is a row of a table (`instruction`, `sample`; the form is in `table`): what it reads and writes, costs,
//! prints as and must satisfy. What it makes of its values is in `meaning`. Passes, the verifier, costs and the text ask
//! these two, so that a new instruction is a row and an arm there, and the code that writes it.
//!
//! How a choice or a draw is sampled is part of a program's meaning, so that every back end plays the same game from the
//! same seed. Where a listing has a [`Trial`], that runs until it hits, so many times at most. Otherwise, and after so many
//! misses, the sample is the k-th of the n tuples in listing order with one bounded number below n (by weight: below the
//! sum of the weights), whatever way a back end finds that tuple; a deal takes one number for each card, below the number
//! of cards left, for that card's place among them. Outside trials nothing in the graph draws a random number.

pub mod cost;
mod coverage_points;
mod event;
mod instruction;
mod lattice;
mod layout;
pub mod meaning;
mod node;
mod operation;
mod print;
mod program;
mod sample;
pub mod select;
mod slots;
mod straight;
pub mod subsets;
mod table;
mod tuple;
pub mod verify;
mod visit;

pub use coverage_points::{CoveragePoint, CoveragePointKind, Marks};
pub use event::{EventCode, Said, SaidPiece, SaidValue};
pub use instruction::{Instr, Operand, Slot};
pub(crate) use lattice::Lattice;
pub use layout::{Field, Layout};
pub use node::*;
pub use operation::{Op, SetOp};
pub(crate) use print::show_word;
pub use program::*;
pub use sample::SampleCode;
pub(crate) use slots::Slots;
pub(crate) use straight::Straight;
pub(crate) use table::{Access, Reader};
pub use tuple::Bulk;
