//! Wrong use of a machine: an error or an empty answer, and never a panic.

use super::{Machine, Run, small};
use crate::machine::{Action, Actions, Outcomes, Turn};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use smallvec::SmallVec;

fn machine() -> Machine {
    small(
        "enum Suit { red, black }  type Card = (rank: 1..3, suit: Suit)",
        "hand : set of Card = all  who : Player  at : [Player] 1..3  s : set of 1..70 = all  t : set of 1..70",
        "Ann chooses { pick(c in hand, q in Player) => { hand -= c  who = q }  none_ }
         who chooses n in 1..3 into at[who]
         deal 3 from s to t
         together each q in Player { q chooses k in 1..at[q] as \"{k}\" }",
    )
}

fn action(words: &[u64]) -> Action {
    Action(SmallVec::from_slice(words))
}

/// Every question that one may ask at a state, with players that do not exist and players who are not to move.
fn ask(machine: &Machine, run: &Run<'_>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let wild = action(&[7, u64::MAX, 3]);
    for player in [0, 1, 2, 31, 32, 33, 63, 64, 1000, usize::MAX] {
        let mut actions = Actions::default();
        let to_move = run.movers().contains(&player);
        assert_eq!(
            machine.legal(&run.state, player, &mut actions).is_ok(),
            to_move
        );
        assert_eq!(
            machine.sample(&run.state, player, &mut rng).is_ok(),
            to_move
        );
        assert_eq!(machine.is_legal(&run.state, player, &wild).is_ok(), to_move);
        let _ = machine.view(&run.state, player);
        let _ = machine.player_name(player);
        for (p, viewer) in [(player, None), (0, Some(player)), (player, Some(player))] {
            let _ = machine.action_text(&run.state, p, &wild, viewer);
            let _ = machine.outcome_text(&run.state, &wild, viewer);
        }
    }
    let chance = machine.turn(&run.state) == Turn::Chance;
    let mut outcomes = Outcomes::default();
    assert_eq!(machine.outcomes(&run.state, &mut outcomes).is_ok(), chance);
    assert_eq!(machine.sample_chance(&run.state, &mut rng).is_ok(), chance);
    let over = machine.turn(&run.state) == Turn::Terminal;
    assert_eq!(machine.payoffs(&run.state).is_ok(), over);
    let _ = machine.accumulated(&run.state);
}

/// Steps with actions of every wrong form: refused, and the state is left as it was.
fn step_wrongly(machine: &Machine, run: &Run<'_>) {
    let words = [0u64, 1, 2, 3, 5, 64, 70, 1 << 40, u64::MAX, i64::MIN as u64];
    let mut wrong: Vec<Vec<Action>> = vec![vec![], vec![action(&[])], vec![action(&[0])]];
    for &a in &words {
        wrong.push(vec![action(&[a])]);
        for &b in &words {
            wrong.push(vec![action(&[a, b])]);
            wrong.push(vec![action(&[0, a]), action(&[0, b])]);
            wrong.push(vec![action(&[0, a, b])]);
            wrong.push(vec![action(&[0, a, b, a])]);
            wrong.push(vec![action(&[0, a]); 3]);
        }
    }
    for actions in wrong {
        let mut state = run.state.clone();
        let done = machine.step(&mut state, &actions);
        if done.is_err() {
            assert_eq!(state, run.state, "{actions:?}");
        } else {
            // What passes has the form of this node's, with values that exist: play goes on.
            let _ = machine.turn(&state);
            let _ = machine.whole_view(&state);
        }
        let _ = machine.action_text(
            &run.state,
            0,
            &actions.first().cloned().unwrap_or_default(),
            Some(1),
        );
        let _ = machine.outcome_text(
            &run.state,
            &actions.first().cloned().unwrap_or_default(),
            None,
        );
    }
}

#[test]
fn wrong_use_is_an_error_at_every_node() {
    let machine = machine();
    let mut run = Run::new(&machine);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    loop {
        ask(&machine, &run);
        step_wrongly(&machine, &run);
        let actions = match machine.turn(&run.state) {
            Turn::Terminal => break,
            Turn::Chance => vec![machine.sample_chance(&run.state, &mut rng).expect("a draw")],
            Turn::Decision(_) => run
                .movers()
                .into_iter()
                .map(|p| machine.sample(&run.state, p, &mut rng).expect("an option"))
                .collect(),
        };
        machine.step(&mut run.state, &actions).expect("a step");
    }
    let over = machine
        .step(&mut run.state, &[])
        .expect_err("the game is over");
    assert_eq!(over.code.0, "E0711");
}

/// A value outside the type of its part never gets into a state.
#[test]
fn values_that_do_not_exist_are_refused() {
    let machine = machine();
    let run = Run::new(&machine);
    // Six cards, two players.
    for (card, player, fits) in [
        (5, 1, true),
        (6, 1, false),
        (0, 2, false),
        (u64::MAX, 0, false),
    ] {
        let mut state = run.state.clone();
        let done = machine.step(&mut state, &[action(&[0, card, player])]);
        assert_eq!(done.is_ok(), fits, "{card} {player}");
        if let Err(error) = done {
            assert_eq!(error.code.0, "E0711");
        }
    }
    let mut run = Run::new(&machine);
    run.play("none_").play("2");
    // A hand of three of seventy, whose second word has six bits.
    for (low, high, fits) in [
        (0b111, 0, true),
        (0b11, 1 << 5, true),
        (0b11, 1 << 6, false),
    ] {
        let mut state = run.state.clone();
        let done = machine.step(&mut state, &[action(&[0, low, high])]);
        assert_eq!(done.is_ok(), fits, "{low} {high}");
    }
}

#[test]
fn a_joint_action_has_one_action_for_each_mover() {
    let machine = small(
        "",
        "",
        "together each q in Player { q chooses k in 1..3 as \"{k}\" }",
    );
    let run = Run::new(&machine);
    let one = action(&[0, 2]);
    for n in [0, 1, 3] {
        let mut state = run.state.clone();
        let error = machine
            .step(&mut state, &vec![one.clone(); n])
            .expect_err("not two actions");
        assert_eq!(error.code.0, "E0711");
    }
    let mut state = run.state.clone();
    machine
        .step(&mut state, &[one.clone(), one])
        .expect("two actions");
}
