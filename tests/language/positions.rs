//! Params that are sets, optionals, products and cells, and arrays over a board as rows of text.

use crate::table::{report, set_up};
use ruse::internal::check::Settings;

const GAME: &str = "game Settings {
  param steps : set of 1..6 = { 1, 3 }
  param trump : Suit? = none
  param top   : Card = (rank: 2, suit: clubs)
  param goal  : Board = c2
  param hands : [Player] set of Suit = { Ann: { clubs }, else: {} }
  param start : [Board] Man? = {
    \"k.K\"
    \".2\"
    \"P1p\"
  }
  param given : [Comb] 0..4 = \"012/3 4 0/000\"
  players { Ann, Ben }
  enum Suit { clubs, hearts }
  enum Man { white_king \"K\", black_king \"k\", white_pawn \"P\", black_pawn \"p\" }
  type Card = (rank: 1..3, suit: Suit) as \"{rank}{suit}\"
  grid Board(3, 3)
  hex Comb(3)
  const other : [Board] bool = { \"true falsetrue\" \"false false true\" \"truetruetrue\" }
  state {
    men  : [Board] Man? = start
    kept : [Board] Man?
    s    : set of 1..6 = steps
    t    : Suit? = trump
    c    : Card = top
    at   : Board = goal
    held : [p: Player] set of Suit = hands
    sum  : 0..99 = sum(k in Comb) given[k]
  }
  play {
    kept = { \"...\" \"k1p\" \"3\" }
    Ann chooses n in steps
  }
  payoff general-sum: [p in Player] 0
}";

fn params(given: &[(&str, &str)]) -> Vec<(String, String)> {
    let t = set_up(GAME, given);
    let params = t.machine.description().params.iter();
    params.map(|(k, v)| (k.clone(), v.clone())).collect()
}

#[test]
fn rows_lie_as_the_board_is_drawn() {
    let t = set_up(GAME, &[]);
    let values = [
        "men[a3]", "men[c3]", "men[b2]", "men[a1]", "men[c1]", "kept[a2]", "kept[c2]", "kept[c3]",
    ];
    let found = values.map(|name| t.value(name));
    assert_eq!(found, ["k", "K", "none", "P", "p", "k", "p", "none"]);
    assert_eq!(t.value("sum"), "10");
    let values = ["s", "t", "c", "at", "held[Ann]", "held[Ben]"].map(|name| t.value(name));
    assert_eq!(values, ["{1, 3}", "none", "2clubs", "c2", "{clubs}", "{}"]);
}

/// What params print as means the same again: records are replayed by it.
#[test]
fn params_of_all_types_are_given_and_printed() {
    let found = params(&[]);
    let printed: Vec<String> = found.iter().map(|(k, v)| format!("{k} = {v}")).collect();
    assert_eq!(
        printed,
        [
            "steps = { 1, 3 }",
            "trump = none",
            "top = (rank: 2, suit: clubs)",
            "goal = c2",
            "hands = { Ann: { clubs }, Ben: {} }",
            "start = k1K/3/P1p",
            "given = 012/340/000",
        ]
    );
    for given in [
        &[][..],
        &[
            ("steps", "{ 2, 4..6 }"),
            ("trump", "hearts"),
            ("top", "(suit: hearts, rank: 3)"),
        ],
        &[
            ("steps", "all"),
            ("goal", "a1"),
            ("hands[Ben]", "all"),
            ("start", "3/1k1/2K"),
        ],
        &[
            ("start", "none"),
            ("start[b1]", "white_pawn"),
            ("given", "1"),
            ("hands", "{ hearts }"),
        ],
        &[
            ("start", "{ a1: white_king, else: none }"),
            ("given", "123/123/123"),
        ],
    ] {
        let first = params(given);
        let again: Vec<(&str, &str)> = first
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        assert_eq!(params(&again), first, "{given:?}");
    }
    let t = set_up(GAME, &[("start", "3/1k1/2K"), ("steps", "{ 2, 4..6 }")]);
    let values = ["men[b2]", "men[c1]", "men[a3]", "s"].map(|name| t.value(name));
    assert_eq!(values, ["k", "K", "none", "{2, 4, 5, 6}"]);
    let t = set_up(GAME, &[("start", "none"), ("start[b1]", "white_pawn")]);
    assert_eq!([t.value("men[b1]"), t.value("men[c3]")], ["P", "none"]);
}

#[test]
fn wrong_values_are_named() {
    for (key, value, message, hint) in [
        (
            "steps",
            "{ 1, 9 }",
            "`steps` cannot be { 1, 9 }",
            "it is a set such as { 1 }, {} or all",
        ),
        (
            "trump",
            "spades",
            "`trump` cannot be spades",
            "it is none, or one of clubs, hearts",
        ),
        (
            "top",
            "(rank: 3)",
            "`top` cannot be (rank: 3)",
            "it is a value such as (rank: 1, suit: clubs)",
        ),
        ("goal", "d4", "`goal` cannot be d4", "it is one of a1, b1"),
        (
            "start",
            "3/3",
            "`start`: here are 2 rows",
            "the board has 3; the top one comes first",
        ),
        (
            "start",
            "3/4/3",
            "`start`: this row has 4 cells",
            "the board has 3 columns",
        ),
        (
            "start",
            "3/4096 2 4096 k/3",
            "`start`: this row has 8195 cells",
            "the board has 3 columns",
        ),
        (
            "start",
            "3/3/3/3/k2",
            "`start`: here are 5 rows",
            "the board has 3; the top one comes first",
        ),
        (
            "start",
            "3/1q1/3",
            "`start`: `q` is no value of `Man?`",
            "a cell is one of",
        ),
        (
            "given",
            "012/345/000",
            "`given`: `5` is no value of `0..4`",
            "a cell is one of",
        ),
    ] {
        let settings = Settings::from([(key.to_string(), value.to_string())]);
        let problems = ruse::load(GAME, &settings).expect_err(key);
        let told = report(GAME, &problems);
        assert_eq!(problems[0].code.0, "E0302", "{told}");
        assert_eq!(problems[0].message, message, "{told}");
        assert!(told.contains(hint), "{told}");
    }
}

/// What is beyond the board is counted, not kept: these rows would fill more memory than there is.
#[test]
fn long_rows_are_short_work() {
    for (value, message) in [
        (
            "4096 ".repeat(200_000),
            "`start`: this row has 819200000 cells",
        ),
        ("3/".repeat(500_000) + "3", "`start`: here are 500001 rows"),
    ] {
        let settings = Settings::from([("start".to_string(), value)]);
        let problems = ruse::load(GAME, &settings).expect_err(message);
        assert_eq!(problems[0].message, message);
    }
}

#[test]
fn wrong_rows_are_refused() {
    for (from, to, code) in [
        ("\"k.K\"", "\"k.K.\"", "E0311"),
        ("\".2\"", "\".q1\"", "E0311"),
        ("\"P1p\"", "", "E0311"),
        ("trump : Suit? = none", "trump : Suit? = { \"x\" }", "E0201"),
        ("{ Ann: { clubs }, else: {} }", "{ \"ab\" }", "E0201"),
        (
            "steps : set of 1..6 = { 1, 3 }",
            "steps : set of 1..6 = { 1, 7 }",
            "E0204",
        ),
        ("n in steps", "n in { \"12\" }", "E0201"),
    ] {
        let text = GAME.replacen(from, to, 1);
        let problems = ruse::load(&text, &Settings::new()).expect_err(to);
        assert_eq!(problems[0].code.0, code, "{}", report(&text, &problems));
    }
}

#[test]
fn rows_are_set_the_usual_way() {
    let set = ruse::internal::syntax::format::format;
    for (untidy, tidy) in [
        ("{\"tt\" \"tt\"}", "{ \"tt\"  \"tt\" }"),
        ("{ \"tt/tt\"}", "{ \"tt/tt\" }"),
        ("{\n\"tt\"\n  \"tt\" }", "{\n    \"tt\"\n    \"tt\"\n  }"),
    ] {
        let tidy = format!("game G {{\n  const a : [Board] bool = {tidy}\n}}\n");
        let untidy = format!("game G {{ const a : [Board] bool = {untidy} }}");
        for text in [&untidy, &tidy] {
            let found = set(text);
            assert!(found.as_ref() == Ok(&tidy), "{text}\n{found:?}");
        }
    }
}
