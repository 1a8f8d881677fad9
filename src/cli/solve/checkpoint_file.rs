//! `--checkpoint`: the file that a long run keeps its finished layers in.

use crate::cli::codes;
use crate::cli::load::Loaded;
use crate::cli::output::Failure;
use crate::solve::GameId;
use crate::solve::backward::Saved;
use crate::solve::backward::checkpoint::{Checkpoint, Unread, begin, read};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// A file whose bytes are on the disk when it is flushed.
pub struct Synced(File);

impl Write for Synced {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.sync_data()
    }
}

/// Opens a checkpoint to go on with, or begins one where there is no such file.
pub fn open(path: &Path, loaded: &Loaded) -> Result<(Checkpoint<Synced>, Saved), Failure> {
    let cannot = |e: std::io::Error| Failure::cannot_write(path, &e);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(cannot)?;
    if file.try_lock().is_err() {
        let hint = "another run of ruse writes to it";
        let what = "cannot be written: it is in use";
        return Err(Failure::file(path, codes::CANNOT_WRITE, what, hint));
    }
    let length = file.metadata().map_err(cannot)?.len();
    let game = GameId::of(&loaded.machine, &loaded.source.sources);
    if length == 0 {
        begin(&mut file, &game).map_err(cannot)?;
        return Ok((Checkpoint::new(Synced(file)), Saved::default()));
    }
    let found = read(&mut file, length, &game, &loaded.machine);
    let (saved, end) = found.map_err(|e| match e {
        Unread::File(e) => Failure::cannot_read(path, &e),
        Unread::Other(what) => {
            let hint = "another name keeps both; a checkpoint goes with one version of ruse";
            Failure::file(path, codes::NO_CHECKPOINT, what, hint)
        }
    })?;
    file.set_len(end).map_err(cannot)?;
    file.seek(SeekFrom::End(0)).map_err(cannot)?;
    Ok((Checkpoint::new(Synced(file)), saved))
}
