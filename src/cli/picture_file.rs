//! Pages and pictures, in files that the user names.

use super::codes;
use super::experiment::replace;
use super::output::Failure;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// What a page begins with, and a picture.
pub const PAGE: &str = "<!DOCTYPE html>";
pub const PICTURE: &str = "<svg ";

/// Finds out before any work is done whether there is a place for what is to be written.
///
/// # Errors
/// When nothing can be written there, or something stands there that does not begin as what is to be written does.
pub fn check(path: &Path, begins: &str) -> Result<(), Failure> {
    let cannot = |e| Failure::cannot_write(path, &e);
    match std::fs::metadata(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let new = OpenOptions::new().append(true).create(true).open(path);
            new.map(drop).map_err(cannot)
        }
        Err(e) => Err(cannot(e)),
        Ok(there) if there.is_file() => {
            let file = OpenOptions::new().append(true).open(path);
            file.map_err(cannot)?;
            holds_other(path, &there, begins)
        }
        Ok(there) if there.is_dir() => Err(cannot(ErrorKind::IsADirectory.into())),
        Ok(_) => Ok(()),
    }
}

/// An error where a file is neither empty nor one like it.
fn holds_other(path: &Path, there: &Metadata, begins: &str) -> Result<(), Failure> {
    let mut first = Vec::new();
    let file = File::open(path).map_err(|e| Failure::cannot_read(path, &e))?;
    let read = file.take(begins.len() as u64).read_to_end(&mut first);
    read.map_err(|e| Failure::cannot_read(path, &e))?;
    if there.len() == 0 || first == begins.as_bytes() {
        return Ok(());
    }
    let what = "is there already, and holds something else";
    let hint = "give another name";
    Err(Failure::file(path, codes::FILE_EXISTS, what, hint))
}

/// Writes the whole file, through a link to where it leads, and with the rights that it has. What is no file, a pipe or a
/// device, is written to as it is.
///
/// # Errors
/// As [`check`].
pub fn write(path: &Path, text: &str, begins: &str) -> Result<(), Failure> {
    check(path, begins)?;
    let cannot = |e| Failure::cannot_write(path, &e);
    let real = path.canonicalize().map_err(cannot)?;
    let there = real.metadata().map_err(cannot)?;
    if !there.is_file() {
        return std::fs::write(&real, text).map_err(cannot);
    }
    replace(&real, text)?;
    std::fs::set_permissions(&real, there.permissions()).map_err(cannot)
}
