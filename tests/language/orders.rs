//! The order of sets: by the greatest element that only one of two has.

use crate::table::{around, report, set_up, table};
use ruse::internal::check::Settings;

/// Whether a fact about `s`, `t` and `u` holds, for sets in 1..last.
fn holds(last: u32, s: &str, t: &str, fact: &str) -> bool {
    let items =
        format!("  state {{ s : set of 1..{last} = {s}   t : set of 1..{last} = {t}   x : 0..1 }}");
    let table = table(
        &items,
        &format!("if {fact} {{ x = 1 }}   Ann chooses n in 1..2"),
    );
    table.value("x") == "1"
}

/// From the least to the greatest, in a word, in all 64 bits of one, and in more.
#[test]
fn the_greatest_element_that_differs_decides() {
    for (last, a, b, c) in [
        (9, 1, 5, 9),
        (64, 1, 63, 64),
        (70, 1, 64, 70),
        (200, 2, 65, 200),
    ] {
        let ascending = [
            "{}".to_string(),
            format!("{{ {a} }}"),
            format!("{{ {b} }}"),
            format!("{{ {a}, {b} }}"),
            format!("{{ {c} }}"),
            format!("{{ {a}, {c} }}"),
            format!("{{ {b}, {c} }}"),
            "all".to_string(),
        ];
        for (i, s) in ascending.iter().enumerate() {
            for (j, t) in ascending.iter().enumerate() {
                let expected = [
                    ("s < t", i < j),
                    ("s <= t", i <= j),
                    ("s > t", i > j),
                    ("s >= t", i >= j),
                    ("min(s, t) == s", i <= j),
                    ("max(t, s) == s", i >= j),
                    (
                        "argmin(k in { 1, 2 }) (if k == 1 then s else t) == { 1 }",
                        i < j,
                    ),
                    (
                        "argmax(k in { 1, 2 }) (if k == 1 then s else t) == { 1, 2 }",
                        i == j,
                    ),
                ];
                for (fact, truth) in expected {
                    assert_eq!(holds(last, s, t, fact), truth, "1..{last}: {s} {t} {fact}");
                }
            }
        }
    }
}

/// A part comes before the whole, and `in` asks for a part whatever the order says.
#[test]
fn parts_are_asked_for_with_in() {
    for (s, t, part) in [
        ("{}", "{}", true),
        ("{ 1, 70 }", "{ 1, 2, 70 }", true),
        ("{ 1, 3 }", "{ 1, 2, 70 }", false),
        ("{ 70 }", "{ 69 }", false),
    ] {
        assert_eq!(holds(70, s, t, "s in t"), part, "{s} {t}");
        assert!(!part || holds(70, s, t, "s <= t"), "{s} {t}");
    }
    assert!(holds(
        70,
        "{ 5 }",
        "{ 5, 7 }",
        "{ 5, 7 } in t and {} in t and s + 7 in t"
    ));
    assert!(holds(
        70,
        "{ 5 }",
        "{ 5, 7 }",
        "not { 5, 6 } in t and not all in s"
    ));
}

/// The higher hand wins, as high cards do at poker; equal ranks of all cards share.
const SHOWDOWN: &str = "game Showdown {
  players { Ann, Ben, Cid }
  type Card = (rank: 1..13, suit: enum { spades, hearts })
  state { hand : [Player] set of Card   winners : set of Player   best : set of 1..13 }
  def ranks(p: Player): set of 1..13 = { c.rank for c in hand[p] }
  play {
    each p in Player { p chooses cards in subsets(Card, 2) into hand[p] }
    winners = argmax(p in Player) ranks(p)
    best = max(p in Player) ranks(p)
    Ann chooses w in winners, b in best
  }
  payoff constant-sum 1: share([p in Player] ranks(p))
}";

#[test]
fn hands_compare_by_their_highest_cards() {
    let dealt = |last: &str| {
        let mut t = set_up(SHOWDOWN, &[]);
        for hand in [
            "{(2, spades), (13, spades)}",
            "{(11, spades), (12, spades)}",
            last,
        ] {
            t.play(&[hand]);
        }
        t
    };
    let t = dealt("{(3, spades), (13, hearts)}");
    assert_eq!(t.options(0), ["Cid, 3", "Cid, 13"]);
    let mut t = dealt("{(2, hearts), (13, hearts)}");
    assert_eq!(t.options(0), ["Ann, 2", "Ann, 13", "Cid, 2", "Cid, 13"]);
    t.play(&["Ann, 2"]);
    let payoffs = t.machine.payoffs(&t.state).expect("the end");
    assert_eq!(payoffs.as_slice(), [0.5, 0.0, 0.5]);
}

/// Arrays of sets have a least and a greatest too.
#[test]
fn arrays_of_sets_have_extremes() {
    let t = table(
        "  state { a : [1..3] set of 1..9 = { 1: { 2, 4 }, 2: { 5 }, 3: { 1, 5 } }   s : set of 1..9   t : set of 1..9   at : set of 1..3 }",
        "s = min(a)   t = max(a)   at = argmin(a)   Ann chooses n in 1..2",
    );
    let found = (t.value("s"), t.value("t"), t.value("at"));
    assert_eq!(found, ("{2, 4}".into(), "{1, 5}".into(), "{1}".into()));
}

/// Subsets are listed in the order of sets, size by size.
#[test]
fn options_list_subsets_in_order() {
    let t = table("", "Ann chooses s in subsets({ 1, 2, 3, 4 }, 2)");
    assert_eq!(
        t.options(0),
        ["{1, 2}", "{1, 3}", "{2, 3}", "{1, 4}", "{2, 4}", "{3, 4}"]
    );
    let t = table(
        "",
        "Ann chooses k in 1..2, s in subsets(1..3, k) as \"{s}\"",
    );
    assert_eq!(
        t.options(0),
        ["{1}", "{2}", "{3}", "{1, 2}", "{1, 3}", "{2, 3}"]
    );
}

/// A set does not compare with an element, and sets of different things not at all.
#[test]
fn only_sets_of_one_kind_compare() {
    for fact in ["s < 3", "s <= Player", "Player in s", "max(s, 3) == s"] {
        let text = around(
            "  state { s : set of 1..9 }",
            &format!("if {fact} {{ end }}   Ann chooses n in 1..2"),
        );
        let problems = ruse::load(&text, &Settings::new()).expect_err(fact);
        assert_eq!(problems.len(), 1, "{}", report(&text, &problems));
        assert_eq!(problems[0].code.0, "E0201", "{fact}");
        let message = "these two are of different types";
        assert_eq!(problems[0].message, message, "{fact}");
    }
}
