//! Work spread over threads, or done on the caller's own where the crate is built without the feature `threads`.
//!
//! Results come in the order of the work, so that they do not depend on how many threads there are.

#[cfg(feature = "threads")]
use rayon::prelude::*;

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
