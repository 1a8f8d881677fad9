//! `ruse solve` by a method over information states.

use super::method_args::heading;
use super::strategy_file::Saving;
use super::trees::{self, Built, TreeArgs, gains_text, six, size_text, small, strategies_text};
use super::{SolveCommand, failure};
use crate::cli::clock::stopwatch;
use crate::cli::interrupt;
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure, Verdict, table};
use crate::cli::progress::Shown;
use crate::solve::methods::{Found, Method, SolveTree, Solver, Task};
use crate::solve::summary::{Gains, LocalStrategy, TreeSize};
use crate::solve::zero_sum::constant_sum;
use crate::solve::{Position, TreeError, exploitability};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Args)]
#[group(id = "over_tree")]
#[command(next_help_heading = heading(is_over_tree))]
pub struct Options {
    /// Save the strategies of all players to this file, which must be new; `ruse exploitability` reads it. With --leader too
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    #[command(flatten)]
    pub tree: TreeArgs,
}

pub fn is_over_tree(method: &Method) -> bool {
    matches!(method.solver, Solver::Tree(_))
}

impl Options {
    /// Those that were given, as on the command line.
    pub fn given(&self) -> Vec<&'static str> {
        let save = self.save.as_ref().map(|_| "--save");
        save.into_iter().chain(self.tree.given()).collect()
    }
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    game: &'a str,
    method: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stopped: bool,
    /// Between these lies what the first player gets when both play perfectly.
    value: [f64; 2],
    #[serde(flatten)]
    gains: &'a Gains,
    #[serde(flatten)]
    details: &'a serde_json::Map<String, serde_json::Value>,
    tree: &'a TreeSize,
    build_seconds: f64,
    solve_seconds: f64,
    /// What was played before the place that is asked about.
    moves: &'a [String],
    strategies: &'a [LocalStrategy],
}

pub fn run(
    command: &SolveCommand,
    loaded: &Loaded,
    method: &Method,
    solve: SolveTree,
) -> Result<Verdict, Failure> {
    let wrong = |what: String| Failure::usage(what);
    let position = failure::moves(loaded, &command.moves)?;
    let values = &command.method_args.values;
    method.check(values).map_err(wrong)?;
    let saving = Saving::open(command.over_tree.save.as_deref())?;
    let stop = interrupt::flag();
    let clock = stopwatch();
    let options = command.over_tree.tree.options();
    let Some(built) = trees::built(&options, loaded, &stop)? else {
        return Ok(output::stopped("the tree was not built", command.json));
    };
    let asked = trees::decisions(loaded, &built.tree, &position, None)?;
    let build_seconds = clock().as_secs_f64();
    let task = Task {
        machine: &loaded.machine,
        tree: &built.tree,
        sequences: &built.sequences,
        values,
        seed: command.seed.unwrap_or(1),
        stop: &stop,
        clock: &*clock,
    };
    let mut shown = Shown::default();
    let found = solve(&task, &mut shown);
    shown.end();
    let found = match found {
        Err(TreeError::Stopped) => {
            return Ok(output::stopped("the program was not solved", command.json));
        }
        found => found.map_err(|error| failure::tree(loaded, &error))?,
    };
    if let Some(how_far) = &found.stopped {
        output::say(how_far);
    }
    let profile = &found.profile;
    let strategies = trees::strategies(loaded, &built.tree, &asked, profile)?;
    if let Some(saving) = saving {
        let path = saving.path().display().to_string();
        saving.save(loaded, &built.tree, profile)?;
        if found.stopped.is_some() {
            output::say(&format!("{path} has what was found until then"));
        }
    }
    let answer = Answer {
        method,
        built: &built,
        position: &position,
        strategies: &strategies,
        build_seconds,
        found: &found,
    };
    answer.print(loaded, command.json);
    Ok(match found.stopped {
        None => Verdict::Fine,
        Some(_) => Verdict::No,
    })
}

/// What is printed.
struct Answer<'a> {
    method: &'a Method,
    built: &'a Built,
    position: &'a Position,
    strategies: &'a [LocalStrategy],
    build_seconds: f64,
    found: &'a Found,
}

impl Answer<'_> {
    fn print(&self, loaded: &Loaded, json: bool) {
        let machine = &loaded.machine;
        let (built, found) = (self.built, self.found);
        let exploited = exploitability(&built.sequences, &found.profile);
        let least = constant_sum(machine) - exploited.best_responses[1];
        let most = exploited.best_responses[0];
        let size = TreeSize::of(machine, &built.tree);
        let gains = Gains::of(machine, &exploited);
        let game = &machine.description().name;
        if json {
            output::json(&Document {
                file: &loaded.source.path,
                game,
                method: self.method.name,
                stopped: found.stopped.is_some(),
                value: [least + 0.0, most + 0.0],
                gains: &gains,
                details: &found.details,
                tree: &size,
                build_seconds: self.build_seconds,
                solve_seconds: found.seconds,
                moves: &self.position.moves,
                strategies: self.strategies,
            });
            return;
        }
        let first = machine.player_name(0);
        let value = match (six(least), six(most)) {
            (least, most) if least == most => least,
            (least, most) => format!("between {least} and {most}"),
        };
        let mut text = format!(
            "{game} by {}\n{}\n\n{}\n\nvalue for {first}: {value}\n\n{}",
            self.method.name,
            size_text(&size),
            work_text(found),
            gains_text(&gains)
        );
        let moves = &self.position.moves;
        text.push_str(&strategies_text(self.strategies, moves, None));
        output::print_fitted(&text);
        output::aside(&format!(
            "tree built in {:.2} s, solved in {:.2} s",
            self.build_seconds, found.seconds
        ));
    }
}

/// What there is to say of the work: how strategies got better, or a line.
fn work_text(found: &Found) -> String {
    if found.convergence.is_empty() && !found.remark.is_empty() {
        return found.remark.clone();
    }
    let mut rows = vec![vec!["iterations".to_string(), "NashConv".to_string()]];
    for m in &found.convergence {
        rows.push(vec![m.iterations.to_string(), small(m.nash_conv)]);
    }
    table(&rows, &[0, 1]).trim_end().to_string()
}
