//! Progress of long work on standard error; silent when that is not a terminal.

use super::habits;
use crate::solve::methods::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Standard error, where somebody watches.
fn target() -> ProgressDrawTarget {
    match habits::moves(&std::io::stderr()) && !habits::is_quiet() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    }
}

/// A bar that fills up to a known number of `noun`.
pub fn bar(length: u64, noun: &str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}} of {{len}} {noun} {{elapsed}}, {{eta}} to go");
    let bar = ProgressBar::with_draw_target(Some(length), target());
    styled(bar, &template)
}

/// A counter of `noun` with no known end.
pub fn counter(noun: &str) -> ProgressBar {
    let template = format!("{{spinner}} {{human_pos}} {noun} {{elapsed}}");
    let bar = ProgressBar::with_draw_target(None, target());
    bar.enable_steady_tick(Duration::from_millis(200));
    styled(bar, &template)
}

/// Counts `noun` while some work goes on that says how far it is.
pub fn counting<T>(noun: &str, work: impl FnOnce(&mut dyn FnMut(u64)) -> T) -> T {
    let counter = counter(noun);
    let done = work(&mut |n| counter.set_position(n));
    counter.finish_and_clear();
    done
}

/// The time that players have been thinking, of which some has passed already, and where `counted` the playouts.
pub fn thinking(passed: Duration, counted: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, target());
    bar.enable_steady_tick(Duration::from_millis(200));
    let playouts = if counted {
        ", {human_pos} playouts"
    } else {
        ""
    };
    styled(
        bar.with_elapsed(passed),
        &format!("thinking … {{elapsed}}{playouts}"),
    )
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Long work of the library as bars and counters, one after the other.
#[derive(Default)]
pub struct Shown(Option<ProgressBar>);

impl Shown {
    /// Clears the screen.
    pub fn end(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Shown {
    fn begin(&mut self, noun: &'static str, total: Option<u64>) {
        self.end();
        self.0 = Some(match total {
            Some(total) => bar(total, noun),
            None => counter(noun),
        });
    }

    fn done(&mut self, count: u64) {
        if let Some(bar) = &self.0 {
            bar.set_position(count);
        }
    }
}
