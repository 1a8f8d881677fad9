//! Ctrl-C in long work: the first one asks the work to end and keep what it has, the second one ends the process.

use super::clock::stopwatch;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The exit code of a process that was ended by a second Ctrl-C, as shells give it.
const KILLED: i32 = 130;

/// Programs that stop others send the signal to a process and then to its group: within so long it is still the first one.
const SAME: Duration = Duration::from_millis(200);

/// From now on, a flag that the first Ctrl-C (or a request to terminate) sets. To be called once in a process; where no
/// handler can be had, the flag is never set and Ctrl-C keeps its usual meaning.
pub fn flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    let (clock, first) = (stopwatch(), OnceLock::new());
    let handler = move || {
        let now = clock();
        if seen.swap(true, Ordering::SeqCst) {
            if now - *first.get_or_init(|| now) < SAME {
                return;
            }
            std::process::exit(KILLED);
        }
        first.get_or_init(|| now);
        // Not behind a line that is being written anew.
        super::progress::clear_line();
        super::output::say("stopping; Ctrl-C again ends at once");
    };
    let _ = ctrlc::set_handler(handler);
    stop
}
