//! What a person at the terminal is told while players think.

use crate::cli::progress;
use crate::machine::Machine;
use crate::model::{EventView, SiteKind};
use crate::players::Clock;
use indicatif::ProgressBar;
use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Thoughts that are shorter are not worth a line.
const SHORT: Duration = Duration::from_millis(300);

/// A line on standard error, if that is a terminal, from soon after it is made until it is dropped.
pub struct Thinking<'a> {
    stop: &'a AtomicBool,
    clock: &'a Clock,
    begun: Duration,
    counted: bool,
    line: OnceCell<ProgressBar>,
}

impl<'a> Thinking<'a> {
    /// With `counted` the line counts playouts. That they begin anew tells how often others are asked: only where that is no
    /// secret ([`are_choices_told`]) may those of others be counted.
    pub fn new(stop: &'a AtomicBool, clock: &'a Clock, counted: bool) -> Thinking<'a> {
        Thinking {
            stop,
            clock,
            begun: clock(),
            counted,
            line: OnceCell::new(),
        }
    }

    /// Hears how many playouts a player has begun; whether it may go on, which Ctrl-C ends.
    pub fn waits(&self, playouts: u64) -> bool {
        if self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let line = match self.line.get() {
            Some(line) => line,
            None => {
                let passed = (self.clock)().saturating_sub(self.begun);
                if passed < SHORT {
                    return true;
                }
                self.line
                    .get_or_init(|| progress::thinking(passed, self.counted))
            }
        };
        if self.counted && playouts > 0 {
            line.set_position(playouts);
        }
        true
    }
}

/// Whether everybody hears of every choice that is made, if not of what is chosen.
pub fn are_choices_told(machine: &Machine) -> bool {
    let description = machine.description();
    let all = description.everyone();
    let choices = || {
        description
            .events
            .iter()
            .filter(|event| event.kind == SiteKind::Choice)
    };
    let is_told = |event: &EventView| event.cases.iter().all(|case| case.certain == all);
    choices().all(|choice| {
        let mut here = choices().filter(|event| event.span == choice.span);
        here.any(is_told)
    })
}

impl Drop for Thinking<'_> {
    fn drop(&mut self) {
        if let Some(line) = self.line.get() {
            line.finish_and_clear();
        }
    }
}
