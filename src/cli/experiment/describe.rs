//! Reads the file of an experiment and the games that it names.

use crate::arena::experiment::plan::Game;
use crate::arena::experiment::reader::VariantOutline;
use crate::arena::experiment::{
    Convergence, Experiment, FreshSearches, Matches, Measure, Outline, read as read_text,
};
use crate::cli::clock::stopwatch;
use crate::cli::engine::EngineName;
use crate::cli::load::{self, Loaded};
use crate::cli::output::Failure;
use crate::cli::problem::Problem;
use crate::shipped;
use crate::syntax::fingerprint::fingerprint;
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
}

/// An experiment, by what it is about.
pub enum Any {
    Matches(Described<Matches>),
    Convergence(Described<Convergence>),
    FreshSearches(Described<FreshSearches>),
}

/// Reads an experiment. `out` is the folder of the results, if it is not the usual one; its games are to run on `engine`.
pub fn read(file: &Path, out: Option<&Path>, engine: Option<EngineName>) -> Result<Any, Failure> {
    let source = load::read_at_most(file, yaml::LARGEST as u64, "an experiment")?;
    let source = Rc::new(source);
    let text = &source.text;
    let wrong = |d: Box<_>| Failure::wrong_use(Problem::InText(source.clone(), *d));
    let folder = out.map_or_else(|| file.with_extension("results"), Path::to_path_buf);
    let file = file.to_path_buf();
    Ok(match read_text(text).map_err(wrong)? {
        Outline::Matches(outline) => {
            let (games, machines) = load_games(&file, &outline.variants, engine)?;
            let experiment = Experiment::<Matches>::new(text, &outline, machines, &stopwatch());
            Any::Matches(Described {
                experiment: experiment.map_err(wrong)?,
                games,
                folder,
                file,
            })
        }
        Outline::Convergence(outline) => {
            let (games, machines) = load_games(&file, &outline.variants, engine)?;
            let experiment = Experiment::<Convergence>::new(text, &outline, machines);
            Any::Convergence(Described {
                experiment: experiment.map_err(wrong)?,
                games,
                folder,
                file,
            })
        }
        Outline::FreshSearches(outline) => {
            let (games, machines) = load_games(&file, &outline.variants, engine)?;
            let experiment = Experiment::<FreshSearches>::new(text, &outline, machines);
            Any::FreshSearches(Described {
                experiment: experiment.map_err(wrong)?,
                games,
                folder,
                file,
            })
        }
    })
}

/// The games of the variants of an experiment.
fn load_games(
    file: &Path,
    variants: &[VariantOutline],
    engine: Option<EngineName>,
) -> Result<(Vec<Loaded>, Vec<Game>), Failure> {
    let beside = file.parent().unwrap_or(Path::new(""));
    let mut games = Vec::new();
    for variant in variants {
        let path = if shipped::is_bare(&variant.game) {
            PathBuf::from(&variant.game)
        } else {
            beside.join(&variant.game)
        };
        let loaded = load::game_with(&path, &variant.set)?;
        games.push(EngineName::run_on(engine, loaded));
    }
    let machines = games
        .iter()
        .map(|l| (l.machine.clone(), fingerprint(&l.source.sources)))
        .collect();
    Ok((games, machines))
}
