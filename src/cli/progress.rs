//! Progress of long work on standard error; silent when that is not a terminal.

use super::habits;
use crate::solve::methods::Progress;
use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use std::fmt::Write;
use std::time::Duration;

/// Standard error, where somebody watches.
fn target() -> ProgressDrawTarget {
    match habits::moves(&std::io::stderr()) && !habits::is_quiet() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    }
}

/// The longest bar, in characters, and the shortest that is worth its place.
const BAR: (usize, usize) = (30, 8);

/// A bar that fills up to a known number of `noun`; none where there is nothing to do.
pub fn bar(length: u64, noun: &str) -> ProgressBar {
    if length == 0 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length), target());
    let noun = noun.to_string();
    styled(bar, move |state| {
        let (done, all) = (state.pos(), state.len().unwrap_or(0));
        let counted = format!("{done} of {all}");
        let passed = HumanDuration(state.elapsed());
        let left = HumanDuration(state.eta());
        let timed = format!("{counted} {noun} {passed:#}");
        // What is left is told from what is done.
        let all_told = match done {
            0 => timed.clone(),
            _ => format!("{timed}, {left:#} to go"),
        };
        let words = [all_told, timed, format!("{counted} {noun}"), counted];
        let text = fitting(&words, width());
        let room = width().saturating_sub(text.chars().count() + 1).min(BAR.0);
        if room < BAR.1 {
            return text;
        }
        let full = (f64::from(state.fraction()) * room as f64) as usize;
        let full = full.min(room);
        format!("{}{} {text}", "█".repeat(full), "░".repeat(room - full))
    })
}

/// A counter of `noun` with no known end.
pub fn counter(noun: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, target());
    let noun = noun.to_string();
    styled(bar, move |state| {
        let done = HumanCount(state.pos());
        let passed = HumanDuration(state.elapsed());
        let sign = sign(state.elapsed());
        let words = [
            format!("{sign} {done} {noun} {passed:#}"),
            format!("{done} {noun}"),
            done.to_string(),
        ];
        fitting(&words, width())
    })
}

/// Takes away what is drawn, if something is, so that a line can be said; what goes on is drawn again below.
pub fn clear_line() {
    if !target().is_hidden() {
        // Nobody can be told that nothing can be told.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"\r\x1b[2K");
    }
}

/// Counts `noun` while some work goes on that says how far it is.
pub fn counting<T>(noun: &str, work: impl FnOnce(&mut dyn FnMut(u64)) -> T) -> T {
    let counter = counter(noun);
    let done = work(&mut |n| counter.set_position(n));
    counter.finish_and_clear();
    done
}

/// That something goes on, and for how long, where nobody hears how far it is.
pub fn going_on(what: String) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, target());
    styled(bar, move |state| {
        let passed = HumanDuration(state.elapsed());
        fitting(&[format!("{what} … {passed:#}"), what.clone()], width())
    })
}

/// The time that players have been thinking, of which some has passed already, and where `counted` the playouts.
pub fn thinking(passed: Duration, counted: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, target());
    styled(bar.with_elapsed(passed), move |state| {
        let passed = HumanDuration(state.elapsed());
        let short = format!("thinking … {passed:#}");
        let long = format!("{short}, {} playouts", HumanCount(state.pos()));
        let words = match counted {
            true => vec![long, short],
            false => vec![short],
        };
        fitting(&words, width())
    })
}

/// How often what moves is drawn.
const TICK: Duration = Duration::from_millis(200);

/// What goes round while something is counted.
fn sign(elapsed: Duration) -> char {
    const SIGNS: [char; 8] = ['⠁', '⠂', '⠄', '⡀', '⢀', '⠠', '⠐', '⠈'];
    SIGNS[(elapsed.as_millis() / TICK.as_millis()) as usize % SIGNS.len()]
}

/// The characters of a line of the terminal as it is now, but for the last, after which some go on below.
fn width() -> usize {
    habits::width_of_errors().unwrap_or(80).saturating_sub(1)
}

/// The first of these words that fits a width, or as much of the last as does.
fn fitting(words: &[String], width: usize) -> String {
    let fits = |text: &&String| text.chars().count() <= width;
    let text = words.iter().find(fits).or(words.last());
    text.map_or_else(String::new, |text| text.chars().take(width).collect())
}

/// A bar whose line is written anew whenever it is drawn, and at least every [`TICK`].
fn styled(
    bar: ProgressBar,
    line: impl Fn(&ProgressState) -> String + Clone + Send + Sync + 'static,
) -> ProgressBar {
    let write = move |state: &ProgressState, out: &mut dyn Write| {
        // A line that cannot be written is not drawn.
        let _ = out.write_str(&line(state));
    };
    let bar = match ProgressStyle::with_template("{line}") {
        Ok(style) => bar.with_style(style.with_key("line", write)),
        Err(_) => bar,
    };
    bar.enable_steady_tick(TICK);
    bar
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
