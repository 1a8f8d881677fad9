//! Machine code tells of the same events as the interpreter, and comes to the same states and errors.

use crate::playouts::{native_expected, of_text};
use crate::stepping::all_games;
use crate::support::random_step;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Action, Engine, Event, Machine, State};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What happens in a step, and where it leads.
fn step(
    machine: &Machine,
    state: &State,
    actions: &[Action],
) -> (Vec<String>, Result<State, String>) {
    let (mut heard, mut next) = (Vec::new(), state.clone());
    let mut hear = |event: Event<'_>| heard.push(format!("{event:?}"));
    let stepped = machine.step_observed(&mut next, actions, &mut hear);
    (heard, stepped.map(|()| next).map_err(|e| e.to_string()))
}

/// The same game by machine code, where there is some, and by the interpreter.
fn both(name: &str, make: &dyn Fn() -> Machine) -> (Machine, Machine) {
    let native = make().with_engine(Engine::Native);
    assert_eq!(native.tells_natively(), native_expected(), "{name}");
    let interpreted = make().with_engine(Engine::Portable);
    assert!(!interpreted.tells_natively(), "{name}");
    (native, interpreted)
}

#[test]
fn machine_code_tells_what_the_interpreter_tells() {
    let (mut events, mut stopped) = (0, 0);
    for (name, make) in all_games() {
        let (native, interpreted) = both(&name, &*make);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..3 {
            let mut state = interpreted.initial().unwrap();
            for _ in 0..300 {
                let Some(actions) = random_step(&interpreted, &state, &mut rng) else {
                    break;
                };
                let (heard, next) = step(&interpreted, &state, &actions);
                let found = step(&native, &state, &actions);
                assert_eq!(found, (heard.clone(), next.clone()), "{name}");
                events += heard.len();
                if heard.len() > 1 {
                    stops_after_one(&name, &native, &state, &actions);
                    stopped += 1;
                }
                let Ok(next) = next else { break };
                state = next;
            }
        }
    }
    assert!(
        events > 5000 && stopped > 1000,
        "{events} events, {stopped} stops"
    );
}

/// Who wants no more events after the first hears of no other, and leaves the state as it was.
fn stops_after_one(name: &str, machine: &Machine, state: &State, actions: &[Action]) {
    let (mut same, mut heard) = (state.clone(), 0);
    let end = machine.step_observed(&mut same, actions, &mut |_| {
        heard += 1;
        ControlFlow::Break("enough")
    });
    assert_eq!(end.unwrap(), ControlFlow::Break("enough"), "{name}");
    assert_eq!((heard, &same), (1, state), "{name}");
}

/// What is revealed first, and then a sum that is sometimes too large.
const FAULTY: &str = "
game Faulty {
  players { Ann, Ben }
  state {
    deck : set of 1..6 = all seen by none
    held : [p: Player] set of 1..6 seen by p
    low  : 0..6
  }
  play {
    each p in Player { deal 2 from deck to held[p] }
    turns me from Ann at most 6 {
      me chooses n in 1..6
      reveal(size(held[me]))
      low = low + n
    }
  }
  payoff zero-sum: [p in Player] if p == Ann then low - 3 else 3 - low
}";

#[test]
fn a_mistake_of_the_rules_is_told_in_the_words_of_the_interpreter() {
    let (native, interpreted) = both("faulty", &|| of_text(FAULTY));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut mistakes = 0;
    for _ in 0..20 {
        let mut state = interpreted.initial().unwrap();
        while let Some(actions) = random_step(&interpreted, &state, &mut rng) {
            let (heard, next) = step(&interpreted, &state, &actions);
            assert_eq!(
                step(&native, &state, &actions),
                (heard.clone(), next.clone())
            );
            let none = [];
            assert_eq!(
                step(&native, &state, &none),
                step(&interpreted, &state, &none)
            );
            let Ok(next) = next else {
                // All that came before was told, once.
                assert_eq!(heard.len(), 2);
                mistakes += 1;
                break;
            };
            state = next;
        }
    }
    assert!(mistakes > 10, "{mistakes} mistakes");
}

#[test]
fn a_panic_of_who_listens_comes_out_of_the_step() {
    let (native, _) = both("faulty", &|| of_text(FAULTY));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    let mut state = native.initial().unwrap();
    let before = state.clone();
    let actions = random_step(&native, &state, &mut rng).unwrap();
    let mut shout = |_: Event<'_>| -> ControlFlow<()> { resume_unwind(Box::new("heard")) };
    let step_on = || native.step_observed(&mut state, &actions, &mut shout);
    let panicked = catch_unwind(AssertUnwindSafe(step_on));
    assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"heard"));
    assert_eq!(state, before);
    // Nothing is left of it.
    let (heard, next) = step(&native, &state, &actions);
    assert!(!heard.is_empty() && next.is_ok());
}

/// Constants of many words stand in the frame, where helpers of machine code read them.
#[test]
fn long_constants_are_there() {
    let text = "game Long {
  players { Ann, Ben }
  type C = 1..1500
  const odd : set of C = { c for c in C where c mod 2 == 1 }
  const start : [1..40] 0..99 = [i in 1..40] i + 3
  state { kept : set of C  seen : set of C  held : [1..40] 0..99 }
  play {
    turns me from Ann at most 4 {
      me chooses x in 1..9 as \"{x}\"
      seen = kept
      seen += 51
      seen -= odd & { c for c in C where c > 60 }
      held = start
      held[x] += min(size(seen), 40)
      if size(seen & odd) == 0 { end }
    }
  }
  payoff general-sum: { Ann: size(seen) + sum(held), Ben: size(seen) }
}";
    let (native, interpreted) = both("long", &|| of_text(text));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut state = interpreted.initial().unwrap();
    let mut steps = 0;
    while let Some(actions) = random_step(&interpreted, &state, &mut rng) {
        let (heard, next) = step(&interpreted, &state, &actions);
        assert_eq!(step(&native, &state, &actions), (heard, next.clone()));
        let mut lists = [(); 2].map(|()| ruse::internal::machine::Actions::default());
        for (machine, list) in std::iter::zip([&native, &interpreted], &mut lists) {
            let _ = machine.legal(next.as_ref().unwrap(), steps % 2, list);
        }
        assert_eq!(lists[0].0, lists[1].0);
        state = next.unwrap();
        steps += 1;
    }
    assert_eq!(steps, 4);
}
