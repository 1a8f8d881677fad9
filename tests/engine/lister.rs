//! Options that are listed once for many states: they are those that the machine lists for each.

use crate::stepping::all_games;
use crate::support::random_step;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{
    Actions, Engine, Lister, Machine, OptionStore, Outcomes, State, Turn,
};

fn compare(
    name: &str,
    machine: &Machine,
    (lister, store): (&mut Lister<'_>, &mut OptionStore),
    state: &State,
) {
    match machine.turn(state) {
        Turn::Terminal => assert!(lister.few_outcomes(state, 9).is_err()),
        Turn::Decision(movers) => {
            for player in movers {
                let found = lister.legal(state, player, store).unwrap();
                let mut expected = Actions::default();
                machine.legal(state, player, &mut expected).unwrap();
                assert_eq!(*store.actions(found), expected, "{name}");
                assert_eq!(found.count(), expected.len(), "{name}");
                for (place, action) in expected.iter().enumerate() {
                    assert_eq!(*store.action(found, place), *action, "{name}");
                }
            }
        }
        Turn::Chance => {
            for most in [1, 5, 1000] {
                let mut expected = Outcomes::default();
                let few = machine.few_outcomes(state, most, &mut expected).unwrap();
                let found = machine.lister().few_outcomes(state, most).unwrap();
                assert_eq!(found.as_deref(), few.then_some(&expected), "{name}");
                // Where there were more at this node before, none are counted.
                let again = lister.few_outcomes(state, most).unwrap();
                assert!(again.is_none() || again == found, "{name}");
            }
        }
    }
}

#[test]
fn lists_are_those_of_the_machine() {
    for (name, make) in all_games() {
        for engine in [Engine::Native, Engine::Portable, Engine::Either] {
            lists(&format!("{name} {engine:?}"), &make().with_engine(engine));
        }
    }
}

fn lists(name: &str, machine: &Machine) {
    let (mut lister, mut store) = (machine.lister(), OptionStore::default());
    for seed in 0..4 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = machine.initial().unwrap();
        compare(name, machine, (&mut lister, &mut store), &state);
        let mut plies = 0;
        while let Some(actions) = random_step(machine, &state, &mut rng)
            && plies < 60
        {
            machine.step(&mut state, &actions).unwrap();
            compare(name, machine, (&mut lister, &mut store), &state);
            plies += 1;
        }
    }
}
