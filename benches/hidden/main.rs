//! What hidden information costs: drawing a state from a belief against copying one that is known, the belief itself, the search
//! over what a player knows against plain UCT where everything is seen, and whole games of Scotland Yard.
//!
//! The sides of a ratio take turns on one thread.
//!
//! `cargo bench --bench hidden -- [--rounds N]`; without `--bench`, as under `cargo test`, a short look.

#[path = "../measure"]
mod measure {
    pub mod clock;
    #[allow(dead_code, reason = "some rates are not asked for here")]
    pub mod rounds;
}

use measure::rounds::{Rounds, Side};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::arena::{SeatingPlan, play_game};
use ruse::internal::belief::{Belief, Hypothesis, Options, Sampler};
use ruse::internal::check::Settings;
use ruse::internal::machine::{Actions, Machine, Observation, State, Turn};
use ruse::internal::players::{Clock, Player, PlayerSpec};
use ruse::internal::search::Budget;
use ruse::internal::search::information_sets::{Memory, Root};
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Games in which everything is seen, so that both kinds of search can play them.
const SEEN: [&str; 4] = ["tic-tac-toe", "connect-four", "breakthrough", "reversi"];

fn main() {
    let mut rounds = Rounds::SHORT;
    let (mut simulations, mut playouts) = (50, 2);
    let mut number = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => (rounds, simulations, playouts) = (Rounds::FULL, 10_000, 10_000),
            "--rounds" => number = arguments.next().and_then(|n| n.parse().ok()),
            _ => {}
        }
    }
    rounds.number = number.unwrap_or(rounds.number).max(1);
    println!("times: {}\n", measure::clock::NAME);

    let yard = load("scotland-yard");
    determinizations(&yard, &rounds);
    beliefs(&yard);
    searches(&rounds, simulations);
    game(&yard, playouts);
}

fn load(name: &str) -> Arc<Machine> {
    let shipped = ruse::internal::shipped::find(name).expect("a shipped game");
    match ruse::load(shipped.text, &Settings::new()) {
        Ok((machine, _)) => Arc::new(machine),
        Err(problems) => panic!("{} problems", problems.len()),
    }
}

/// A random game: at each question of a seat, what it heard since the last one, where it is asked, and the true state.
struct Asked {
    heard: Vec<Observation>,
    node: u32,
    actions: Actions,
    state: State,
}

fn questions(machine: &Machine, seat: usize, seed: u64) -> Vec<Asked> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut heard = Vec::new();
    let mut found = Vec::new();
    let mut state = machine
        .initial_observed(&mut |event| {
            if event.viewers.contains(seat) {
                heard.push(Observation::from(&event));
            }
        })
        .expect("a first state");
    loop {
        let chosen = match machine.turn(&state) {
            Turn::Terminal => return found,
            Turn::Chance => vec![machine.sample_chance(&state, &mut rng).expect("a draw")],
            Turn::Decision(movers) => {
                if movers.contains(seat) {
                    let mut actions = Actions::default();
                    machine.legal(&state, seat, &mut actions).expect("options");
                    found.push(Asked {
                        heard: std::mem::take(&mut heard),
                        node: machine.node(&state),
                        actions,
                        state: state.clone(),
                    });
                }
                let sample = |p| machine.sample(&state, p, &mut rng).expect("an option");
                movers.iter().map(sample).collect()
            }
        };
        machine
            .step_observed(&mut state, &chosen, &mut |event| {
                if event.viewers.contains(seat) {
                    heard.push(Observation::from(&event));
                }
            })
            .expect("a step");
    }
}

/// Drawing one of the states that fit, against copying one that is known.
fn determinizations(machine: &Arc<Machine>, rounds: &Rounds) {
    let mut belief = Belief::new(machine, Options::default());
    belief.begin(1, 0);
    let asked = questions(machine, 1, 1);
    let middle = asked.len() / 2;
    for question in &asked[..=middle] {
        question.heard.iter().for_each(|o| belief.observe(o));
        let found = belief.asked(question.node, &question.actions);
        found.expect("states that fit");
    }
    let known = &asked[middle].state;
    let hypotheses = belief.hypotheses();
    let sampler = Sampler::new(hypotheses);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut copy = |n: u64| (0..n).for_each(|_| drop(black_box(known.clone())));
    let mut draw = |n: u64| {
        for _ in 0..n {
            drop(black_box(hypotheses[sampler.draw(&mut rng)].state.clone()));
        }
    };
    let found = rounds.compare([Side(&mut copy), Side(&mut draw)]);
    let [copies, draws] = found.rates.map(|rate| 1e9 / rate);
    let states = hypotheses.len();
    println!("a state of Scotland Yard, of {states} that fit (ns)");
    println!(
        "{:>10} {:>10} {:>6} {:>11}",
        "copied", "drawn", "ratio", "quartiles"
    );
    let quartiles = format!("{:.2}–{:.2}", found.quartiles.0, found.quartiles.1);
    println!(
        "{copies:>10.1} {draws:>10.1} {:>6.2} {quartiles:>11}",
        found.ratio
    );
}

/// What it takes to keep a belief up to date in random games, at each question of the first detective.
fn beliefs(machine: &Arc<Machine>) {
    let mut took: Vec<f64> = Vec::new();
    let mut most = 0;
    for seed in 0..20 {
        let mut belief = Belief::new(machine, Options::default());
        belief.begin(1, seed);
        for question in questions(machine, 1, seed) {
            question.heard.iter().for_each(|o| belief.observe(o));
            let start = measure::clock::now();
            let found = belief.asked(question.node, &question.actions);
            took.push((measure::clock::now() - start).as_secs_f64() * 1e3);
            most = most.max(found.expect("states that fit").len());
        }
    }
    took.sort_by(f64::total_cmp);
    let mean = took.iter().sum::<f64>() / took.len() as f64;
    println!(
        "\na belief of a detective in Scotland Yard, at {} questions (ms)",
        took.len()
    );
    println!(
        "{:>10} {:>10} {:>10} {:>12}",
        "mean", "median", "most", "most states"
    );
    println!(
        "{mean:>10.3} {:>10.3} {:>10.3} {most:>12}",
        took[took.len() / 2],
        took[took.len() - 1]
    );
}

/// Search over what players know, where they know everything, against UCT; both with the same number of simulations.
fn searches(rounds: &Rounds, simulations: u64) {
    println!("\nsimulations a second where everything is seen, {simulations} a search");
    println!(
        "{:<14} {:<14} {:>10} {:>10} {:>6} {:>11}",
        "game", "search", "uct", "it", "ratio", "quartiles"
    );
    for name in SEEN {
        let machine = load(name);
        let root = machine.initial().expect("a first state");
        for spec in ["determinized", "ismcts"] {
            let found = compare(&machine, &root, spec, rounds, simulations);
            let [uct, other] = found.rates.map(|rate| rate * simulations as f64);
            let quartiles = format!("{:.2}–{:.2}", found.quartiles.0, found.quartiles.1);
            let ratio = found.ratio;
            println!(
                "{name:<14} {spec:<14} {uct:>10.0} {other:>10.0} {ratio:>6.2} {quartiles:>11}"
            );
        }
    }
}

fn compare(
    machine: &Arc<Machine>,
    root: &State,
    spec: &str,
    rounds: &Rounds,
    simulations: u64,
) -> measure::rounds::Comparison {
    let searcher = |text| PlayerSpec::parse(text).expect("a player");
    let uct = searcher("uct").searcher().expect("a search of states");
    let other = searcher(spec)
        .belief_searcher()
        .expect("a search of beliefs");
    let mut actions = Actions::default();
    machine.legal(root, 0, &mut actions).expect("options");
    let hypotheses = [Hypothesis {
        state: root.clone(),
        weight: 1.0,
        class: None,
    }];
    let known = Root {
        player: 0,
        actions: &actions,
        hypotheses: &hypotheses,
        histories: &[],
        policy: None,
    };
    let budget = Budget::playouts(simulations);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut by_state = |n: u64| {
        for _ in 0..n {
            let found = uct.search(machine, root, 0, &budget, &mut rng);
            black_box(found.expect("a search").strategy);
        }
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut memory = Memory::default();
    let mut by_belief = |n: u64| {
        for _ in 0..n {
            let found = other.search(machine, &known, &mut memory, &budget, &mut rng);
            black_box(found.expect("a search").strategy);
        }
    };
    rounds.compare([Side(&mut by_state), Side(&mut by_belief)])
}

/// A whole game between players such as those of Nijssen & Winands 2012, whose games took 2 to 4 minutes (section VI-A).
fn game(machine: &Arc<Machine>, playouts: u64) {
    let paper = format!("playouts={playouts}, c=0.5, w=5, rollouts=heuristic");
    let text = format!(
        "X=determinized({paper}, filter=root, epsilon=0.1),determinized({paper}, epsilon=0.2)"
    );
    let names: Vec<&str> = (0..machine.player_count())
        .map(|s| machine.player_name(s))
        .collect();
    let plan = SeatingPlan::parse(&text, &names).expect("players");
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let seats = plan.seating(0).into_iter();
    let players = seats.map(|spec| plan.specs()[spec].player(machine, &clock));
    let players: Result<Vec<Box<dyn Player>>, _> = players.collect();
    let mut players = players.expect("players for this game");
    println!("\ngames of Scotland Yard with {playouts} playouts a move on both sides");
    println!("{:>6} {:>6} {:>10}", "game", "plies", "seconds");
    for number in 0..3 {
        let start = measure::clock::now();
        let never = AtomicBool::new(false);
        let played = play_game(machine, &mut players, 1, number, false, &never);
        let seconds = (measure::clock::now() - start).as_secs_f64();
        let plies = played.expect("a game").map_or(0, |game| game.plies);
        println!("{number:>6} {plies:>6} {seconds:>10.1}");
    }
}
