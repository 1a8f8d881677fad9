//! Gets players ready that read a strategy or solve the game before play: with files, progress and Ctrl-C.

use super::clock::stopwatch;
use super::load::Loaded;
use super::output::Failure;
use super::problem::Problem;
use super::progress::Shown;
use super::solve::strategy_file;
use crate::arena::SeatingPlan;
use crate::players::{PlayerSpec, Preparation, PrepareError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Where players are got ready.
pub struct Preparing<'a> {
    pub loaded: &'a Loaded,
    /// The files that players name are beside this one; empty: where the user stands.
    pub folder: &'a Path,
    pub stop: &'a Arc<AtomicBool>,
}

impl Preparing<'_> {
    /// A player that is ready to play.
    pub fn player(&self, spec: &PlayerSpec) -> Result<PlayerSpec, Failure> {
        if !spec.needs_preparation() {
            return Ok(spec.clone());
        }
        let mut unread = None;
        let mut files = |path: &str| {
            strategy_file::text(&self.folder.join(path)).map_err(|failure| {
                let message = failure.problems.iter().map(Problem::message).collect();
                unread = Some(failure);
                message
            })
        };
        let mut shown = Shown::default();
        let clock = stopwatch();
        let ready = spec.prepare(&mut Preparation {
            machine: &self.loaded.machine,
            sources: &self.loaded.source.sources,
            files: &mut files,
            progress: &mut shown,
            clock: &*clock,
            cancel: self.stop,
        });
        shown.end();
        ready.map_err(|error| unread.unwrap_or_else(|| self.failure(spec, error)))
    }

    /// All players of a match.
    pub fn plan(&self, plan: SeatingPlan) -> Result<SeatingPlan, Failure> {
        plan.prepared(|spec| self.player(spec))
    }

    fn failure(&self, spec: &PlayerSpec, error: PrepareError) -> Failure {
        match error {
            PrepareError::Game(problem) => {
                Failure::no(Problem::InText(self.loaded.source.clone(), *problem))
            }
            PrepareError::File(message) => Failure::no(Problem::outside(None, message)),
            PrepareError::Misfit {
                path,
                what,
                is_strategies,
            } => {
                let path = self.folder.join(PathBuf::from(path));
                strategy_file::misfit(&path, &what, is_strategies)
            }
            PrepareError::Unsolved {
                code,
                message,
                hint,
            } => Failure::no(self.loaded.outside(code, message, hint)),
            PrepareError::Stopped => Failure::stopped(&format!("`{spec}` was not ready to play")),
        }
    }
}
