//! `ruse solve` by backward induction: values and optimal strategies in states.

use super::checkpoint_file::{self, Synced};
use super::failure::{failure, moves};
use super::method_args::heading;
use super::size::{shown, size};
use super::trees::six;
use super::{SolveCommand, profiles};
use crate::cli::clock::stopwatch;
use crate::cli::load::Loaded;
use crate::cli::number::whole;
use crate::cli::output::{self, Failure, Verdict, table};
use crate::cli::{interrupt, progress};
use crate::machine::{Action, Machine};
use crate::solve::backward::checkpoint::Checkpoint;
use crate::solve::backward::depth::{Exploitability, exploitability};
use crate::solve::backward::{
    BackwardOptions, Choice, Completion, Counts, Phase, Saved, Solution, Solved, Watch, solve,
};
use crate::solve::methods::{Method, Solver};
use crate::solve::{Position, SolveError};
use clap::Args;
use indexmap::IndexMap;
use indicatif::ProgressBar;
use profiles::Exploited as Opponent;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

#[derive(Args)]
#[command(next_help_heading = heading(|m| matches!(m.solver, Solver::States)))]
#[group(id = "states")]
pub struct Options {
    /// The most memory for states and values, with --leader for plans and payoffs, such as 512M or 16G [default: 4G]
    #[arg(long, value_name = "SIZE", value_parser = size, allow_negative_numbers = true)]
    pub memory: Option<u64>,

    /// Keep every finished layer in this file, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// How much a strategy of one player loses against its worst opponent: `uniform`, or a search from every state anew
    #[arg(long, value_name = "PLAYER=STRATEGY")]
    exploit: Option<String>,

    /// Follow the strategy of --exploit for N nodes only, chance included, and play on perfectly [default: to the end]
    #[arg(long, value_name = "N", requires = "exploit", value_parser = whole(0..=10_000), allow_negative_numbers = true)]
    depth: Option<u64>,
}

impl Options {
    /// Those that were given, as on the command line.
    pub fn given(&self) -> Vec<&'static str> {
        let given = [
            ("--memory", self.memory.is_some()),
            ("--checkpoint", self.checkpoint.is_some()),
            ("--exploit", self.exploit.is_some()),
            ("--depth", self.depth.is_some()),
        ];
        let given = given.iter().filter(|(_, given)| *given);
        given.map(|(name, _)| *name).collect()
    }
}

pub fn run(command: &SolveCommand, loaded: &Loaded, method: &Method) -> Result<Verdict, Failure> {
    let options = &command.states;
    let machine = &loaded.machine;
    if command.seed.is_some() && options.exploit.is_none() {
        let message = "--seed is for --exploit: nothing else is random here";
        return Err(Failure::usage(message));
    }
    let position = moves(loaded, &command.moves)?;
    let opponent = options.exploit.as_deref();
    let opponent = opponent
        .map(|text| Opponent::read(text, machine))
        .transpose()?;
    let clock = stopwatch();
    let stop = interrupt::flag();
    let Some(solved) = solved(command, loaded, &stop)? else {
        return Ok(Verdict::No);
    };
    let seconds = clock().as_secs_f64();
    let solution = solved.solution(&position.state);
    let solution = solution.map_err(|error| failure(loaded, &error))?;
    let (mut exploited, mut verdict) = (None, Verdict::Fine);
    if let Some(opponent) = opponent {
        let depth = options.depth.map_or(u32::MAX, |d| d as u32);
        let mut strategy = opponent.strategy(command.seed.unwrap_or(1));
        let (state, player) = (&position.state, opponent.player);
        match exploitability(&solved, state, player, depth, &mut *strategy, &stop) {
            Ok(found) => exploited = Some((opponent, found)),
            // The game is solved; that is kept.
            Err(SolveError::Stopped) => verdict = Verdict::No,
            Err(error) => return Err(failure(loaded, &error)),
        }
    }
    let mut report = report(loaded, &solved, &position, &solution);
    report.method = method.name;
    report.seconds = seconds;
    report.exploitability = exploited.map(|(opponent, found)| Exploited {
        player: machine.player_name(opponent.player).to_string(),
        strategy: opponent.text,
        depth: options.depth,
        found,
    });
    report.stopped = verdict != Verdict::Fine;
    output::show(command.json, &report, || text(&report));
    if report.stopped {
        output::say("stopped: the strategy of --exploit was not looked at to the end");
    }
    Ok(verdict)
}

/// Solves the game, from a checkpoint on if there is one; `None` when it was stopped.
fn solved(
    command: &SolveCommand,
    loaded: &Loaded,
    stop: &AtomicBool,
) -> Result<Option<Box<Solved>>, Failure> {
    let options = &command.states;
    let (checkpoint, saved) = match &options.checkpoint {
        Some(path) => {
            let (checkpoint, saved) = checkpoint_file::open(path, loaded)?;
            (Some(checkpoint), saved)
        }
        None => (None, Saved::default()),
    };
    let resumed = saved.layers.len();
    if resumed > 0 {
        output::note(&format!(
            "going on from the checkpoint: {} and values of {}",
            output::plural(resumed as u64 + 1, "layer"),
            saved.values.len()
        ));
    }
    let defaults = BackwardOptions::default();
    let limits = BackwardOptions {
        memory: options.memory.unwrap_or(defaults.memory),
    };
    let mut watch = Onlooker {
        bar: None,
        checkpoint,
    };
    let machine = &loaded.machine;
    let (outcome, watch) = command.on_threads(|| {
        let outcome = solve(machine, &limits, saved, &mut watch, stop);
        (outcome, watch)
    })?;
    watch.finish(options.checkpoint.as_deref())?;
    match outcome.map_err(|error| failure(loaded, &error))? {
        Completion::Solved(solved) => Ok(Some(solved)),
        Completion::Stopped { found, valued } => {
            let found = output::plural(found, "state");
            let more = match &options.checkpoint {
                Some(_) => "; the same command goes on",
                None => "",
            };
            let told = format!("it had found {found}, and values of {valued}{more}");
            output::stopped(&told, command.json);
            Ok(None)
        }
    }
}

/// Shows progress, and keeps what is finished.
struct Onlooker {
    bar: Option<(Phase, ProgressBar)>,
    checkpoint: Option<Checkpoint<Synced>>,
}

impl Watch for Onlooker {
    fn progress(&mut self, phase: Phase, states: u64, total: Option<u64>) {
        if self.bar.as_ref().is_none_or(|(p, _)| *p != phase) {
            if let Some((_, bar)) = self.bar.take() {
                bar.finish_and_clear();
            }
            let bar = match total {
                Some(total) => progress::bar(total, "states valued"),
                None => progress::counter("states found"),
            };
            self.bar = Some((phase, bar));
        }
        if let Some((_, bar)) = &self.bar {
            bar.set_position(states);
        }
    }

    fn layer_found(
        &mut self,
        layer: usize,
        states: &mut dyn ExactSizeIterator<Item = (u32, &[u64])>,
    ) -> bool {
        match &mut self.checkpoint {
            Some(checkpoint) => checkpoint.layer_found(layer, states),
            None => true,
        }
    }

    fn layer_solved(
        &mut self,
        layer: usize,
        gap: f64,
        values: &mut dyn ExactSizeIterator<Item = f64>,
    ) -> bool {
        match &mut self.checkpoint {
            Some(checkpoint) => checkpoint.layer_solved(layer, gap, values),
            None => true,
        }
    }
}

impl Onlooker {
    /// Clears the screen, and says if the checkpoint could not be written.
    fn finish(self, path: Option<&Path>) -> Result<(), Failure> {
        if let Some((_, bar)) = self.bar {
            bar.finish_and_clear();
        }
        match (self.checkpoint, path) {
            (Some(checkpoint), Some(path)) => checkpoint
                .finish()
                .map_err(|e| Failure::cannot_write(path, &e)),
            _ => Ok(()),
        }
    }
}

/// The result as JSON.
#[derive(Serialize)]
struct Report {
    file: String,
    game: String,
    method: &'static str,
    /// What was played before the place that is asked about.
    moves: Vec<String>,
    /// The minimax value for each player, in units of payoff.
    values: IndexMap<String, f64>,
    /// Nothing at the end of the game.
    #[serde(skip_serializing_if = "Option::is_none", rename = "draws")]
    chance: Option<Vec<Way>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategies: Option<IndexMap<String, Vec<Way>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exploitability: Option<Exploited>,
    /// It was stopped before that was found.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stopped: bool,
    #[serde(flatten)]
    counts: Counts,
    layers: usize,
    /// The widest gap between what both players' strategies guarantee in one matrix game, in units of payoff.
    gap: f64,
    memory_bytes: u64,
    seconds: f64,
}

/// An action or an outcome.
#[derive(Serialize)]
struct Way {
    #[serde(rename = "move")]
    text: String,
    probability: f64,
    /// For the player whose strategy it is, against the other's optimal strategy; of chance, for the first player.
    value: f64,
}

#[derive(Serialize)]
struct Exploited {
    player: String,
    strategy: String,
    /// `None`: to the end of the game.
    depth: Option<u64>,
    #[serde(flatten)]
    found: Exploitability,
}

fn report(loaded: &Loaded, solved: &Solved, position: &Position, solution: &Solution) -> Report {
    let machine: &Machine = &loaded.machine;
    let state = &position.state;
    let name = |p: usize| machine.player_name(p).to_string();
    let values = solved.values(state).unwrap_or([f64::NAN; 2]);
    let way = |choice: &Choice, text: &dyn Fn(&Action) -> String| Way {
        text: text(&choice.action),
        probability: choice.probability + 0.0,
        value: choice.value + 0.0,
    };
    let (mut chance, mut strategies) = (None, None);
    match solution {
        Solution::Terminal => {}
        Solution::Chance(outcomes) => {
            let text = |a: &Action| machine.outcome_text(state, a, None);
            chance = Some(outcomes.iter().map(|c| way(c, &text)).collect());
        }
        Solution::Decision(movers) => {
            let of = |(player, choices): &(usize, Vec<Choice>)| {
                let text = |a: &Action| machine.action_text(state, *player, a, Some(*player));
                (
                    name(*player),
                    choices.iter().map(|c| way(c, &text)).collect(),
                )
            };
            strategies = Some(movers.iter().map(of).collect());
        }
    }
    Report {
        file: loaded.source.path.clone(),
        game: machine.description().name.clone(),
        method: "",
        moves: position.moves.clone(),
        values: (0..machine.player_count().min(2))
            .map(|p| (name(p), values[p] + 0.0))
            .collect(),
        chance,
        strategies,
        exploitability: None,
        stopped: false,
        counts: solved.counts(),
        layers: solved.layers(),
        gap: solved.gap(),
        memory_bytes: solved.peak_memory(),
        seconds: 0.0,
    }
}

fn text(report: &Report) -> String {
    let mut text = report.game.clone();
    if !report.moves.is_empty() {
        text.push_str(&format!(" after {}", report.moves.join(", ")));
    }
    let rows: Vec<Vec<String>> = report
        .values
        .iter()
        .map(|(name, &value)| vec![String::new(), name.clone(), six(value)])
        .collect();
    text.push_str(&format!("\n\nvalue\n{}", table(&rows, &[2])));
    if let Some(outcomes) = &report.chance {
        let first = report.values.keys().next().map_or("", String::as_str);
        text.push_str(&format!(
            "\ndrawn, and the value for {first}\n{}",
            ways(outcomes)
        ));
    }
    for (player, actions) in report.strategies.iter().flatten() {
        text.push_str(&format!(
            "\n{player}, and the value of each move\n{}",
            ways(actions)
        ));
    }
    if let Some(e) = &report.exploitability {
        let depth = match e.depth {
            Some(depth) => format!(" for {}", output::plural(depth, "node")),
            None => String::new(),
        };
        text.push_str(&format!(
            "\n{} playing {}{depth} loses {} against the best answer\n",
            e.player,
            e.strategy,
            six(e.found.loss)
        ));
    }
    let c = &report.counts;
    let rows: Vec<Vec<String>> = [
        ("decision states", c.decision),
        ("  with both choosing", c.matrix_games),
        ("chance states", c.chance),
        ("terminal states", c.terminal),
        ("all", c.states),
    ]
    .iter()
    .map(|(name, n)| vec![name.to_string(), n.to_string()])
    .collect();
    text.push_str(&format!("\n{}", table(&rows, &[1])));
    text.push('\n');
    if c.matrix_games > 0 {
        text.push_str(&match report.gap > 0.0 {
            true => format!("matrix games solved to within {:.1e}; ", report.gap),
            false => "matrix games solved exactly; ".to_string(),
        });
    }
    let memory = shown(report.memory_bytes);
    text.push_str(&format!("{memory} in {:.2} s\n", report.seconds));
    text
}

fn ways(ways: &[Way]) -> String {
    let rows: Vec<Vec<String>> = ways
        .iter()
        .map(|w| {
            vec![
                String::new(),
                w.text.clone(),
                six(w.probability),
                six(w.value),
            ]
        })
        .collect();
    table(&rows, &[2, 3])
}
