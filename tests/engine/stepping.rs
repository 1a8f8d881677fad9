//! What exact solvers step with goes where play goes: `Stepper` to the same states as `Machine::step`, `Rewards` to what
//! accumulators earn; and states come back from their words.

use crate::playouts::{native_expected, of_text, texts};
use crate::support::{load, load_text, random_step, variants};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{
    Action, Actions, Engine, Machine, Outcomes, Rewards, State, StateError, Turn,
};
use ruse::internal::solve::perft::{PerftOptions, perft};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The words of a state as far as its future hangs on them.
pub fn lasting(machine: &Machine, state: &State) -> Vec<u64> {
    let mask = machine.lasting(machine.node(state));
    std::iter::zip(state.words(), mask)
        .map(|(w, m)| w & m)
        .collect()
}

/// Every shipped game, also with other settings, and the games of the tests.
pub fn all_games() -> Vec<(String, Box<dyn Fn() -> Machine>)> {
    let shipped = variants().into_iter().map(|(game, settings)| {
        let name = format!("{game} {settings:?}");
        let make = move || Arc::into_inner(load(game, &settings)).unwrap();
        (name, Box::new(make) as Box<dyn Fn() -> Machine>)
    });
    let tests = texts().into_iter().map(|(name, text)| {
        let make = move || of_text(&text);
        (name, Box::new(make) as Box<dyn Fn() -> Machine>)
    });
    shipped.chain(tests).collect()
}

#[test]
fn a_stepper_goes_where_play_goes() {
    for (name, make) in all_games() {
        for (engine, games) in [
            (Engine::Native, 3),
            (Engine::Portable, 1),
            (Engine::Either, 1),
        ] {
            let machine = make().with_engine(engine);
            if engine == Engine::Native && native_expected() {
                let found = machine.stepper().engines();
                assert_eq!(found, [Some(Engine::Native); 2], "{name}");
            }
            goes_where_play_goes(&format!("{name} {engine:?}"), &machine, games);
        }
    }
}

fn goes_where_play_goes(game: &str, machine: &Machine, games: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let rewards: Vec<Rewards> = (0..machine.player_count())
        .map(|p| Rewards::new(machine, p))
        .collect();
    let mut stepper = machine.stepper();
    let mut lasting_stepper = machine.lasting_stepper();
    let mut words = vec![0; machine.state_words()];
    for _ in 0..games {
        let mut state = machine.initial().unwrap();
        for _ in 0..120 {
            let node = machine.node(&state);
            assert_eq!(machine.read_state(node, state.words()), Ok(state.clone()));
            if machine.turn(&state) == Turn::Terminal {
                break;
            }
            stepper.start(node, state.words());
            lasting_stepper.start(node, state.words());
            // The lists are the same, and nothing is left over from them either.
            match machine.turn(&state) {
                Turn::Decision(movers) => {
                    let (mut listed, mut legal) = (Actions::default(), Actions::default());
                    for player in movers {
                        stepper.legal(player, &mut listed).unwrap();
                        machine.legal(&state, player, &mut legal).unwrap();
                        assert_eq!(listed, legal, "{game}");
                        let count = stepper.count(player, &mut listed).unwrap();
                        assert_eq!(count, legal.len() as u64, "{game}");
                    }
                }
                _ => {
                    let (mut listed, mut outcomes) = (Outcomes::default(), Outcomes::default());
                    if machine.few_outcomes(&state, 1000, &mut outcomes).unwrap() {
                        stepper.outcomes(&mut listed).unwrap();
                        assert_eq!(listed, outcomes, "{game}");
                    }
                }
            }
            let mut next = state.clone();
            // Twice from one start: nothing is left over from the first.
            for _ in 0..2 {
                let joint = random_step(machine, &state, &mut rng).unwrap();
                let chosen: Vec<&Action> = joint.iter().collect();
                let node = stepper.step(&chosen, &mut words).unwrap();
                next = state.clone();
                machine.step(&mut next, &joint).unwrap();
                assert_eq!(machine.state_at(node, &words), next, "{game}");
                let node = lasting_stepper.step(&chosen, &mut words).unwrap();
                assert_eq!(node, machine.node(&next), "{game}");
                assert_eq!(words, lasting(machine, &next), "{game}");
            }
            let (before, after) = (machine.accumulated(&state), machine.accumulated(&next));
            for (p, rewards) in rewards.iter().enumerate() {
                let earned = rewards.between(state.words(), next.words());
                assert_eq!(earned, after[p] - before[p], "{game}");
            }
            state = next;
        }
    }
}

#[test]
fn only_actions_of_the_form_of_the_node_are_taken() {
    let machine = load("tic-tac-toe", &[]);
    let mut stepper = machine.stepper();
    let mut words = vec![0; machine.state_words()];
    let one = Action(smallvec::smallvec![0, 0]);
    assert!(
        stepper.step(&[&one], &mut words).is_err(),
        "there is no start"
    );
    let initial = machine.initial().unwrap();
    stepper.start(machine.node(&initial), initial.words());
    assert!(stepper.step(&[], &mut words).is_err());
    assert!(stepper.step(&[&one, &one], &mut words).is_err());
    assert!(stepper.step(&[&Action::default()], &mut words).is_err());
    let long = Action(smallvec::smallvec![0, 0, 0]);
    assert!(stepper.step(&[&long], &mut words).is_err());
    let other = Action(smallvec::smallvec![9, 0]);
    assert!(stepper.step(&[&other], &mut words).is_err());
    assert!(stepper.step(&[&one], &mut words).is_ok());
}

#[test]
fn words_that_no_state_has_are_refused() {
    let machine = load("goofspiel", &[("cards", "5")]);
    let initial = machine.initial().unwrap();
    let (node, words) = (machine.node(&initial), initial.words());
    assert!(machine.read_state(node, words).is_ok());
    let found = machine.read_state(99, words);
    assert!(
        matches!(found, Err(StateError::Node { found: 99, .. })),
        "{found:?}"
    );
    let found = machine.read_state(node, &words[1..]);
    assert!(matches!(found, Err(StateError::Length { .. })), "{found:?}");
    let mut wrong = words.to_vec();
    wrong[0] = u64::MAX;
    assert!(machine.read_state(node, &wrong).is_err());
}

/// Where the rules run into an error, a stepper tells it as play does, and goes on from its start as before.
#[test]
fn errors_are_told_as_in_play() {
    let text = "
game Overdrawn {
  players { Ann, Ben }
  state { left : 0..3 = 3 }
  play {
    repeat 2 times { Ann chooses n in 0..2  left -= n }
  }
  payoff zero-sum: { Ann: left  Ben: -left }
}";
    for engine in [Engine::Native, Engine::Portable] {
        let machine = load_text("overdrawn.game", text, &Default::default());
        errors_are_told(&Arc::into_inner(machine).unwrap().with_engine(engine));
    }
}

fn errors_are_told(machine: &Machine) {
    let mut stepper = machine.stepper();
    let mut words = vec![0; machine.state_words()];
    let [none, two] = [0, 2].map(|n| Action(smallvec::smallvec![0, n]));
    let mut state = machine.initial().unwrap();
    machine
        .step(&mut state, std::slice::from_ref(&two))
        .unwrap();
    stepper.start(machine.node(&state), state.words());
    for _ in 0..2 {
        let told = stepper.step(&[&two], &mut words).unwrap_err();
        let played = machine.step(&mut state.clone(), std::slice::from_ref(&two));
        assert_eq!(told, played.unwrap_err());
        let node = stepper.step(&[&none], &mut words).unwrap();
        let mut next = state.clone();
        machine
            .step(&mut next, std::slice::from_ref(&none))
            .unwrap();
        assert_eq!(machine.state_at(node, &words), next);
    }
}

/// What cannot be listed is told by the words of the interpreter, whoever lists.
#[test]
fn errors_of_lists_are_told_as_in_play() {
    let text = "
game Nothing {
  players { Ann, Ben }
  state { left : set of 1..3 = all  n : 0..3 }
  play {
    repeat 2 times { Ann chooses c in left where c > n as \"{c}\" => { left -= c  n = 3 } }
  }
  payoff zero-sum: { Ann: n  Ben: -n }
}";
    for engine in [Engine::Native, Engine::Portable] {
        let machine = load_text("nothing.game", text, &Default::default());
        let machine = Arc::into_inner(machine).unwrap().with_engine(engine);
        let mut state = machine.initial().unwrap();
        let (mut listed, mut legal) = (Actions::default(), Actions::default());
        let mut stepper = machine.stepper();
        stepper.start(machine.node(&state), state.words());
        stepper.legal(0, &mut listed).unwrap();
        assert_eq!((listed.len(), stepper.count(0, &mut legal)), (3, Ok(3)));
        machine.step(&mut state, &listed[..1]).unwrap();
        stepper.start(machine.node(&state), state.words());
        let expected = machine.legal(&state, 0, &mut legal).unwrap_err();
        assert_eq!(stepper.legal(0, &mut listed), Err(expected.clone()));
        assert_eq!(stepper.count(0, &mut listed), Err(expected));
        assert!(stepper.legal(1, &mut listed).is_err());
    }
}

/// A loop over one value goes on within a round: its name has that value wherever play rests in it, and no bits of the state. Code that
/// has run in the same frame before leaves something else there.
#[test]
fn names_of_one_value_stay_what_they_are() {
    let text = include_str!("../language/games/supply.game");
    for engine in [Engine::Native, Engine::Portable] {
        let machine = of_text(text).with_engine(engine);
        // With details each step is the interpreter's.
        let counts = [false, true].map(|details| {
            let options = PerftOptions {
                details,
                ..PerftOptions::default()
            };
            let never = AtomicBool::new(false);
            let found = perft(&machine, &options, &mut |_| {}, &never).unwrap();
            found.nodes_by_depth
        });
        // By hand: two draws a round, the second one forced; then turns of four moves, two of them where the second takes the other
        // colour, as half do, and else three: 32 at the fourth ply, 16 * 2 + 16 * 4 at the fifth, 32 + 64 * 2 and 32 * 4 + 128 after that.
        assert_eq!(counts[0], [1, 2, 2, 8, 32, 96, 160, 256, 1024, 3072, 4096]);
        assert_eq!(counts[0], counts[1]);
    }
}
