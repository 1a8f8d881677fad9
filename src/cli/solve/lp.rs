//! `ruse solve --method lp`: optimal strategies by a linear program over the sequence form.

use super::report::{Report, refuse_unfit, report};
use super::strategy_file::Saving;
use super::{Method, SolveCommand, grown};
use crate::cli::clock::stopwatch;
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure, Verdict, plural};
use crate::cli::{interrupt, progress};
use crate::solve::TreeError;
use crate::solve::linear_program::linear_program;
use crate::solve::zero_sum::{constant_sum, suited};
use serde::Serialize;

pub const METHOD: Method = Method {
    name: "lp",
    doc: "A linear program over the sequence form. Two players and a constant sum; hidden information, simultaneous moves \
          and chance are fine. Exact up to rounding, and the bounds of the value say how far.",
    suits: |machine| suited(machine, "lp"),
    own_options: |command| command.over_tree.given(),
    run,
};

/// The size of the program, and what it took.
#[derive(Serialize)]
struct Program {
    variables: usize,
    constraints: usize,
    nonzeros: usize,
    steps: u32,
}

fn run(command: &SolveCommand, loaded: &Loaded) -> Result<Verdict, Failure> {
    let position = grown::Asked::read(command, loaded)?;
    refuse_unfit(command, &[])?;
    let saving = Saving::open(command.over_tree.save.as_deref())?;
    let stop = interrupt::flag();
    let clock = stopwatch();
    let grown = match grown::grow(&command.over_tree.tree.options(), loaded, &stop)? {
        Some(grown) => grown,
        None => return Ok(output::stopped("the tree was not built")),
    };
    let asked = grown::Asked::find(loaded, &grown.tree, position, None)?;
    let built = clock().as_secs_f64();
    let counter = progress::counter("linear programs");
    let sum = constant_sum(&loaded.machine);
    let solution = linear_program(&grown.tree, &grown.sequences, sum, &stop);
    counter.finish_and_clear();
    let solution = match solution {
        Err(TreeError::Stopped) => return Ok(output::stopped("the program was not solved")),
        solution => solution.map_err(|error| grown::failure(loaded, &error))?,
    };
    let seconds = clock().as_secs_f64() - built;
    let program = Program {
        variables: solution.variables,
        constraints: solution.constraints,
        nonzeros: solution.nonzeros,
        steps: solution.iterations,
    };
    let text = format!(
        "a program of {} and {}, solved in {}",
        plural(program.variables as u64, "variable"),
        plural(program.constraints as u64, "constraint"),
        plural(u64::from(program.steps), "step"),
    );
    report(
        command,
        loaded,
        &grown,
        &asked,
        &solution.profile,
        saving,
        Report {
            method: METHOD.name,
            complete: true,
            details: program,
            text,
            build_seconds: built,
            solve_seconds: seconds,
        },
    )
}
