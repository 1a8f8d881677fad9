//! What the methods over information states print.

use super::SolveCommand;
use super::grown::{Asked, Grown, Reached, Size, Told, TreeArgs, six, tell, told_text};
use super::strategy_file::Saving;
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure, Verdict};
use crate::cli::problem::Problem;
use crate::solve::zero_sum::constant_sum;
use crate::solve::{Profile, exploitability};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Args)]
#[group(id = "over_tree")]
#[command(next_help_heading = "Options of `lp`, `cfr`, `cfr+` and `mccfr`")]
pub struct Options {
    /// Save the strategies of all players to this file, which must be new; `ruse exploitability` reads it
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    #[command(flatten)]
    pub tree: TreeArgs,
}

impl Options {
    /// Those that were given, as on the command line.
    pub fn given(&self) -> Vec<&'static str> {
        let given = [
            ("--save", self.save.is_some()),
            ("--nodes", self.tree.nodes.is_some()),
            ("--skip-forced", self.tree.skip_forced),
        ];
        let given = given.iter().filter(|(_, given)| *given);
        given.map(|(name, _)| *name).collect()
    }
}

/// Refuses options that do not go with one another.
pub fn refuse_unfit(command: &SolveCommand, unfit: &[&str]) -> Result<(), Failure> {
    let threads = "--threads is for the method `backward`";
    let threads = command.threads.is_some().then_some(&threads);
    match unfit.iter().chain(threads).next() {
        Some(what) => Err(Failure::wrong_use(Problem::outside(None, *what))),
        None => Ok(()),
    }
}

/// What a method says of its work.
pub struct Report<D> {
    pub method: &'static str,
    /// False when it was stopped.
    pub complete: bool,
    pub details: D,
    /// The same for people.
    pub text: String,
    pub build_seconds: f64,
    pub solve_seconds: f64,
}

#[derive(Serialize)]
struct Document<'a, D> {
    file: &'a str,
    game: &'a str,
    method: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stopped: bool,
    /// Between these lies what the first player gets when both play perfectly.
    value: [f64; 2],
    #[serde(flatten)]
    reached: &'a Reached,
    #[serde(flatten)]
    details: D,
    tree: &'a Size,
    build_seconds: f64,
    solve_seconds: f64,
    /// What was played before the place that is asked about.
    moves: &'a [String],
    strategies: &'a [Told],
}

/// Prints a result, and saves the strategies if that was asked for.
pub fn report<D: Serialize>(
    command: &SolveCommand,
    loaded: &Loaded,
    grown: &Grown,
    asked: &Asked,
    profile: &Profile,
    saving: Option<Saving>,
    report: Report<D>,
) -> Result<Verdict, Failure> {
    let machine = &loaded.machine;
    let found = exploitability(&grown.sequences, profile);
    let least = constant_sum(machine) - found.best_responses[1];
    let most = found.best_responses[0];
    let told = tell(loaded, &grown.tree, &asked.states, profile)?;
    if let Some(saving) = saving {
        saving.save(loaded, &grown.tree, profile)?;
    }
    let size = Size::of(machine, &grown.tree);
    let reached = Reached::of(machine, &found);
    let game = &machine.description().name;
    if command.json {
        output::json(&Document {
            file: &loaded.source.path,
            game,
            method: report.method,
            stopped: !report.complete,
            value: [least + 0.0, most + 0.0],
            reached: &reached,
            details: report.details,
            tree: &size,
            build_seconds: report.build_seconds,
            solve_seconds: report.solve_seconds,
            moves: &asked.position.moves,
            strategies: &told,
        });
    } else {
        let first = machine.player_name(0);
        let value = match (six(least), six(most)) {
            (least, most) if least == most => least,
            (least, most) => format!("between {least} and {most}"),
        };
        let mut text = format!(
            "{game} by {}\n{}\n\n{}\n\nvalue for {first}: {value}\n\n{}",
            report.method,
            size.text(),
            report.text,
            reached.text()
        );
        text.push_str(&told_text(&told, &asked.position.moves));
        output::print(&text);
        output::aside(&format!(
            "tree built in {:.2} s, solved in {:.2} s",
            report.build_seconds, report.solve_seconds
        ));
    }
    Ok(if report.complete {
        Verdict::Fine
    } else {
        Verdict::No
    })
}
