//! Reads the file of an experiment and the games that it names.

use super::several;
use crate::arena::experiment::plan::Game;
use crate::arena::experiment::reader::VariantOutline;
use crate::arena::experiment::{Experiment, Measure, Outline, Read, read as read_text};
use crate::cli::clock::stopwatch;
use crate::cli::engine::EngineName;
use crate::cli::load::{self, FileKind, Loaded};
use crate::cli::output::Failure;
use crate::cli::problem::{Problem, Source};
use crate::shipped;
use crate::syntax::fingerprint::fingerprint;
use crate::text::diagnostics::Diagnostic;
use crate::text::yaml;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// An experiment that is ready to be made.
pub struct Described<M: Measure> {
    pub experiment: Experiment<M>,
    /// The games of its variants, in their order.
    pub games: Vec<Loaded>,
    /// Where the results are.
    pub folder: PathBuf,
    /// The file, as the user wrote it.
    pub file: PathBuf,
    /// What it says.
    pub source: Rc<Source>,
}

/// The file of an experiment, and where its results are to go.
pub struct About<'a> {
    pub file: &'a Path,
    pub source: Rc<Source>,
    /// The folder, if it is not the usual one.
    pub out: Option<&'a Path>,
}

impl About<'_> {
    /// Gets the experiment ready, of what its file says; its games are to run on `engine`.
    pub fn describe<M: Measure>(
        &self,
        outline: &mut Outline<M>,
        engine: Option<EngineName>,
    ) -> Result<Described<M>, Failure> {
        let beside = self.file.parent().unwrap_or(Path::new(""));
        outline.variants = several::each(&self.source, beside, &outline.variants)?;
        let (games, machines) = load_games(self, &outline.variants, engine)?;
        let experiment = Experiment::new(&self.source.text, outline, machines, &stopwatch());
        let usual = || self.file.with_extension("results");
        Ok(Described {
            experiment: experiment.map_err(|d| wrong(&self.source, *d))?,
            games,
            folder: self.out.map_or_else(usual, Path::to_path_buf),
            file: self.file.to_path_buf(),
            source: self.source.clone(),
        })
    }
}

const EXPERIMENT: FileKind = FileKind {
    what: "an experiment",
    endings: &["yaml", "yml"],
    largest: yaml::LARGEST as u64,
};

/// Reads the file of an experiment.
pub fn read(file: &Path) -> Result<(Rc<Source>, Read), Failure> {
    if file.as_os_str() == load::STANDARD_INPUT {
        let message = "an experiment is a file: games are looked for, and results kept, beside it";
        let hint = "write what comes from standard input to a file";
        return Err(Failure::advised(message, hint));
    }
    let source = Rc::new(load::read_as(file, EXPERIMENT)?);
    let read = read_text(&source.text).map_err(|d| wrong(&source, *d))?;
    Ok((source, read))
}

pub fn wrong(source: &Rc<Source>, problem: Diagnostic) -> Failure {
    Failure::wrong_use(Problem::InText(source.clone(), problem))
}

/// What is wrong with values of params, at their places in the experiment.
fn in_experiment(failure: Failure, variant: &VariantOutline, source: &Rc<Source>) -> Failure {
    let problems = failure.problems.into_iter().map(|problem| {
        load::at_setting(problem, &variant.set, |key, _| {
            let (param, value) = variant.set_places.get(key)?;
            Some(load::SetAt {
                param: param.span(&source.text),
                value: value.span(&source.text),
                source: source.clone(),
            })
        })
    });
    Failure {
        problems: problems.collect(),
        ..failure
    }
}

/// The games of the variants of an experiment.
fn load_games(
    about: &About<'_>,
    variants: &[VariantOutline],
    engine: Option<EngineName>,
) -> Result<(Vec<Loaded>, Vec<Game>), Failure> {
    let beside = about.file.parent().unwrap_or(Path::new(""));
    let mut games = Vec::new();
    for variant in variants {
        let path = if shipped::is_bare(&variant.game) {
            PathBuf::from(&variant.game)
        } else {
            beside.join(&variant.game)
        };
        let loaded = load::game_with(&path, &variant.set);
        let loaded = loaded.map_err(|failure| in_experiment(failure, variant, &about.source))?;
        games.push(EngineName::run_on(engine, loaded));
    }
    let machines = games
        .iter()
        .map(|l| (l.machine.clone(), fingerprint(&l.source.sources)))
        .collect();
    Ok((games, machines))
}
