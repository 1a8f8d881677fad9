//! The time that processes started here have spent at work.

use std::time::Duration;

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod system {
    use std::time::Duration;

    pub const NAME: &str = "of processors";

    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    struct Moment {
        seconds: i64,
        microseconds: i64,
    }

    #[repr(C)]
    #[derive(Default)]
    struct Usage {
        user: Moment,
        system: Moment,
        rest: [i64; 14],
    }

    const CHILDREN: i32 = -1;

    #[allow(unsafe_code)]
    unsafe extern "C" {
        fn getrusage(who: i32, usage: *mut Usage) -> i32;
    }

    #[allow(unsafe_code)]
    pub fn now() -> Duration {
        let mut usage = Usage::default();
        // SAFETY: on a 64-bit Linux the structure is two times and fourteen words, and the system writes nothing else.
        let failed = unsafe { getrusage(CHILDREN, &raw mut usage) } != 0;
        assert!(!failed, "this system keeps no time of processes");
        let time = |t: Moment| Duration::new(t.seconds as u64, t.microseconds as u32 * 1000);
        time(usage.user) + time(usage.system)
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
mod system {
    use std::sync::OnceLock;
    use std::time::{Duration, Instant};

    pub const NAME: &str = "of the wall";

    pub fn now() -> Duration {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }
}

/// What the times are times of.
pub use system::NAME;

/// The time that processes which have ended spent so far; only differences mean anything.
pub fn now() -> Duration {
    system::now()
}
