//! What exact solvers step with goes where play goes: `Stepper` to the same states as `Machine::step`, `Rewards` to what
//! accumulators earn; and states come back from their words.

mod support;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::machine::{Action, Rewards, Turn};
use support::{load, random_step, variants};

#[test]
fn a_stepper_goes_where_play_goes() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for (game, settings) in variants() {
        let machine = load(game, &settings);
        let rewards: Vec<Rewards> = (0..machine.player_count())
            .map(|p| Rewards::new(&machine, p))
            .collect();
        let outside = machine.states_from_outside();
        let mut stepper = machine.stepper();
        let mut words = vec![0; machine.state_words()];
        for _ in 0..5 {
            let mut state = machine.initial().unwrap();
            for _ in 0..200 {
                let node = machine.node(&state);
                assert_eq!(outside.read(node, state.words()), Some(state.clone()));
                if machine.turn(&state) == Turn::Terminal {
                    break;
                }
                stepper.start(state.clone());
                let mut next = state.clone();
                // Twice from one start: nothing is left over from the first.
                for _ in 0..2 {
                    let joint = random_step(&machine, &state, &mut rng).unwrap();
                    let chosen: Vec<&Action> = joint.iter().collect();
                    let node = stepper.step(&chosen, &mut words).unwrap();
                    next = state.clone();
                    machine.step(&mut next, &joint).unwrap();
                    assert_eq!(machine.state_at(node, &words), next, "{game} {settings:?}");
                }
                let (before, after) = (machine.accumulated(&state), machine.accumulated(&next));
                for (p, rewards) in rewards.iter().enumerate() {
                    let earned = rewards.between(state.words(), next.words());
                    assert_eq!(earned, after[p] - before[p], "{game} {settings:?}");
                }
                state = next;
            }
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
    stepper.start(machine.initial().unwrap());
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
    let outside = machine.states_from_outside();
    let initial = machine.initial().unwrap();
    let (node, words) = (machine.node(&initial), initial.words());
    assert!(outside.read(node, words).is_some());
    assert!(outside.read(99, words).is_none());
    assert!(outside.read(node, &words[1..]).is_none());
    let mut wrong = words.to_vec();
    wrong[0] = u64::MAX;
    assert!(outside.read(node, &wrong).is_none());
}
