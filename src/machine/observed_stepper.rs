//! Many steps with events: those who go from state to state and hear all that happens need no new frame for each step.

use super::event_sink::{Answer, SinkHost};
use super::playout::ObservedSteps;
use super::{Action, Event, Machine, PlayError, State};
use crate::ir::meaning::Trouble;
use crate::model::PlayerSet;

/// Steps with events, one after the other, from any states of a machine.
pub struct ObservedStepper<'m> {
    machine: &'m Machine,
    viewers: PlayerSet,
    /// `None` where there is no machine code, or not yet.
    native: Option<ObservedSteps<'m>>,
}

#[doc(hidden)]
impl Machine {
    /// See `ObservedStepper`. It tells what some of the viewers see; of others who see it too the events say nothing.
    pub fn observed_stepper(&self, viewers: PlayerSet) -> ObservedStepper<'_> {
        ObservedStepper {
            machine: self,
            viewers,
            native: None,
        }
    }
}

impl ObservedStepper<'_> {
    /// As [`Machine::step_observed`].
    ///
    /// # Errors
    /// As [`Machine::step`].
    pub fn step<A: Answer>(
        &mut self,
        state: &mut State,
        actions: &[Action],
        sink: &mut dyn FnMut(Event<'_>) -> A,
    ) -> Result<A::Of<()>, PlayError> {
        if self.native.is_none() {
            self.native = ObservedSteps::of(self.machine);
        }
        let mut telling = SinkHost::of(self.viewers, sink);
        let stepped = match &mut self.native {
            Some(steps) => {
                let machine = self.machine;
                machine.tell_natively(steps, state, actions, &mut telling)?
            }
            None => self.machine.advance(state, actions, &mut telling)?,
        };
        telling
            .ended(stepped)
            .ok_or_else(|| self.machine.trouble(Trouble::Index))
    }
}
