//! The hand-written playouts that the benchmark measures against play the same games as the texts.

#[allow(dead_code)]
#[path = "../../benches/hand/mod.rs"]
mod hand;

use crate::support::load;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::search::{Budget, mcts, uct};

const GAMES: usize = 20_000;

/// The mean and the square of its standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, variance / n)
}

fn agree(game: &str, games: usize) {
    let machine = load(game, &[]);
    let start = machine.initial().unwrap();
    let unit = machine.payoff_denominator() as f64;
    let mut playouts = machine.playouts();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut payoffs, mut lengths) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    let mut moves = Vec::new();
    for _ in 0..games {
        moves.clear();
        let played = playouts
            .play_observed(&start, &mut rng, &mut moves)
            .unwrap();
        payoffs[0].push(played.payoffs[0] as f64 / unit);
        lengths[0].push(moves.len() as f64);
    }
    let found = hand::all().into_iter().find(|(name, _)| *name == game);
    let (_, mut by_hand) = found.unwrap();
    for _ in 0..games {
        let end = by_hand.playout(&mut rng);
        payoffs[1].push(end.payoff);
        lengths[1].push(f64::from(end.moves));
    }
    for (what, lists) in [("payoff", payoffs), ("length", lengths)] {
        let ((a, va), (b, vb)) = (mean(&lists[0]), mean(&lists[1]));
        // Lengths that never vary must be equal.
        let most = 4.0 * (va + vb).sqrt() + 1e-9;
        let said = format!("{game}: mean {what} {a} of the text, {b} by hand, {most} allowed");
        assert!((a - b).abs() <= most, "{said}");
    }
}

macro_rules! games {
    ($($test:ident $name:literal $games:expr;)*) => {
        $(#[test]
        fn $test() {
            agree($name, $games);
        })*

        #[test]
        fn every_game_is_compared() {
            let names: Vec<&str> = hand::all().iter().map(|(name, _)| *name).collect();
            assert_eq!(names, [$($name),*]);
        }
    };
}

games! {
    tic_tac_toe "tic-tac-toe" GAMES;
    goofspiel "goofspiel" GAMES;
    connect_four "connect-four" GAMES;
    breakthrough "breakthrough" GAMES;
    scotland_yard "scotland-yard" GAMES;
    hex "hex" GAMES / 4;
    go "go" GAMES / 10;
}

/// The first move of the search by hand is that of `uct` on the text.
#[test]
fn searches_by_hand_find_the_same_move() {
    const SIMULATIONS: u64 = 10_000;
    for game in ["tic-tac-toe", "connect-four"] {
        let machine = load(game, &[]);
        let start = machine.initial().unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let options = uct::options(Default::default());
        let budget = Budget::playouts(SIMULATIONS);
        let found = mcts::search(&machine, &start, 0, &options, &budget, &mut rng).unwrap();
        let mut by_hand = hand::search(game, SIMULATIONS).unwrap();
        assert_eq!(by_hand(&mut rng), found.chosen, "{game}");
    }
}
