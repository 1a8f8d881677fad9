//! Files of strategies: `--save`, and what it wrote read again.

use super::failure;
use crate::cli::codes;
use crate::cli::load::{FileKind, Loaded, read_file};
use crate::cli::output::Failure;
use crate::solve::commitment::mixes::Mixes;
use crate::solve::commitment::open_loop::OpenLoop;
use crate::solve::strategy_file::{self, WriteError};
use crate::solve::{GameId, Profile, Tree};
use crate::text::BYTE_ORDER_MARK;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Solved games may be large.
const STRATEGIES: FileKind = FileKind {
    what: "a file of strategies",
    endings: &["json"],
    largest: 1 << 30,
};

/// A new file to save to, opened before the work whose result it will hold. It goes away again when there is none.
pub struct Saving {
    path: PathBuf,
    file: Option<File>,
}

impl Saving {
    /// Opens the file of `--save`, if there is one.
    pub fn open(path: Option<&Path>) -> Result<Option<Saving>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let file = File::options().write(true).create_new(true).open(path);
        let file = file.map_err(|e| match e.kind() {
            std::io::ErrorKind::AlreadyExists => {
                let hint = "name another file, or move this one away";
                Failure::file(path, codes::FILE_EXISTS, "is there already", hint)
            }
            _ => Failure::cannot_write(path, &e),
        })?;
        Ok(Some(Saving {
            path: path.to_path_buf(),
            file: Some(file),
        }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Saves the strategies of all players.
    pub fn save(mut self, loaded: &Loaded, tree: &Tree, profile: &Profile) -> Result<(), Failure> {
        let game = GameId::of(&loaded.machine, &loaded.source.sources);
        let Some(file) = &self.file else {
            return Ok(());
        };
        let mut out = BufWriter::new(file);
        strategy_file::write(&mut out, &game, &loaded.machine, tree, profile).map_err(
            |e| match e {
                WriteError::Tree(error) => failure::tree(loaded, &error),
                WriteError::File(e) => Failure::cannot_write(&self.path, &e),
            },
        )?;
        drop(out);
        self.file = None;
        Ok(())
    }
}

impl Saving {
    /// Saves plans of both players, of a game in which nobody learns anything on the way.
    pub fn save_plans(
        mut self,
        loaded: &Loaded,
        game: &OpenLoop,
        mixes: &Mixes,
    ) -> Result<(), Failure> {
        let id = GameId::of(&loaded.machine, &loaded.source.sources);
        let Some(file) = &self.file else {
            return Ok(());
        };
        let mut out = BufWriter::new(file);
        strategy_file::write_plans(&mut out, &id, &loaded.machine, game, mixes)
            .map_err(|e| Failure::cannot_write(&self.path, &e))?;
        drop(out);
        self.file = None;
        Ok(())
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The text of a file.
pub fn text(path: &Path) -> Result<String, Failure> {
    let mut text = read_file(path, STRATEGIES)?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(text)
}

/// Reads strategies for a tree of the same game.
pub fn read(path: &Path, loaded: &Loaded, tree: &Tree) -> Result<Profile, Failure> {
    let text = text(path)?;
    let game = GameId::of(&loaded.machine, &loaded.source.sources);
    strategy_file::read(&text, &game, &loaded.machine, tree)
        .map_err(|it| misfit(path, &it.what, it.is_strategies))
}

/// A file that is of no use for a game.
pub fn misfit(path: &Path, what: &str, is_strategies: bool) -> Failure {
    let hint = match is_strategies {
        true => "solve the game again with `--save`",
        false => "`ruse solve --save` writes one",
    };
    Failure::file(path, codes::NO_STRATEGY, what, hint)
}
