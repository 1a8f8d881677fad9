//! Does the work of an experiment over several threads.

use super::plan::Unit;
use crate::arena::error::ArenaError;
use crate::arena::match_::spread;
use std::sync::atomic::AtomicBool;

/// A piece of work that could not be done, such as a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// `None`: it lies with none of them.
    pub unit: Option<Unit>,
    pub error: ArenaError,
}

/// Does the work of a list over several threads; `None` for a piece that was dropped because of `cancel`. `progress` hears
/// how many pieces are finished.
///
/// # Errors
/// Of several pieces that fail, the one that stands first in the list.
pub(super) fn each(
    list: &[Unit],
    threads: Option<usize>,
    work: impl Fn(Unit) -> Result<Option<()>, ArenaError> + Sync,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<(), Failed> {
    let one = |number: u64| work(list[number as usize]);
    let played = spread(list.len() as u64, threads, cancel, one, progress);
    let (_, failed) = played.map_err(|error| Failed { unit: None, error })?;
    match failed.into_iter().min_by_key(|(number, _)| *number) {
        Some((number, error)) => Err(Failed {
            unit: Some(list[number as usize]),
            error,
        }),
        None => Ok(()),
    }
}
