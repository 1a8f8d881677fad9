//! Single steps of the game with their events, by machine code.

use super::codes::{Codes, passed};
use super::engine::Engine;
use super::engine::{Native, NativeFlow, interpreted_before};
use super::frames::Borrowed;
use super::listener::Listener;
use super::native::Records;
use super::stepping::Changes;
use crate::compile::optimise::Until;
use crate::compile::playout::observed_steps;
use crate::ir::meaning::Trouble;
use crate::machine::{Action, Event, Machine, PlayError, State};
use crate::model::PlayerSet;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// After how many steps by the interpreter for each instruction of the program the code is written.
const PER_INSTRUCTION: usize = 2;

/// The code of steps with events, made when enough of them were asked for.
#[derive(Debug, Default)]
pub(super) struct StepCode {
    native: Native,
    /// By node what a step changes, and the bits of a state that are kept; there once the flow is written.
    kept: OnceLock<Vec<(Changes, Vec<u64>)>>,
    /// How many steps the interpreter made.
    asked: AtomicUsize,
}

/// What a step came to.
pub(in crate::machine) enum Told {
    /// The state is the next one.
    Next,
    /// Who listens wanted nothing more. The state is as it was.
    Enough,
    /// The state is as it was.
    Trouble(Trouble),
}

/// Machine code of steps with events, in a frame of its own.
pub(in crate::machine) struct ObservedSteps<'m> {
    machine: &'m Machine,
    code: &'m NativeFlow,
    /// By node: see [`StepCode`].
    kept: &'m [(Changes, Vec<u64>)],
    frame: Borrowed<'m>,
    /// Nothing is listed.
    records: Records,
    /// Nothing is drawn.
    rng: Xoshiro256PlusPlus,
}

impl Codes {
    /// Machine code for a step with events that is asked for now; `None` where there is none, or not yet.
    pub(super) fn observed_step(&self, machine: &Machine) -> Option<&NativeFlow> {
        let StepCode {
            native,
            kept,
            asked,
        } = &self.observed_steps;
        let program = &machine.program;
        if self.engine == Engine::Either && !native.is_made() {
            let before = PER_INSTRUCTION * interpreted_before(program);
            if asked.load(Ordering::Relaxed) < before {
                asked.fetch_add(1, Ordering::Relaxed);
                return None;
            }
        }
        let written = || passed(program, observed_steps(program), Until::All);
        let flow = || Some(native.kept().unwrap_or_else(written));
        let price = |instructions| PER_INSTRUCTION * instructions;
        let layout = &program.layout;
        let nodes = 0..program.nodes.len();
        let compile = |flow: &_| {
            kept.get_or_init(|| {
                let wanted: Vec<Vec<u64>> = nodes.map(|node| layout.kept_bits(node)).collect();
                let changes = Changes::of_nodes(machine, flow, &wanted);
                std::iter::zip(changes, wanted).collect()
            });
            NativeFlow::new(program, flow)
        };
        native.get(self.engine, price, flow, compile)
    }
}

impl<'m> ObservedSteps<'m> {
    /// For steps that are asked for from now on; `None` where there is no machine code, or not yet.
    pub fn of(machine: &'m Machine) -> Option<ObservedSteps<'m>> {
        let code = machine.codes.observed_step(machine)?;
        let mut frame = machine.frames.borrow();
        code.interface.fill(&mut frame[..]);
        Some(ObservedSteps {
            machine,
            code,
            kept: machine.codes.observed_steps.kept.get()?,
            frame,
            records: Records::default(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
        })
    }

    /// Steps from a state as [`Machine::step_observed`] does.
    ///
    /// # Errors
    /// Where the actions do not have the form of the node's.
    pub fn step(
        &mut self,
        state: &mut State,
        actions: &[Action],
        viewers: PlayerSet,
        sink: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<Told, PlayError> {
        let machine = self.machine;
        let (program, frame) = (&machine.program, &mut self.frame);
        program.layout.put_fixed(&mut frame[..]);
        let (changes, _) = &self.kept[state.node as usize];
        changes.enter(&state.words, &mut frame[..]);
        machine.enter_all(state, actions, &mut frame[..])?;
        let NativeFlow { interface, code } = self.code;
        let entry = interface.entry(state.node, |slot| Some(frame[slot as usize] as i64));
        let mut listener = Listener::of_events(viewers, sink);
        let (rng, records) = (&mut self.rng, &mut self.records);
        let ran = code.run(program, frame, entry, rng, records, Some(&mut listener));
        if listener.has_stopped() {
            return Ok(Told::Enough);
        }
        Ok(match ran {
            Ok(()) => {
                state.node = frame[interface.last as usize] as u32;
                let (_, wanted) = &self.kept[state.node as usize];
                changes.leave(&frame[..], wanted, &mut state.words);
                Told::Next
            }
            Err(trouble) => Told::Trouble(trouble),
        })
    }
}
