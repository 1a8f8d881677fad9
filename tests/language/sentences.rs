//! What the page on the language says in passing, sentence by sentence, as little games.

use crate::table::{set_up, table};

const STATE: &str = "  enum Suit { red, black }
  type Card = (rank: 1..3, suit: Suit)
  state { x : 0..9   y : 0..9   s : set of 1..9   t : set of 1..9   who : Player   c : Card   o : 1..3?   hand : [q: Player] set of Card seen by q }";

fn value(play: &str, name: &str) -> String {
    table(STATE, &format!("{play}   Ann chooses n in 1..2")).value(name)
}

/// `else { continue }` after a choice: whoever has nothing to choose is passed over.
#[test]
fn an_else_may_go_on_with_the_loop() {
    let mut t = table(
        STATE,
        "s = { 1 }
         each p in Player { p chooses n in s else { continue }   s -= n   x += n }
         repeat 2 times { Ann chooses n in s else { y = 5   break }   y = 7 }
         Ben chooses n in 1..2",
    );
    assert_eq!(t.options(0), ["1"]);
    t.play(&["1"]);
    assert_eq!((t.value("x"), t.value("y")), ("1".into(), "5".into()));
    assert_eq!(t.options(1), ["1", "2"]);
}

/// A draw that tells something on purpose says so.
#[test]
fn a_revealing_draw_may_tell() {
    let mut t = table(
        "  state { card : 1..3 seen by none   shown : 1..9 }",
        "draw c in 1..3 into card   draw d in { card, card + 3 } revealing into shown   Ann chooses n in 1..2",
    );
    t.play(&["2"]);
    assert_eq!(t.draws(), ["2", "5"]);
    t.play(&["5"]);
    assert_eq!((t.value("shown"), t.seen[0].len()), ("5".into(), 1));
}

#[test]
fn next_steps_around_any_finite_type() {
    assert_eq!(value("who = next(Ben, 1)", "who"), "Ann");
    assert_eq!(value("who = next(Ann, -3)", "who"), "Ben");
    assert_eq!(
        value("c = next((rank: 3, suit: black), 1)", "c"),
        "(1, red)"
    );
    assert_eq!(
        value("c = next((rank: 1, suit: red), -1)", "c"),
        "(3, black)"
    );
}

#[test]
fn sets_have_all_their_forms() {
    assert_eq!(
        value("s = { i + 1 for i in 1..5 where i mod 2 == 0 }", "s"),
        "{3, 5}"
    );
    assert_eq!(
        value("s = { 4, 9 }   s += { 1, 4 }   s -= 9", "s"),
        "{1, 4}"
    );
    assert_eq!(value("s = { 2, 5, 7 }   t = top(2, s)", "t"), "{5, 7}");
    assert_eq!(
        value(
            "s = argmax(i in 1..9) (if i in { 3, 4 } then 1 else 0)",
            "s"
        ),
        "{3, 4}"
    );
    assert_eq!(value("s = argmin(i in 1..9) abs(i - 4)", "s"), "{4}");
    assert_eq!(
        value("s = union(i in 1..2) { i, i + 3 }", "s"),
        "{1, 2, 4, 5}"
    );
    assert_eq!(value("s = { 3, 8 }   x = min(s)   y = max(s)", "x"), "3");
    assert_eq!(
        value("x = min(i in 4..6) (9 - i)   y = max(3, x, 2)", "y"),
        "3"
    );
    assert_eq!(
        value(
            "x = sum({ 1, 2, 4 })   y = count i in 1..9: i mod 3 == 0",
            "y"
        ),
        "3"
    );
    assert_eq!(
        value("s = all & { 2, 3 }   t = all - s - { 1 }", "t"),
        "{4, 5, 6, 7, 8, 9}"
    );
    // `in` asks whether a set is a part of another.
    assert_eq!(
        value(
            "if { 1 } in { 1, 2 } and not { 3 } in { 1, 2 } { x = 1 }",
            "x"
        ),
        "1"
    );
    assert_eq!(value("if no i in 1..3: i > 3 { x = 1 }", "x"), "1");
}

/// A product written out is of the type of what it stands beside, on either side.
#[test]
fn products_take_the_type_of_the_other_side() {
    let given = "hand[Ann] = { (rank: 2, suit: red) }   c = (rank: 2, suit: red)";
    for (fact, holds) in [
        ("c == (rank: 2, suit: red)", "1"),
        ("(rank: 3, suit: red) > c", "1"),
        ("c in { (rank: 1, suit: red), (rank: 3, suit: red) }", "0"),
        ("{ (rank: 2, suit: red) } == { c }", "1"),
        (
            "size(Card - (rank: 1, suit: red) - { (rank: 2, suit: red), c }) == 4",
            "1",
        ),
        ("size({ (rank: 1, suit: red) } + c) == 2", "1"),
        (
            "{ (rank: 1, suit: red) } + (rank: 3, suit: black) in Card",
            "1",
        ),
    ] {
        let play = format!("{given}   if {fact} {{ x = 1 }}");
        assert_eq!(value(&play, "x"), holds, "{fact}");
    }
    let t = table(
        &format!("{STATE}   state {{ top_ : Card? }}"),
        "if hand[Ann] == { (rank: 2, suit: red) } after { hand[Ann] += (rank: 2, suit: red) } { reveal(x to Ann) }
         if top_ == (rank: 2, suit: red) { x = 1 }   Ann chooses n in 1..2",
    );
    assert_eq!(t.value("x"), "0");
}

#[test]
fn products_compare_left_to_right() {
    let play = "if (rank: 1, suit: black) < (rank: 2, suit: red) { x = 1 }   c = max({ (rank: 2, suit: red), (rank: 1, suit: black) })";
    assert_eq!(
        (value(play, "x"), value(play, "c")),
        ("1".into(), "(2, red)".into())
    );
}

#[test]
fn optionals_are_narrowed() {
    assert_eq!(value("o = 2   if o != none { x = o + 1 }", "x"), "3");
    assert_eq!(
        value("o = 2   x = only(o)   y = if o == none then 1 else o", "y"),
        "2"
    );
}

#[test]
fn a_match_tells_its_arms_what_is_there() {
    let arms = "if x == 0 { o = 2 }   match o { none => x = 9  1 => x = 8  else => x = o + 1 }";
    assert_eq!(value(arms, "x"), "3");
    let arms = "if x == 0 { o = 3 }   x = match o { else => o  none => 9 }";
    assert_eq!(value(arms, "x"), "3");
    // What is stored since is not known.
    let wrong = crate::table::around(
        STATE,
        "match o { none => {}  else => { o = none   x = o } }   Ann chooses n in 1..2",
    );
    let Err(problems) = ruse::load(&wrong, &Default::default()) else {
        panic!("`o` is none");
    };
    assert_eq!(problems[0].code.0, "E0203");
}

#[test]
fn a_range_is_a_pattern() {
    let arms = "y = 4   match y { 0..3 => x = 1  4..5, 7 => x = 2  else => x = 3 }";
    assert_eq!(value(arms, "x"), "2");
    let arms = "if x == 0 { o = 3 }   x = match o { none => 4  1..2 => 5  3 => 6 }";
    assert_eq!(value(arms, "x"), "6");
}

#[test]
fn defs_may_use_let_and_match() {
    let items = format!(
        "{STATE}\n  def f(i: 0..9): 0..9 = let j = i div 2; match j {{ 0 => 9  1, 2 => j  else => 0 }}"
    );
    let t = table(&items, "x = f(5)   y = f(1)   Ann chooses n in 1..2");
    assert_eq!((t.value("x"), t.value("y")), ("2".into(), "9".into()));
}

#[test]
fn what_may_be_none_is_in_no_set() {
    assert_eq!(value("s = { 2 }   x = if o in s then 1 else 2", "x"), "2");
    assert_eq!(
        value("s = { 2 }   o = 2   if o in s { x = o + 1 }", "x"),
        "3"
    );
    assert_eq!(
        value("s = { 2 }   o = 3   if not (o in s) { x = 4 }", "x"),
        "4"
    );
    let items = format!("{STATE}\n  grid Board(3, 3)");
    let t = table(
        &items,
        "x = count d in Board: Board.step(d, north) in Board.top   Ann chooses n in 1..2",
    );
    assert_eq!(t.value("x"), "3");
}

#[test]
fn arms_take_ranges_and_know_what_is_there() {
    let arms = "match x { 0..3 => y = 1  4, 6..8 => y = 2  else => y = 3 }";
    for (x, y) in [
        (0, "1"),
        (3, "1"),
        (4, "2"),
        (5, "3"),
        (6, "2"),
        (8, "2"),
        (9, "3"),
    ] {
        assert_eq!(value(&format!("x = {x}   {arms}"), "y"), y);
    }
    assert_eq!(
        value("o = 2   match o { none => x = 9  else => x = o }", "x"),
        "2"
    );
    assert_eq!(
        value("o = 3   x = match o { none => 9  1..2 => 8  3 => o }", "x"),
        "3"
    );
    let suits = "y = match (rank: 2, suit: red).suit { red..black => 5 }";
    assert_eq!(value(suits, "y"), "5");
}

#[test]
fn arrays_have_greatest_places_and_start_as_others() {
    let items = "  enum Suit { red, black }
  const worth : [Suit] 0..9 = { red: 4, black: 7 }
  const both  : [Player][Suit] 0..9 = [p in Player] [s in Suit] if p == Ann then worth[s] else 1
  state { a : [Suit] 0..9 = worth   b : [Player][Suit] 0..9 = both   c : [Suit] 0..9 = both[Ann]
          d : [Player][Suit] 0..9 = [p in Player] worth   best : set of Suit   least : Suit   m : Suit }";
    let t = table(
        items,
        "best = argmax(a)   least = only(argmin(worth))   m = max(least, black)   Ann chooses n in 1..2",
    );
    let found = [
        "a[black]",
        "b[Ann][red]",
        "b[Ben][red]",
        "c[black]",
        "d[Ben][black]",
    ]
    .map(|name| t.value(name));
    assert_eq!(found, ["7", "4", "1", "7", "7"]);
    assert_eq!(
        (t.value("best"), t.value("least")),
        ("{black}".into(), "red".into())
    );
    assert_eq!(t.value("m"), "black");
}

/// Cards drawn at once and all different: everybody sees one's own.
#[test]
fn hands_may_be_drawn_at_once() {
    let mut t = table(
        "  state { card : [p: Player] 1..3 seen by p }",
        "draw each p in Player: c[p] in 1..3 into card[p] where c[Ann] != c[Ben]   Ann chooses n in 1..2",
    );
    assert_eq!(t.draws().len(), 6);
    t.play(&["3, 1"]);
    assert_eq!(t.seen[0][0].values.as_slice(), [0, 3]);
    assert_eq!(t.seen[1][0].values.as_slice(), [0, 1]);
}

/// Uniform over the tuples: a label with many arguments weighs more.
#[test]
fn labels_weigh_by_their_arguments() {
    let t = table(
        STATE,
        "Ann chooses { claim(i in 1..3, j in 1..3) where i != j   call   take }",
    );
    assert_eq!(t.options(0).len(), 8);
    for count in t.counts(0, 8_000) {
        assert!((850..1_150).contains(&count), "{count}");
    }
}

#[test]
fn draws_have_conditions_weights_and_texts() {
    let t = table(
        STATE,
        "draw a in 1..3, b in 1..3 where a < b weighted a as \"{a}+{b}\"",
    );
    assert_eq!(t.draws(), ["1+2", "1+3", "2+3 by 2"]);
}

#[test]
fn a_deal_is_one_event() {
    let mut t = table(
        STATE,
        "s = { 1, 2, 3 }   deal 2 from s to t   Ann chooses n in 1..2",
    );
    assert_eq!(t.draws(), ["{1, 2}", "{1, 3}", "{2, 3}"]);
    t.play(&["{1, 3}"]);
    assert_eq!(
        (t.value("s"), t.value("t")),
        ("{2}".into(), "{1, 3}".into())
    );
}

/// Turns look again each time at who is among them; the first one may not be.
#[test]
fn turns_go_to_the_next_member() {
    let mut t = set_up(
        "game Test { players { Ann, Ben, Cid }
           state { stay : set of Player = { Ann, Cid }   last : Player   n : 0..9 }
           play {
             turns me from Ben among stay while n < 4 at most 9 {
               me chooses { on  off => stay -= me }
               last = me   n += 1
             }
           }
           payoff general-sum: [p in Player] n }",
        &[],
    );
    t.play(&["on"]);
    assert_eq!(t.value("last"), "Cid");
    t.play(&["off"]);
    assert_eq!(
        (t.value("last"), t.value("stay")),
        ("Ann".into(), "{Cid}".into())
    );
    t.play(&["on"]).play(&["off"]);
    assert_eq!((t.value("last"), t.value("n")), ("Cid".into(), "4".into()));
    assert_eq!(t.machine.payoffs(&t.state).unwrap()[0], 4.0);
}

/// Every option reads the values from before a `together`; stores happen at its end.
#[test]
fn together_is_simultaneous() {
    let mut t = table(
        "  state { at : [Player] 0..9 = { Ann: 2, Ben: 5 } }",
        "together { Ann chooses n in { at[Ben] } into at[Ann]  Ben chooses n in { at[Ann] } into at[Ben] }
         Ann chooses n in 1..2",
    );
    t.play(&["5", "2"]);
    assert_eq!(
        (t.value("at[Ann]"), t.value("at[Ben]")),
        ("5".into(), "2".into())
    );
}

/// What is chosen together has its names afterwards, but for one that several arms use.
#[test]
fn names_of_a_together_stay_in_reach() {
    let mut t = table(
        "  state { x : 0..9   y : 0..9 }",
        "let n = 5
         each p in Player {
           together { Ann chooses a in 1..3 => x += 1   Ben chooses b in 1..3, c in { b } }
           if a == b { x = 9 } else { y = a + c }
         }
         Ann chooses a in 1..n",
    );
    t.play(&["1", "3, 3"]);
    assert_eq!((t.value("x"), t.value("y")), ("1".into(), "4".into()));
    t.play(&["2", "2, 2"]);
    assert_eq!((t.value("x"), t.value("y")), ("9".into(), "4".into()));
    assert_eq!(t.options(0).len(), 5);
}

/// A store over a set of indices.
#[test]
fn stores_over_indices() {
    let t = table(
        "  state { a : [1..4] 0..9 }",
        "a[{ 1, 3 }] = 7   a[all] += 1   Ann chooses n in 1..2",
    );
    let all: Vec<String> = (1..5).map(|i| t.value(&format!("a[{i}]"))).collect();
    assert_eq!(all, ["8", "1", "8", "1"]);
}

#[test]
fn payoffs_are_exact_numbers() {
    let mut t = set_up(
        "game Test { param komi : number = 7.5   players { Ann, Ben }   const prize : [Player] number = { Ann: 27.8, else: 1 }
           play { Ann chooses n in 1..2 }
           payoff general-sum: { Ann: prize[Ann] / 2 + 1 / 3  Ben: komi - 1 } }",
        &[],
    );
    t.play(&["1"]);
    assert_eq!(t.machine.payoff_denominator(), 30);
    // 13.9 + 1/3 = 427/30, and 6.5 = 195/30.
    assert_eq!(
        t.machine.payoff_units(&t.state).unwrap().as_slice(),
        [427, 195]
    );
}
