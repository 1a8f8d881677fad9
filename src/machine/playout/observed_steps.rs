//! Single steps of the game with their events, by machine code.

use super::codes::{Codes, passed};
use super::engine::Engine;
use super::engine::{Native, NativeFlow, interpreted_before};
use super::listener::Listener;
use super::native::Records;
use crate::compile::optimise::Until;
use crate::compile::playout::observed_steps;
use crate::ir::NodeId;
use crate::ir::meaning::Trouble;
use crate::machine::{Action, Event, Machine, PlayError, State};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// After how many steps by the interpreter for each instruction of the program the code is written.
const PER_INSTRUCTION: usize = 2;

/// The code of steps with events, made when enough of them were asked for.
#[derive(Debug, Default)]
pub(super) struct StepCode {
    native: Native,
    /// How many steps the interpreter made.
    asked: AtomicUsize,
}

/// What a step came to.
pub(in crate::machine) enum Told {
    Next(State),
    /// Who listens wanted nothing more.
    Enough,
    Trouble(Trouble),
}

/// Machine code of steps with events.
pub(in crate::machine) struct ObservedSteps<'m>(&'m NativeFlow);

impl Codes {
    /// Machine code for a step with events that is asked for now; `None` where there is none, or not yet.
    pub(in crate::machine) fn observed_steps(
        &self,
        machine: &Machine,
    ) -> Option<ObservedSteps<'_>> {
        let StepCode { native, asked } = &self.observed_steps;
        let program = &machine.program;
        if self.engine == Engine::Either {
            let before = PER_INSTRUCTION * interpreted_before(program);
            if asked.load(Ordering::Relaxed) < before {
                asked.fetch_add(1, Ordering::Relaxed);
                return None;
            }
        }
        let written = || passed(program, observed_steps(program), Until::All);
        let flow = || Some(native.kept().unwrap_or_else(written));
        let price = |instructions| PER_INSTRUCTION * instructions;
        let compile = |flow: &_| NativeFlow::new(program, flow);
        let made = native.get(self.engine, price, flow, compile);
        made.map(ObservedSteps)
    }
}

impl ObservedSteps<'_> {
    /// Steps from a state as [`Machine::step_observed`] does.
    ///
    /// # Errors
    /// Where the actions do not have the form of the node's.
    pub fn step(
        &self,
        machine: &Machine,
        state: &State,
        actions: &[Action],
        sink: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<Told, PlayError> {
        let program = &machine.program;
        let mut frame = machine.frames.borrow();
        program.layout.put_fixed(&mut frame[..]);
        for &i in &program.layout.kept[state.node as usize] {
            let field = &program.layout.fields[i as usize];
            frame[field.slot as usize] = field.read(&state.words);
        }
        machine.enter_all(state, actions, &mut frame[..])?;
        let NativeFlow { interface, code } = self.0;
        interface.fill(&mut frame[..]);
        let entry = interface.entry(state.node, |slot| Some(frame[slot as usize] as i64));
        // Nothing is drawn, and nothing is listed.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        let mut listener = Listener::of_events(sink);
        let ran = code.run(
            program,
            &mut frame,
            entry,
            &mut rng,
            &mut Records::default(),
            Some(&mut listener),
        );
        if listener.has_stopped() {
            return Ok(Told::Enough);
        }
        Ok(match ran {
            Ok(()) => {
                let node = NodeId(frame[interface.last as usize] as u32);
                Told::Next(machine.pack(&frame[..], node))
            }
            Err(trouble) => Told::Trouble(trouble),
        })
    }
}
