//! Does the work of an experiment over several threads.

use super::plan::Unit;
use crate::arena::error::ArenaError;
use crate::arena::spread::Work;
use std::sync::atomic::AtomicBool;

/// A piece of work that could not be done, such as a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// `None`: it lies with none of them.
    pub unit: Option<Unit>,
    pub error: ArenaError,
}

/// Does the work of a list over several threads; `None` for a piece that was dropped because of `cancel`. `progress` hears
/// how many pieces are finished. Each thread has something of its own to work with.
///
/// # Errors
/// Of several pieces that fail, the one that stands first in the list.
pub(super) fn each<W>(
    list: &[Unit],
    threads: Option<usize>,
    own: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, Unit) -> Result<Option<()>, ArenaError> + Sync,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<(), Failed> {
    let failed = |(number, error): (Option<u64>, ArenaError)| Failed {
        unit: number.map(|number| list[number as usize]),
        error,
    };
    Work::new(list.len() as u64, 1, progress, cancel)
        .spread(threads, |shared| {
            let mut own = own();
            shared.share(|number| Ok(work(&mut own, list[number as usize])?.is_some()));
        })
        .map(drop)
        .map_err(failed)
}
