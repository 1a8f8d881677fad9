//! How fast simultaneous move Monte Carlo tree search is: regret matching on the text of Goofspiel with 13 cards against a
//! search that was written for it, from the first decision; then the other policies.
//!
//! The two sides take turns on one thread; a round is a whole search, since a tree is slower when it is larger.
//!
//! `cargo bench --bench smmcts -- [--rounds N]`; without `--bench`, as under `cargo test`, a short look.

mod by_hand;
#[path = "../hand/mod.rs"]
#[allow(dead_code, reason = "one of the games is used here")]
mod hand;
#[path = "../measure"]
mod measure {
    pub mod clock;
    pub mod rounds;
}

use measure::rounds::{Rounds, Side};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::check::Settings;
use ruse::internal::machine::{Machine, State};
use ruse::internal::search::Budget;
use ruse::internal::search::mcts::policies::{DEFAULT, SELECTIONS};
use ruse::internal::search::mcts::{Options, Selection, search};
use std::hint::black_box;

/// At least this share of the simulations per second of the search by hand.
const TARGET: f64 = 0.5;
const PRIZE: i32 = 7;

fn main() {
    let mut rounds = Rounds::SHORT;
    let mut simulations = 1_000;
    let mut number = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => (rounds, simulations) = (Rounds::FULL, 100_000),
            "--rounds" => number = arguments.next().and_then(|n| n.parse().ok()),
            _ => {}
        }
    }
    rounds.number = number.unwrap_or(rounds.number).max(1);

    let (machine, root) = first_decision();
    println!(
        "Goofspiel with {} cards, {simulations} simulations from the first decision, uniform roll-outs",
        by_hand::CARDS
    );
    println!("times: {}\n", measure::clock::NAME);
    compare(&machine, &root, &rounds, simulations);

    println!("\n{:<10} {:>13}", "policy", "simulations/s");
    rounds.number = rounds.number.min(3);
    for select in SELECTIONS {
        let mut searches = text(&machine, &root, select, simulations);
        let rate = rounds.rate(Side(&mut searches)) * simulations as f64;
        println!("{:<10} {rate:>13.0}", select.word);
    }
}

fn first_decision() -> (Machine, State) {
    let shipped = ruse::internal::shipped::find("goofspiel").expect("a shipped game");
    let machine = match ruse::load(shipped.text, &Settings::new()) {
        Ok((machine, _)) => machine,
        Err(problems) => panic!("{} problems", problems.len()),
    };
    let mut root = machine.initial().expect("a first state");
    let prize = machine.find_outcome(&root, &PRIZE.to_string());
    machine
        .step(&mut root, &[prize.expect("a prize")])
        .expect("a first decision");
    (machine, root)
}

/// Searches by the text of the game, one after the other.
fn text<'a>(
    machine: &'a Machine,
    root: &'a State,
    select: &'static Selection,
    simulations: u64,
) -> impl FnMut(u64) + 'a {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let options = Options::new(select);
    move |n| {
        let budget = Budget::playouts(simulations);
        for _ in 0..n {
            let found = search(machine, root, 0, &options, &budget, &mut rng);
            black_box(found.expect("a search").strategy);
        }
    }
}

fn compare(machine: &Machine, root: &State, rounds: &Rounds, simulations: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut by_hand = |n: u64| {
        for _ in 0..n {
            let mut search = by_hand::Search::new(PRIZE);
            for _ in 0..simulations {
                search.simulate(&mut rng);
            }
            black_box((search.strategy(), search.nodes()));
        }
    };
    let mut by_text = text(machine, root, DEFAULT, simulations);
    let found = rounds.compare([Side(&mut by_hand), Side(&mut by_text)]);
    let [hand, text] = found.rates.map(|rate| rate * simulations as f64);
    println!(
        "{:>13} {:>13} {:>6} {:>11} {:>7}",
        "by hand/s", "text/s", "share", "quartiles", "target"
    );
    let quartiles = format!(
        "{:.2}–{:.2}",
        1.0 / found.quartiles.1,
        1.0 / found.quartiles.0
    );
    println!(
        "{hand:>13.0} {text:>13.0} {:>6.2} {quartiles:>11} {:>7}",
        1.0 / found.ratio,
        format!("≥ {TARGET}")
    );
}
