//! Play that is told to seats: a step with the moments within it.

use super::{Seat, Words};
use crate::ir::meaning::Trouble;
use crate::ir::{Operand, Said, SaidPiece, SaidValue};
use crate::machine::interpret::Host;
use crate::machine::view::HIDDEN;
use crate::machine::{Action, Event, Machine, PlayError, State, Turn};
use std::ops::ControlFlow;

/// A moment of a step, of which a seat reads what is its own.
pub(super) struct Moment<'a> {
    pub machine: &'a Machine,
    /// The state in which the step began, and what was chosen or drawn there; nothing before the first node.
    step: Option<(&'a State, &'a [Action])>,
    values: Values<'a>,
    stored: &'a Stored,
}

/// The slots of variables that a step has stored to so far.
pub(super) struct Stored(Vec<bool>);

impl Stored {
    fn new(machine: &Machine) -> Stored {
        let ends = machine.program.vars.iter();
        let ends = ends.map(|var| var.base + u32::from(var.words) * var.elements);
        Stored(vec![false; ends.max().unwrap_or(0) as usize])
    }

    fn add(&mut self, slot: u32, words: u32) {
        let all = self.0.iter_mut().skip(slot as usize);
        all.take(words as usize).for_each(|stored| *stored = true);
    }
}

/// Where the values of variables are read.
enum Values<'a> {
    Within(&'a [u64]),
    AtRest(&'a State),
}

impl Moment<'_> {
    /// The value of a slot at this moment.
    pub fn read(&self, slot: u32) -> u64 {
        match &self.values {
            Values::Within(frame) => frame[slot as usize],
            Values::AtRest(state) => self.machine.read(&state.words, slot),
        }
    }

    /// Whether something was stored to a slot since the step began.
    pub fn is_stored(&self, slot: u32) -> bool {
        self.stored.0.get(slot as usize) == Some(&true)
    }

    /// A text of this moment, as a player reads it; `None`: the player could not know which text it is.
    pub fn said(&self, said: &Said, viewer: usize) -> Option<String> {
        let words = |value: &Operand| -> Words {
            let slots = value.slot..value.slot + u32::from(value.words);
            slots.map(|slot| self.read(slot)).collect()
        };
        let mut pieces = &said.pieces;
        for (cond, of_case) in &said.cases {
            let cond = &said.values[*cond];
            if !cond.viewers.contains(viewer) {
                return None;
            }
            if words(&cond.value).first() == Some(&1) {
                pieces = of_case;
                break;
            }
        }
        let pieces = pieces.iter().map(|piece| match piece {
            SaidPiece::Literal(text) => text.clone(),
            SaidPiece::Value(number) => match &said.values[*number] {
                SaidValue { value, ty, viewers } if viewers.contains(viewer) => {
                    ty.show_words(&words(value))
                }
                _ => HIDDEN.to_string(),
            },
        });
        Some(pieces.collect())
    }

    /// What a player sees of the choice of somebody, or of the draw, with which the step began.
    pub fn move_text(&self, chooser: Option<usize>, viewer: usize) -> String {
        let action = self.step.and_then(|(before, actions)| {
            let place = match (self.machine.turn(before), chooser) {
                (Turn::Decision(movers), Some(chooser)) => movers.rank(chooser),
                _ => 0,
            };
            Some((before, actions.get(place)?))
        });
        match (action, chooser) {
            (None, _) => String::new(),
            (Some((before, action)), Some(chooser)) => {
                let viewer = Some(viewer);
                self.machine.action_text(before, chooser, action, viewer)
            }
            (Some((before, outcome)), None) => {
                self.machine.outcome_text(before, outcome, Some(viewer))
            }
        }
    }
}

/// Passes every event to the seats, and then to a sink.
struct SeatHost<'a> {
    machine: &'a Machine,
    step: Option<(&'a State, &'a [Action])>,
    seats: &'a mut [Seat],
    sink: &'a mut dyn FnMut(Event<'_>),
    stored: Stored,
}

impl Host for SeatHost<'_> {
    const EVENTS: bool = true;
    const STORES: bool = true;

    fn stored(&mut self, slot: u32, words: u32) {
        self.stored.add(slot, words);
    }

    fn event(&mut self, event: Event<'_>, frame: &[u64], said: Option<&Said>) -> ControlFlow<()> {
        let moment = Moment {
            machine: self.machine,
            step: self.step,
            values: Values::Within(frame),
            stored: &self.stored,
        };
        for seat in self.seats.iter_mut() {
            seat.take_in(&moment, &event, said);
        }
        (self.sink)(event);
        ControlFlow::Continue(())
    }
}

impl Machine {
    /// As [`Machine::initial`]; the seats are told what reaches them, and the sink of every event.
    ///
    /// # Errors
    /// As [`Machine::initial`].
    pub fn initial_seated(
        &self,
        seats: &mut [Seat],
        sink: &mut dyn FnMut(Event<'_>),
    ) -> Result<State, PlayError> {
        let mut host = SeatHost {
            machine: self,
            step: None,
            seats,
            sink,
            stored: Stored::new(self),
        };
        let state = self.begin(&mut host)?;
        let state = state.ok_or_else(|| self.trouble(Trouble::Index))?;
        let stored = host.stored;
        self.tell_rest(seats, &state, &stored);
        Ok(state)
    }

    /// As [`Machine::step`]; the seats are told what reaches them, and the sink of every event. After an error the state
    /// is as it was, but the seats may have been told a part of the step.
    ///
    /// # Errors
    /// As [`Machine::step`].
    pub fn step_seated(
        &self,
        state: &mut State,
        actions: &[Action],
        seats: &mut [Seat],
        sink: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), PlayError> {
        let before = state.clone();
        let mut host = SeatHost {
            machine: self,
            step: Some((&before, actions)),
            seats,
            sink,
            stored: Stored::new(self),
        };
        let stepped = self.advance(state, actions, &mut host)?;
        stepped.ok_or_else(|| self.trouble(Trouble::Index))?;
        let stored = host.stored;
        self.tell_rest(seats, state, &stored);
        Ok(())
    }

    fn tell_rest(&self, seats: &mut [Seat], state: &State, stored: &Stored) {
        let moment = Moment {
            machine: self,
            step: None,
            values: Values::AtRest(state),
            stored,
        };
        for seat in seats {
            seat.rest(&moment, state);
        }
    }
}
