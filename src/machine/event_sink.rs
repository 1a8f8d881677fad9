//! What a sink of events answers: to go on, or to stop.

use super::Event;
use super::interpret::Host;
use crate::ir::Said;
use crate::model::PlayerSet;
use std::convert::Infallible;
use std::ops::ControlFlow;

/// The answer of a sink of events. A sink that answers `()` hears of all events, and nothing changes for its caller; one
/// that answers [`ControlFlow`] may end the run early, and its caller gets a `ControlFlow` too.
pub trait Answer {
    /// What an early end carries.
    type Break;
    /// What a run gives whose result is `T` if it goes to its end.
    type Of<T>;

    /// To go on, or to stop with what is carried.
    fn flow(self) -> ControlFlow<Self::Break>;
    /// What the caller gets when a run has ended so.
    fn ended<T>(end: ControlFlow<Self::Break, T>) -> Self::Of<T>;
}

impl Answer for () {
    type Break = Infallible;
    type Of<T> = T;

    fn flow(self) -> ControlFlow<Infallible> {
        ControlFlow::Continue(())
    }

    fn ended<T>(end: ControlFlow<Infallible, T>) -> T {
        match end {
            ControlFlow::Continue(result) => result,
        }
    }
}

impl<B> Answer for ControlFlow<B> {
    type Break = B;
    type Of<T> = ControlFlow<B, T>;

    fn flow(self) -> ControlFlow<B> {
        self
    }

    fn ended<T>(end: ControlFlow<B, T>) -> ControlFlow<B, T> {
        end
    }
}

/// Passes every event to a sink, until the sink answers to stop.
pub(super) struct SinkHost<'a, A: Answer> {
    pub sink: &'a mut dyn FnMut(Event<'_>) -> A,
    pub viewers: PlayerSet,
    /// With what the sink ended the run.
    pub end: Option<A::Break>,
}

impl<'a, A: Answer> SinkHost<'a, A> {
    /// For those events that some of the viewers see.
    pub fn of(viewers: PlayerSet, sink: &'a mut dyn FnMut(Event<'_>) -> A) -> SinkHost<'a, A> {
        SinkHost {
            sink,
            viewers,
            end: None,
        }
    }

    /// What the run comes to.
    pub fn ended<T>(self, result: Option<T>) -> Option<A::Of<T>> {
        let end = match (self.end, result) {
            (Some(end), _) => ControlFlow::Break(end),
            (None, result) => ControlFlow::Continue(result?),
        };
        Some(A::ended(end))
    }
}

impl<A: Answer> Host for SinkHost<'_, A> {
    const EVENTS: bool = true;

    fn viewers(&self) -> PlayerSet {
        self.viewers
    }

    fn event(&mut self, event: Event<'_>, _frame: &[u64], _: Option<&Said>) -> ControlFlow<()> {
        (self.sink)(event)
            .flow()
            .map_break(|end| self.end = Some(end))
    }
}
