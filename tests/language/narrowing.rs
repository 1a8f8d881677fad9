//! Where a value that may be `none` is certainly there: after a test of the same value, until something that it is computed
//! from is stored.

use crate::table::{around, report, table};

const ITEMS: &str = "  enum Way { north, south }
  type Pair = (first: Player?, other: Player)
  const known  : Player? = Ann
  const absent : Player? = none
  const after_ : [Player] Player? = { Ann: Ben, Ben: none }
  const at     : [1..2][1..2] Way? = { 1: { 1: north, 2: none }, 2: { 1: none, 2: south } }
  state {
    turn  : Player
    k     : 1..2
    rival : [Player] Player?
    pair  : [Player] Pair
    way   : Way?
    chips : [Player] 0..9
    steps : [Way] 0..9
  }
  def two(p: Player, w: Way?): set of Way = if p == Ben and w != none then { w } else {}
  def worth(p: Player?): 0..9 = if p != none then chips[p] else 0
  rule unset(into place: Player?) { place = none }
  rule unset_twice(into place: Player?) { unset(place) }
  rule pay(p: Player?) { if p == none { chips[Ann] = 1 } else { chips[p] = 2 } }";

#[test]
fn a_test_narrows_whatever_is_tested() {
    for play in [
        // Constants and params, and what is bound to them.
        "if known != none { chips[known] = 3 }",
        "if absent != none { chips[absent] = 3 }",
        "let o = known  if o != none { chips[o] = 2 }",
        "match absent { none => {} else => chips[absent] = 3 }",
        "if absent != none and chips[absent] == 1 { }",
        "pay(Ann) pay(none) pay(rival[turn]) pay(known)",
        "chips[Ann] = worth(known)  chips[Ben] = worth(none)",
        // Entries of arrays of constants.
        "if after_[turn] != none { chips[after_[turn]] = 3 }",
        "if after_[Ben] != none { chips[after_[Ben]] = 3 }",
        "each p in Player where after_[p] != none { chips[after_[p]] = 2 }",
        "each p in Player { match after_[p] { none => {} else => chips[after_[p]] = 3 } }",
        "let s = { chips[after_[p]] for p in Player where after_[p] != none }",
        "if at[k, 2] != none { steps[at[k, 2]] = 1 }",
        // Elements at what does not change in between.
        "if rival[turn] != none { chips[rival[turn]] = 3  chips[Ann] = chips[rival[turn]] }",
        "if rival[next(turn)] != none { chips[rival[next(turn)]] = 3 }",
        "if rival[turn] != none and rival[rival[turn]] != none { chips[rival[rival[turn]]] = 3 }",
        "while rival[turn] != none at most 3 { chips[rival[turn]] = 2  turn = rival[turn] }",
        "rival[turn] = Ben  chips[rival[turn]] = 2",
        "if pair[turn].first != none { chips[pair[turn].first] = 1 }",
        // What is revealed is what it was.
        "rival[Ann] = reveal(turn)  chips[rival[Ann]] = 2",
        "if rival[turn] != none { way = reveal(north)  steps[way] = 1  rival[Ann] = reveal(rival[turn])  chips[rival[Ann]] = 1 }",
        "if reveal(rival[turn]) != none { chips[rival[turn]] = 1 }",
        // What was chosen or drawn is there.
        "draw p in Player into rival[turn]  chips[rival[turn]] = 1",
        "Ann chooses p in Player into rival[Ben] as \"{p}\"  chips[rival[Ben]] = 1  rival[Ben] chooses j in 1..3 as \"{k}!\"",
        "Ann chooses { go(w in Way into way) => steps[way] = 1  stay }",
        "draw p in Player into turn, q in Player into rival[Ben]  chips[rival[Ben]] = 1",
        // Nothing is wrong where play never comes.
        "let never = false  if never and way != none { steps[way] = 1 }",
        "chips[Ann] = size(two(Ann, way))  chips[Ben] = size(two(Ben, way))",
    ] {
        let text = around(ITEMS, &format!("{play}\n    Ann chooses n in 1..2"));
        if let Err(problems) = ruse::load(&text, &Default::default()) {
            panic!("{play}\n{}", report(&text, &problems));
        }
    }
}

#[test]
fn a_store_ends_what_was_known_of_all_that_is_computed_from_it() {
    for play in [
        "chips[rival[turn]] = 3",
        "if absent == none { chips[absent] = 3 }",
        "if rival[turn] != none { turn = Ann  chips[rival[turn]] = 3 }",
        "if rival[turn] != none { rival[Ben] = none  chips[rival[turn]] = 3 }",
        "if rival[turn] != none { Ann chooses p in Player into turn  chips[rival[turn]] = 3 }",
        "if after_[turn] != none { turn = next(turn)  chips[after_[turn]] = 3 }",
        "if after_[turn] != none { chips[after_[next(turn)]] = 3 }",
        "if at[k, 1] != none { steps[at[1, k]] = 1 }",
        "if rival[turn] != none { repeat 2 times { chips[rival[turn]] = 3  turn = next(turn) } }",
        "if rival[turn] != none { unset(rival[Ann])  chips[rival[turn]] = 3 }",
        "if rival[turn] != none { unset_twice(rival[Ann])  chips[rival[turn]] = 3 }",
        "if rival[turn] != none { repeat 2 times { chips[rival[turn]] = 3  unset(rival[Ann]) } }",
        // The store may change its own index.
        "if rival[turn] != none { rival[rival[turn]] = Ann  chips[rival[rival[turn]]] = 3 }",
        "if pair[turn].first != none { pair[Ann] = (first: none, other: Ann)  chips[pair[turn].first] = 1 }",
        "match known { none => {} else => chips[absent] = 3 }",
        "rival[Ann] = reveal(rival[Ben])  chips[rival[Ann]] = 3",
        "rival[Ann] = reveal(known)  rival[Ann] = reveal(absent)  chips[rival[Ann]] = 3",
        // What is stored with it may say where it is.
        "draw p in Player into rival[turn], q in Player into turn  chips[rival[turn]] = 1",
        "draw p in Player into rival[turn]  turn = Ann  chips[rival[turn]] = 1",
        "together { Ann chooses w in Way into way  Ben chooses { wait  take => steps[way] = 5 } }",
    ] {
        let text = around(ITEMS, &format!("{play}\n    Ann chooses n in 1..2"));
        let Err(problems) = ruse::load(&text, &Default::default()) else {
            panic!("{play}");
        };
        let codes: Vec<&str> = problems
            .iter()
            .filter(|d| d.is_error())
            .map(|d| d.code.0)
            .collect();
        assert_eq!(codes, ["E0203"], "{play}\n{}", report(&text, &problems));
    }
}

/// Everybody chooses before anything follows, and then it follows arm by arm: a `where` does not hold for longer than that.
#[test]
fn what_follows_from_one_arm_ends_what_the_where_of_another_tells() {
    let refused = [
        "together {
           Ann chooses { keep  drop => rival[Ann] = none }
           Ben chooses { wait  take where rival[Ann] != none => chips[rival[Ann]] = 5 }
         }",
        "together {
           Ben chooses { wait  take where rival[Ann] != none => chips[rival[Ann]] = 5 }
           Ann chooses { keep  drop => clear() }
         }",
        "together {
           Ann chooses w in Way into way
           Ben chooses { wait  take where way != none => steps[way] = 5 }
         }",
        "together each p in Player where way != none {
           p chooses { take => { steps[way] = 5  way = none } }
         }",
        "together each p in Player {
           p chooses { wait  take where way != none => { steps[way] = 5  way = none } }
         }",
        "together each p in Player where way != none {
           p chooses { take where false => way = none } else { steps[way] = 5 }
         }",
    ];
    let right = [
        "together {
           Ann chooses { keep  drop => chips[Ann] = 1 }
           Ben chooses { wait  take where rival[Ann] != none => chips[rival[Ann]] = 5 }
         }",
        "together each p in Player where rival[p] != none {
           p chooses { wait  take where way != none => { chips[rival[p]] = 5  steps[way] = 5 } }
         }",
        "together each p in Player where way != none {
           p chooses { wait  take where steps[way] < 5 => { if way != none { steps[way] = 5 }  way = none } }
         }",
    ];
    let items = format!("{ITEMS}\n  rule clear() {{ rival[Ann] = none }}");
    for (plays, expected) in [(&refused[..], Some("E0203")), (&right[..], None)] {
        for play in plays {
            let text = around(&items, &format!("{play}\n    Ann chooses n in 1..2"));
            let problems = ruse::load(&text, &Default::default()).err();
            let problems = problems.unwrap_or_default();
            let code = problems.iter().find(|d| d.is_error()).map(|d| d.code.0);
            assert_eq!(code, expected, "{play}\n{}", report(&text, &problems));
        }
    }
}

/// Asserts that each of some rules is wrong with these codes alone.
fn expect(items: &str, codes: &[&str], plays: &[&str]) {
    for play in plays {
        assert_eq!(errors(items, play), codes, "{play}");
    }
}

/// The codes of what is wrong with some rules.
fn errors(items: &str, play: &str) -> Vec<&'static str> {
    let text = around(items, &format!("{play}\n    Ann chooses k in 1..2"));
    let found = ruse::load(&text, &Default::default()).err();
    let found = found.into_iter().flatten();
    let errors = found.filter(ruse::Diagnostic::is_error);
    errors.map(|d| d.code.0).collect()
}

#[test]
fn none_is_an_element_beside_values() {
    let mut t = table(
        ITEMS,
        "    Ann chooses w in { none, north } into way
    if way in { none, south } { chips[Ann] = 4 }
    Ben chooses w in { none } + Way into way
    match way { none => {}  else => steps[way] = 5 }",
    );
    assert_eq!(t.options(0), ["none", "north"]);
    t.play(&["none"]);
    assert_eq!(t.value("chips[Ann]"), "4");
    assert_eq!(t.options(1), ["none", "north", "south"]);
    t.play(&["south"]);
    assert_eq!(t.value("steps[south]"), "5");
}

#[test]
fn what_a_set_cannot_have_is_not_in_it() {
    let t = table(
        "  state { o : 1..3?   n : 0..9 = 7   hit : [1..6] bool }",
        "    hit[1] = o in { none, 2 }
    o = 3
    hit[2] = o in { none, 2 }
    hit[3] = o not in { none, 2 }
    hit[4] = n in { none, 2 }
    n = 2
    hit[5] = n in { none, 2 }
    Ann chooses k in 1..2",
    );
    let hits = (1..=6).map(|i| t.value(&format!("hit[{i}]")));
    let hits: Vec<String> = hits.collect();
    assert_eq!(hits, ["true", "false", "true", "false", "true", "false"]);
}

/// At an element of a set the set is not empty, as long as nothing is stored to it.
#[test]
fn a_set_with_an_element_is_not_empty() {
    let items = "  state { live : set of 1..3 = all  hand : [Player] set of 1..4  n : 0..99 }
  def low = { c for c in live where c < 3 }
  def of(p: Player, k: 1..4) = { c for c in hand[p] where c > k }
  def rich = argmax(p in Player where hand[p] != {}) size(hand[p])
  def most = argmax(p in Player) size(hand[p])";
    let right = [
        "each c in live { n = 9 div size(live) }",
        "each p in Player, c in hand[p] { n = 9 div size(hand[p]) }",
        "each c in live where c > 1 { n = c div size(live) }",
        "n = sum(c in live) (9 div size(live))",
        "let few = { 4 div size(live) for c in live }",
        "n = count c in live: c > 4 div size(live)",
        "if low != {} { n = 9 div size(low) }",
        "if low == {} { end }  n = 9 div size(low)",
        "if of(Ben, 2) != {} { n = 9 div size(of(Ben, 2)) }",
        "each p in rich { n = 9 div size(rich) }",
        "n = sum(p in Player) if p in rich then 6 div size(rich) else 0",
        "n = 9 div size(most)",
        "n = 9 div size(if n > 2 then most else Player - Ann)",
        "n = 9 div size({ p for p in most })",
        "let best = most  hand[Ann] = {}  n = 9 div size(best)",
        "n = (let best = most; 6 div size(best))",
        "if live != {} { let old = live  live = {}  n = 9 div size(old) }",
        "live = { 3 }  n = 9 div size(live)",
        "hand[Ann] += n  n = 9 div size(hand[Ann])",
        "repeat 2 times { live += 1..2  n = 9 div size(live)  live = {} }",
        "if live & (2..3) != {} { n = 9 div size(live & (2..3)) }",
    ];
    expect(items, &[], &right);
    let wrong = [
        "each c in live { live -= c  n = 9 div size(live) }",
        "each c in live { n = 9 div size(live)  live = {} }",
        "each c in live { n = 9 div size(live)  live -= c }",
        "each c in live { }  n = 9 div size(live)",
        "each c in live - 1 { n = 9 div size(live - 2) }",
        "each c in live { n = 9 div size(hand[Ann]) }",
        "each p in Player, c in hand[p] { n = 9 div size(hand[p])  hand[Ben] -= c }",
        "n = 9 div size({ c for c in live where c > 1 })",
        "if low != {} { live -= 1  n = 9 div size(low) }",
        "if low != {} { hand[Ben] = low  n = 9 div size(low) }  n = 9 div size(low)",
        "if of(Ben, 2) != {} { n = 9 div size(of(Ben, 3)) }",
        "if of(Ben, 2) != {} { n = 9 div size(of(Ann, 2)) }",
        "if of(Ben, 2) != {} { hand[Ann] = {}  n = 9 div size(of(Ben, 2)) }",
        "each p in rich { n = 9 div size(rich)  hand[p] = {} }",
        "n = 9 div size(rich)",
        "let best = rich  n = 9 div size(best)",
        "live = { 3 }  live -= 2  n = 9 div size(live)",
        "hand[Ann] += n  n = 9 div size(hand[Ben])",
        "hand[Ann] += live  n = 9 div size(hand[Ann])",
        "hand[if n > 2 then Ann else Ben] += 1  n = 9 div size(hand[Ann])",
        "repeat 2 times { n = 9 div size(live)  live = { 3 } }",
        "if n > 2 { live = { 3 } }  n = 9 div size(live)",
        "n = 9 div size(if n > 2 then most else rich)",
        "if live & (2..3) != {} { n = 9 div size(live & (1..3)) }",
        "together each p in Player { p chooses { take => { n = 9 div size(live)  live -= 1 } } }",
    ];
    expect(items, &["E0209"], &wrong);
}

/// Where a range can have no element, what is said of its elements is said of none, and need not fit.
#[test]
fn a_range_that_ends_before_it_begins_has_no_element() {
    let game = |play: &str| {
        format!(
            "game Tails {{
  param m : 2..9 = 2
  players {{ Ann, Ben }}
  state {{ n : 0..m   seq : [1..m] 0..9   total : 0..99 }}
  def tail(k: 1..m): 0..99 = sum(i in 1..k) seq[i]
  play {{ Ann chooses x in 1..m into n   {play}   Ben chooses y in 0..1 }}
  payoff zero-sum: [p in Player] 0
}}"
        )
    };
    for play in [
        "total = count k in 3..n: tail(k) == 1",
        "total = sum(k in n + 3..m) tail(k)",
        "each k in 3..n { seq[k] = 1 }",
        "if some k in 3..n: seq[k] == 2 { total = 1 }",
    ] {
        let problems = ruse::load(&game(play), &Default::default()).err();
        assert!(problems.is_none(), "{play}: {problems:?}");
    }
    for play in [
        "total = count k in 2..n: tail(k + 1) == 1",
        "total = tail(3)",
    ] {
        let problems = ruse::load(&game(play), &Default::default()).err();
        let codes: Vec<_> = problems.iter().flatten().map(|d| d.code.0).collect();
        assert_eq!(codes, ["E0204"], "{play}");
    }
}

/// What a def gives is known not to be `none` where that was asked, until something is stored to what it reads.
#[test]
fn what_a_def_gives_is_asked_once() {
    let items = "  state { live : set of 1..3 = all  way : 1..3  n : 0..99 }
  def smallest = if live == {} then none else min(live)
  def over(k: 1..3) = let s = { c for c in live where c > k }; if s == {} then none else min(s)";
    let right = [
        "if smallest != none { way = smallest  n = smallest + 4  live -= smallest }",
        "if smallest == none { end }  n = smallest",
        "if over(2) != none and over(2) > 1 { way = over(2) }",
        "n = if smallest == none then 0 else smallest",
        "match smallest { none => n = 1  else => n = smallest }",
    ];
    expect(items, &[], &right);
    let wrong = [
        "way = smallest",
        "if smallest != none { live -= 1  way = smallest }",
        "if over(2) != none { way = over(1) }",
        "if over(2) != none { way = smallest }",
    ];
    expect(items, &["E0203"], &wrong);
}

/// A fraction is never `none`, whatever it is compared with.
#[test]
fn no_fraction_is_optional() {
    let items = "  state { n : 0..20 = 7   flag : bool   v : 0..9 }";
    let wrong = [
        "if n / 2 == (if flag then none else n) { v = 1 }",
        "if (if flag then none else n) == n / 2 { v = 1 }",
        "if n == (if flag then none else n / 2) { v = 1 }",
        "if (if flag then none else n / 2) == n { v = 1 }",
        "if 7 == (if flag then none else 3.5) { v = 1 }",
        "if n / 2 == (if flag then none else n / 4) { v = 1 }",
        "if (if flag then none else 1.5) == (if flag then none else 3) { v = 1 }",
        "if (let x: number = n / 2; x == (if flag then none else n)) { v = 1 }",
        "if n / 2 in { none, 7 } { v = 1 }",
        "if (match n { 1 => none  else => n / 2 }) == 7 { v = 1 }",
    ];
    expect(items, &["E0201"], &wrong);
    let right = [
        "if n == (if flag then none else n div 2) { v = 1 }",
        "if (if flag then none else n) in 7..8 { v = 1 }",
        "if (if flag then none else n) in { none, 8 } { v = 1 }",
    ];
    expect(items, &[], &right);
}
