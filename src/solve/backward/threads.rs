//! Memory for each thread that shares the work.
//!
//! What is remembered there must not change what is found: which thread does what is left to chance.

use crate::threads;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(super) struct PerThread<T>(Vec<Mutex<T>>);

impl<T> PerThread<T> {
    pub fn new(each: impl Fn() -> T) -> PerThread<T> {
        PerThread((0..threads::count()).map(|_| Mutex::new(each())).collect())
    }

    /// That of the present thread, and its number.
    pub fn mine(&self) -> (usize, MutexGuard<'_, T>) {
        let number = threads::number() % self.0.len();
        (number, self.get(number))
    }

    /// That of any thread, once it has let it go.
    pub fn get(&self, number: usize) -> MutexGuard<'_, T> {
        let lock = self.0[number].lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    pub fn for_each(&self, mut f: impl FnMut(&mut T)) {
        (0..self.0.len()).for_each(|number| f(&mut self.get(number)));
    }
}
