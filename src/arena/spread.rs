//! Spreads pieces of work, such as games, over threads.

use super::error::ArenaError;
use crate::threads::Threads;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Pieces of work by number, handed out to the threads one after the other, so that what is finished is nearly a beginning
/// of the list.
pub struct Work<'a> {
    count: u64,
    /// How many are handed out at once.
    block: u64,
    next: AtomicU64,
    done: AtomicU64,
    first_failure: AtomicU64,
    failed: Mutex<Option<(u64, ArenaError)>>,
    progress: &'a (dyn Fn(u64) + Sync),
    cancel: &'a AtomicBool,
}

impl<'a> Work<'a> {
    /// So many pieces, some of them at once. `progress` hears how many are finished after each block; when `cancel` is set, no
    /// other piece is begun.
    pub fn new(
        count: u64,
        block: u64,
        progress: &'a (dyn Fn(u64) + Sync),
        cancel: &'a AtomicBool,
    ) -> Work<'a> {
        Work {
            count,
            block: block.max(1),
            next: AtomicU64::new(0),
            done: AtomicU64::new(0),
            first_failure: AtomicU64::new(u64::MAX),
            failed: Mutex::default(),
            progress,
            cancel,
        }
    }

    /// Has all of it done: `each` runs once on every thread, and calls [`Work::share`]. What it gives, a value for each thread.
    ///
    /// # Errors
    /// Of several pieces that fail, the one with the lowest number, on any number of threads; or there are no threads.
    pub fn spread<T: Send>(
        self,
        threads: Option<usize>,
        each: impl Fn(&Work<'a>) -> T + Sync,
    ) -> Result<Vec<T>, (Option<u64>, ArenaError)> {
        let most = usize::try_from(self.count.div_ceil(self.block)).unwrap_or(usize::MAX);
        let threads = threads
            .or_else(|| std::thread::available_parallelism().ok().map(usize::from))
            .unwrap_or(1)
            .clamp(1, most.clamp(1, 1024));
        let threads = Threads::new(Some(threads)).map_err(|e| (None, ArenaError::Threads(e)))?;
        let parts = threads.on_each(|| each(&self));
        match self
            .failed
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
        {
            Some((number, error)) => Err((Some(number), error)),
            None => Ok(parts),
        }
    }

    /// Does pieces of the work until none is left; `one` says whether it finished the piece, and did not drop it. After a
    /// failure no later piece is begun; all earlier ones are done.
    pub fn share(&self, mut one: impl FnMut(u64) -> Result<bool, ArenaError>) {
        loop {
            let first = self.next.fetch_add(self.block, Ordering::Relaxed);
            let mut finished = 0;
            for number in first..self.count.min(first.saturating_add(self.block)) {
                if number > self.first_failure.load(Ordering::Relaxed)
                    || self.cancel.load(Ordering::Relaxed)
                {
                    break;
                }
                match one(number) {
                    Ok(done) => finished += u64::from(done),
                    Err(error) => self.fail(number, error),
                }
            }
            if finished > 0 {
                (self.progress)(self.done.fetch_add(finished, Ordering::Relaxed) + finished);
            }
            if first >= self.count
                || first > self.first_failure.load(Ordering::Relaxed)
                || self.cancel.load(Ordering::Relaxed)
            {
                return;
            }
        }
    }

    fn fail(&self, number: u64, error: ArenaError) {
        self.first_failure.fetch_min(number, Ordering::Relaxed);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.as_ref().is_none_or(|(first, _)| number < *first) {
            *failed = Some((number, error));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(game: u64) -> ArenaError {
        ArenaError::BadAnswer {
            game,
            seat: String::new(),
        }
    }

    #[test]
    fn every_piece_is_done_once_on_any_number_of_threads() {
        for (threads, block) in [(1, 1), (2, 1), (7, 1), (2, 8), (3, 64), (2, 1000)] {
            let never = AtomicBool::new(false);
            let heard = AtomicU64::new(0);
            let progress = |n| {
                heard.fetch_max(n, Ordering::Relaxed);
            };
            let work = Work::new(100, block, &progress, &never);
            let parts = work.spread(Some(threads), |work| {
                let mut done = Vec::new();
                work.share(|number| {
                    done.push(number);
                    Ok(true)
                });
                done
            });
            let mut done = parts.unwrap().concat();
            done.sort_unstable();
            assert_eq!(done, (0..100).collect::<Vec<u64>>());
            assert_eq!(heard.into_inner(), 100);
        }
    }

    #[test]
    fn the_first_failure_is_always_the_same() {
        for (threads, block) in [(1, 1), (2, 1), (7, 1), (1, 64), (2, 64), (7, 3)] {
            let never = AtomicBool::new(false);
            let work = Work::new(1000, block, &|_| {}, &never);
            let found = work.spread(Some(threads), |work| {
                work.share(|number| match number % 10 {
                    7 => Err(failure(number)),
                    _ => Ok(true),
                });
            });
            assert_eq!(found, Err((Some(7), failure(7))), "{threads} {block}");
        }
    }

    #[test]
    fn what_is_finished_stays_when_the_work_is_stopped() {
        for block in [1, 4, 64] {
            let stop = AtomicBool::new(false);
            let heard = AtomicU64::new(0);
            let progress = |n| heard.store(n, Ordering::Relaxed);
            let work = Work::new(100, block, &progress, &stop);
            let parts = work.spread(Some(1), |work| {
                let mut finished = 0;
                work.share(|number| {
                    if number == 10 {
                        stop.store(true, Ordering::Relaxed);
                        return Ok(false);
                    }
                    finished += 1;
                    Ok(true)
                });
                finished
            });
            assert_eq!(parts, Ok(vec![10]));
            assert_eq!(heard.into_inner(), 10);
        }
    }

    #[test]
    fn no_work_is_no_error() {
        let never = AtomicBool::new(false);
        let work = Work::new(0, 1, &|_| {}, &never);
        let parts = work.spread(Some(2), |work| {
            let mut done = false;
            work.share(|_| {
                done = true;
                Ok(true)
            });
            done
        });
        assert_eq!(parts, Ok(vec![false]));
    }
}
