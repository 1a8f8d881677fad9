//! `require`: what the values of params must fulfil together.

use crate::table::report;
use ruse::internal::check::Settings;
use ruse::internal::text::diagnostics::Diagnostic;

const HIGH_CARD: &str = "game HighCard {
  require seats * dealt <= size(Card) as \"{seats} hands of {dealt} want more than {size(Card)} cards\"
  require seats >= 2
  param ranks : 1..13 = 5
  param dealt : 1..9 = half
  param seats : 1..8 = 3
  const half = ranks div 2
  type Card = (rank: 1..ranks, red: bool)
  players seats of { Ann, Ben, Cid, Dan }
  state { hand : [p: Player] set of Card seen by p   deck : set of Card = all seen by none }
  play { each p in Player { deal dealt from deck to hand[p] }   Ann chooses n in 1..2 }
  payoff general-sum: [p in Player] 0
}";

fn settings(given: &[(&str, &str)]) -> Settings {
    let given = given.iter();
    given.map(|(k, v)| (k.to_string(), v.to_string())).collect()
}

#[track_caller]
fn refused(text: &str, given: &[(&str, &str)]) -> Vec<Diagnostic> {
    match ruse::load(text, &settings(given)) {
        Ok(_) => panic!("{given:?}: nothing is wrong"),
        Err(problems) => problems,
    }
}

#[test]
fn params_that_fit_are_played() {
    for given in [
        &[][..],
        &[("ranks", "3")],
        &[("seats", "4"), ("ranks", "2")],
    ] {
        let loaded = ruse::load(HIGH_CARD, &settings(given));
        assert!(loaded.is_ok(), "{given:?}");
    }
}

/// One error, though 8 seats have no names either.
#[test]
fn params_that_do_not_fit_are_one_error() {
    let problems = refused(HIGH_CARD, &[("dealt", "4")]);
    let [problem] = &problems[..] else {
        panic!("{}", report(HIGH_CARD, &problems));
    };
    assert_eq!(problem.code.0, "E0314");
    assert_eq!(problem.message, "3 hands of 4 want more than 10 cards");
    assert_eq!(
        &HIGH_CARD[problem.span.range()],
        "seats * dealt <= size(Card)"
    );
    // The params that it is about: those that are named, and those that what is named is made of.
    assert_eq!(
        problem.label,
        "this does not hold with ranks = 5, dealt = 4, seats = 3"
    );
    let hint = "give another value to `ranks` or `dealt` or `seats`";
    assert_eq!(problem.hint.as_deref(), Some(hint));
    let problems = refused(HIGH_CARD, &[("ranks", "2"), ("dealt", "1"), ("seats", "8")]);
    let told: Vec<&str> = problems.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(told, ["8 hands of 1 want more than 4 cards"]);
}

/// Each that is not met is told, and what was given for no param.
#[test]
fn every_requirement_is_asked() {
    let given = [
        ("seats", "1"),
        ("dealt", "9"),
        ("ranks", "4"),
        ("seat", "2"),
    ];
    let problems = refused(HIGH_CARD, &given);
    let codes: Vec<&str> = problems.iter().map(|d| d.code.0).collect();
    assert_eq!(codes, ["E0301", "E0314", "E0314"]);
    assert_eq!(problems[2].message, "the params do not fit together");
    assert_eq!(problems[2].label, "this does not hold with seats = 1");
}

/// A variant keeps what its game requires, and may require more.
#[test]
fn a_variant_requires_more() {
    let load = |items: &str, given: &[(&str, &str)]| {
        let text = format!("game Mini extends \"high.game\" {{ {items} }}");
        let loader = |_: &str, path: &str| Ok((path.to_string(), HIGH_CARD.to_string()));
        let (loaded, _) = ruse::load_with("mini.game", &text, &settings(given), &loader);
        match loaded {
            Ok(_) => Vec::new(),
            Err(problems) => problems.into_iter().map(|d| d.message).collect(),
        }
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(load("param ranks = 3", &[]), none);
    let short = ["3 hands of 2 want more than 4 cards"];
    assert_eq!(load("param ranks = 2   param dealt = 2", &[]), short);
    let more = "require dealt < 3 as \"hands are small\"";
    assert_eq!(load(more, &[]), none);
    assert_eq!(load(more, &[("dealt", "3")]), ["hands are small"]);
}

/// What is required is settled before play.
#[test]
fn requirements_are_constant() {
    for (required, code) in [
        ("require n > 1", "E0303"),
        ("require 1", "E0201"),
        ("require seats > 1 as \"{n}\"", "E0303"),
        ("require seats > sets", "E0101"),
        ("require reveal(seats > 1)", "E0211"),
    ] {
        let text = format!(
            "game T {{ {required} param seats : 1..3 = 2 players {{ Ann }} state {{ n : 0..9 }} \
             play {{ Ann chooses x in 0..9 into n }} payoff general-sum: [p in Player] 0 }}"
        );
        let problems = refused(&text, &[]);
        assert_eq!(problems[0].code.0, code, "{}", report(&text, &problems));
    }
}

/// A constant that is an element of nothing is known well enough: it has no value.
#[test]
fn a_constant_without_a_value_is_told_from_one_that_is_not_known() {
    let of = |start: &str| {
        let text = format!(
            "game T {{ param least : 1..9 = 5  players {{ Ann }} state {{ n : 0..9 = {start}  m : 0..9 }} \
             play {{ Ann chooses x in 0..9 into n }} payoff general-sum: [p in Player] m }}"
        );
        let problems = refused(&text, &[("least", "9")]);
        let first = &problems[0];
        (
            first.code.0,
            first.message.split(" (").next().map(str::to_owned),
        )
    };
    let none = Some("this has no value".to_string());
    assert_eq!(
        of("min({ k for k in 1..9 where k > least })"),
        ("E0303", none.clone())
    );
    let (code, message) = of("m");
    assert_eq!(code, "E0303");
    assert!(message != none, "{message:?}");
}
