//! Single steps in the code of playouts: silent, without sampling, many from one state.
//!
//! An error here says nothing of its own; whoever steps asks the interpreter, which tells it in full.

use super::emitted::Emitted;
use super::run::{self, Frame};
use super::translate::{Code, translate};
use super::{empty_frame, passed};
use crate::compile::optimise::Until;
use crate::compile::playout::steps;
use crate::machine::{Machine, State};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Steps from one state after another, in a frame of its own.
pub(in crate::machine) struct Steps<'m> {
    machine: &'m Machine,
    code: &'m Code,
    frame: Box<Frame>,
    emitted: Emitted,
    /// Nothing is drawn from it.
    rng: Xoshiro256PlusPlus,
    /// Where the code of the start begins.
    at: u32,
    /// What the start keeps, by slot.
    values: Vec<(u32, u64)>,
}

impl<'m> Steps<'m> {
    /// `None` where a game is too large for the code.
    pub fn new(machine: &'m Machine) -> Option<Steps<'m>> {
        let program = &machine.program;
        let code = machine.codes.steps.get_or_init(|| {
            let flow = passed(program, steps(program), Until::All);
            translate(program, &flow)
        });
        let code = code.as_ref()?;
        let mut frame = empty_frame();
        let to = code.base..code.base + code.constants.len();
        frame[to].copy_from_slice(&code.constants);
        for (slot, value) in &program.layout.fixed {
            frame[*slot as usize] = *value as u64;
        }
        Some(Steps {
            machine,
            code,
            frame,
            emitted: Emitted::new(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            at: 0,
            values: Vec::new(),
        })
    }

    /// The state to step from.
    pub fn start(&mut self, state: &State) {
        let layout = &self.machine.program.layout;
        self.values.clear();
        for &i in &layout.kept[state.node as usize] {
            let field = &layout.fields[i as usize];
            self.values.push((field.slot, field.read(&state.words)));
        }
        self.put_back();
        let (entry, starts) = &self.code.entries[state.node as usize];
        let mut at = 0;
        for &(slot, lo, size) in &entry.keys {
            let value = (self.frame[slot as usize] as i64 - lo).clamp(0, i64::from(size) - 1);
            at = at * size as usize + value as usize;
        }
        self.at = starts[at];
    }

    /// Makes the frame that of the start again, and gives it for the actions.
    pub fn put_back(&mut self) -> &mut [u64] {
        for &(slot, value) in &self.values {
            self.frame[slot as usize] = value;
        }
        &mut self.frame[..]
    }

    /// Steps with the actions that were put into the frame, and fills in the words of the next state; its node. `None` on an
    /// error.
    pub fn step(&mut self, words: &mut [u64]) -> Option<u32> {
        let program = &self.machine.program;
        self.emitted.clear();
        let ran = run::run(
            program,
            self.code,
            &mut self.frame,
            self.at,
            &mut self.rng,
            &mut self.emitted,
            &mut (),
        );
        ran.ok()?;
        let node = self.frame[self.code.last as usize] as u32;
        words.fill(0);
        let layout = &program.layout;
        for &i in layout.kept.get(node as usize)? {
            let field = &layout.fields[i as usize];
            field.write(words, self.frame[field.slot as usize]);
        }
        Some(node)
    }
}
