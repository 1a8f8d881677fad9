//! States go to bytes and back, what is no state is refused, and a run that is ended early leaves its state as it was.

use crate::support::{load, load_text, random_step, variants};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Action, Machine, PlayError, State, StateError, Turn, below};
use std::ops::ControlFlow;

/// The states of a random game, the last one included, as far as the rules carry.
fn states(machine: &Machine, rng: &mut Xoshiro256PlusPlus) -> Vec<State> {
    let mut states = vec![machine.initial().unwrap()];
    while states.len() < 100 {
        let state = &states[states.len() - 1];
        if machine.turn(state) == Turn::Terminal {
            break;
        }
        let mut next = state.clone();
        let Some(actions) = random_step(machine, state, rng) else {
            break;
        };
        machine.step(&mut next, &actions).unwrap();
        states.push(next);
    }
    states
}

#[test]
fn states_come_back_from_bytes() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for (game, settings) in variants() {
        let machine = load(game, &settings);
        for state in states(&machine, &mut rng) {
            let bytes = state.to_bytes();
            assert_eq!(bytes.len(), 4 + 8 * machine.state_words());
            assert_eq!(
                machine.state_from_bytes(&bytes),
                Ok(state),
                "{game} {settings:?}"
            );
        }
    }
}

/// Whatever bits are flipped: either it is refused, or it is a state that can be asked and that has these bytes.
#[test]
fn flipped_bits_are_refused_or_make_a_state() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let (mut refused, mut taken) = (0, 0);
    for (game, settings) in variants() {
        let machine = load(game, &settings);
        for state in states(&machine, &mut rng).iter().step_by(7) {
            let bytes = state.to_bytes();
            for flips in [1, 1, 1, 2, 8] {
                let mut bytes = bytes.clone();
                for _ in 0..flips {
                    let bit = below(&mut rng, bytes.len() as u64 * 8) as usize;
                    bytes[bit / 8] ^= 1 << (bit % 8);
                }
                let Ok(mut found) = machine.state_from_bytes(&bytes) else {
                    refused += 1;
                    continue;
                };
                taken += 1;
                assert_eq!(found.to_bytes(), bytes, "{game} {settings:?}");
                machine.key(&found);
                // It may be one that play never comes to, and then the rules may end in an error.
                let actions: Result<Vec<Action>, PlayError> = match machine.turn(&found) {
                    Turn::Decision(movers) => movers
                        .iter()
                        .map(|p| machine.sample(&found, p, &mut rng))
                        .collect(),
                    Turn::Chance => machine.sample_chance(&found, &mut rng).map(|o| vec![o]),
                    Turn::Terminal => {
                        let _ = machine.payoffs(&found);
                        continue;
                    }
                };
                if let Ok(actions) = actions {
                    let _ = machine.step(&mut found, &actions);
                }
            }
        }
    }
    assert!(
        refused > 100 && taken > 100,
        "{refused} refused, {taken} taken"
    );
}

#[test]
fn bytes_of_another_form_are_refused() {
    let text = "
game Small {
  players { Ann, Ben }
  state { a : 3..7 = 5  b : 0..1 }
  play { Ann chooses n in 0..1  b = n  a = 3 + n }
  payoff zero-sum: { Ann: a + b  Ben: -a - b }
}";
    let machine = load_text("small.game", text, &Default::default());
    let bytes = machine.initial().unwrap().to_bytes();
    let long: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    for wrong in [&bytes[..0], &bytes[..3], &bytes[..bytes.len() - 1], &long] {
        let found = machine.state_from_bytes(wrong);
        assert!(matches!(found, Err(StateError::Length { .. })), "{found:?}");
    }
    let with = |at: usize, bits: u8| {
        let mut bytes = bytes.clone();
        bytes[at] ^= bits;
        machine.state_from_bytes(&bytes)
    };
    assert!(matches!(with(0, 0x80), Err(StateError::Node { .. })));
    // `a` takes three bits from 3 on, and stands at 5, which is 2.
    let above = StateError::Range {
        value: 9,
        lo: 3,
        hi: 7,
    };
    assert_eq!(with(4, 2 ^ 6), Err(above));
    assert_eq!(with(11, 0x80), Err(StateError::Unused));
}

#[test]
fn a_sink_may_end_a_run() {
    let text = "
game Told {
  players { Ann, Ben }
  state { a : 0..3 = 1 seen by none  b : 0..3 seen by none }
  play {
    reveal(a)
    draw n in 0..3 into b
    Ann chooses n in 0..3
    a = n
    reveal(a)
    reveal(b to Ann)
    Ben chooses n in 0..3
  }
  payoff zero-sum: { Ann: a  Ben: -a }
}";
    let machine = load_text("told.game", text, &Default::default());
    let mut heard = 0;
    let begun = machine.initial_observed(&mut |_| {
        heard += 1;
        ControlFlow::Break("enough")
    });
    assert_eq!(begun, Ok(ControlFlow::Break("enough")));
    assert_eq!(heard, 1);

    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut state = machine.initial().unwrap();
    let drawn = random_step(&machine, &state, &mut rng).unwrap();
    machine.step(&mut state, &drawn).unwrap();
    let actions = random_step(&machine, &state, &mut rng).unwrap();
    let mut all = 0;
    machine
        .step_observed(&mut state.clone(), &actions, &mut |_| all += 1)
        .unwrap();
    assert!(all >= 3, "{all} events");
    let mut whole = state.clone();
    machine.step(&mut whole, &actions).unwrap();
    for most in 1..=all + 1 {
        let (mut after, mut heard) = (state.clone(), 0);
        let ended = machine.step_observed(&mut after, &actions, &mut |event| {
            heard += 1;
            match heard == most {
                true => ControlFlow::Break(event.site),
                false => ControlFlow::Continue(()),
            }
        });
        assert_eq!(heard, most.min(all));
        assert_eq!(ended.unwrap().is_break(), most <= all);
        assert_eq!(
            after,
            if most <= all {
                state.clone()
            } else {
                whole.clone()
            }
        );
    }
}
