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
