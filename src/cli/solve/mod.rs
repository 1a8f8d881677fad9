//! `ruse solve`: exact answers about a game, by one of several methods.
//!
//! A method is one file here and one line in [`METHODS`]. What all of them share stands in this file: which game, which
//! place of it, how the result is printed.

mod backward;
mod checkpoint;
pub mod failure;
pub mod grown;
mod iterate;
mod lp;
mod moves;
pub mod profiles;
mod report;
pub mod size;
mod strategy;
pub mod strategy_file;
mod words;

pub use moves::position;

use super::game::Game;
use super::load::{self, Loaded};
use super::number::whole;
use super::output::{Failure, Verdict};
use super::problem::Problem;
use crate::machine::Machine;
use crate::text::diagnostics::Diagnostic;
use clap::Args;
use clap::builder::PossibleValuesParser;

/// A way to solve a game.
pub struct Method {
    /// As `--method` takes it.
    name: &'static str,
    /// One sentence or two.
    doc: &'static str,
    /// Whether the method takes a game at all.
    suits: fn(&Machine) -> Result<(), Box<Diagnostic>>,
    /// The options that only this method has and that were given, each as on the command line.
    own_options: fn(&SolveCommand) -> Vec<&'static str>,
    run: fn(&SolveCommand, &Loaded) -> Result<Verdict, Failure>,
}

/// Without `--method`, the first of these that takes the game.
static METHODS: &[Method] = &[
    backward::METHOD,
    lp::METHOD,
    iterate::CFR,
    iterate::CFR_PLUS,
    iterate::MCCFR,
];

/// Solve a game: its value, and optimal strategies
#[derive(Args)]
#[command(after_help = help())]
pub struct SolveCommand {
    #[command(flatten)]
    game: Game,

    /// How to solve it [default: the first method below that takes the game]
    #[arg(long, value_name = "METHOD", value_parser = PossibleValuesParser::new(METHODS.iter().map(|m| m.name)))]
    method: Option<String>,

    /// Ask about the place after these moves and draws, with semicolons between them [default: the start]
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,

    /// How many threads; the result does not depend on it [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = whole(1..=1024), allow_negative_numbers = true)]
    threads: Option<u64>,

    /// Everything random comes from this number: the searches of --exploit, and the samples of `mccfr` [default: 1]
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Print one JSON document instead
    #[arg(long)]
    pub json: bool,

    // The options of methods come last, each group under a heading of its own.
    #[command(flatten)]
    backward: backward::Options,

    #[command(flatten)]
    over_tree: report::Options,

    #[command(flatten)]
    iterate: iterate::Options,
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

A move is written as in `ruse play`. Players who choose at the same time are written in seating order, one after \
another; a name may stand before a move, and `chance:` before a draw.

Methods:
",
    );
    for method in METHODS {
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
        let method = self.chosen(&loaded)?;
        let own = (method.own_options)(self);
        for other in METHODS.iter().filter(|m| m.name != method.name) {
            let options = (other.own_options)(self);
            if let Some(option) = options.iter().find(|o| !own.contains(o)) {
                let message = format!(
                    "{option} is an option of the method `{}`, and the method is `{}`",
                    other.name, method.name
                );
                return Err(Failure::wrong_use(Problem::outside(None, message)));
            }
        }
        (method.run)(self, &loaded)
    }

    fn chosen(&self, loaded: &Loaded) -> Result<&'static Method, Failure> {
        let suited = |m: &&Method| (m.suits)(&loaded.machine).is_ok();
        let named = self.method.as_deref();
        let found = match named {
            Some(name) => METHODS.iter().find(|m| m.name == name),
            None => METHODS.iter().find(suited).or(METHODS.first()),
        };
        let Some(method) = found else {
            return Err(Failure::wrong_use(Problem::outside(
                None,
                "there is no such method",
            )));
        };
        (method.suits)(&loaded.machine)
            .map_err(|problem| Failure::no(Problem::InText(loaded.source.clone(), *problem)))?;
        Ok(method)
    }

    /// Does long work on as many threads as were asked for.
    fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0) as usize)
            .build()
            .map_err(|e| Failure::no(Problem::outside(None, format!("no threads: {e}"))))?;
        Ok(pool.install(work))
    }
}
