//! The time that this thread has spent at work.

use std::time::Duration;

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod system {
    use std::time::Duration;

    pub const NAME: &str = "of the thread on a processor";

    #[repr(C)]
    struct Moment {
        seconds: i64,
        nanoseconds: i64,
    }

    const THREAD_CPU: i32 = 3;

    #[allow(unsafe_code)]
    unsafe extern "C" {
        fn clock_gettime(clock: i32, moment: *mut Moment) -> i32;
    }

    #[allow(unsafe_code)]
    pub fn now() -> Duration {
        let mut moment = Moment {
            seconds: 0,
            nanoseconds: 0,
        };
        // SAFETY: on a 64-bit Linux both fields have 64 bits, and the system writes nothing but them.
        let failed = unsafe { clock_gettime(THREAD_CPU, &raw mut moment) } != 0;
        assert!(!failed, "this system keeps no time of threads");
        Duration::new(moment.seconds as u64, moment.nanoseconds as u32)
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

pub use system::NAME;

/// The time since some fixed moment.
pub fn now() -> Duration {
    system::now()
}
