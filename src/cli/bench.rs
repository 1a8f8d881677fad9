//! `ruse bench`: how fast games are loaded, played at random, listed and searched.

mod listed;
mod ready;

use super::clock;
use super::engine::EngineName;
use super::game::Set;
use super::load::{self, Loaded, games_in};
use super::number::{amount, whole};
use super::output::{self, Diagnostics, Failure, Verdict, plural, table};
use super::problem::Problem;
use super::{interrupt, progress};
use crate::check::Settings;
use crate::machine::{Actions, Machine, PlayError, State, Turn};
use crate::model::PlayerSet;
use crate::players::{PlayerSpec, suits};
use crate::random::stream;
use crate::review::random_step;
use crate::search::mcts::{self, TreeSize};
use crate::search::{Budget, uct};
use clap::{Args, ValueEnum};
use listed::Listed;
use ready::Ready;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Playouts whose plies are counted, and random games that states are taken from, at most.
const SAMPLES: usize = 200;

/// Games are not counted any more once they have had so many plies together. A longer game is not measured.
const PLIES: usize = 1_000_000;

/// States at which lists are made, at most.
const STATES: usize = 1000;

/// The clock and the flag are looked at about so often in a measurement, and this often at least.
const LOOKS: u32 = 20;
const LONGEST_LOOK: Duration = Duration::from_millis(200);
/// This part of the time goes by before something is measured.
const WARM_SHARE: u32 = 8;
/// What is needed for a measurement, a search or some random games, takes no longer than this many times the measurement, or
/// than a second.
const LONGEST: u32 = 10;
const SECOND: Duration = Duration::from_secs(1);
/// A search that is not measured makes no more simulations than this.
const WARM_SIMULATIONS: u64 = 1000;

/// Measure how fast games are loaded, played at random, listed and searched
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse bench duel.game
  ruse bench games/*.game --seconds 0.2
  ruse bench duel.game --set rounds=2 --json
  ruse bench duel.game --engine portable
  ruse bench duel.game --moves listed
  ruse bench duel.game --simulations 1000000 --seconds 5

Each game is measured on one thread:
  ready        milliseconds from the text to a machine that can play, the fastest of several;
               --json has them by phase: reading, check, compiler, the flow of a playout with
               all passes over it, machine code with the first playout
  playouts     random games a second, each from the start to the end
  plies        choices and draws a second in these
  lists        lists a second of all that is legal for one player, at states of random games
  simulations  simulations a second of UCT from the first decision, each search with an empty tree;
               a game that hides something from somebody has none
  bytes/node   how much memory such a tree takes in the end, for each of its nodes

The engine `native` is machine code, where there is a compiler for the processor; `portable` runs
everywhere. Other commands begin with the portable one and compile what is played often enough.

Rates are by the time that the thread has spent on a processor, where the system keeps it, so that
other work matters less. The figures are those of this machine at this moment. Compare them with
others of the same machine, and measure twice.

Exit codes:
  0  measured
  1  a game has errors, play ran into one, or it was stopped; the other games are measured
  2  wrong use, or a file cannot be read

Ctrl-C stops and prints the games that were measured; a second Ctrl-C ends at once.")]
pub struct Bench {
    /// The games: files, folders of them, or names of shipped games
    #[arg(value_name = "GAME", required = true)]
    games: Vec<PathBuf>,

    #[command(flatten)]
    set: Set,

    /// How long each measurement takes, in seconds
    #[arg(
        long,
        value_name = "S",
        default_value = "0.5",
        value_parser = amount(0.001, 3600.0),
        allow_negative_numbers = true
    )]
    seconds: f64,

    /// What runs playouts, steps and lists; the games that are played do not depend on it
    #[arg(long, value_name = "ENGINE", value_enum, default_value_t = EngineName::Native)]
    engine: EngineName,

    /// How playouts find their moves: `listed` has all that a player may do listed and takes one of that, `sampled` makes
    /// no list where it can do without; chance never does
    #[arg(long, value_name = "MOVES", value_enum, default_value_t = Moves::Sampled)]
    moves: Moves,

    /// How many simulations a search makes; fewer where they would take more than ten times as long as a measurement
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole(1..=1_000_000_000), allow_negative_numbers = true)]
    simulations: u64,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

/// How playouts find their moves. What that means stands in the help of the command.
#[derive(Copy, Clone, Debug, ValueEnum)]
enum Moves {
    Sampled,
    Listed,
}

#[derive(Serialize)]
struct Report {
    /// How long each figure was measured.
    seconds: f64,
    games: Vec<Figures>,
    /// `false` if it was stopped before all was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    /// Of the games that could not be measured.
    #[serde(flatten)]
    problems: Diagnostics,
}

/// What one game came to.
#[derive(Serialize)]
struct Figures {
    game: String,
    #[serde(flatten)]
    ready: Ready,
    playouts_per_second: f64,
    plies_per_second: f64,
    /// The mean number of plies of a playout.
    plies_per_playout: f64,
    /// `None`: nobody chooses in this game.
    lists_per_second: Option<f64>,
    /// `None`: the search is not for this game.
    simulations_per_second: Option<f64>,
    /// How many simulations a search has made; likewise.
    simulations_per_search: Option<u64>,
    /// Memory of the tree of one search for each of its nodes; likewise.
    bytes_per_node: Option<f64>,
    /// Why the portable engine has run all that, where machine code was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_machine_code: Option<String>,
}

impl Bench {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let settings = self.set.settings()?;
        let stop = interrupt::flag();
        let mut report = Report {
            seconds: self.seconds,
            games: Vec::new(),
            complete: None,
            problems: Diagnostics::default(),
        };
        let mut verdict = Verdict::Fine;
        let wanted = games_in(&self.games);
        let mut missing = wanted.len();
        for (number, path) in wanted.iter().enumerate() {
            let which = match wanted.len() {
                1 => String::new(),
                all => format!(", {} of {all}", number + 1),
            };
            let measured = self.game(path, &settings, &which, &stop);
            // What was cut short is no measurement.
            if stop.load(Ordering::Relaxed) {
                break;
            }
            missing -= 1;
            match measured {
                Ok(figures) => report.games.push(figures),
                Err(failure) => {
                    verdict = verdict.max(failure.verdict);
                    report.problems.tell(&failure.problems, self.json);
                }
            }
        }
        report.complete = (missing > 0).then_some(false);
        if self.json || !report.games.is_empty() {
            output::show(self.json, &report, || report.text(self.simulations));
        }
        if missing > 0 {
            let what = plural(missing as u64, "game");
            output::say(&format!("stopped: {what} not measured"));
            verdict = verdict.max(Verdict::No);
        }
        Ok(verdict)
    }

    /// `which` of several games it is.
    fn game(
        &self,
        path: &Path,
        settings: &Settings,
        which: &str,
        stop: &AtomicBool,
    ) -> Result<Figures, Failure> {
        let length = Length {
            time: Duration::from_secs_f64(self.seconds),
            stop,
        };
        let loaded = load::game_at(path, settings)?;
        if !ends(&loaded.machine, length).map_err(|e| rules(&loaded, &e))? {
            let message = format!(
                "{} is not measured: a random game is not over after {PLIES} choices and draws",
                loaded.machine.description().name
            );
            return Err(Failure::no(Problem::outside(None, message)));
        }
        let ready = Ready::measure(length, || load::load_set(path, settings), self.engine)?;
        let loaded = EngineName::run_on(Some(self.engine), loaded);
        let shown = progress::going_on(format!("measuring {}{which}", loaded.machine.name()));
        let measured = self.figures(&loaded.machine, length);
        shown.finish_and_clear();
        let measured = measured.map_err(|e| rules(&loaded, &e))?;
        Ok(Figures {
            game: loaded.machine.description().name.clone(),
            ready,
            ..measured
        })
    }
}

fn rules(loaded: &Loaded, error: &PlayError) -> Failure {
    loaded.failure(error.diagnostic())
}

/// Whether random games are over after [`PLIES`] at the most, as far as some of them show.
fn ends(machine: &Machine, length: Length<'_>) -> Result<bool, PlayError> {
    let in_time = length.not_long();
    let mut rng = stream(0, &[0]);
    let mut all = 0;
    let start = machine.initial()?;
    let mut playouts = machine.playouts();
    for game in 0..SAMPLES {
        if game > 0 && !in_time() {
            break;
        }
        if let Some(counted) = playouts.play_counted(&start, &mut rng) {
            all += counted.plies as usize;
            if all >= PLIES {
                break;
            }
            continue;
        }
        // It is very long, or not of the kind that is played at once.
        let mut state = start.clone();
        let mut plies = 0;
        while let Some(step) = random_step(machine, &state, &mut rng)? {
            if plies == PLIES {
                return Ok(false);
            }
            machine.step(&mut state, &step)?;
            plies += 1;
        }
        all += plies;
        if all >= PLIES {
            break;
        }
    }
    Ok(true)
}

impl Bench {
    fn figures(&self, machine: &Machine, length: Length<'_>) -> Result<Figures, PlayError> {
        let start = machine.initial()?;
        let mut playouts = machine.playouts();
        let mut listed = match self.moves {
            Moves::Sampled => None,
            Moves::Listed => Some(Listed::new(machine, &start)),
        };
        let mut rng = stream(0, &[1]);
        let (mut plies, mut games, mut moves) = (0, 0, Vec::new());
        let in_time = length.not_long();
        while games == 0 || (games < SAMPLES && plies < PLIES && in_time()) {
            moves.clear();
            playouts.play_observed(&start, &mut rng, &mut moves)?;
            plies += moves.len();
            games += 1;
        }
        let plies_per_playout = plies as f64 / games as f64;
        let mut once = || match &mut listed {
            None => playouts.play_here(&start, &mut rng).map(drop),
            Some(listed) => listed.play(&mut rng),
        };
        warm_up(length, &mut once)?;
        let playouts_per_second = rate(length, once)?;
        let searched = simulations(machine, &start, self.simulations, length)?;
        Ok(Figures {
            game: String::new(),
            ready: Ready::default(),
            playouts_per_second,
            plies_per_second: playouts_per_second * plies_per_playout,
            plies_per_playout,
            lists_per_second: lists(machine, &start, length)?,
            simulations_per_second: searched.as_ref().map(|s| s.rate),
            simulations_per_search: searched.as_ref().map(|s| s.simulations),
            bytes_per_node: searched.as_ref().map(|s| s.bytes),
            no_machine_code: machine.no_native_code().map(|why| why.to_string()),
        })
    }
}

/// Lists a second, over states of random games.
fn lists(machine: &Machine, start: &State, length: Length<'_>) -> Result<Option<f64>, PlayError> {
    let mut rng = stream(0, &[2]);
    let mut asked: Vec<(State, usize)> = Vec::new();
    let in_time = length.not_long();
    for game in 0..SAMPLES {
        if game > 0 && !in_time() {
            break;
        }
        let mut state = start.clone();
        while asked.len() < STATES
            && let Some(step) = random_step(machine, &state, &mut rng)?
        {
            asked.extend(movers(machine, &state).map(|p| (state.clone(), p)));
            machine.step(&mut state, &step)?;
        }
        if asked.len() >= STATES {
            break;
        }
    }
    if asked.is_empty() {
        return Ok(None);
    }
    let mut actions = Actions::default();
    let mut stepper = machine.stepper();
    let mut next = 0;
    let mut once = || {
        let (state, player) = &asked[next];
        next = (next + 1) % asked.len();
        stepper.start(machine.node(state), state.words());
        stepper.legal(*player, &mut actions)
    };
    warm_up(length, &mut once)?;
    rate(length, once).map(Some)
}

/// What searches came to.
struct Searched {
    /// Simulations a second.
    rate: f64,
    /// How many a search has made.
    simulations: u64,
    /// Memory of a node.
    bytes: f64,
}

/// Searches from the first decision of a random game, of so many simulations each, if that does not take too long.
fn simulations(
    machine: &Machine,
    start: &State,
    simulations: u64,
    length: Length<'_>,
) -> Result<Option<Searched>, PlayError> {
    let uct = PlayerSpec::parse("uct");
    if !uct.is_ok_and(|spec| suits(&spec, machine).is_ok()) {
        return Ok(None);
    }
    let mut rng = stream(0, &[3]);
    let mut root = start.clone();
    while machine.turn(&root) == Turn::Chance {
        let outcome = machine.sample_chance(&root, &mut rng)?;
        machine.step(&mut root, &[outcome])?;
    }
    if movers(machine, &root).next().is_none() {
        return Ok(None);
    }
    let options = uct::options(Default::default());
    let mut size = TreeSize { nodes: 1, bytes: 0 };
    let going = || !length.stop.load(Ordering::Relaxed);
    let mut once = |simulations, keep_going: &dyn Fn() -> bool| {
        let budget = Budget {
            playouts: Some(simulations),
            keep_going,
        };
        let mut search = mcts::Search::new(machine, &root, &options)?;
        let done = search.run(&budget, &mut rng)?;
        size = search.size();
        Ok::<u64, PlayError>(done)
    };
    // These look at the clock.
    let mut timed = || {
        let time = clock::stopwatch();
        let in_time = || going() && time() < length.time;
        let done = once(simulations.min(WARM_SIMULATIONS), &in_time)?;
        Ok::<_, PlayError>((done, time()))
    };
    warm_up(length, || timed().map(drop))?;
    let (done, took) = timed()?;
    let simulations = simulations.min(in_time_of(length.longest(), done, took));
    let searches = rate(length, || once(simulations, &going).map(drop))?;
    Ok(Some(Searched {
        rate: searches * simulations as f64,
        simulations,
        bytes: size.bytes as f64 / size.nodes as f64,
    }))
}

/// How many simulations can be made in a time, where some have taken so long; one at least.
fn in_time_of(longest: Duration, done: u64, took: Duration) -> u64 {
    let often = longest.as_secs_f64() / took.as_secs_f64().max(f64::MIN_POSITIVE);
    ((done as f64 * often) as u64).max(1)
}

/// The players to move, in seating order.
fn movers(machine: &Machine, state: &State) -> impl Iterator<Item = usize> {
    let mask = match machine.turn(state) {
        Turn::Decision(mask) => mask,
        _ => PlayerSet::EMPTY,
    };
    mask.iter()
}

/// How long something is measured: for about a time, or until somebody wants it stopped.
#[derive(Copy, Clone)]
struct Length<'a> {
    time: Duration,
    stop: &'a AtomicBool,
}

impl Length<'_> {
    /// How long that may take which a measurement needs.
    fn longest(&self) -> Duration {
        self.time.saturating_mul(LONGEST).max(SECOND)
    }

    /// Whether there is time left for that, from now on.
    fn not_long(&self) -> impl Fn() -> bool + use<> {
        let (time, longest) = (clock::stopwatch(), self.longest());
        move || time() < longest
    }

    fn is_over(&self, time: Duration) -> bool {
        time >= self.time || self.stop.load(Ordering::Relaxed)
    }
}

/// Before something is measured, what it takes to be compiled is: it is done for a part of the time, and once at least.
fn warm_up<E>(length: Length<'_>, mut once: impl FnMut() -> Result<(), E>) -> Result<(), E> {
    let time = clock::working_time();
    loop {
        once()?;
        if length.is_over(time() * WARM_SHARE) {
            return Ok(());
        }
    }
}

/// How often a second something can be done, tried once at least.
fn rate<E>(length: Length<'_>, mut once: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let time = clock::working_time();
    let (mut done, mut batch) = (0u64, 1);
    let mut last = Duration::ZERO;
    loop {
        for _ in 0..batch {
            once()?;
        }
        done += batch;
        let now = time();
        if length.is_over(now) {
            return Ok(done as f64 / now.as_secs_f64().max(f64::MIN_POSITIVE));
        }
        // The clock is not read so often that it counts, and not so seldom that the time is overrun by much.
        if now - last < (length.time / LOOKS).min(LONGEST_LOOK) {
            batch *= 2;
        }
        last = now;
    }
}

impl Report {
    /// `simulations`: how many a search was to make.
    fn text(&self, simulations: u64) -> String {
        let head = [
            "game",
            "ready ms",
            "playouts/s",
            "plies/s",
            "lists/s",
            "simulations/s",
            "bytes/node",
        ];
        let mut rows = vec![head.map(String::from).to_vec()];
        let figure = |value: Option<f64>| value.map_or_else(|| "-".to_string(), short);
        for g in &self.games {
            rows.push(vec![
                g.game.clone(),
                format!("{:.2}", g.ready.ready_ms),
                short(g.playouts_per_second),
                short(g.plies_per_second),
                figure(g.lists_per_second),
                figure(g.simulations_per_second),
                figure(g.bytes_per_node),
            ]);
        }
        let mut text = table(&rows, &[1, 2, 3, 4, 5, 6]);
        for g in &self.games {
            if let Some(made) = g.simulations_per_search.filter(|n| *n < simulations) {
                let made = plural(made, "simulation");
                let name = &g.game;
                text += &format!("{name}: searches of {made}, since {simulations} take too long\n");
            }
            if let Some(why) = &g.no_machine_code {
                text += &format!("{}: by the portable engine: {why}\n", g.game);
            }
        }
        text
    }
}

/// Three digits and a unit, as in `1.25M`.
fn short(value: f64) -> String {
    let (scaled, unit) = match value {
        v if v >= 999_500_000.0 => (v / 1e9, "G"),
        v if v >= 999_500.0 => (v / 1e6, "M"),
        v if v >= 999.5 => (v / 1e3, "k"),
        v => (v, ""),
    };
    let decimals = match scaled {
        s if s < 9.995 => 2,
        s if s < 99.95 => 1,
        _ => 0,
    };
    format!("{scaled:.decimals$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits() {
        let cases = [
            (0.123, "0.12"),
            (12.0, "12.0"),
            (999.4, "999"),
            (999.6, "1.00k"),
            (12_345.0, "12.3k"),
            (999_600.0, "1.00M"),
            (1.254e8, "125M"),
            (2e9, "2.00G"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn what_is_measured_is_done_once_at_least_and_errors_end_it() {
        let never = AtomicBool::new(false);
        let length = |time| Length { time, stop: &never };
        let mut done = 0;
        let found: Result<f64, ()> = rate(length(Duration::ZERO), || {
            done += 1;
            Ok(())
        });
        assert!(found.unwrap() > 0.0);
        assert_eq!(done, 1);
        assert_eq!(rate(length(Duration::MAX), || Err("stop")), Err("stop"));
    }

    #[test]
    fn a_game_without_a_figure_has_a_stroke() {
        let report = Report {
            seconds: 1.0,
            games: vec![Figures {
                game: "Coin".to_string(),
                ready: Ready {
                    ready_ms: 0.5,
                    ..Ready::default()
                },
                playouts_per_second: 1e6,
                plies_per_second: 2e6,
                plies_per_playout: 2.0,
                lists_per_second: None,
                simulations_per_second: None,
                simulations_per_search: None,
                bytes_per_node: None,
                no_machine_code: None,
            }],
            complete: None,
            problems: Diagnostics::default(),
        };
        let text = "\
game  ready ms  playouts/s  plies/s  lists/s  simulations/s  bytes/node
Coin      0.50       1.00M    2.00M        -              -           -
";
        assert_eq!(report.text(1000), text);
        let mut slow = report;
        let coin = &mut slow.games[0];
        coin.simulations_per_search = Some(12);
        coin.no_machine_code = Some("too much".to_string());
        let notes = "\
Coin: searches of 12 simulations, since 1000 take too long
Coin: by the portable engine: too much
";
        assert_eq!(slow.text(1000), format!("{text}{notes}"));
    }

    #[test]
    fn a_search_makes_no_more_than_fits_in_the_time() {
        let seconds = Duration::from_secs;
        assert_eq!(in_time_of(seconds(20), 10, seconds(1)), 200);
        assert_eq!(in_time_of(seconds(1), 1, seconds(60)), 1);
        assert!(in_time_of(seconds(10), 1000, Duration::ZERO) > 1_000_000_000);
    }
}
