//! Choices: options, `else`, labels, several at a time.

use super::{Machine, Run, game, small};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

fn names(machine: &Machine, movers: &[usize]) -> Vec<String> {
    movers
        .iter()
        .map(|&p| machine.player_name(p).to_string())
        .collect()
}

#[test]
fn options_are_a_dependent_product() {
    let machine = small(
        "",
        "s : set of 1..4 = { 1, 3, 4 }  at : [Player] 1..4  sum_ : 0..9",
        "Ann chooses a in s into at[Ann], b in s - a into at[Ben] where a + b != 5 as \"{a}+{b}\"  sum_ = a + b",
    );
    let mut run = Run::new(&machine);
    assert_eq!(run.options(0), ["1+3", "3+1", "3+4", "4+3"]);
    run.play("3+4");
    assert_eq!(
        (run.get("at[Ann]"), run.get("at[Ben]"), run.get("sum_")),
        ("3".into(), "4".into(), "7".into())
    );
}

#[test]
fn labels_have_parts_conditions_and_bodies() {
    let machine = small(
        "",
        "n : 0..99  open : bool = false",
        "repeat 2 times { Ann chooses {
           claim(count_ in 1..2, rank in 3..5) where count_ + rank > 5 => n = count_ * 10 + rank
           call where open => n = 99
           take(x in 0..n) as \"take {x}\" => { n += x  open = true }
         } }",
    );
    let mut run = Run::new(&machine);
    assert_eq!(
        run.options(0),
        ["claim(1, 5)", "claim(2, 4)", "claim(2, 5)", "take 0"]
    );
    assert_eq!(run.play("claim(2, 4)").get("n"), "24");
    assert_eq!(run.options(0).len(), 3 + 25);
    run.play("take 20");
    assert_eq!(run.get("n"), "44");
    let mut run = Run::new(&machine);
    run.play("take 0");
    assert_eq!(
        run.options(0),
        [
            "claim(1, 5)",
            "claim(2, 4)",
            "claim(2, 5)",
            "call",
            "take 0"
        ]
    );
    run.play("call");
    assert_eq!(run.get("n"), "99");
}

/// Uniform play is uniform over the tuples, whatever label they are under.
#[test]
fn sampling_is_uniform_over_tuples() {
    let machine = small("", "", "Ann chooses { many(x in 1..9)  one }");
    let run = Run::new(&machine);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let ones = (0..10_000)
        .filter(|_| {
            machine
                .sample(&run.state, 0, &mut rng)
                .expect("an option")
                .0[0]
                == 1
        })
        .count();
    // 1,000 on average with a standard deviation of 30; six of them either way.
    assert!((820..=1180).contains(&ones), "{ones}");
}

#[test]
fn a_choice_without_options_runs_its_else() {
    let machine = small(
        "",
        "s : set of 1..3  n : 0..9  m : 0..9",
        "repeat 2 times { Ann chooses x in s as \"{x}\" => m = x else { n += 1 }  s += 2 }",
    );
    let mut run = Run::new(&machine);
    assert_eq!(run.get("n"), "1");
    assert_eq!(run.options(0), ["2"]);
    run.play("2");
    assert!(run.over());
    assert_eq!((run.get("n"), run.get("m")), ("1".into(), "2".into()));
}

#[test]
fn else_counts_conditions_and_labels() {
    let machine = small(
        "",
        "k : 0..9  n : 0..9",
        "repeat 3 times {
           Ann chooses { up(x in 1..3) where x < k => n = x   down where k == 9 } else { n = 7 }
           k += 2
         }",
    );
    // k = 0: nothing; k = 2: 1; k = 4: 1 to 3.
    let mut run = Run::new(&machine);
    assert_eq!(run.get("n"), "7");
    assert_eq!(run.options(0), ["up(1)"]);
    assert_eq!(run.play("up(1)").options(0), ["up(1)", "up(2)", "up(3)"]);
    run.play("up(3)");
    assert_eq!(run.get("n"), "3");
}

#[test]
fn arms_of_together_read_what_was_before() {
    let machine = small(
        "",
        "x : [Player] 1..9 = 1  sum_ : 0..99",
        "together {
           Ann chooses a in 1..2 into x[Ann] as \"{a}\" => sum_ = sum_ * 10 + x[Ann]
           Ben chooses b in 1..x[Ann] + 1 into x[Ben] as \"{b}\" => sum_ = sum_ * 10 + x[Ann]
         }",
    );
    let mut run = Run::new(&machine);
    assert_eq!(run.movers(), [0, 1]);
    assert_eq!(run.options(1), ["1", "2"]);
    run.play("2 | 1");
    assert_eq!(
        (run.get("x[Ann]"), run.get("x[Ben]"), run.get("sum_")),
        ("2".into(), "1".into(), "22".into())
    );
    // Both events come before the bodies, whole and open.
    let viewers: Vec<&str> = run.events.iter().map(|e| e.viewers.as_str()).collect();
    assert_eq!(viewers, ["Ann Ben", "Ann Ben"]);
}

const THREE: &str = "game Three { players { A, B, C }
  state { in_ : set of Player = { A, C }  n : [Player] 0..9  idle : 0..9 }
  play {
    repeat 3 times {
      together each p in in_ where n[p] < 2 {
        p chooses k in 1..2 - n[p] as \"{k}\" => { n[p] += k  in_ += next(p) }
      }
      reveal(size(in_))  idle += 1
    }
  }
  payoff general-sum: [p in Player] n[p] }";

#[test]
fn inactive_arms_sit_out() {
    let machine = game(THREE);
    let mut run = Run::new(&machine);
    assert_eq!(names(&machine, &run.movers()), ["A", "C"]);
    run.play("2 | 1");
    assert_eq!(run.get("in_"), "{A, B, C}");
    // A has its 2, B has joined.
    assert_eq!(names(&machine, &run.movers()), ["B", "C"]);
    assert_eq!(run.options(2), ["1"]);
    run.play("2 | 1");
    // Nobody is left to choose, so nothing is asked any more.
    assert!(run.over());
    assert_eq!(run.get("idle"), "3");
    assert_eq!(
        machine.payoffs(&run.state).expect("payoffs").to_vec(),
        [2.0, 2.0, 2.0]
    );
}

#[test]
fn an_arm_without_options_runs_its_else() {
    let machine = small(
        "",
        "s : [Player] set of 1..3  n : [Player] 0..9  rounds_ : 0..9",
        "repeat 2 times {
           together each q in Player { q chooses x in s[q] as \"{x}\" => n[q] = x else { reveal(q)  n[q] = 9 } }
           reveal(s[Ben])  s[Ben] = { 3 }  rounds_ += 1
         }",
    );
    let mut run = Run::new(&machine);
    // In the first round neither has an option.
    assert_eq!(
        (run.get("n[Ann]"), run.get("n[Ben]")),
        ("9".into(), "9".into())
    );
    assert_eq!(run.movers(), [1]);
    run.play("3");
    assert!(run.over());
    assert_eq!(
        (run.get("n[Ann]"), run.get("n[Ben]")),
        ("9".into(), "3".into())
    );
}

#[test]
fn an_else_runs_in_the_place_of_its_arm() {
    let machine = small(
        "",
        "s : [Player] set of 1..3 = { Ben: { 2 }, else: {} }  log : 0..99",
        "together each q in Player { q chooses x in s[q] as \"{x}\" => log = (log * 10 + x) mod 100 else { log = (log * 10 + 1) mod 100 } }",
    );
    let mut run = Run::new(&machine);
    assert_eq!(run.movers(), [1]);
    run.play("2");
    assert_eq!(run.get("log"), "12");
}

#[test]
fn choosers_are_looked_up_at_run_time() {
    let machine = game(
        "game Seats { players { A, B, C } state { first : Player = B  x : [Player] 0..9 }
         play {
           together { first chooses a in 1..2 into x[first] as \"{a}\"  next(first) chooses b in 3..4 into x[next(first)] as \"{b}\" }
           first = A
           next(first, 2) chooses c in 5..6 into x[next(first, 2)] as \"{c}\"
         }
         payoff general-sum: [p in Player] x[p] }",
    );
    let mut run = Run::new(&machine);
    assert_eq!(run.movers(), [1, 2]);
    assert_eq!(run.play("2 | 3").movers(), [2]);
    run.play("6");
    assert_eq!(
        machine.payoffs(&run.state).expect("payoffs").to_vec(),
        [0.0, 2.0, 6.0]
    );
}

#[test]
fn actions_stand_in_seating_order_whatever_the_order_of_the_arms() {
    let machine = small(
        "",
        "x : [Player] 0..9",
        "together { Ben chooses b in 1..3 into x[Ben] as \"b{b}\"  Ann chooses a in 1..3 into x[Ann] as \"a{a}\" }",
    );
    let mut run = Run::new(&machine);
    run.play("a2 | b3");
    assert_eq!(
        (run.get("x[Ann]"), run.get("x[Ben]")),
        ("2".into(), "3".into())
    );
}

#[test]
fn a_chosen_value_is_in_reach_afterwards() {
    let machine = small(
        "",
        "log : 0..999  s : set of 1..9 = { 4, 5, 6 }",
        "each x in 1..2 { Ann chooses c in s as \"{c}\"  s -= c  log = log * 10 + c }",
    );
    let mut run = Run::new(&machine);
    run.play("5");
    assert_eq!(run.options(0), ["4", "6"]);
    run.play("4");
    assert_eq!(run.get("log"), "54");
}
