//! Reads the file of an experiment and the games that it names.

use crate::arena::experiment::{Experiment, Outline};
use crate::arena::record::fingerprint;
use crate::cli::clock::stopwatch;
use crate::cli::load::{self, Loaded};
use crate::cli::output::{self, Failure};
use crate::cli::problem::Problem;
use crate::shipped;
use crate::yaml;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// An experiment that is ready to be played.
pub struct Described {
    pub experiment: Experiment,
    /// The games of its variants, in their order.
    pub games: Vec<Loaded>,
    /// Where the results are.
    pub folder: PathBuf,
    /// The file, as the user wrote it.
    pub file: PathBuf,
}

/// Reads an experiment. `out` is the folder of the results, if it is not the usual one.
pub fn read(file: &Path, out: Option<&Path>) -> Result<Described, Failure> {
    let source = load::read_at_most(file, yaml::LARGEST as u64, "an experiment")?;
    let source = Rc::new(source);
    let wrong = |d: Box<_>| Failure::wrong_use(Problem::InText(source.clone(), *d));
    let outline = Outline::parse(&source.text).map_err(wrong)?;
    let beside = file.parent().unwrap_or(Path::new(""));
    let mut games = Vec::new();
    for variant in &outline.variants {
        let path = if shipped::is_bare(&variant.game) {
            PathBuf::from(&variant.game)
        } else {
            beside.join(&variant.game)
        };
        let loaded = load::load(&path, &variant.set)?;
        output::problems(&loaded.warnings);
        games.push(loaded);
    }
    let machines = games
        .iter()
        .map(|l| (l.machine.clone(), fingerprint(&l.source.sources)));
    let machines = machines.collect();
    let experiment =
        Experiment::new(&source.text, &outline, machines, &stopwatch()).map_err(wrong)?;
    Ok(Described {
        experiment,
        games,
        folder: out.map_or_else(|| file.with_extension("results"), Path::to_path_buf),
        file: file.to_path_buf(),
    })
}
