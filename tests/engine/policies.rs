//! Playouts by heuristics: fused as state by state, and as the knowledge of the game says.

use crate::support::{load, random_step, variants};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Actions, Engine, Machine, Move, PlayoutPolicy, Turn};
use ruse::internal::model::KnowledgeKind;
use ruse::internal::players::{PlayerError, PlayerSpec, suits};
use ruse::internal::random::stream;
use ruse::internal::search::Budget;
use std::sync::Arc;

/// The first heuristic of each player.
fn heuristics(machine: &Machine) -> Vec<Option<usize>> {
    let knowledge = &machine.description().knowledge;
    (0..machine.player_count())
        .map(|player| {
            knowledge.iter().position(|k| {
                k.owners.contains(player) && matches!(k.kind, KnowledgeKind::Playout(_))
            })
        })
        .collect()
}

/// Playouts from states on the way of random games, in all three ways, and what they chose.
fn agree(name: &str, machine: &Machine, policy: &PlayoutPolicy) {
    let mut playouts = machine.playouts_by(policy);
    for seed in 0..3 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = machine.initial().unwrap();
        for ply in 0..30 {
            if ply % 6 == 0 {
                let rng = Xoshiro256PlusPlus::seed_from_u64(100 * seed + ply);
                let (mut stepwise, mut observed) = (Vec::new(), Vec::new());
                let expected = playouts.play_stepwise(&state, &mut rng.clone(), &mut stepwise);
                let expected = expected.unwrap();
                let found = playouts.play_observed(&state, &mut rng.clone(), &mut observed);
                assert_eq!(stepwise, observed, "{name}");
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
        let machine = Arc::into_inner(load(name, &settings)).unwrap();
        let machine = machine.with_engine(Engine::Native);
        let heuristics = heuristics(&machine);
        if heuristics.iter().all(Option::is_none) {
            continue;
        }
        games += 1;
        for epsilon in [0.0, 0.25, 1.0] {
            let policy = PlayoutPolicy::greedy(heuristics.clone(), epsilon);
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
            &PlayoutPolicy::greedy(heuristics.clone(), epsilon),
        );
    }
    let each = std::iter::zip(heuristics.clone(), [0.75, 0.0, 0.5]);
    agree("rated", &machine, &PlayoutPolicy::greedy_each(each));
    // Without ε nothing is played that the heuristic gives no share.
    let policy = PlayoutPolicy::greedy(heuristics.clone(), 0.0);
    let mut playouts = machine.playouts_by(&policy);
    for seed in 0..20 {
        let mut moves: Vec<Move> = Vec::new();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = machine.initial().unwrap();
        playouts
            .play_observed(&state, &mut rng, &mut moves)
            .unwrap();
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

/// A choice that pays off far from here, if a player then always chooses what the heuristic prefers.
const FAR: &str = "
game Far {
  players { Ann, Ben }
  enum Side { near, far }
  state { side : Side  good : 0..8 = 0 }
  play {
    Ann chooses s in Side into side
    repeat 8 times { Ann chooses d in 0..3 => good += if d == 3 then 1 else 0 }
  }
  def gain = if side == near then 1 else if good == 8 then 2 else 0
  payoff zero-sum: { Ann: gain  Ben: -gain }
  knowledge Ann { playout best = maximise d }
}";

/// What going far is worth to searches that try each side once.
fn worth(machine: &Machine, spec: &str) -> f64 {
    let spec = PlayerSpec::parse(spec).unwrap();
    assert_eq!(suits(&spec, machine), Ok(()), "{spec}");
    let root = machine.initial().unwrap();
    let searcher = spec.searcher().unwrap();
    let budget = Budget::playouts(2);
    let means = (0..400).map(|seed| {
        let found = searcher.search(machine, &root, 0, &budget, &mut stream(seed, &[]));
        found.unwrap().actions[1].mean.unwrap()
    });
    means.sum::<f64>() / 400.0
}

#[test]
fn searches_roll_out_by_heuristics() {
    let (machine, _) =
        ruse::load(FAR, &Default::default()).unwrap_or_else(|problems| panic!("{problems:#?}"));
    for search in ["uct", "smmcts"] {
        let worth = |settings: &str| worth(&machine, &format!("{search}({settings})"));
        // One of 65,536 uniform games pays off, and each that the heuristic plays alone.
        assert!(worth("rollouts=uniform") < 0.1);
        assert!(worth("rollouts=heuristic, epsilon=1") < 0.1);
        assert_eq!(worth("rollouts=heuristic, epsilon=0"), 2.0);
        // (1 − 3ε/4)⁸ of them.
        for (settings, share) in [
            ("rollouts=heuristic", 0.536),
            ("rollouts=heuristic, epsilon=0.2", 0.272),
        ] {
            let found = worth(settings);
            assert!((found - 2.0 * share).abs() < 0.2, "{settings}: {found}");
        }
    }
}

#[test]
fn roll_outs_by_heuristics_need_some() {
    let machine = load("tic-tac-toe", &[]);
    let spec = PlayerSpec::parse("uct(rollouts=heuristic)").unwrap();
    let Err(PlayerError::Unsuited(problem)) = suits(&spec, &machine) else {
        panic!("there is no heuristic");
    };
    assert_eq!(
        problem.message,
        "`uct` cannot play TicTacToe: `rollouts=heuristic` needs a playout heuristic in somebody's knowledge, and there is none"
    );
    assert_eq!(
        problem.hint.as_deref(),
        Some("`uct` plays it with `rollouts=uniform`")
    );
    let error = PlayerSpec::parse("uct(epsilon=0.2)").unwrap_err();
    assert_eq!(
        error.message,
        "`epsilon` means nothing with `rollouts=uniform`"
    );
}
