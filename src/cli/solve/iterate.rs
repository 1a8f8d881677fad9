//! `ruse solve --method cfr`, `cfr+` and `mccfr`: strategies that get better iteration by iteration.

use super::report::{Report, refuse_unfit, report};
use super::strategy_file::Saving;
use super::{Method, SolveCommand, grown};
use crate::cli::clock::stopwatch;
use crate::cli::load::Loaded;
use crate::cli::number::{amount, whole};
use crate::cli::output::{self, Failure, Verdict, table};
use crate::cli::{interrupt, progress};
use crate::solve::exploitability;
use crate::solve::regret::{Cfr, CfrPlus, ExternalSampling, OutcomeSampling, RegretMinimizer};
use crate::solve::zero_sum::suited;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::sync::atomic::Ordering;

pub const CFR: Method = Method {
    name: "cfr",
    doc: "Counterfactual regret minimisation, for the same games as `lp`. Tends to an equilibrium; NashConv says how close \
          it is.",
    suits: |machine| suited(machine, "cfr"),
    own_options: |command| given(command, false),
    run: |command, loaded| run(command, loaded, "cfr"),
};

pub const CFR_PLUS: Method = Method {
    name: "cfr+",
    doc: "The same with regrets that never fall below 0 and a linear average; much faster in practice.",
    suits: |machine| suited(machine, "cfr+"),
    own_options: |command| given(command, false),
    run: |command, loaded| run(command, loaded, "cfr+"),
};

pub const MCCFR: Method = Method {
    name: "mccfr",
    doc: "The same by sampling: each iteration looks at a small part of the game.",
    suits: |machine| suited(machine, "mccfr"),
    own_options: |command| given(command, true),
    run: |command, loaded| run(command, loaded, "mccfr"),
};

/// Iterations unless something else is said: of methods that go over the whole game, and of those that sample.
const ITERATIONS: u64 = 1000;
const SAMPLED_ITERATIONS: u64 = 100_000;

#[derive(Args)]
#[group(id = "iterate")]
#[command(next_help_heading = "Options of `cfr`, `cfr+` and `mccfr`")]
pub struct Options {
    /// How many iterations [default: 1000; 100000 for `mccfr`]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000_000), allow_negative_numbers = true)]
    iterations: Option<u64>,

    /// End as soon as NashConv is at most X; it is looked at after 1, 2, 4, 8, … iterations
    #[arg(long, value_name = "X", value_parser = amount(0.0, f64::MAX), allow_negative_numbers = true)]
    until: Option<f64>,

    /// What an iteration of `mccfr` samples: the choices of the others, or a whole game [default: external]
    #[arg(long, value_enum)]
    sampling: Option<Sampling>,

    /// With `--sampling outcome`: how often a player explores, from 0.001 to 1 [default: 0.6]
    #[arg(long, value_name = "E", value_parser = amount(0.001, 1.0), allow_negative_numbers = true)]
    epsilon: Option<f64>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    External,
    Outcome,
}

fn given(command: &SolveCommand, sampled: bool) -> Vec<&'static str> {
    let o = &command.iterate;
    let mut list = command.over_tree.given();
    let own = [
        ("--iterations", o.iterations.is_some(), true),
        ("--until", o.until.is_some(), true),
        ("--sampling", o.sampling.is_some(), sampled),
        ("--epsilon", o.epsilon.is_some(), sampled),
        ("--seed", command.seed.is_some(), sampled),
    ];
    let own = own.iter().filter(|(_, given, takes)| *given && *takes);
    list.extend(own.map(|(name, ..)| *name));
    list
}

/// How close the average strategies were after some iterations.
#[derive(Copy, Clone, Serialize)]
struct Milestone {
    iterations: u64,
    nash_conv: f64,
}

#[derive(Serialize)]
struct Progress {
    iterations: u64,
    /// Without what it took to build the tree and to look how close the strategies are.
    iterations_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<Sampling>,
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    convergence: Vec<Milestone>,
}

fn run(command: &SolveCommand, loaded: &Loaded, method: &'static str) -> Result<Verdict, Failure> {
    let options = &command.iterate;
    let sampling = (method == "mccfr").then(|| options.sampling.unwrap_or(Sampling::External));
    let explores = sampling == Some(Sampling::Outcome);
    let mut unfit = Vec::new();
    if options.epsilon.is_some() && !explores {
        unfit.push("--epsilon is for `--sampling outcome`");
    }
    let position = grown::Asked::read(command, loaded)?;
    refuse_unfit(command, &unfit)?;
    let saving = Saving::open(command.over_tree.save.as_deref())?;
    let stop = interrupt::flag();
    let clock = stopwatch();
    let grown = match grown::grow(&command.over_tree.tree.options(), loaded, &stop)? {
        Some(grown) => grown,
        None => return Ok(output::stopped("the tree was not built")),
    };
    let asked = grown::Asked::find(loaded, &grown.tree, position, None)?;
    let built = clock().as_secs_f64();

    let epsilon = options.epsilon.unwrap_or(OutcomeSampling::EXPLORATION);
    let seed = command.seed.unwrap_or(1);
    let (tree, sequences) = (&grown.tree, &grown.sequences);
    let mut minimizer: Box<dyn RegretMinimizer> = match (method, sampling) {
        (_, Some(Sampling::External)) => Box::new(ExternalSampling::new(tree, seed)),
        (_, Some(Sampling::Outcome)) => Box::new(OutcomeSampling::new(tree, epsilon, seed)),
        ("cfr", None) => Box::new(Cfr::new(tree, sequences)),
        _ => Box::new(CfrPlus::new(tree, sequences)),
    };
    let usual = if sampling.is_some() {
        SAMPLED_ITERATIONS
    } else {
        ITERATIONS
    };
    let iterations = options.iterations.unwrap_or(usual);
    let bar = progress::bar(iterations, "iterations");
    let mut convergence: Vec<Milestone> = Vec::new();
    let mut spent = 0.0;
    let mut good = false;
    while minimizer.iterations() < iterations && !good && !stop.load(Ordering::Relaxed) {
        let next = minimizer
            .iterations()
            .saturating_mul(2)
            .clamp(1, iterations);
        let start = clock();
        while minimizer.iterations() < next && !stop.load(Ordering::Relaxed) {
            minimizer.iterate();
            if minimizer.iterations().is_multiple_of(16) {
                bar.set_position(minimizer.iterations());
            }
        }
        spent += (clock() - start).as_secs_f64();
        let nash_conv = exploitability(sequences, &minimizer.average()).nash_conv;
        convergence.push(Milestone {
            iterations: minimizer.iterations(),
            nash_conv,
        });
        good = options.until.is_some_and(|until| nash_conv <= until);
    }
    bar.finish_and_clear();
    let complete = good || minimizer.iterations() == iterations;
    let done = Progress {
        iterations: minimizer.iterations(),
        iterations_per_second: if spent > 0.0 {
            minimizer.iterations() as f64 / spent
        } else {
            0.0
        },
        sampling,
        epsilon: explores.then_some(epsilon),
        seed: sampling.map(|_| seed),
        convergence,
    };
    let text = text(&done);
    if !complete {
        output::say(&format!(
            "stopped after {} of {iterations} iterations",
            done.iterations
        ));
    }
    let profile = minimizer.average();
    report(
        command,
        loaded,
        &grown,
        &asked,
        &profile,
        saving,
        Report {
            method,
            complete,
            details: done,
            text,
            build_seconds: built,
            solve_seconds: spent,
        },
    )
}

/// How strategies got better.
fn text(done: &Progress) -> String {
    let mut rows = vec![vec!["iterations".to_string(), "NashConv".to_string()]];
    for m in &done.convergence {
        rows.push(vec![m.iterations.to_string(), grown::small(m.nash_conv)]);
    }
    let mut text = table(&rows, &[0, 1]);
    text.pop();
    text
}
