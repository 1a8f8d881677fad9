//! Playouts by heuristics: fused as state by state, and as the knowledge of the game says.

use crate::support::{load, random_step, variants};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::machine::{Actions, Machine, Move, Policy, Turn};
use ruse::model::KnowledgeKind;

/// The first heuristic of each player.
fn heuristics(machine: &Machine) -> Vec<Option<usize>> {
    let knowledge = &machine.description().knowledge;
    (0..machine.player_count())
        .map(|player| {
            knowledge.iter().position(|k| {
                k.owners >> player & 1 == 1 && matches!(k.kind, KnowledgeKind::Playout(_))
            })
        })
        .collect()
}

/// Playouts from states on the way of random games, in all three ways, and what they chose.
fn agree(name: &str, machine: &Machine, policy: &Policy) {
    let mut playouts = machine.playouts_by(policy);
    for seed in 0..3 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = machine.initial().unwrap();
        for ply in 0..30 {
            if ply % 6 == 0 {
                let rng = Xoshiro256PlusPlus::seed_from_u64(100 * seed + ply);
                let (mut slow, mut told) = (Vec::new(), Vec::new());
                let expected = playouts.play_slowly(&state, &mut rng.clone(), &mut slow);
                let expected = expected.unwrap();
                let found = playouts.play_told(&state, &mut rng.clone(), &mut told);
                assert_eq!(slow, told, "{name}");
                assert_eq!(expected, found.unwrap(), "{name}");
                let silent = playouts.play(&state, &mut rng.clone());
                assert_eq!(expected, silent.unwrap(), "{name}");
            }
            let Some(actions) = random_step(machine, &state, &mut rng) else {
                break;
            };
            machine.step(&mut state, &actions).unwrap();
        }
    }
}

#[test]
fn fused_playouts_follow_heuristics_as_steps_do() {
    let mut games = 0;
    for (name, settings) in variants() {
        let machine = load(name, &settings);
        let heuristics = heuristics(&machine);
        if heuristics.iter().all(Option::is_none) {
            continue;
        }
        games += 1;
        for epsilon in [0.0, 0.25, 1.0] {
            let policy = Policy::greedy(heuristics.clone(), epsilon);
            agree(&format!("{name} {settings:?} {epsilon}"), &machine, &policy);
        }
    }
    assert!(games >= 3, "{games}");
}

/// Extremes, weights, rules that come first, an alternative of which nothing is said, and a player without heuristic.
const RATED: &str = "
game Rated {
  players { Ann, Ben, Cid }
  state { total : 0..3000  left : set of 1..6 = all }
  play {
    repeat 8 times {
      Ann chooses { add(x in 1..3, y in x..5) => total += x * y  idle => total += 1 }
      Ben chooses { part(k in 1..6) => total += k  all_of(s in subsets({ 1, 2, 3 }, 2)) => total += size(s)  rest => total += 0 }
      Cid chooses z in { 1, 4 } => total += z
    }
  }
  payoff general-sum: [p in Player] if p == Ann then total else 3000 - total
  knowledge Ann { playout steep = maximise (x * y) mod 7 }
  knowledge Ben { playout mixed = weights { first part where k == 5 and total mod 3 == 0  part => k  else => 0 } }
}";

#[test]
fn what_a_heuristic_prefers_is_played() {
    let (machine, _) =
        ruse::load(RATED, &Default::default()).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let heuristics = heuristics(&machine);
    for epsilon in [0.0, 0.5] {
        agree(
            "rated",
            &machine,
            &Policy::greedy(heuristics.clone(), epsilon),
        );
    }
    // Without ε nothing is played that the heuristic gives no share.
    let policy = Policy::greedy(heuristics.clone(), 0.0);
    let mut playouts = machine.playouts_by(&policy);
    for seed in 0..20 {
        let mut moves: Vec<Move> = Vec::new();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = machine.initial().unwrap();
        playouts.play_told(&state, &mut rng, &mut moves).unwrap();
        for played in moves {
            let Turn::Decision(_) = machine.turn(&state) else {
                panic!("nothing is drawn in this game");
            };
            let player = played.player.unwrap();
            if let Some(entry) = heuristics[player] {
                let mut actions = Actions::default();
                machine.legal(&state, player, &mut actions).unwrap();
                let shares = machine
                    .preferences(&state, entry, player, &actions)
                    .unwrap();
                let at = actions.0.iter().position(|a| *a == played.action).unwrap();
                assert!(shares[at] > 0.0, "{played:?}");
            }
            machine.step(&mut state, &[played.action]).unwrap();
        }
    }
}
