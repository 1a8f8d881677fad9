//! Who follows machine code while it runs: the code calls, and may be told to stop.

use super::frames::Frame;
use super::move_observer::{MoveObserver, report};
use crate::ir::{EventCode, Program, Said, SampleCode};
use crate::machine::Event;
use crate::machine::interpret::{Host, send_event};
use crate::model::PlayerSet;
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

type Sink<'a> = &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>;

/// Hears of events or of moves, whichever there is somebody for.
#[derive(Default)]
pub(super) struct Listener<'a> {
    events: Option<Sink<'a>>,
    /// Whose events.
    viewers: PlayerSet,
    moves: Option<&'a mut dyn MoveObserver>,
    stopped: bool,
    /// A panic of who listens, which must not go through machine code.
    panic: Option<Box<dyn Any + Send>>,
}

struct Telling<'s, 'a> {
    sink: &'s mut Sink<'a>,
    viewers: PlayerSet,
}

impl Host for Telling<'_, '_> {
    const EVENTS: bool = true;

    fn viewers(&self) -> PlayerSet {
        self.viewers
    }

    fn event(&mut self, event: Event<'_>, _: &[u64], _: Option<&Said>) -> ControlFlow<()> {
        (self.sink)(event)
    }
}

impl<'a> Listener<'a> {
    pub fn of_events(viewers: PlayerSet, sink: Sink<'a>) -> Listener<'a> {
        Listener {
            events: Some(sink),
            viewers,
            ..Listener::default()
        }
    }

    pub fn of_moves(observer: &'a mut dyn MoveObserver) -> Listener<'a> {
        Listener {
            moves: Some(observer),
            ..Listener::default()
        }
    }

    /// Whether it wanted nothing more before the run was over. Goes on with its panic, if there was one.
    pub fn has_stopped(self) -> bool {
        match self.panic {
            Some(panic) => resume_unwind(panic),
            None => self.stopped,
        }
    }

    /// Something happens, with what it is about in the frame. The answer is whether to go on.
    pub fn event(&mut self, program: &Program, frame: &Frame, code: &EventCode) -> bool {
        let Some(sink) = &mut self.events else {
            return true;
        };
        let viewers = self.viewers;
        let mut telling = Telling { sink, viewers };
        let told = catch_unwind(AssertUnwindSafe(|| {
            send_event(program, frame, code, &mut telling)
        }));
        self.went(told)
    }

    /// Something was chosen or drawn.
    pub fn moved(&mut self, frame: &Frame, code: &SampleCode) -> bool {
        let Some(observer) = &mut self.moves else {
            return true;
        };
        let told = catch_unwind(AssertUnwindSafe(|| report(frame, code, &mut **observer)));
        self.went(told.map(ControlFlow::Continue))
    }

    fn went(&mut self, told: Result<ControlFlow<()>, Box<dyn Any + Send>>) -> bool {
        let flow = told.unwrap_or_else(|panic| {
            self.panic = Some(panic);
            ControlFlow::Break(())
        });
        self.stopped |= flow.is_break();
        flow.is_continue()
    }
}
