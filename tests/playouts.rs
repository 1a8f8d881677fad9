//! Fused playouts against play state by state: the same games from the same seeds.

mod support;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::machine::{Machine, Turn};
use support::{load, random_step, variants};

/// States on the way of a random game, every third one.
fn states(machine: &Machine, seed: u64) -> Vec<ruse::machine::State> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = machine.initial().unwrap();
    let mut list = vec![state.clone()];
    let mut plies = 0;
    while let Some(actions) = random_step(machine, &state, &mut rng) {
        machine.step(&mut state, &actions).unwrap();
        plies += 1;
        if plies % 3 == 0 && list.len() < 12 {
            list.push(state.clone());
        }
    }
    list
}

/// Alternatives whose parts stand in unrolled loops: a sampled part must go where play looks for it.
const ALTERNATIVES: &str = "
game Small {
  players { Ann, Ben }
  state { total : 0..2000 }
  play {
    turns me from Ann at most 20 {
      me chooses {
        low(x in { 1, 2 }, y in { 3, 5 }) where x != 2 or y != 3 => total += x * y
        high(z in { 4, 6 }, w in 1..z) where w > 2 => total += z + 3 * w
        rest => total += 1
      }
    }
  }
  payoff zero-sum: [p in Player] if p == Ann then total else -total
}";

#[test]
fn sampled_parts_of_alternatives_go_where_play_reads_them() {
    let (machine, _) = ruse::load(ALTERNATIVES, &Default::default()).unwrap();
    let state = machine.initial().unwrap();
    let mut playouts = machine.playouts();
    for seed in 0..200 {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut slow, mut told) = (Vec::new(), Vec::new());
        let expected = playouts.play_slowly(&state, &mut rng.clone(), &mut slow);
        let expected = expected.unwrap();
        let found = playouts.play_told(&state, &mut rng.clone(), &mut told);
        assert_eq!((&expected, &slow), (&found.unwrap(), &told));
        let silent = playouts.play(&state, &mut rng.clone());
        assert_eq!(expected, silent.unwrap());
    }
}

#[test]
fn a_playout_plays_the_game_that_steps_play() {
    for (name, settings) in variants() {
        let machine = load(name, &settings);
        let mut playouts = machine.playouts();
        for seed in 0..4 {
            for state in states(&machine, seed) {
                for n in 0..6 {
                    let rng = Xoshiro256PlusPlus::seed_from_u64(1000 * seed + n);
                    let (mut slow, mut told) = (Vec::new(), Vec::new());
                    let expected = playouts
                        .play_slowly(&state, &mut rng.clone(), &mut slow)
                        .unwrap();
                    let found = playouts
                        .play_told(&state, &mut rng.clone(), &mut told)
                        .unwrap();
                    assert_eq!(slow, told, "{name} {settings:?}");
                    assert_eq!(expected, found, "{name} {settings:?}");
                    let silent = playouts.play(&state, &mut rng.clone()).unwrap();
                    assert_eq!(expected, silent, "{name} {settings:?}");
                    assert!(machine.turn(&state) != Turn::Terminal || told.is_empty());
                }
            }
        }
    }
}
