//! Locks on files that only one run may write to.

use super::codes;
use super::output::Failure;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Locks a file until it is closed; true where another run has locked it. Where a file system knows no locks, one does
/// without.
pub fn is_taken(file: &File) -> bool {
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Locks a file that a run writes to until it is closed.
///
/// # Errors
/// Where another run has locked it; `hint` says what to do then.
pub fn lock(path: &Path, file: &File, hint: &'static str) -> Result<(), Failure> {
    if is_taken(file) {
        let what = "is being written by another run";
        return Err(Failure::file(path, codes::CANNOT_WRITE, what, hint));
    }
    Ok(())
}
