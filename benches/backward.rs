//! How fast backward induction is: a game from its text against the same game solved by hand.
//!
//! Goofspiel by points with a random order of prizes. The one side is `ruse::internal::solve::backward` on the shipped text; the other
//! keeps hands and prizes as sets of bits and values in plain arrays. Both go through the same states, neither makes use of the
//! symmetry between the players, both are on one thread, and both solve their matrix games with `ruse::internal::solve::matrix`, so that the
//! ratio is that of everything else.
//!
//! `cargo bench --bench backward -- [--cards N]`; without `--bench`, as under `cargo test`, a short look with few cards.

mod measure {
    pub mod clock;
}

use measure::clock;
use ruse::internal::machine::{Machine, State};
use ruse::internal::solve::backward::{BackwardOptions, Completion, Saved, Solved, solve};
use ruse::internal::solve::matrix::MatrixSolver;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How many times slower than by hand the text may be.
const TARGET: f64 = 4.0;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut cards, mut asked) = (4, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => cards = 8,
            "--cards" => asked = arguments.next().and_then(|n| n.parse().ok()),
            _ => {}
        }
    }
    let cards: usize = asked.unwrap_or(cards).clamp(1, 10);

    let start = clock::now();
    let by_hand = by_hand(cards);
    let hand_time = (clock::now() - start).as_secs_f64();

    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.expect("one thread");
    let machine = load(cards);
    // The clock counts the time of the thread that asks it.
    let (solved, time) = pool.install(|| {
        let start = clock::now();
        let solved = compiled(&machine);
        (solved, (clock::now() - start).as_secs_f64())
    });

    for (card, value) in by_hand.first.iter().enumerate() {
        let found = solved.values(&after(&machine, card)).expect("a value")[0];
        // The payoff of the text is half of the difference.
        assert!(
            (found - value / 2.0).abs() < 1e-9,
            "{card}: {found} for {}",
            value / 2.0
        );
    }
    let counts = solved.counts();
    assert_eq!(counts.matrix_games, by_hand.games);
    println!("times: {}", clock::NAME);
    println!(
        "goofspiel by points, {cards} cards: {} matrix games",
        counts.matrix_games
    );
    println!("by hand   {hand_time:>9.3} s");
    println!(
        "from text {time:>9.3} s, {} states, {:.0} MiB",
        counts.states,
        solved.peak_memory() as f64 / f64::from(1 << 20)
    );
    println!("ratio     {:>9.2} (target ≤ {TARGET})", time / hand_time);
}

fn load(cards: usize) -> Arc<Machine> {
    let shipped = ruse::internal::shipped::find("goofspiel").expect("a shipped game");
    let settings = [
        ("cards", cards.to_string()),
        ("scoring", "point_difference".to_string()),
    ];
    let settings = settings
        .into_iter()
        .map(|(k, v)| (k.to_string(), v))
        .collect();
    match ruse::load(shipped.text, &settings) {
        Ok((machine, _)) => Arc::new(machine),
        Err(problems) => panic!("{} problems", problems.len()),
    }
}

fn compiled(machine: &Arc<Machine>) -> Box<Solved> {
    let options = BackwardOptions { memory: 64 << 30 };
    let never = AtomicBool::new(false);
    match solve(machine, &options, Saved::default(), &mut (), &never) {
        Ok(Completion::Solved(solved)) => solved,
        Ok(Completion::Stopped { .. }) => panic!("nobody stopped it"),
        Err(error) => panic!("{error}"),
    }
}

/// The state after the first draw.
fn after(machine: &Machine, card: usize) -> State {
    let mut state = machine.initial().expect("a first state");
    let outcome = machine.find_outcome(&state, &(card + 1).to_string());
    let outcome = outcome.expect("a draw");
    machine.step(&mut state, &[outcome]).expect("a step");
    state
}

struct ByHand {
    /// The value in points for each first prize.
    first: Vec<f64>,
    games: u64,
}

/// From rounds with no card left to the first one: before each draw the value in points for the first player, by the ranks
/// of both hands and the prizes among the sets of their size.
fn by_hand(n: usize) -> ByHand {
    let mut by_size: Vec<Vec<u32>> = vec![Vec::new(); n + 1];
    let mut rank = vec![0u32; 1 << n];
    for set in 0u32..1 << n {
        let same = &mut by_size[set.count_ones() as usize];
        rank[set as usize] = same.len() as u32;
        same.push(set);
    }
    let mut solver = MatrixSolver::default();
    let mut games = 0;
    let mut first = Vec::new();
    let mut next = vec![0.0];
    let mut matrix: Vec<f64> = Vec::new();
    for size in 1..=n {
        let sets = &by_size[size];
        let fewer = by_size[size - 1].len();
        let mut values = Vec::with_capacity(sets.len().pow(3));
        for &a in sets {
            for &b in sets {
                for &prizes in sets {
                    let mut sum = 0.0;
                    for prize in elements(prizes) {
                        let rest = rank[(prizes & !(1 << prize)) as usize] as usize;
                        matrix.clear();
                        for x in elements(a) {
                            let row = rank[(a & !(1 << x)) as usize] as usize * fewer;
                            for y in elements(b) {
                                let column = rank[(b & !(1 << y)) as usize] as usize;
                                let won = f64::from(i8::from(x > y) - i8::from(x < y))
                                    * f64::from(prize + 1);
                                matrix.push(won + next[(row + column) * fewer + rest]);
                            }
                        }
                        let value = solver.solve(&matrix, size).value();
                        games += 1;
                        sum += value;
                        if size == n {
                            first.push(value);
                        }
                    }
                    values.push(sum / size as f64);
                }
            }
        }
        next = values;
    }
    ByHand { first, games }
}

/// The elements of a set, lowest first.
fn elements(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let element = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            element
        })
    })
}
