//! Makes the strategies of an experiment about fresh searches.

use super::ExperimentCommand;
use super::describe::Described;
use super::runs::{over_tree, search as make_runs};
use crate::arena::experiment::FreshSearches;
use crate::arena::experiment::fresh_searches::Questions;
use crate::cli::output::{Failure, Verdict};
use crate::solve::tree::TreeError;

pub fn search(
    command: &ExperimentCommand,
    described: &mut Described<FreshSearches>,
) -> Result<Verdict, Failure> {
    command.without_memory("best responses need")?;
    make_runs(command, described, |loaded, stop| {
        over_tree(loaded, stop, Questions::new, |error| {
            let hint = "make the game smaller by its params";
            let too_large = matches!(error, TreeError::TooManyNodes(_));
            too_large.then(|| (error.code(), error.message(), hint))
        })
    })
}
