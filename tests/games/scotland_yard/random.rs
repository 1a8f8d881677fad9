//! Random games, step by step beside the rules as they are retold in Rust.

use super::board;
use super::retold::{Met, NAMES, Yard};
use crate::support::{load, random_step, text, variant_of};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Actions, Machine, State, Turn};
use ruse::internal::model::PlayerSet;

fn options(machine: &Machine, state: &State, player: usize) -> Vec<String> {
    let mut actions = Actions::default();
    machine.legal(state, player, &mut actions).unwrap();
    let texts = actions.iter();
    texts
        .map(|a| machine.action_text(state, player, a, None))
        .collect()
}

/// Plays games with the seeds up to `games`, wants everything as it is retold, and counts what happened.
pub fn games_as_retold(machine: &Machine, yard: &Yard, games: u64) -> Met {
    let mut met = Met::default();
    for seed in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = machine.initial().unwrap();
        while machine.turn(&state) == Turn::Chance {
            let drawn = random_step(machine, &state, &mut rng).unwrap();
            machine.step(&mut state, &drawn).unwrap();
        }
        let placed = board(machine, &state);
        let at: Vec<usize> = NAMES[..yard.players]
            .iter()
            .map(|name| placed[&format!("at[{name}]")].parse().unwrap())
            .collect();
        for (i, place) in at.iter().enumerate() {
            assert!(yard.starts.contains(place) && !at[..i].contains(place));
        }
        let mut position = yard.begin(at, &mut met);
        loop {
            assert_eq!(board(machine, &state), yard.shown(&position), "seed {seed}");
            let Some(player) = position.next else { break };
            assert_eq!(
                machine.turn(&state),
                Turn::Decision(PlayerSet::only(player))
            );
            assert_eq!(
                options(machine, &state, player),
                yard.options(&position, player)
            );
            let action = random_step(machine, &state, &mut rng).unwrap();
            let text = machine.action_text(&state, player, &action[0], None);
            // Of X's move the others see everything but the place.
            let seen = machine.action_text(&state, player, &action[0], Some(1));
            if player == 0 {
                let (fare, rest) = text.split_once(" to ").unwrap();
                let place = rest.split(',').next().unwrap();
                assert_eq!(seen, format!("{fare} to ·{}", &rest[place.len()..]));
            } else {
                assert_eq!(seen, text);
            }
            let view = machine.view(&state, 1).entries;
            assert!(view.iter().all(|e| e.name != "at[X]"));
            machine.step(&mut state, &action).unwrap();
            yard.play(&mut position, &text, &mut met);
        }
        assert_eq!(machine.turn(&state), Turn::Terminal);
        let mut expected = vec![if position.caught { 1.0 } else { 0.0 }; yard.players];
        expected[0] = 1.0 - expected[0];
        assert_eq!(machine.payoffs(&state).unwrap().as_slice(), expected);
    }
    met
}

fn london() -> Yard {
    let mut yard = Yard::read(&text("scotland-yard"), 199);
    yard.starts = [
        13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198,
    ]
    .into();
    yard
}

fn mini() -> Yard {
    let mut yard = Yard::read(&text("scotland-yard-mini"), 24);
    yard.starts = [2, 5, 7, 12, 14, 16, 21, 24].into();
    yard.surfacing = vec![2, 5, 8, 10];
    yard.rounds = 10;
    yard.tickets = [[3, 2, 1, 0, 3], [6, 4, 2, 0, 0]];
    yard.doubles = 1;
    yard.players = 4;
    yard
}

#[test]
fn the_full_game_goes_as_retold() {
    let met = games_as_retold(&load("scotland-yard", &[]), &london(), 1000);
    assert!(met.caught > 100 && met.doubles > 100, "{met:?}");
    assert!(met.surfaced > 1000 && met.black > 100, "{met:?}");
    // With 22 tickets each the detectives are stuck by the end of the last round at the latest.
    assert!(
        met.ferries > 3 && met.skipped > 100 && met.all_stuck > 100,
        "{met:?}"
    );
    assert!(met.blocked[0] > 100 && met.blocked[1] > 100, "{met:?}");
}

#[test]
fn fewer_detectives_have_fewer_black_tickets_to_seek() {
    let mut yard = london();
    yard.players = 3;
    yard.rounds = 9;
    yard.tickets[0][4] = 2;
    let machine = load("scotland-yard", &[("seats", "3"), ("rounds", "9")]);
    let met = games_as_retold(&machine, &yard, 300);
    assert!(met.caught > 5 && met.out_of_rounds > 100, "{met:?}");
}

#[test]
fn the_small_game_goes_as_retold() {
    let met = games_as_retold(&load("scotland-yard-mini", &[]), &mini(), 2000);
    assert!(met.caught > 100 && met.doubles > 100, "{met:?}");
    assert!(met.surfaced > 1000 && met.black > 100, "{met:?}");
    assert!(met.ferries > 100 && met.out_of_rounds > 100, "{met:?}");
    assert!(met.skipped > 10 && met.walled_in > 3, "{met:?}");
    assert!(met.blocked[0] > 100 && met.blocked[1] > 100, "{met:?}");
}

/// So few tickets that detectives are stuck, first one of them and in the end all.
#[test]
fn detectives_run_out_of_tickets_as_retold() {
    let mut yard = london();
    yard.tickets[1] = [3, 2, 1, 0, 0];
    let machine = variant_of(
        "scotland-yard",
        "  state { tickets : [p: Player][Fare] 0..60 = {
    X: { taxi: 4, bus: 3, underground: 3, ferry: 0, black: 5 },
    else: { taxi: 3, bus: 2, underground: 1, ferry: 0, black: 0 }
  } }",
    );
    let met = games_as_retold(&machine, &yard, 300);
    assert!(met.skipped > 300 && met.all_stuck > 100, "{met:?}");
}
