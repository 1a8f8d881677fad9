//! How fast games play: playouts of compiled texts against hand-written ones, then UCT likewise, then listing what is legal.
//!
//! The two sides of a comparison take turns in short rounds on one thread, so that both meet the same machine in the same
//! mood. Times are those that the thread spent on a processor where the system tells them, and those of the wall elsewhere.
//!
//! `cargo bench --bench playouts -- [GAME]… [--rounds N] [--engine portable]`; without `--bench`, as under `cargo test`, a short look at each.

#[path = "hand/mod.rs"]
mod hand;
mod measure {
    pub mod clock;
    pub mod rounds;
}

use measure::rounds::{Rounds, Side};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::check::Settings;
use ruse::internal::machine::{Actions, Engine, Machine, State, Turn};
use ruse::internal::search::Budget;
use ruse::internal::search::{mcts::search, uct};
use std::hint::black_box;

/// How many times slower than the hand-written game a text may be: any of them, and all in the geometric mean.
const TARGET: f64 = 1.6;
const MEAN_TARGET: f64 = 1.25;

/// Games for the listing of what is legal, with the plies that are walked.
const LISTED: [(&str, usize); 4] = [
    ("tic-tac-toe", 6),
    ("connect-four", 5),
    ("breakthrough", 3),
    ("hex", 2),
];
const SEARCHED: [&str; 3] = ["tic-tac-toe", "connect-four", "go"];
/// Simulations of one search.
const SIMULATIONS: [u64; 2] = [1_000, 10_000];
/// How fast UCT on a text should at least be, as a share of UCT by hand.
const SHARE: f64 = 0.8;

struct Wishes {
    games: Vec<String>,
    rounds: Rounds,
    engine: Engine,
}

impl Wishes {
    fn read() -> Wishes {
        let mut wishes = Wishes {
            games: Vec::new(),
            rounds: Rounds::SHORT,
            engine: Engine::Native,
        };
        let mut number = None;
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--bench" => wishes.rounds = Rounds::FULL,
                "--rounds" => number = arguments.next().and_then(|n| n.parse().ok()),
                "--engine" if arguments.next().as_deref() == Some("portable") => {
                    wishes.engine = Engine::Portable;
                }
                word if word.starts_with("--") => {}
                word => wishes.games.push(word.to_string()),
            }
        }
        wishes.rounds.number = number.unwrap_or(wishes.rounds.number).max(1);
        wishes
    }

    fn wants(&self, game: &str) -> bool {
        self.games.is_empty() || self.games.iter().any(|g| g == game)
    }
}

fn load(game: &str, wishes: &Wishes) -> Machine {
    let shipped = ruse::internal::shipped::find(game).expect("a shipped game");
    match ruse::load(shipped.text, &Settings::new()) {
        Ok((machine, _)) => machine.with_engine(wishes.engine),
        Err(problems) => panic!("{game}: {} problems", problems.len()),
    }
}

fn rng() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(1)
}

fn main() {
    let wishes = Wishes::read();
    println!("times: {}\n", measure::clock::NAME);
    playouts(&wishes);
    simulations(&wishes);
    listings(&wishes);
}

fn playouts(wishes: &Wishes) {
    println!(
        "{:<14} {:>6} {:>12} {:>12} {:>7} {:>15} {:>7}",
        "playouts/s", "plies", "by hand", "text", "ratio", "quartiles", "target"
    );
    let mut logarithms = Vec::new();
    for (name, mut by_hand) in hand::all() {
        if !wishes.wants(name) {
            continue;
        }
        let machine = load(name, wishes);
        let start = machine.initial().expect("a first state");
        let mut playouts = machine.playouts();
        let (mut left, mut right) = (rng(), rng());
        let (mut games, mut moves) = (0, 0);
        let mut written = |n: u64| {
            games += n;
            let (payoff, plies) = by_hand.playouts(n, &mut left);
            black_box(payoff);
            moves += plies;
        };
        let mut compiled = |n: u64| {
            for _ in 0..n {
                black_box(playouts.play_here(&start, &mut right).expect("a playout"));
            }
        };
        let found = wishes
            .rounds
            .compare([Side(&mut written), Side(&mut compiled)]);
        let quartiles = format!("{:.2}–{:.2}", found.quartiles.0, found.quartiles.1);
        println!(
            "{name:<14} {:>6.1} {:>12.0} {:>12.0} {:>7.2} {quartiles:>15} {:>7}",
            moves as f64 / games as f64,
            found.rates[0],
            found.rates[1],
            found.ratio,
            format!("≤ {TARGET}")
        );
        logarithms.push(found.ratio.ln());
    }
    if !logarithms.is_empty() {
        let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
        println!("geometric mean {:.2}, ≤ {MEAN_TARGET}", mean.exp());
    }
}

fn simulations(wishes: &Wishes) {
    println!(
        "\n{:<14} {:>12} {:>12} {:>12} {:>7} {:>15} {:>7}",
        "UCT", "simulations", "by hand/s", "text/s", "share", "quartiles", "aim"
    );
    for name in SEARCHED.into_iter().filter(|n| wishes.wants(n)) {
        let machine = load(name, wishes);
        let start = machine.initial().expect("a first state");
        let options = uct::options(Default::default());
        for simulations in SIMULATIONS {
            let mut by_hand = hand::search(name, simulations);
            let (mut left, mut right) = (rng(), rng());
            let budget = Budget::playouts(simulations);
            let mut compiled = |n: u64| {
                for _ in 0..n {
                    let found = search(&machine, &start, 0, &options, &budget, &mut right);
                    black_box(found.expect("a search").nodes);
                }
            };
            let Some(by_hand) = &mut by_hand else {
                let rate = wishes.rounds.rate(Side(&mut compiled)) * simulations as f64;
                println!("{name:<14} {simulations:>12} {:>12} {rate:>12.0}", "");
                continue;
            };
            let mut written = |n: u64| {
                for _ in 0..n {
                    black_box(by_hand(&mut left));
                }
            };
            let sides = [Side(&mut compiled), Side(&mut written)];
            let found = wishes.rounds.compare(sides);
            let [text, hand] = found.rates.map(|rate| rate * simulations as f64);
            let quartiles = format!("{:.2}–{:.2}", found.quartiles.0, found.quartiles.1);
            println!(
                "{name:<14} {simulations:>12} {hand:>12.0} {text:>12.0} {:>7.2} {quartiles:>15} {:>7}",
                found.ratio,
                format!("≥ {SHARE}")
            );
        }
    }
}

fn listings(wishes: &Wishes) {
    println!("\n{:<14} {:>12} {:>6}", "listing", "nodes/s", "plies");
    for (name, plies) in LISTED.into_iter().filter(|(n, _)| wishes.wants(n)) {
        let machine = load(name, wishes);
        let start = machine.initial().expect("a first state");
        let mut lists = vec![Actions::default(); plies];
        let nodes = walk(&machine, &start, &mut lists);
        let mut walks = |n: u64| {
            for _ in 0..n {
                black_box(walk(&machine, &start, &mut lists));
            }
        };
        let rate = wishes.rounds.rate(Side(&mut walks)) * nodes as f64;
        println!("{name:<14} {rate:>12.0} {plies:>6}");
    }
}

/// The histories of so many plies as there are lists: at each but the last everything legal is listed, and played.
fn walk(machine: &Machine, state: &State, lists: &mut [Actions]) -> u64 {
    let Some((list, rest)) = lists.split_first_mut() else {
        return 1;
    };
    let Turn::Decision(players) = machine.turn(state) else {
        return 1;
    };
    let player = players.lowest().expect("somebody chooses");
    machine.legal(state, player, list).expect("a list");
    let mut nodes = 1;
    for action in list.iter() {
        let mut next = state.clone();
        machine
            .step(&mut next, std::slice::from_ref(action))
            .expect("a step");
        nodes += walk(machine, &next, rest);
    }
    nodes
}
