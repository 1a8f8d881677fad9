//! Loops, branches, rules and turns.

use super::{Run, after, done, small};

#[test]
fn while_stops_at_its_condition_or_its_bound() {
    done(
        "",
        "a : 0..99  b : 0..99  c : 0..99",
        "while a < 7 at most 20 { a += 2 }  while true at most 5 { b += 1 }  while c > 0 at most 5 { c += 1 }",
        &[("a", "8"), ("b", "5"), ("c", "0")],
    );
}

#[test]
fn repeat_counts_once() {
    done(
        "",
        "n : 0..9 = 3  a : 0..99  zero : 0..9  b : 0..9",
        "repeat n times { n = 9  a += 1 }  repeat zero times { b = 1 }  repeat 4 times { a += 10 }",
        &[("a", "43"), ("n", "9"), ("b", "0")],
    );
}

#[test]
fn each_works_on_a_snapshot_and_looks_at_its_condition_again() {
    done(
        "",
        "s : set of 1..9 = { 2, 5, 7 }  n : 0..99  seen_ : 0..999  stop : bool  m : 0..9",
        "each x in s { s += x + 1  s -= 7  n += 1  seen_ = seen_ * 10 + x }
         each x in 1..9 where not stop { m = x  if x == 4 { stop = true } }",
        &[
            ("n", "3"),
            ("seen_", "257"),
            ("s", "{2, 3, 5, 6, 8}"),
            ("m", "4"),
        ],
    );
}

#[test]
fn break_and_continue_mean_the_innermost_loop() {
    done(
        "",
        "log : 0..99999  a : 0..99  b : 0..99  turns_ : 0..99",
        "each x in 1..4 {
           if x == 2 { continue }
           each y in 1..4 {
             if y == 2 { continue }
             if y == 4 { break }
             a += 1
           }
           if x == 4 { break }
           log = log * 10 + x
         }
         repeat 5 times { b += 1  if b == 3 { break } }
         while true at most 9 { turns_ += 1  if turns_ < 4 { continue }  break }",
        // x = 1, 3, 4, each with y = 1 and 3.
        &[("log", "13"), ("a", "6"), ("b", "3"), ("turns_", "4")],
    );
}

#[test]
fn break_passes_through_branches_matches_and_rules() {
    done(
        "rule add(k: 0..9) { if k == 3 { n += 10 } else { n += k } }",
        "n : 0..99  m : 0..9",
        "each x in 1..9 {
           match x { 1 => add(x)  2, 3 => { add(x)  if x == 3 { break } }  else => n = 99 }
         }
         add(1)",
        // 1 + 2 + 10 and one more.
        &[("n", "14")],
    );
}

#[test]
fn rules_keep_their_own_names() {
    let machine = small(
        "rule ask(p: Player, k: 1..3) { p chooses x in 0..k as \"{x}\"  let twice = x + x  total[p] += twice }",
        "total : [Player] 0..99",
        "ask(Ann, 1)  ask(Ben, 2)  ask(Ann, 3)",
    );
    let mut run = Run::new(&machine);
    assert_eq!(run.options(0), ["0", "1"]);
    assert_eq!(run.play("1").options(1), ["0", "1", "2"]);
    assert_eq!(run.play("2").options(0).len(), 4);
    run.play("3");
    assert_eq!(
        (run.get("total[Ann]"), run.get("total[Ben]")),
        ("8".into(), "4".into())
    );
}

/// What one round binds is gone in the next.
#[test]
fn nothing_leaks_from_round_to_round() {
    let machine = small(
        "",
        "log : 0..99999  first : bool = true",
        "each x in 1..3 {
           let fresh = if first then 7 else x
           first = false
           Ann chooses c in 1..x as \"{c}\"
           let both = fresh * 10 + c
           log = log * 100 + both
         }",
    );
    // 71, then 2 and 2, then 3 and 1; more would not fit.
    assert_eq!(after(&machine, &["1", "2"], &["log"]), ["7122"]);
    let mut run = Run::new(&machine);
    run.play("1").play("2");
    let error = run.try_play("1").expect_err("log has five digits");
    assert_eq!(error.code.0, "E0701");
}

#[test]
fn a_turn_order_looks_at_its_members_again() {
    let machine = super::game(
        "game Round { players { A, B, C } state { left : set of Player = all  log : 0..99999 }
         play {
           turns me from B among left at most 5 {
             me chooses { out => left -= me  stay }
             log = log * 10 + 1 + size(Player before me)
           }
         }
         payoff general-sum: [p in Player] 0 }",
    );
    let mut run = Run::new(&machine);
    // B stays, C leaves, A, B, and then A again.
    for (mover, text) in [
        (1, "stay"),
        (2, "out"),
        (0, "stay"),
        (1, "out"),
        (0, "stay"),
    ] {
        assert_eq!(run.movers(), [mover]);
        run.play(text);
    }
    assert!(run.over());
    assert_eq!(run.get("log"), "23121");
}

#[test]
fn turns_begin_with_the_next_member_and_stop_when_none_is_left() {
    let machine = super::game(
        "game Round { players { A, B, C } state { left : set of Player = { A, B }  n : 0..9 }
         play { turns me from C among left while n < 3 at most 9 { me chooses { go => n += 1  last => left = {} } } }
         payoff general-sum: [p in Player] 0 }",
    );
    let mut run = Run::new(&machine);
    assert_eq!(run.movers(), [0]);
    assert_eq!(run.play("go").movers(), [1]);
    assert!(run.play("last").over());
    let mut run = Run::new(&machine);
    assert!(run.play("go").play("go").play("go").over());
}

#[test]
fn break_and_continue_in_turns() {
    let machine = small(
        "",
        "n : 0..9  kept : 0..9",
        "turns me from Ben at most 6 { me chooses { skip => continue  stop => break  go => n += 1 }  kept += 1 }",
    );
    let mut run = Run::new(&machine);
    assert_eq!(run.movers(), [1]);
    assert_eq!(run.play("skip").movers(), [0]);
    run.play("go").play("skip").play("stop");
    assert!(run.over());
    assert_eq!((run.get("n"), run.get("kept")), ("1".into(), "1".into()));
    let mut run = Run::new(&machine);
    for _ in 0..6 {
        run.play("go");
    }
    assert!(run.over());
}

#[test]
fn end_inside_a_rule_ends_the_game() {
    let machine = small(
        "rule check { if n > 1 { end }  n += 5 }",
        "n : 0..99",
        "repeat 3 times { Ann chooses { add => n += 1  pass }  check() }  n = 99",
    );
    // 0 and 5, then 6 ends it.
    let mut run = Run::new(&machine);
    assert!(run.play("pass").play("add").over());
    assert_eq!(run.get("n"), "6");
}

#[test]
fn loops_over_nodes_keep_what_they_need() {
    let machine = small(
        "",
        "s : set of 1..70 = { 3, 64, 70 }  n : 1..3 = 2  log : 0..999999",
        "each x in s {
           repeat n times {
             draw d in 1..2 as \"{d}\"
             log = (log * 7 + x * d) mod 100000
           }
           s = {}  n = 1
         }",
    );
    let mut run = Run::new(&machine);
    let mut expected = 0u64;
    for (x, d) in [(3, 1), (3, 2), (64, 2), (70, 1)] {
        run.play(&d.to_string());
        expected = (expected * 7 + x * d) % 100_000;
    }
    assert!(run.over());
    assert_eq!(run.get("log"), expected.to_string());
}

#[test]
fn params_decide_branches_before_play() {
    let text = super::text(
        "param mode : enum { a, b } = a",
        "n : 0..9",
        "match mode { a => n = 1  b => n = 2 }
        if mode == b { Ann chooses { go } }",
    );
    assert!(Run::new(&super::game(&text)).over());
    let machine = super::game_with(&text, &[("mode", "b")]);
    let run = Run::new(&machine);
    assert_eq!(run.movers(), [0]);
    assert_eq!(run.get("n"), "2");
}
