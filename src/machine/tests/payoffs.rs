//! Payoffs: exact units, claims, accumulators, and what identity leaves out.

use super::{Run, game, small};

#[test]
fn fractions_are_exact() {
    let machine = game(
        "game Thirds { players { A, B } state { n : 0..9 }
         play { A chooses x in 1..7 into n as \"{x}\" }
         payoff general-sum: { A: n / 3 + 0.5  B: -n / 4 } }",
    );
    let mut run = Run::new(&machine);
    run.play("7");
    // 7/3 + 1/2 = 34/12 and -7/4 = -21/12.
    let den = machine.payoff_denominator();
    let units = machine.payoff_units(&run.state).expect("payoffs");
    assert_eq!((units[0] * 12, units[1] * 12), (34 * den, -21 * den));
    assert_eq!(machine.payoffs(&run.state).expect("payoffs")[1], -1.75);
}

#[test]
fn an_unfinished_game_has_no_payoffs() {
    let machine = game(
        "game Short { players { A, B } state { n : 0..9 }
         play { A chooses x in 1..7 into n as \"{x}\" }
         payoff general-sum: { A: n  B: 0 } }",
    );
    let mut run = Run::new(&machine);
    let error = machine.payoffs(&run.state).expect_err("A has to move");
    assert_eq!(
        (error.code.0, error.message.as_str()),
        ("E0711", "there are no payoffs before the game is over")
    );
    run.play("3");
    assert!(machine.payoffs(&run.state).is_ok());
}

#[test]
fn a_broken_claim_says_that_teams_count_once() {
    let machine = game(
        "game Claim { players { A, B, C } team T { A, B } state { n : 0..9 }
         play { A chooses x in 1..3 into n as \"{x}\" }
         payoff zero-sum: [p in Player] if p in T then n else -2 * n }",
    );
    let mut run = Run::new(&machine);
    run.play("3");
    let error = machine.payoffs(&run.state).unwrap_err();
    let said = "the payoffs are 3, 3, -6 (3, -6 with each team once)";
    assert!(error.message.starts_with(said), "{}", error.message);
}

#[test]
fn a_broken_claim_is_an_error() {
    let machine = game(
        "game Claim { players { A, B } state { n : 0..9 }
         play { A chooses x in 0..2 into n as \"{x}\" }
         payoff constant-sum 3: { A: n  B: 2 } }",
    );
    let mut run = Run::new(&machine);
    run.play("1");
    assert_eq!(
        machine.payoffs(&run.state).expect("payoffs").to_vec(),
        [1.0, 2.0]
    );
    let mut run = Run::new(&machine);
    run.play("2");
    let error = machine.payoffs(&run.state).expect_err("a sum of 4");
    assert_eq!(error.code.0, "E0706");
    assert!(
        error.message.contains("2, 2") && error.message.contains('3'),
        "{error}"
    );
}

#[test]
fn shares_that_are_said_to_add_up_to_nothing() {
    let machine = game(
        "game Share { players { A, B } state { x : [Player] 0..9 }
         play { A chooses v in 1..2 into x[A] as \"{v}\" }
         payoff zero-sum: share(x) }",
    );
    let mut run = Run::new(&machine);
    run.play("1");
    let error = machine.payoffs(&run.state).expect_err("a sum of 1");
    let hint = error.hint.expect("a hint");
    assert!(hint.contains("`constant-sum 1`"), "{hint}");
}

#[test]
fn a_tie_shares_what_there_is() {
    let machine = game(
        "game Share { players { A, B, C } state { x : [Player] 0..9 = 4 }
         play { A chooses v in 3..5 into x[A] as \"{v}\"  B chooses w in 3..4 into x[B] as \"{w}\" }
         payoff constant-sum 1: share(x) }",
    );
    for (moves, expected) in [
        (["5", "4"], [6, 0, 0]),
        (["4", "4"], [2, 2, 2]),
        (["3", "4"], [0, 3, 3]),
    ] {
        let mut run = Run::new(&machine);
        run.play(moves[0]).play(moves[1]);
        let den = machine.payoff_denominator();
        let units = machine.payoff_units(&run.state).expect("payoffs");
        let sixths: Vec<i64> = units.iter().map(|u| u * 6 / den).collect();
        assert_eq!(sixths, expected);
    }
}

#[test]
fn what_has_been_earned_is_told_apart() {
    let machine = game(
        "game Earn { players { A, B } state { won : [Player] 0..99  bonus : 0..9 }
         play { repeat 2 times { A chooses x in 1..3 as \"{x}\" => won[A] += x } B chooses y in 0..1 into bonus as \"{y}\" }
         payoff general-sum: { A: 2 * won[A] - bonus  B: won[B] - won[A] } }",
    );
    let mut run = Run::new(&machine);
    assert_eq!(machine.accumulated(&run.state).to_vec(), [0, 0]);
    run.play("3");
    assert_eq!(machine.accumulated(&run.state).to_vec(), [6, -3]);
    let mut other = Run::new(&machine);
    other.play("1");
    assert_eq!(
        machine.reduced_key(&run.state),
        machine.reduced_key(&other.state)
    );
    assert_ne!(
        machine.exact_key(&run.state),
        machine.exact_key(&other.state)
    );
    run.play("1").play("1");
    assert_eq!(
        machine.payoff_units(&run.state).expect("payoffs").to_vec(),
        [7, -4]
    );
    assert_eq!(machine.accumulated(&run.state).to_vec(), [8, -4]);
}

#[test]
fn what_no_longer_matters_is_not_part_of_the_identity() {
    let machine = small(
        "",
        "a : 0..9  b : 0..9  kept : 0..9",
        "Ann chooses x in 1..3 into a as \"{x}\"  kept = a div 2  Ben chooses y in 1..2 as \"{y}\"
         b = kept  Ann chooses z in 0..b as \"{z}\"",
    );
    let state = |moves: &[&str]| {
        let mut run = Run::new(&machine);
        for m in moves {
            run.play(m);
        }
        run.state
    };
    let key = |moves: &[&str]| machine.exact_key(&state(moves));
    // After the first move only half of it matters: 2 and 3 are the same from here on, 1 is not.
    assert_eq!(key(&["2"]), key(&["3"]));
    assert_ne!(key(&["1"]), key(&["2"]));
    assert_eq!(machine.key(&state(&["2"])), machine.key(&state(&["3"])));
    // What Ben chose never matters; yet the view remembers what stands in variables.
    assert_eq!(key(&["2", "1"]), key(&["3", "2"]));
    assert_ne!(
        machine.whole_view(&state(&["2"])),
        machine.whole_view(&state(&["3"]))
    );
}
