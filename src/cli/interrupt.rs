//! Ctrl-C in long work: the first one asks the work to end and keep what it has, the second one ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a process that was ended by a second Ctrl-C, as shells give it.
const KILLED: i32 = 130;

/// From now on, a flag that the first Ctrl-C (or a request to terminate) sets. To be called once in a process; where no
/// handler can be had, the flag is never set and Ctrl-C keeps its usual meaning.
pub fn flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    let handler = move || {
        if seen.swap(true, Ordering::SeqCst) {
            std::process::exit(KILLED);
        }
        // Not behind a line that is being written anew.
        super::progress::clear_line();
        super::output::say("stopping; Ctrl-C again ends at once");
    };
    let _ = ctrlc::set_handler(handler);
    stop
}
