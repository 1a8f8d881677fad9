//! Fused playouts against play state by state: the same games from the same seeds.

use crate::support::{load, random_step, variants};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Action, Actions, Engine, Machine, Playouts, State, Turn};
use std::sync::Arc;

/// States on the way of a random game, every third one.
fn states(machine: &Machine, seed: u64) -> Vec<State> {
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

/// Sets in their order, of more than a word and of less: chosen, drawn, compared, ranked.
const ORDERS: &str = "
game Orders {
  players { Ann, Ben, Cid }
  state {
    deck : set of 1..80 = all
    hand : [Player] set of 1..80
    low  : [Player] set of 1..6
    lead : set of Player
    best : set of 1..80
    runs : 0..40
  }
  play {
    repeat 4 times {
      each p in Player { deal 2 from deck to hand[p] }
      turns me from Ann at most 3 {
        me chooses {
          part(k in 1..2, s in subsets(1..6, k)) where s > low[me] => low[me] = s
          keep => runs += 1
        }
      }
      each p in Player { if min(hand[p], best) == best { best = hand[p] } }
      lead = argmax(p in Player) hand[p]
      if hand[Ann] < hand[Ben] and low[Ann] <= low[Ben] { runs += 1 }
      if low[Ann] in low[Cid] { runs += 2 }
    }
    if best == max(p in Player) hand[p] { lead = argmin(p in lead) low[p] }
  }
  payoff general-sum: [p in Player] (if p in lead then runs else 0) + (if p in argmax(low) then 1 else 0)
}";

/// Playouts from states on the way of random games, in all ways: `load` gives the game as it is.
pub fn agree(name: &str, load: impl Fn() -> Machine) {
    let native = load().with_engine(Engine::Native);
    if native_expected() {
        assert_eq!(native.playouts().engine(), Engine::Native, "{name}");
    }
    agree_from(name, &native, 0..2);
    agree_from(name, &load().with_engine(Engine::Portable), 2..3);
    agree_from(name, &load(), 3..4);
}

/// Whether there is a compiler for the processor, and the system lets its code run.
pub fn native_expected() -> bool {
    cfg!(all(
        feature = "native",
        target_os = "linux",
        target_arch = "x86_64"
    ))
}

fn agree_from(name: &str, machine: &Machine, seeds: std::ops::Range<u64>) {
    let mut playouts = machine.playouts();
    for seed in seeds {
        for state in states(machine, seed) {
            for n in 0..6 {
                let rng = Xoshiro256PlusPlus::seed_from_u64(1000 * seed + n);
                let (mut stepwise, mut observed) = (Vec::new(), Vec::new());
                let expected = playouts.play_stepwise(&state, &mut rng.clone(), &mut stepwise);
                let expected = expected.unwrap();
                let found = playouts.play_observed(&state, &mut rng.clone(), &mut observed);
                assert_eq!(stepwise, observed, "{name}");
                assert_eq!(expected, found.unwrap(), "{name}");
                let silent = playouts.play(&state, &mut rng.clone());
                assert_eq!(expected, silent.unwrap(), "{name}");
                assert!(machine.turn(&state) != Turn::Terminal || observed.is_empty());
                agree_counted(name, machine, &mut playouts, &state, rng.clone());
                agree_after(name, machine, &mut playouts, &state, rng);
            }
        }
    }
}

/// A playout that counts its plies, and one ply after the other.
fn agree_counted(
    name: &str,
    machine: &Machine,
    playouts: &mut Playouts<'_>,
    state: &State,
    mut rng: Xoshiro256PlusPlus,
) {
    let mut counting = rng.clone();
    let found = playouts.play_counted(state, &mut counting).expect(name);
    let mut state = state.clone();
    let mut plies = 0;
    while machine.turn(&state) != Turn::Terminal {
        let ply = machine.sample_ply(&state, &mut rng).unwrap();
        machine.step(&mut state, &ply).unwrap();
        plies += 1;
    }
    assert_eq!(found.plies, plies, "{name}");
    let payoffs = machine.payoff_units(&state).unwrap();
    assert_eq!(found.played.payoffs, payoffs, "{name}");
    // Neither has drawn more than the other.
    assert_eq!(rng, counting, "{name}");
}

/// A step and a playout, one after the other and in one go.
fn agree_after(
    name: &str,
    machine: &Machine,
    playouts: &mut Playouts<'_>,
    state: &State,
    mut rng: Xoshiro256PlusPlus,
) {
    let Some(actions) = random_step(machine, state, &mut rng) else {
        return;
    };
    let mut next = state.clone();
    machine.step(&mut next, &actions).unwrap();
    let mut after = rng.clone();
    let expected = playouts.play(&next, &mut rng).unwrap();
    let actions: Vec<&Action> = actions.iter().collect();
    let found = playouts.play_after(state, &actions, &mut after).unwrap();
    assert_eq!(&expected, found, "{name}");
    // Neither has drawn more than the other.
    assert_eq!(rng, after, "{name}");
}

pub fn of_text(text: &str) -> Machine {
    let loaded = ruse::load(text, &Default::default());
    loaded.unwrap_or_else(|problems| panic!("{problems:?}")).0
}

#[test]
fn what_is_no_step_is_refused_before_a_playout_too() {
    let machine = load("matching-pennies", &[]);
    let state = machine.initial().unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut legal = Actions::default();
    machine.legal(&state, 0, &mut legal).unwrap();
    let nothing = Action::default();
    let mut playouts = machine.playouts();
    for actions in [vec![], vec![&legal[0]], vec![&legal[0], &nothing]] {
        let owned: Vec<Action> = actions.iter().map(|&a| a.clone()).collect();
        let expected = machine.step(&mut state.clone(), &owned).unwrap_err();
        let found = playouts.play_after(&state, &actions, &mut rng);
        assert_eq!(found.unwrap_err(), expected);
    }
    // An error leaves nothing behind.
    let pair = [&legal[0], &legal[1]];
    assert!(playouts.play_after(&state, &pair, &mut rng).is_ok());
}

#[test]
fn sampled_parts_of_alternatives_go_where_play_reads_them() {
    agree("alternatives", || of_text(ALTERNATIVES));
}

#[test]
fn sets_have_one_order_in_playouts() {
    agree("orders", || of_text(ORDERS));
}

/// Ends of sets that are looked for from there, and moves of several steps of which the greatest count.
const ENDS: &str = "
game Ends {
  players { Ann, Ben }
  state {
    deck : set of 1..130 = all
    held : [Player] set of 1..130
    low  : 0..130
    high : 0..130
    won  : [Player] 0..60
  }
  play {
    each p in Player { deal 5 from deck to held[p] }
    turns me from Ann at most 12 {
      if no n in held[me]: n mod 3 == 1 { end }
      one move {
        repeat 2 times {
          me chooses n in held[me] where n >= low => { low = n   held[me] -= n }
          else { low = 0 }
        }
      }
      maximise max(n in 1..130 where not n in held[me]) n - min(n in 1..130 where n in held[opponent(me)] or n == 130) n
      else { end }
      high = max(n in deck where n > 100 or n < 20) n
      won[me] += min(n in 1..5 where n * 26 >= high) n
      low = 0
    }
  }
  payoff general-sum: [p in Player] won[p]
}";

#[test]
fn ends_of_sets_and_greatest_moves_are_those_of_steps() {
    agree("ends", || of_text(ENDS));
}

/// Dice that are thrown one by one into places of a list, and play that comes round to the throw before it.
const DICE: &str = "
game Dice {
  players { Ann, Ben }
  state {
    armies : 0..20 = 3
    a      : [1..3] 0..6
    d      : [1..2] 0..6
  }
  play {
    while armies > 0 at most 40 {
      a[1..3] = 0
      d[1..2] = 0
      each i in 1..min(3, armies) { draw x in 1..6 into a[i] }
      each i in 1..2 { draw x in 1..3 into d[i] }
      armies -= if a[1] > d[1] and a[2] >= d[2] then 1 else 0
    }
  }
  payoff zero-sum: { Ann: armies, Ben: -armies }
}";

#[test]
fn a_loop_around_a_draw_goes_on_with_the_next_place() {
    agree("dice", || of_text(DICE));
    let from_nothing = DICE.replace("each i in 1..2 { draw x in 1..3 into d[i] }", "");
    agree("dice against nothing", || of_text(&from_nothing));
}

#[test]
fn a_playout_plays_the_game_that_steps_play() {
    for (name, settings) in variants() {
        let own = || Arc::into_inner(load(name, &settings)).unwrap();
        agree(&format!("{name} {settings:?}"), own);
    }
}

/// The games of the tests, with their files: ten from rule books, and the small ones around visibility.
pub fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for folder in ["tests/language/games", "tests/leaks/right"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            texts.push((path.to_string_lossy().into_owned(), text));
        }
    }
    texts.sort();
    texts
}

#[test]
fn playouts_agree_on_the_games_of_the_tests() {
    let games = texts();
    for (name, text) in &games {
        agree(name, || of_text(text));
    }
    let games = games.len();
    assert!(games >= 40, "{games}");
}

/// A game without an end is given up, and nothing is drawn.
#[test]
fn a_game_without_an_end_is_given_up() {
    let text = "game Endless { players { Ann, Ben } state { n : 0..1 }
      play { repeat 900000000 times { Ann chooses x in 0..1 into n } }
      payoff zero-sum: [p in Player] 0 }";
    for engine in [Engine::Native, Engine::Portable] {
        let machine = of_text(text).with_engine(engine);
        let start = machine.initial().unwrap();
        let before = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut rng = before.clone();
        assert_eq!(machine.playouts().play_counted(&start, &mut rng), None);
        assert_eq!(rng, before, "{engine:?}");
    }
}
