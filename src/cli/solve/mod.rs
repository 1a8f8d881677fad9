//! `ruse solve`: exact answers about a game, by one of several methods.
//!
//! The methods and their parameters are those of `crate::solve::METHODS`. Here are the options that belong to the command
//! line: which game, which place of it, files, and how the result is printed.

pub mod checkpoint_file;
pub mod commitment;
mod commitment_search;
pub mod failure;
mod method_args;
mod over_tree;
pub mod profiles;
pub mod size;
mod states;
pub mod strategy_file;
pub mod trees;

use super::game::Game;
use super::load::{self, Loaded};
use super::number::whole;
use super::output::{Failure, Verdict};
use super::problem::Problem;
use crate::solve::METHODS;
use crate::solve::commitment::{COMMITMENTS, CommitmentMethod};
use crate::solve::methods::{Method, Solver, find, usual};
use crate::threads::Threads;
use clap::Args;
use clap::builder::PossibleValuesParser;

/// Solve a game: its value, and optimal strategies
#[derive(Args)]
#[command(after_help = help())]
pub struct SolveCommand {
    #[command(flatten)]
    game: Game,

    /// How to solve it [default: the first method below that takes the game]
    #[arg(long, value_name = "METHOD", value_parser = PossibleValuesParser::new(names()))]
    method: Option<String>,

    /// Find what this player had best commit itself to when the other watches it and answers best
    #[arg(long, value_name = "PLAYER")]
    leader: Option<String>,

    /// Ask about the place after these moves and draws, with semicolons between them [default: the start]
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,

    /// How many threads; the result does not depend on it, and only `backward` works on several [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", value_parser = whole(1..=1024), allow_negative_numbers = true)]
    threads: Option<u64>,

    /// Everything random comes from this number: the searches of --exploit, and the samples of `mccfr` [default: 1]
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,

    // The options of methods come last, each group under a heading of its own.
    #[command(flatten)]
    states: states::Options,

    #[command(flatten)]
    over_tree: over_tree::Options,

    #[command(flatten)]
    method_args: method_args::MethodArgs,
}

/// Of all methods.
fn names() -> impl Iterator<Item = &'static str> {
    let others = COMMITMENTS.iter().map(|m| m.name);
    METHODS.iter().map(|m| m.name).chain(others)
}

fn help() -> String {
    let mut text = String::from(
        "\
Examples:
  ruse solve duel.game
  ruse solve duel.game --moves '2; Ann: fold'
  ruse solve duel.game --set rounds=9 --memory 12G --checkpoint duel.solved
  ruse solve duel.game --exploit Ann=uniform --depth 4
  ruse solve bluff.game --method lp --save bluff.json
  ruse solve bluff.game --method cfr+ --iterations 10000 --until 0.001
  ruse solve bluff.game --method mccfr --sampling outcome --iterations 1000000 --seed 2
  ruse solve duel.game --leader Ann --save plan.json

A move is written as in `ruse play`. Players who choose at the same time are written in seating order, one after \
another; a name may stand before a move, and `chance:` before a draw.

Methods:
",
    );
    for method in METHODS {
        text.push_str(&format!("  {}: {}\n", method.name, method.doc));
    }
    for method in COMMITMENTS {
        text.push_str(&format!("  {}: {}\n", method.name, method.doc));
    }
    text.push_str(
        "
Exit codes:
  0  solved
  1  the game has errors, is not of the class of the method, or does not fit the memory; or it was stopped
  2  wrong use, or a file that cannot be read

Ctrl-C stops the solver: a checkpoint keeps every finished layer, and methods that iterate print and save what they \
have. A second Ctrl-C ends at once.",
    );
    text
}

impl SolveCommand {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let loaded = load::game(&self.game)?;
        if let Some((method, leader)) = self.commitment()? {
            return commitment::run(self, &loaded, method, leader);
        }
        let method = self.chosen(&loaded)?;
        let own = self.given(method);
        let values = &self.method_args.values;
        for other in COMMITMENTS {
            let mut foreign = other
                .parameters
                .iter()
                .filter(|p| method.parameter(p.name).is_none());
            if let Some(parameter) = foreign.find(|p| values.get(p.name).is_some()) {
                let message = format!(
                    "--{} is an option of the method `{}`, which needs `--leader`",
                    parameter.name, other.name
                );
                return Err(Failure::usage(message));
            }
        }
        let mut options = METHODS.iter().flat_map(|m| self.given(m));
        if let Some(option) = options.find(|o| !own.contains(o)) {
            let has_it: Vec<&Method> = METHODS
                .iter()
                .filter(|m| self.given(m).contains(&option))
                .collect();
            let names = |methods: &[&Method]| {
                let names = methods.iter().map(|m| format!("`{}`", m.name));
                names.collect::<Vec<_>>().join(", ")
            };
            let which = match has_it.len() {
                1 => "the method",
                _ => "the methods",
            };
            let message = format!(
                "{option} is an option of {which} {}, and the method is `{}`",
                names(&has_it),
                method.name
            );
            let suited = |m: &&&Method| (m.suits)(&loaded.machine).is_ok();
            let with_it = has_it.iter().filter(suited);
            let ways: Vec<String> = with_it.map(|m| format!("`--method {}`", m.name)).collect();
            return Err(match ways.is_empty() {
                true => Failure::usage(message),
                false => Failure::advised(message, format!("write {}", ways.join(" or "))),
            });
        }
        match method.solver {
            Solver::States => states::run(self, &loaded, method),
            Solver::Tree(solve) => over_tree::run(self, &loaded, method, solve),
        }
    }

    /// The method and the leader where a commitment is asked for.
    fn commitment(&self) -> Result<Option<(&'static CommitmentMethod, &str)>, Failure> {
        let wrong = |message: String| Err(Failure::usage(message));
        let named = self.method.as_deref();
        let method = named.and_then(commitment::find);
        let Some(leader) = self.leader.as_deref() else {
            return match method {
                Some(method) => wrong(format!("--method {} needs `--leader`", method.name)),
                None => Ok(None),
            };
        };
        let method = match named {
            None => COMMITMENTS.first(),
            Some(_) => method,
        };
        let Some(method) = method else {
            let name = named.unwrap_or_default();
            return wrong(format!("--leader is not for the method `{name}`"));
        };
        let mut given: Vec<String> = METHODS.iter().flat_map(|m| self.given(m)).collect();
        let options = commitment::options(method);
        given.retain(|option| !options.contains(&&option[..]));
        let values = &self.method_args.values;
        let others = COMMITMENTS.iter().filter(|m| m.name != method.name);
        for parameter in others.flat_map(|m| m.parameters) {
            if values.get(parameter.name).is_some() && method.parameter(parameter.name).is_none() {
                given.push(format!("--{}", parameter.name));
            }
        }
        let more = [
            ("--seed", self.seed.is_some() && !method.is_random),
            ("--moves", !self.moves.is_empty()),
        ];
        let more = more.iter().filter(|(_, given)| *given);
        given.extend(more.map(|(name, _)| name.to_string()));
        match given.first() {
            Some(option) => wrong(format!(
                "{option} does not go with `--leader` and the method `{}`",
                method.name
            )),
            None => Ok(Some((method, leader))),
        }
    }

    /// The options of a method that were given, each as on the command line.
    fn given(&self, method: &Method) -> Vec<String> {
        let mut given = match method.solver {
            Solver::States => self.states.given(),
            Solver::Tree(_) => self.over_tree.given(),
        };
        let values = &self.method_args.values;
        let own = method.parameters.iter().map(|p| p.name);
        let own = own.filter(|name| values.get(name).is_some());
        let mut own: Vec<String> = own.map(|name| format!("--{name}")).collect();
        // A strategy to be looked at may be random where the method is not.
        if self.seed.is_some() && (method.is_random || matches!(method.solver, Solver::States)) {
            given.push("--seed");
        }
        let mut all: Vec<String> = given.into_iter().map(String::from).collect();
        all.append(&mut own);
        all
    }

    fn chosen(&self, loaded: &Loaded) -> Result<&'static Method, Failure> {
        let machine = &loaded.machine;
        let found = match &self.method {
            Some(name) => find(name),
            None => usual(machine),
        };
        let Some(method) = found else {
            let message = "there is no such method";
            return Err(Failure::usage(message));
        };
        (method.suits)(machine).map_err(|problem| loaded.failure(*problem))?;
        Ok(method)
    }

    /// Does long work on as many threads as were asked for.
    fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        Ok(threads(self.threads)?.install(work))
    }
}

/// So many threads, or one for each processor.
pub(super) fn threads(number: Option<u64>) -> Result<Threads, Failure> {
    Threads::new(number.map(|n| n as usize))
        .map_err(|e| Failure::no(Problem::outside(None, format!("no threads: {e}"))))
}
