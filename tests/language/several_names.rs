//! Loops and folds over several names, `let` with a type, and the type that an `if` or a `match` has by its arms.

use crate::table::{around, report, set_up, table};
use ruse::internal::check::Settings;

const STATE: &str = "  state { x : 0..99   y : 0..99   s : set of 1..20   t : set of Player   grid : [1..3][1..3] 0..9   o : 1..3? }";

fn value(play: &str, name: &str) -> String {
    table(STATE, &format!("{play}   Ann chooses n in 1..2")).value(name)
}

#[test]
fn loops_run_over_pairs() {
    for (play, name, expected) in [
        // The second set may depend on the first name, and so may both conditions.
        ("each i in 1..3, j in i..3 { x += 1 }", "x", "6"),
        (
            "each i in 1..3 where i != 2, j in 1..3 where j != i { x += 10 * i + j }",
            "x",
            "88",
        ),
        ("each i in 1..3, j in 1..2, k in 1..2 { x += 1 }", "x", "12"),
        // What is stored in one round is seen by the conditions of the next ones.
        (
            "each i in 1..3 where x < 3, j in 1..2 where y < 2 { x += 1   y += 1   if j == 2 { y = 0 } }",
            "x",
            "4",
        ),
    ] {
        assert_eq!(value(play, name), expected, "{play}");
    }
}

/// It is one loop: `break` leaves all of it, `continue` goes on with the next pair.
#[test]
fn a_break_leaves_the_whole_loop() {
    for (play, expected) in [
        (
            "each i in 1..3, j in 1..3 { if j == 2 { continue }   x += 1 }",
            "6",
        ),
        (
            "each i in 1..3, j in 1..3 { x += 1   if i + j == 4 { break } }",
            "3",
        ),
        (
            "each i in 1..3, j in 1..3 { x += 1   if i * j == 4 { break } }   x += 10",
            "15",
        ),
        (
            "repeat 2 times { each i in 1..3, j in 1..3 { x += 1   if j == 2 { break } }   x += 10 }",
            "24",
        ),
        (
            "each i in 1..3, j in 1..3 { repeat 5 times { x += 1   break } }",
            "9",
        ),
        (
            "each i in 1..3, j in 1..3 { each k in 1..3, l in 1..3 { x += 1   break }   if i == 2 { break } }",
            "4",
        ),
        (
            "each i in 1..3 { each j in 1..3, k in 1..3 { x += 1   break } }",
            "3",
        ),
    ] {
        assert_eq!(value(play, "x"), expected, "{play}");
    }
}

/// A choice in the loop rests there, and a `break` behind it still leaves all of it.
#[test]
fn a_break_after_a_choice() {
    let mut t = table(
        STATE,
        "each p in Player, k in 1..3 { p chooses n in 0..k   x += n   if n == k { break } }   Ann chooses n in 5..6",
    );
    assert_eq!(t.options(0), ["0", "1"]);
    t.play(&["0"]);
    assert_eq!(t.options(0), ["0", "1", "2"]);
    t.play(&["2"]);
    assert_eq!(t.options(0), ["5", "6"]);
    assert_eq!(t.value("x"), "2");
}

#[test]
fn folds_run_over_pairs() {
    let facts = [
        "(sum(i in 1..3, j in i..3) (10 * i + j)) == 114",
        "(union(i in 1..2, j in 3..4) { i * j }) == { 3, 4, 6, 8 }",
        "{ i * j for i in 1..3, j in 1..3 where i < j } == { 2, 3, 6 }",
        "(count i in 1..3, j in 1..3: i < j) == 3",
        "some i in 1..3, j in 1..3: i + j == 6",
        "not (some i in 1..3, j in 1..3: i + j == 7)",
        "every i in 1..3, j in i..3: i <= j",
        "no i in 1..3, j in 1..3: i * j == 5",
        "not (no i in 1..3, j in 1..3: i * j == 6)",
        "(max(i in 1..3, j in 1..3) (i * j - i)) == 6",
        "(min(p in Player, i in 1..3 where p == Ben) (if p == Ann then 0 else i)) == 1",
        // Where the second name has nothing to run over, the first one does not count.
        "(max(i in 1..3, j in 3..i) (i + j)) == 6",
        "(min(i in 1..4 where i > 1, j in 4..i, k in j..i) (i + j + k)) == 12",
        "(sum(p in Player, q in Player - p, k in 1..3) k) == 12",
    ];
    for fact in facts {
        let play = format!("if {fact} {{ x = 1 }}");
        assert_eq!(value(&play, "x"), "1", "{fact}");
    }
    // In play, too, where sets are not known before.
    let play = "s = { 1, 2, 3 }   x = max(i in s, j in s where j > i) (10 * i + j)";
    assert_eq!(value(play, "x"), "23");
    let mut t = table(
        STATE,
        "Ann chooses n in 1..4   s = 1..n   x = min(i in s, j in s where j > i) (i + j)   Ann chooses k in 1..2",
    );
    assert_eq!(t.try_play(&["1"]).expect_err("nothing").code.0, "E0705");
    t.play(&["3"]);
    assert_eq!(t.value("x"), "3");
}

#[test]
fn wrong_folds_over_pairs() {
    for (play, code) in [
        ("t = argmax(p in Player, i in 1..3) i", "E0205"),
        ("each p in Player, p in Player { x += 1 }", "E0103"),
        ("x = (sum(i in 1..3, j in 1..3) i) + j", "E0101"),
        ("x = sum(i in j..3, j in 1..3) i", "E0101"),
        ("each i in 1..3, j in 1..3 { }   break", "E0212"),
    ] {
        let text = around(STATE, &format!("{play}   Ann chooses n in 1..2"));
        let problems = ruse::load(&text, &Settings::new()).expect_err(play);
        assert_eq!(problems[0].code.0, code, "{}", report(&text, &problems));
    }
}

/// An outer condition is not looked at again, so what it says is forgotten where the loop stores.
#[test]
fn facts_end_where_the_loop_stores() {
    let play = "o = 2   each i in 1..2 where o != none, j in 1..2 { x = o   o = none }   Ann chooses n in 1..2";
    let text = around(STATE, play);
    let problems = ruse::load(&text, &Settings::new()).expect_err("may be none");
    assert_eq!(problems[0].code.0, "E0203", "{}", report(&text, &problems));
}

#[test]
fn a_let_may_have_a_type() {
    assert_eq!(value("let a: set of 1..20 = {}   s = a + 3", "s"), "{3}");
    assert_eq!(
        value("let a: 1..3? = none   if a == none { x = 1 }", "x"),
        "1"
    );
    assert_eq!(value("x = (let a: 0..50 = x + 7; a * 2)", "x"), "14");
    let mut t = table(
        STATE,
        "Ann chooses n in 1..9   let a: 0..5 = n   x = a   Ann chooses k in 1..2",
    );
    let error = t.try_play(&["6"]).expect_err("out of range");
    assert_eq!(
        (error.code.0, error.message.as_str()),
        ("E0701", "6 is not in 0..5 (after Ann chose `6`)")
    );
    t.play(&["5"]);
    assert_eq!(t.value("x"), "5");
    for (play, code) in [
        ("let a: 0..5 = 7", "E0204"),
        ("let a: 0..5 = Ann", "E0201"),
        ("let a: Nothing = 3", "E0105"),
        ("let a: Player = o", "E0201"),
        ("let a: 1..3 = o", "E0203"),
    ] {
        let text = around(STATE, &format!("{play}   Ann chooses n in 1..2"));
        let problems = ruse::load(&text, &Settings::new()).expect_err(play);
        assert_eq!(problems[0].code.0, code, "{}", report(&text, &problems));
    }
}

/// Neither arm narrows the other.
#[test]
fn arms_meet_in_the_least_type() {
    let items = "  type Card = (rank: 1..9, red: bool)
  state { b : bool   n : 0..3   x : 0..99   s : set of 1..9   card : Card }
  def low = { 1, 2 }
  def pick = if b then low else { 5 }
  def plain = if b then (a: 1, c: 2) else (a: 5, c: 2)
  def three = match n { 0 => { 1 }  1 => { 7 } + { 9 }  2 => {}  else => { k + 4 for k in 1..2 } }
  def own = if b then card else (rank: 7, red: true)
  def nested = if b then { 1 } else if n == 0 then { 3 } - { 4 } else (let k = 8; { k })";
    let play = "  s = pick   x = size(pick) + plain.a + size(three) + own.rank + sum(nested)
  let way = if b then { 1 } else { 9 }
  Ann chooses k in if b then { 1 } else { 9 }
  Ben chooses j in way where n in { if b then 1 else 0 }";
    let mut t = set_up(&around(items, play), &[]);
    assert_eq!((t.value("s"), t.value("x")), ("{5}".into(), "17".into()));
    t.play(&["9"]);
    assert_eq!(t.options(1), ["9"]);
}

/// The name of a value may be taken again within what follows an option, as after a choice of one value.
#[test]
fn an_option_may_take_the_name_of_the_one_around() {
    let mut t = table(
        STATE,
        "Ann chooses {
           take(k in 1..3) as \"{k}\" => {
             x = k
             Ben chooses { take(k in 4..6) as \"{k}\" => y = 10 * k + x   pass }
             x += k
           }
           pass
         }
         Ann chooses n in 1..2",
    );
    t.play(&["2"]);
    t.play(&["5"]);
    assert_eq!((t.value("x"), t.value("y")), ("4".into(), "52".into()));
}
