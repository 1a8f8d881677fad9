//! Work spread over threads, or done on the caller's own where the crate is built without the feature `threads`.
//!
//! Results come in the order of the work, so that they do not depend on how many threads there are.

#[cfg(feature = "threads")]
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "threads")]
use std::{sync::mpsc, thread, time::Duration};

/// Threads that wait for work.
pub struct Threads {
    #[cfg(feature = "threads")]
    pool: rayon::ThreadPool,
}

impl Threads {
    /// So many threads; as many as there are processors for `None`. Without the feature `threads` there is the caller's
    /// thread alone.
    ///
    /// # Errors
    /// What the system says when it has no threads to give.
    pub fn new(count: Option<usize>) -> Result<Threads, String> {
        #[cfg(feature = "threads")]
        {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(count.unwrap_or(0));
            let pool = pool.build().map_err(|e| e.to_string())?;
            Ok(Threads { pool })
        }
        #[cfg(not(feature = "threads"))]
        {
            let _ = count;
            Ok(Threads {})
        }
    }

    /// Does work in which [`map`] and [`map_with`] use these threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        #[cfg(feature = "threads")]
        return self.pool.install(work);
        #[cfg(not(feature = "threads"))]
        work()
    }

    /// Does the same work once on each thread.
    pub fn on_each<T: Send>(&self, work: impl Fn() -> T + Sync) -> Vec<T> {
        #[cfg(feature = "threads")]
        return self.pool.broadcast(|_| work());
        #[cfg(not(feature = "threads"))]
        vec![work()]
    }
}

/// How often it is looked whether work is to stop, and how many looks it has then to end its step.
#[cfg(feature = "threads")]
const LOOK: Duration = Duration::from_millis(50);
#[cfg(feature = "threads")]
const LAST_LOOKS: usize = 20;

/// Does work of steps that nobody can cut short, and passes what comes of each to `hear`, until it is over or soon after `stop`
/// was set. The step that is made then is left behind on its thread: it goes on until it is done, and nobody hears of it. Without
/// the feature `threads` it is waited for.
///
/// # Errors
/// What the system says when it has no thread to give; that the thread is gone.
pub fn steps<T: Send + 'static>(
    mut work: impl Iterator<Item = T> + Send + 'static,
    stop: &AtomicBool,
    mut hear: impl FnMut(T),
) -> Result<(), String> {
    #[cfg(feature = "threads")]
    {
        // Nothing is done ahead: a step begins when the one before it was received.
        let (tell, told) = mpsc::sync_channel(0);
        let run = move || {
            while let Some(step) = work.next()
                && tell.send(Some(step)).is_ok()
            {}
            // Nobody may listen any more.
            let _ = tell.send(None);
        };
        let thread = thread::Builder::new().spawn(run);
        let thread = thread.map_err(|e| e.to_string())?;
        let mut looks = 0;
        loop {
            let stopped = stop.load(Ordering::Relaxed);
            match told.recv_timeout(LOOK) {
                Ok(Some(step)) => {
                    hear(step);
                    if stopped {
                        return Ok(());
                    }
                }
                Ok(None) => return Ok(()),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return match thread.join() {
                        Ok(()) => Err("its thread is gone".to_string()),
                        Err(panic) => std::panic::resume_unwind(panic),
                    };
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    looks += usize::from(stopped);
                    if looks == LAST_LOOKS {
                        return Ok(());
                    }
                }
            }
        }
    }
    #[cfg(not(feature = "threads"))]
    {
        while !stop.load(Ordering::Relaxed)
            && let Some(step) = work.next()
        {
            hear(step);
        }
        Ok(())
    }
}

/// How many threads share the present work.
pub fn count() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads().max(1);
    #[cfg(not(feature = "threads"))]
    1
}

/// The number of the present thread, below [`count`].
pub fn number() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_thread_index().unwrap_or(0);
    #[cfg(not(feature = "threads"))]
    0
}

/// The results of a function on all items.
pub fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "threads")]
    return items.par_iter().map(f).collect();
    #[cfg(not(feature = "threads"))]
    items.iter().map(f).collect()
}

/// As [`map`], with something of its own for each item to work on; as far as the shorter list goes.
pub fn map_with<T: Sync, W: Send, R: Send>(
    items: &[T],
    work: &mut [W],
    f: impl Fn(&T, &mut W) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "threads")]
    return items.par_iter().zip(work).map(|(i, w)| f(i, w)).collect();
    #[cfg(not(feature = "threads"))]
    items.iter().zip(work).map(|(i, w)| f(i, w)).collect()
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn steps_are_heard_in_order_up_to_the_last() {
        let mut heard = Vec::new();
        let stop = AtomicBool::new(false);
        steps(0..5, &stop, |step| heard.push(step)).unwrap();
        assert_eq!(heard, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_long_step_is_left_behind() {
        let stop = AtomicBool::new(false);
        let slow = (0..).inspect(|step| {
            if *step == 2 {
                thread::sleep(Duration::from_secs(60));
            }
        });
        let mut heard = Vec::new();
        let start = Instant::now();
        let run = steps(slow, &stop, |step| {
            heard.push(step);
            stop.store(step == 1, Ordering::Relaxed);
        });
        run.unwrap();
        assert_eq!(heard, [0, 1]);
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
