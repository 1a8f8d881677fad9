//! The clock of the process, which the core never reads by itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time since the call.
#[allow(
    clippy::disallowed_methods,
    reason = "the one place where the clock is read"
)]
pub fn stopwatch() -> Arc<dyn Fn() -> Duration + Send + Sync> {
    let start = Instant::now();
    Arc::new(move || start.elapsed())
}

/// The time that this thread has spent on a processor since the call, where the system keeps it, and else the time since the
/// call. What it says may be some milliseconds old.
pub fn working_time() -> Arc<dyn Fn() -> Duration + Send + Sync> {
    let spent = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ')
            .next()?
            .parse()
            .ok()
            .map(Duration::from_nanos)
    };
    match spent() {
        Some(start) => Arc::new(move || spent().unwrap_or(start).saturating_sub(start)),
        None => stopwatch(),
    }
}

/// A seed that is another one each time: for people who want another game, and are told which it is.
#[allow(
    clippy::disallowed_methods,
    reason = "the one place where the clock is read"
)]
pub fn fresh_seed() -> u64 {
    const MOST: u128 = 1_000_000;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |time| (time.as_micros() % MOST) as u64)
}
