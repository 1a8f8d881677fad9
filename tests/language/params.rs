//! Params that are tables: by default, from outside, in variants, and as text that can be given again.

use crate::table::{report, set_up};
use ruse::internal::check::Settings;

const SHOP: &str = "game Shop {
  param fares : 2..3 = 3
  param price : [fare: Fare][1..2] 0..9 = { taxi: { 1: 4, else: 6 }, else: 2 }
  param share : [Kind] number = [k in Kind] 1 / (1 + k.size)
  param opens : [Player] enum { early, late } = late
  players { Ann, Ben }
  enum Fare fares of { taxi, bus, boat }
  type Kind = (size: 1..2, wet: bool)
  state { paid : 0..9   most : 0..9   first : set of Player }
  play {
    paid = price[bus, 2]
    most = max(f in Fare) max(price[f])
    first = { p for p in Player where opens[p] == early }
    Ann chooses n in 1..price[taxi, 1]
  }
  payoff general-sum: [p in Player] share[(size: 2, wet: true)] * paid
}";

fn settings(given: &[(&str, &str)]) -> Settings {
    given
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect()
}

/// The params as text, the values of the state, and the payoff of Ann.
fn shop(given: &[(&str, &str)]) -> (Vec<String>, [String; 3], f64) {
    let mut t = set_up(SHOP, given);
    let params = &t.machine.description().params;
    let params = params.iter().map(|(k, v)| format!("{k} = {v}")).collect();
    let values = [t.value("paid"), t.value("most"), t.value("first")];
    t.play(&["1"]);
    let payoff = t.machine.payoffs(&t.state).expect("the end")[0];
    (params, values, payoff)
}

#[test]
fn a_param_may_be_a_table() {
    let (params, values, payoff) = shop(&[]);
    assert_eq!(
        params,
        [
            "fares = 3",
            "price = { taxi: { 1: 4, 2: 6 }, else: 2 }",
            "share = { (size: 1, wet: false): 1/2, (size: 1, wet: true): 1/2, else: 1/3 }",
            "opens = late",
        ]
    );
    assert_eq!(values, ["2", "6", "{}"]);
    assert!((payoff - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn a_table_is_given_whole_or_by_entries() {
    let (params, values, payoff) = shop(&[
        // The order does not count: what is said of more entries comes first.
        ("price[bus][2]", "9"),
        ("price", "{ boat: 1, else: { 1: 3, 2: 5 } }"),
        ("price[boat]", "{ 2: 8, else: 0 }"),
        ("share", "1/8"),
        ("share[(size:2,wet:true)]", "0.25"),
        ("opens[Ben]", "early"),
    ]);
    assert_eq!(
        params,
        [
            "fares = 3",
            "price = { taxi: { 1: 3, 2: 5 }, bus: { 1: 3, 2: 9 }, boat: { 1: 0, 2: 8 } }",
            "share = { (size: 2, wet: true): 1/4, else: 1/8 }",
            "opens = { Ann: late, Ben: early }",
        ]
    );
    assert_eq!(values, ["9", "9", "{Ben}"]);
    assert!((payoff - 9.0 / 4.0).abs() < 1e-12);
}

/// What a table prints as means the same table: records are replayed by it.
#[test]
fn the_text_of_a_table_can_be_given_again() {
    for given in [
        &[][..],
        &[("price", "3"), ("share", "0.125")],
        &[
            ("fares", "2"),
            ("price", "{ bus: { 2: 7, 1: 0 }, taxi: 1, }"),
            ("opens[Ann]", "early"),
        ],
        &[
            ("share[(size: 1, wet: true)]", "15/4"),
            ("price[boat, 2]", "0"),
        ],
    ] {
        let first = shop(given);
        let again: Vec<(&str, &str)> = first.0.iter().filter_map(|p| p.split_once(" = ")).collect();
        assert_eq!(shop(&again), first, "{given:?}");
    }
}

#[test]
fn a_variant_gives_tables_too() {
    let variant = "game Ferry extends \"shop.game\" {
      param price = { boat: 5, else: { 1: 1, else: 0 } }
      param opens : [Player] enum { early, late, never } = { Ann: early, Ben: never }
    }";
    let loader = |_: &str, path: &str| Ok((path.to_string(), SHOP.to_string()));
    let given = settings(&[("price[bus]", "4")]);
    let (loaded, _) = ruse::load_with("ferry.game", variant, &given, &loader);
    let (machine, _) = loaded.expect("a game");
    let params = &machine.description().params;
    assert_eq!(params["price"], "{ taxi: { 1: 1, 2: 0 }, bus: 4, boat: 5 }");
    assert_eq!(params["opens"], "{ Ann: early, Ben: never }");
}

/// Param, value, code, message and hint.
const WRONG_ENTRIES: [[&str; 5]; 18] = [
    [
        "price",
        "10",
        "E0302",
        "`price` cannot be 10",
        "it is an integer in 0..9",
    ],
    [
        "price[taxi, 1]",
        "x",
        "E0302",
        "`price[taxi, 1]` cannot be x",
        "it is an integer in 0..9",
    ],
    [
        "price",
        "{ else: { 2: 10, else: 1 } }",
        "E0302",
        "`price[taxi, 2]` cannot be 10",
        "it is an integer in 0..9",
    ],
    [
        "price",
        "{ 1, 2 }",
        "E0302",
        "`1` is no entry of `price`",
        "an entry is its index and its value: `{ 1: 0.5, else: 0 }`",
    ],
    [
        "price[taxi][3]",
        "1",
        "E0302",
        "`price[taxi]` has no entry `3`",
        "its entries are 1..2",
    ],
    [
        "price[taxi][1",
        "1",
        "E0301",
        "the game has no param `price[taxi][1`, and a value was given for it",
        "its params are",
    ],
    [
        "price[tax]",
        "1",
        "E0302",
        "`price` has no entry `tax`",
        "did you mean `taxi`?",
    ],
    [
        "price[taxi, 3]",
        "1",
        "E0302",
        "`price[taxi]` has no entry `3`",
        "its entries are 1..2",
    ],
    [
        "price[taxi, 1, 1]",
        "1",
        "E0302",
        "`price` has 2 indices, and here are 3",
        "for example: price[taxi, 1]",
    ],
    [
        "price",
        "{ taxi: 1, bus: 2 }",
        "E0302",
        "`price[boat]` is given no value",
        "give a value for the others, `else: …`, or set single entries: `--set 'price[boat]=…'`",
    ],
    [
        "price",
        "{ taxi: 1, taxi: 2, else: 3 }",
        "E0302",
        "`price[taxi]` is given two values",
        "leave one of them out",
    ],
    [
        "price",
        "{ else: 1, else: 3 }",
        "E0302",
        "`price, else` is given two values",
        "leave one of them out",
    ],
    [
        "price",
        "{ else: { 1: { 1: 1 }, else: 3 } }",
        "E0302",
        "`price[taxi, 1]` cannot be { 1: 1 }",
        "it is an integer in 0..9",
    ],
    [
        "fares[1]",
        "2",
        "E0302",
        "`fares` is one value, and `fares[1]` is an entry of a table",
        "leave out what is in the brackets: `--set fares=…`",
    ],
    [
        "prise[taxi]",
        "2",
        "E0301",
        "the game has no param `prise`, and a value was given for it",
        "did you mean `price`?",
    ],
    [
        "price[taxi",
        "2",
        "E0301",
        "the game has no param `price[taxi`, and a value was given for it",
        "its params are fares, price, share, opens",
    ],
    [
        "opens",
        "{ Ann: early, Ben: noon }",
        "E0302",
        "`opens[Ben]` cannot be noon",
        "it is one of early, late",
    ],
    [
        "share",
        "{ else: many }",
        "E0302",
        "`share[(size: 1, wet: false)]` cannot be many",
        "it is a number such as 7.5",
    ],
];

/// What is wrong with a value from outside is told in terms of the table.
#[test]
fn wrong_entries_are_named() {
    for [key, value, code, message, hint] in WRONG_ENTRIES {
        let problems = ruse::load(SHOP, &settings(&[(key, value)])).expect_err(key);
        assert_eq!(problems[0].code.0, code, "{key}={value}");
        assert_eq!(problems[0].message, message, "{key}={value}");
        let told = report(SHOP, &problems);
        assert!(told.contains(hint), "{key}={value}: {told}");
    }
}

/// However they are written.
#[test]
fn two_values_for_one_entry_are_refused() {
    let text = "game T { param a : [1..2][1..2] 0..9 = 1 players { Ann } play { Ann chooses n in 1..2 } \
        payoff general-sum: [p in Player] a[1, 2] }";
    let given = |list: &[(&str, &str)]| {
        let pairs = list.iter();
        let settings = pairs.map(|(k, v)| (k.to_string(), v.to_string())).collect();
        ruse::load(text, &settings)
            .err()
            .map(|p| p[0].message.clone())
    };
    assert_eq!(
        given(&[("a[1][2]", "3"), ("a[1, 1]", "4"), ("a[1]", "5")]),
        None
    );
    assert_eq!(
        given(&[("a[1][2]", "3"), ("a[1, 2]", "4")]).as_deref(),
        Some("`a[1, 2]` is given two values")
    );
}

/// A default that does not fit, that leaves an entry out, or that is no table of single values.
#[test]
fn wrong_tables_are_refused() {
    for (param, code) in [
        ("param price : [1..3] 0..9 = 10", "E0204"),
        ("param price : [1..3] 0..9 = { 1: 1, 2: 2 }", "E0311"),
        ("param price : [1..3] set of 1..3 = { 4 }", "E0204"),
        ("param price : [number] 0..9 = 1", "E0201"),
        ("param price : [1..300][1..300] 0..9 = 1", "E0304"),
        ("param price = 3", "E0202"),
    ] {
        let text = format!(
            "game T {{ {param} players {{ Ann }} play {{ Ann chooses n in 1..2 }} payoff general-sum: [p in Player] 0 }}"
        );
        let problems = ruse::load(&text, &Settings::new()).expect_err(param);
        assert_eq!(problems[0].code.0, code, "{}", report(&text, &problems));
    }
}

/// A place that the params rule out, each by a condition whose other part is not known before play.
const RULED_OUT: [&str; 12] = [
    "if k and n > 0 { n -= 1 }",
    "if n > 0 and k { n -= 1 }",
    "if k and (n > 0 and k) { n -= 1 }",
    "if not (k or n == 0) { n -= 1 }",
    "if k or n == 0 { } else { n -= 1 }",
    "if reveal(k) and n > 0 { n -= 1 }",
    "m = if k and n > 0 then n + 8 else 1",
    "m = max(if k and n > 0 then [p in Player] (let z : 1..2 = n; z) else pair)",
    "Ann chooses { a where k and n > 0 => n -= 1  b }",
    "Ann chooses { a(c in 1..2) where k and c > 0 and n > 0 => n -= 1  b }",
    "while k and n > 0 at most 3 { n -= 1 }",
    "turns me from Ann while k and n > 0 at most 3 { me chooses { on }  n -= 1 }",
];

#[test]
fn what_never_holds_is_ruled_out_wherever_it_stands() {
    for play in RULED_OUT {
        let items = "  param caps : 0..1 = 1
  state { n : 0..caps = caps  k : bool  m : 0..8  pair : [Player] 1..2 = 1 }";
        let text = crate::table::around(items, &format!("    {play}"));
        for caps in ["0", "1"] {
            let loaded = ruse::load(&text, &settings(&[("caps", caps)]));
            let problems = loaded.err().unwrap_or_default();
            let found = report(&text, &problems);
            assert!(found.is_empty(), "{play}, caps = {caps}:\n{found}");
        }
    }
}

/// What stands before the part that rules a branch out happens all the same.
#[test]
fn what_is_asked_before_is_asked_all_the_same() {
    let game = |cond: &str| {
        let items = "  param caps : 0..1 = 1
  state { n : 0..caps = caps  s : set of 1..3  m : 0..1  secret : 1..2 seen by Ann }";
        let play = format!("    draw c in 1..2 into secret  {cond}");
        crate::table::around(items, &play)
    };
    let told = game("if reveal(secret == 1) and n > 0 { n -= 1 }");
    for caps in ["0", "1"] {
        let mut t = set_up(&told, &[("caps", caps)]);
        t.play(&["1"]);
        assert_eq!(t.seen[1].len(), 1, "caps = {caps}");
    }
    for play in [
        "if only(s) == 1 and n > 0 { n -= 1 }",
        "m = if only(s) == 1 and n > 0 then n - 1 else 0",
    ] {
        for caps in ["0", "1"] {
            let mut t = set_up(&game(play), &[("caps", caps)]);
            assert!(t.try_play(&["1"]).is_err(), "{play}, caps = {caps}");
        }
    }
}

#[test]
fn a_pattern_that_the_params_leave_out_says_how_to_ask() {
    let items = "  param rounds : 1..6 = 2
  state { r : 1..rounds  m : 0..2 }";
    let text = crate::table::around(items, "    match r { 3 => m = 1  else => m = 2 }");
    let problems = ruse::load(&text, &settings(&[])).err().unwrap_or_default();
    let [problem] = problems.as_slice() else {
        panic!("{}", report(&text, &problems));
    };
    assert_eq!(problem.code.0, "E0204");
    let hint = "leave out what it cannot be; where a param decides the range, an `if` may ask for more: `… == 3`";
    assert_eq!(problem.hint.as_deref(), Some(hint));
    let asked = text.replace(
        "match r { 3 => m = 1  else => m = 2 }",
        "if r == 3 { m = 1 } else { m = 2 }",
    );
    assert!(ruse::load(&asked, &settings(&[])).is_ok());
}

#[test]
fn what_a_param_leaves_no_value_for_fits_nothing_and_need_not() {
    let items = "  param dice : 1..4 = 1
  state { r : [1..dice] 1..6  m : 0..9 }
  def sorted: bool = every k in 2..dice: r[k - 1] <= r[k]
  def rises: 0..9 = count k in 1..dice - 1: r[k + 1] > r[k]";
    let play = "    each k in 2..dice { r[k] = 1  Ann chooses n in 1..6 { m = n } }
    Ann chooses { a where sorted and rises == 0  b }"
        .replace("in 1..6 { m = n }", "in 1..6  m = n");
    let text = crate::table::around(items, &play);
    for dice in ["1", "3"] {
        let problems = ruse::load(&text, &settings(&[("dice", dice)])).err();
        let problems = problems.unwrap_or_default();
        assert!(problems.is_empty(), "{}", report(&text, &problems));
    }
    // Other mistakes are found there all the same.
    let wrong = text.replace("m = n ", "m = Ann ");
    let problems = ruse::load(&wrong, &settings(&[])).err().unwrap_or_default();
    assert!(
        problems.iter().any(|p| p.code.0 == "E0201"),
        "{}",
        report(&wrong, &problems)
    );
}
