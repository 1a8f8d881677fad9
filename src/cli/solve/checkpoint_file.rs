//! `--checkpoint`: the file that a long run keeps its finished layers in.

use crate::cli::codes;
use crate::cli::load::Loaded;
use crate::cli::output::Failure;
use crate::solve::GameId;
use crate::solve::backward::Saved;
use crate::solve::backward::checkpoint::{Checkpoint, Unread, begin, read};
use sha2::{Digest, Sha256};
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

/// A checkpoint to go on with, and what it holds.
type Known = (Checkpoint<Synced>, Saved);

/// Opens a checkpoint to go on with, or begins one where there is no such file.
pub fn open(path: &Path, loaded: &Loaded) -> Result<Known, Failure> {
    let Some(file) = taken(path)? else {
        let hint = "another run of ruse writes to it";
        let what = "cannot be written: it is in use";
        return Err(Failure::file(path, codes::CANNOT_WRITE, what, hint));
    };
    gone_on_with(path, file, loaded)?.map_err(|what| {
        let hint = "another name keeps both; a checkpoint goes with one version of ruse";
        Failure::file(path, codes::NO_CHECKPOINT, what, hint)
    })
}

/// As [`open`], for a file that the program made by itself: one that is of no use is begun anew, and where another run writes
/// to it there is `None`.
pub fn open_own(path: &Path, loaded: &Loaded) -> Result<Option<Known>, Failure> {
    let Some(file) = taken(path)? else {
        return Ok(None);
    };
    let again = file
        .try_clone()
        .map_err(|e| Failure::cannot_write(path, &e))?;
    if let Ok(known) = gone_on_with(path, file, loaded)? {
        return Ok(Some(known));
    }
    again
        .set_len(0)
        .map_err(|e| Failure::cannot_write(path, &e))?;
    Ok(gone_on_with(path, again, loaded)?.ok())
}

/// The name of the file that the program keeps the values of a game in by itself: another one for every other description,
/// params or version, and wherever the game is compiled to another program.
pub fn own_name(loaded: &Loaded) -> String {
    let game = GameId::of(&loaded.machine, &loaded.source.sources);
    let mut text = serde_json::to_string(&game).unwrap_or_default();
    text += &loaded.machine.program().to_string();
    let hash = Sha256::digest(text.as_bytes());
    let hash: String = hash.iter().take(8).map(|b| format!("{b:02x}")).collect();
    format!("backward-{hash}.checkpoint")
}

/// The file, which may be new; `None` where another run writes to it.
fn taken(path: &Path) -> Result<Option<File>, Failure> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|e| Failure::cannot_write(path, &e))?;
    Ok(file.try_lock().is_ok().then_some(file))
}

/// The checkpoint in a file with what it holds, or what is wrong with it.
fn gone_on_with(
    path: &Path,
    mut file: File,
    loaded: &Loaded,
) -> Result<Result<Known, &'static str>, Failure> {
    let cannot = |e: std::io::Error| Failure::cannot_write(path, &e);
    let length = file.metadata().map_err(cannot)?.len();
    let game = GameId::of(&loaded.machine, &loaded.source.sources);
    file.seek(SeekFrom::Start(0)).map_err(cannot)?;
    if length == 0 {
        begin(&mut file, &game).map_err(cannot)?;
        return Ok(Ok((Checkpoint::new(Synced(file)), Saved::default())));
    }
    let (saved, end) = match read(&mut file, length, &game, &loaded.machine) {
        Ok(found) => found,
        Err(Unread::File(e)) => return Err(Failure::cannot_read(path, &e)),
        Err(Unread::Other(what)) => return Ok(Err(what)),
    };
    // What is whole is not touched.
    if end < length {
        file.set_len(end).map_err(cannot)?;
    }
    file.seek(SeekFrom::End(0)).map_err(cannot)?;
    Ok(Ok((Checkpoint::new(Synced(file)), saved)))
}
