//! Locks on files that only one run may write to.

use std::fs::{File, TryLockError};

/// Locks a file until it is closed; true where another run has locked it. Where a file system knows no locks, one does
/// without.
pub fn is_taken(file: &File) -> bool {
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}
