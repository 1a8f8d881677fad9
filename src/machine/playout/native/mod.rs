//! Playouts as machine code, made by Cranelift.
//!
//! The optimised flow of a playout becomes one function. Slots become values that live in registers, except for those that
//! are found by an index at run time: these stay in the frame. `lower` goes over the blocks and instructions, `sets`,
//! `sampling` and `listing` write what belongs to sets, random numbers and emitted tuples; rare instructions call
//! [`execute`](crate::ir::meaning::execute). Short branches become selections (`diamonds`), and steps are counted only where
//! they have to be (`fuel`). The code takes the same random numbers as the portable engine; the words of the generator are
//! values like all others.
//!
//! The code never traps. An error ends it with a [`Trouble`]; whoever asked finds the words for it by playing again
//! state by state. `code` is the one file that runs what is made here.

mod boards;
mod code;
mod data;
mod diamonds;
mod entries;
mod fuel;
mod leads;
mod listing;
mod lower;
mod numbers;
mod sampling;
mod sets;
mod terms;

use super::engine::{MOST_INSTRUCTIONS, NoNative, instructions_of};
use super::frames::Frame;
use super::group::Group;
use super::listener::Listener;
use crate::compile::playout::Flow;
use crate::ir::meaning::Trouble;
use crate::ir::{Block, Instr, Program};
pub(super) use code::{Before, Records};
use listing::Shape;
use rand::rngs::Xoshiro256PlusPlus;
use std::ops::ControlFlow;

/// A flow as machine code. It is freed with the value.
pub(super) struct NativeCode {
    code: code::Code,
    /// What records may look like.
    shapes: Vec<Shape>,
    /// How many entries there are.
    entries: u32,
    /// Those that can be counted.
    counted: Vec<usize>,
}

impl std::fmt::Debug for NativeCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NativeCode")
    }
}

impl NativeCode {
    /// An error where there is no native code for this machine or this flow.
    pub fn new(program: &Program, flow: &Flow) -> Result<NativeCode, NoNative> {
        NativeCode::of(program, flow, None)
    }

    /// Of a flow that emits nothing; at entries with [`Taken`](crate::compile::playout::Taken) it goes through what `other` has
    /// emitted.
    pub fn after(
        program: &Program,
        flow: &Flow,
        other: &NativeCode,
    ) -> Result<NativeCode, NoNative> {
        let emits = |block: &Block| block.instrs.iter().any(|i| matches!(i, Instr::Emit { .. }));
        let given = !flow.blocks.iter().any(emits);
        NativeCode::of(program, flow, given.then_some(&other.shapes))
    }

    fn of(
        program: &Program,
        flow: &Flow,
        given: Option<&Vec<Shape>>,
    ) -> Result<NativeCode, NoNative> {
        let instructions = instructions_of(flow);
        if instructions > MOST_INSTRUCTIONS {
            return Err(NoNative::TooLong(instructions));
        }
        if !code::available() {
            return Err(NoNative::NoCompiler);
        }
        let data = data::Data::new(program, flow)?;
        let (mut shapes, mut counted) = (Vec::new(), Vec::new());
        let code = code::compile(data, |data, function, config| {
            let listings;
            (listings, counted) = lower::lower(
                program,
                flow,
                data,
                given.map(|g| &g[..]),
                (function, config),
            )?;
            let stride = listings.stride();
            shapes = listings.into_shapes();
            Some(stride)
        });
        Ok(NativeCode {
            code: code.ok_or(NoNative::Refused)?,
            shapes,
            entries: flow.entries.len() as u32,
            counted,
        })
    }

    /// Goes through the tuples that the last run has left, in order, until `f` stops.
    pub fn each(
        &self,
        records: &Records,
        f: &mut dyn FnMut(&Group<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for record in records.each(self.code.stride()) {
            if let Some(group) = listing::group(&self.shapes, record) {
                f(&group)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The tuples with so much weight before one of them, and what is left of that weight.
    #[inline]
    pub fn find<'r>(&self, records: &'r Records, before: u64) -> Option<(Group<'r>, u64)> {
        let record = records.find(self.code.stride(), before)?;
        let group = listing::group(&self.shapes, record)?;
        Some((group, before.checked_sub(*record.first()?)?))
    }

    /// Runs the code from one of its entries to its end; as the portable engine does with the same random numbers.
    #[inline]
    pub fn run(
        &self,
        program: &Program,
        frame: &mut Frame,
        entry: u32,
        rng: &mut Xoshiro256PlusPlus,
        records: &mut Records,
        listener: Option<&mut Listener<'_>>,
    ) -> Result<(), Trouble> {
        let records = (records, None);
        self.code
            .run(program, frame, entry, rng, records, listener)?;
        Ok(())
    }

    /// Whether all that is taken at an entry is gone through.
    pub fn is_counted(&self, entry: u32) -> bool {
        self.counted.contains(&(entry as usize))
    }

    /// Takes the tuple with a number, of those that the run before has left, and goes on from an entry that has
    /// [`Taken`](crate::compile::playout::Taken); the number is below the weight of all. Code that comes
    /// [after](NativeCode::after) that of the records goes through all of them instead, whatever the number, and says how many
    /// there are and how many of them lead to an end; what the frame holds of a state stays as it is.
    #[inline]
    pub fn run_taking(
        &self,
        program: &Program,
        frame: &mut Frame,
        (entry, number): (u32, u64),
        rng: &mut Xoshiro256PlusPlus,
        records: &mut Records,
    ) -> Result<(u64, u64), Trouble> {
        let taken = (records, Some(number));
        let entry = self.entries + entry;
        self.code.run(program, frame, entry, rng, taken, None)
    }
}

#[cfg(all(test, feature = "arm64"))]
mod arm64_tests;
#[cfg(test)]
mod tests;
