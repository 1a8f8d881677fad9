//! `e after { … }`: what would be, without it happening.

use crate::table::{around, table};

const STATE: &str = "  state { x : 0..9 = 2   y : 0..9   row : [1..3] 0..9 = 1   s : set of 1..70 = { 70 }   b : bool   c : bool }";

#[test]
fn the_value_is_of_after_and_the_state_of_before() {
    let t = table(
        STATE,
        "y = x + 1 after { x = 5 }   b = x == 5 after { x = 5 }   c = not x == 5 after { x = 5 }
         Ann chooses n in 1..2",
    );
    assert_eq!((t.value("x"), t.value("y")), ("2".into(), "6".into()));
    assert_eq!(
        (t.value("b"), t.value("c")),
        ("true".into(), "false".into())
    );
}

#[test]
fn it_binds_looser_than_a_comparison_and_tighter_than_and() {
    // x == 2 is asked of now, x == 5 of afterwards.
    let t = table(
        STATE,
        "b = x == 2 and x == 5 after { x = 5 }   c = x == 5 after { x = 5 } and x == 2   Ann chooses n in 1..2",
    );
    assert_eq!((t.value("b"), t.value("c")), ("true".into(), "true".into()));
}

#[test]
fn half_of_an_or_is_noted_where_both_may_be_meant() {
    let noted = |cond: &str| {
        let play = format!("Ann chooses n in 1..2 where {cond} as \"{{n}}\"");
        let (_, notes) = ruse::load(&around(STATE, &play), &Default::default()).unwrap();
        let notes = notes.iter().filter(|note| note.code.0 == "E0225");
        notes.count()
    };
    assert_eq!(noted("x == 2 or x == 3 after { x += n }"), 1);
    assert_eq!(noted("b or x == 2 or c and x == 3 after { x += n }"), 1);
    // Both are asked after; it is said that one is; and the left side does not change.
    for meant in [
        "(x == 2 or x == 3) after { x += n }",
        "x == 2 or (x == 3 after { x += n })",
        "x == 2 after { x += n } or x == 3 after { x += n }",
        "y == 0 or x == 3 after { x += n }",
        "x == 2 and x == 3 after { x += n }",
    ] {
        assert_eq!(noted(meant), 0, "{meant}");
    }
}

#[test]
fn arrays_large_sets_loops_and_rules_are_undone() {
    let t = table(
        &format!("{STATE}\n  rule fill(n: 0..9) {{ each i in 1..3 {{ row[i] = n + i   s += i }}   s -= 70 }}"),
        "y = sum(row) - size(s) after { fill(1) }   x = row[1] after { row[1] = y   if y > 3 { row[1] -= 1 } }
         Ann chooses n in 1..2",
    );
    // 2 + 3 + 4 without the three elements, and one less.
    assert_eq!((t.value("y"), t.value("x")), ("6".into(), "5".into()));
    assert_eq!(
        (t.value("row[1]"), t.value("s")),
        ("1".into(), "{70}".into())
    );
}

#[test]
fn one_may_stand_in_another() {
    let t = table(
        STATE,
        "y = (x + (x after { x = 5 })) after { x = x + (x after { x = 1 }) }   Ann chooses n in 1..2",
    );
    // x becomes 2 + 1 = 3, and is 5 after the inner one: 3 + 5.
    assert_eq!((t.value("x"), t.value("y")), ("2".into(), "8".into()));
}

#[test]
fn options_may_depend_on_what_would_be() {
    // A token may step where it is not met: two walkers on a line of five.
    let mut t = table(
        "  state { at : [Player] 1..5 = { Ann: 2, Ben: 4 } }
  rule go(p: Player, n: 1..5) { at[p] = n }
  def apart: bool = abs(at[Ann] - at[Ben]) >= 2",
        "turns me from Ann at most 4 {
           me chooses n in 1..5 where abs(n - at[me]) <= 1 and apart after { go(me, n) }
           go(me, n)
         }",
    );
    assert_eq!(t.options(0), ["1", "2"]);
    t.play(&["1"]);
    assert_eq!(t.options(1), ["3", "4", "5"]);
    t.play(&["3"]);
    assert_eq!(t.options(0), ["1"]);
}

/// A variable that is only tried matters no more for that.
#[test]
fn what_is_put_back_is_no_part_of_identity() {
    let t = table(
        "  state { x : 0..9   y : 0..9 }",
        "Ann chooses n in 1..2   y = n
         Ann chooses m in 1..3 where x < 2 after { y = m   x = m }   x = m   y = m",
    );
    let mut keys = Vec::new();
    for first in t.actions(0) {
        let mut state = t.state.clone();
        t.machine.step(&mut state, &[first]).unwrap();
        keys.push(t.machine.exact_key(&state));
    }
    assert_eq!(keys[0], keys[1]);
}
