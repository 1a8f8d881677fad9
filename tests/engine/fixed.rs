//! What is the same in every state is listed from a table, and is what is listed where it is worked out each time.

use crate::support::load_text;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::check::Settings;
use ruse::internal::machine::{Actions, Engine, Machine, Outcomes, Turn};
use std::collections::BTreeMap;

/// Names of a draw or a choice, a condition, and a weight.
const PRODUCTS: &[(&str, &str, &str)] = &[
    ("a in 1..6, b in 1..6", "a <= b", "if a == b then 1 else 2"),
    ("a in 2..12", "a != 9", "6 - abs(a - 7)"),
    ("a in 1..9, b in a..9", "(a + b) mod 3 == 1", ""),
    ("s in subsets(1..8, 3)", "sum(s) mod 2 == 0", ""),
    (
        "s in subsets(1..70, 1..2), a in s",
        "max(s) - min(s) < 3",
        "",
    ),
    (
        "each p in Player: r[p] in Role",
        "(count p in Player: r[p] == wolf) == 1",
        "",
    ),
    ("a in 1..9, b in 1..9, c in 1..9", "a + b + c == 5", ""),
    ("a in 1..4, b in 1..4", "a != b", "a * b - 1"),
];

fn game(kind: &str, (names, cond, weight): (&str, &str, &str), same: &str) -> Machine {
    let weighted = match weight {
        "" => String::new(),
        weight => format!(" weighted {weight}"),
    };
    let text = format!(
        "game Fixed {{
  players {{ Ann, Ben }}
  enum Role {{ villager, wolf, seer }}
  state {{ idle : 0..3  n : 0..9 }}
  play {{
    {kind} {names} where {cond}{same}{weighted}
    n = 1
  }}
  payoff zero-sum: [p in Player] 0
}}
"
    );
    let machine = load_text("fixed.game", &text, &Settings::default());
    std::sync::Arc::into_inner(machine).unwrap()
}

/// What can be done at the beginning, with its weight.
fn listed(machine: &Machine) -> Vec<(Vec<u64>, u64)> {
    let state = machine.initial().unwrap();
    if machine.turn(&state) == Turn::Chance {
        let mut outcomes = Outcomes::default();
        machine.outcomes(&state, &mut outcomes).unwrap();
        let all = outcomes.list.iter();
        return all.map(|(a, weight)| (a.0.to_vec(), *weight)).collect();
    }
    let mut actions = Actions::default();
    machine.legal(&state, 0, &mut actions).unwrap();
    actions.iter().map(|a| (a.0.to_vec(), 1)).collect()
}

/// How often what was done in so many games.
fn sampled(machine: &Machine, games: u64) -> BTreeMap<Vec<u64>, u64> {
    let state = machine.initial().unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let (mut playouts, mut counts) = (machine.playouts(), BTreeMap::new());
    let mut moves = Vec::new();
    for _ in 0..games {
        moves.clear();
        playouts
            .play_observed(&state, &mut rng, &mut moves)
            .unwrap();
        *counts.entry(moves[0].action.0.to_vec()).or_default() += 1;
    }
    counts
}

#[test]
fn what_hangs_on_no_state_is_what_is_listed_each_time() {
    for product in PRODUCTS {
        for kind in ["draw", "Ann chooses"] {
            if kind != "draw" && (!product.2.is_empty() || product.0.starts_with("each")) {
                continue;
            }
            let fixed = game(kind, *product, "");
            let expected = listed(&game(kind, *product, " and idle == 0"));
            assert_eq!(listed(&fixed), expected, "{product:?}");
            let total: u64 = expected.iter().map(|(_, weight)| weight).sum();
            for engine in [Engine::Native, Engine::Portable] {
                let fixed = game(kind, *product, "").with_engine(engine);
                let games = 400 * expected.len() as u64;
                let counts = sampled(&fixed, games);
                // With n − 1 degrees of freedom; 5 standard deviations above the mean.
                let chi: f64 = expected
                    .iter()
                    .filter(|(_, weight)| *weight > 0)
                    .map(|(action, weight)| {
                        let mean = (games * weight) as f64 / total as f64;
                        let seen = counts.get(action).copied().unwrap_or(0) as f64;
                        (seen - mean).powi(2) / mean
                    })
                    .sum();
                let n = expected.len() as f64;
                assert!(chi < n + 5.0 * (2.0 * n).sqrt(), "{product:?}: {chi}");
                assert_eq!(counts.values().sum::<u64>(), games);
            }
        }
    }
}
