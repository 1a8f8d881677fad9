//! `state if c { … }`: variables that are there only where the params say so.

use crate::table::{report, set_up};
use ruse::internal::check::Settings;

const DRAUGHTS: &str = "game Draughts {
  param kings : bool = true
  param depth : 0..4 = 2
  players { Ann, Ben }
  state { early : 0..9 }
  state if kings {
    crowned : set of 1..6
    rank    : [Player] 0..9 = 3
  }
  state if depth > 0 { levels : [1..depth] 0..9 }
  state { after_ : 0..9 = 5 }
  def worth(p: Player): 0..9 = if kings then rank[p] else 1
  rule crown(k: 1..6) { crowned += k   rank = [p in Player] rank[p] + 1 }
  play {
    Ann chooses n in 1..6
    if kings { crown(n) }
    if depth > 0 and sum(levels) == 0 { levels[1] = n }
    early = worth(Ann)
    Ben chooses { pass  take where not kings or crowned != {} }
  }
  payoff zero-sum: [p in Player] 0
}";

fn names(given: &[(&str, &str)]) -> Vec<String> {
    let t = set_up(DRAUGHTS, given);
    let vars = t.machine.description().vars.iter();
    vars.map(|v| v.name.clone()).collect()
}

#[test]
fn the_params_say_which_variables_there_are() {
    let all = ["early", "crowned", "rank", "levels", "after_"];
    assert_eq!(names(&[]), all);
    assert_eq!(names(&[("kings", "false")]), ["early", "levels", "after_"]);
    assert_eq!(
        names(&[("depth", "0")]),
        ["early", "crowned", "rank", "after_"]
    );
    assert_eq!(
        names(&[("kings", "false"), ("depth", "0")]),
        ["early", "after_"]
    );
    for (given, worth) in [(&[][..], "4"), (&[("kings", "false"), ("depth", "0")], "1")] {
        let mut t = set_up(DRAUGHTS, given);
        t.play(&["2"]);
        assert_eq!(
            (t.value("early"), t.value("after_")),
            (worth.into(), "5".into())
        );
        assert_eq!(t.options(1), ["pass", "take"]);
    }
}

#[test]
fn what_is_not_there_is_not_used() {
    for (from, to, given, code) in [
        ("if kings { crown(n) }", "crown(n)", "false", "E0109"),
        ("if kings then rank[p] else 1", "rank[p]", "false", "E0109"),
        (
            "where not kings or crowned != {}",
            "where crowned != {}",
            "false",
            "E0109",
        ),
        ("state if kings", "state if early > 1", "true", "E0303"),
        ("state if kings", "state if depth", "true", "E0201"),
        ("state if kings", "state if nobody", "true", "E0101"),
        ("after_ : 0..9 = 5", "crowned : 0..9 = 5", "false", "E0102"),
    ] {
        let text = DRAUGHTS.replacen(from, to, 1);
        assert_ne!(text, DRAUGHTS);
        let settings = Settings::from([("kings".to_string(), given.to_string())]);
        let problems = ruse::load(&text, &settings).expect_err(to);
        let told = report(&text, &problems);
        assert!(problems.iter().any(|d| d.code.0 == code), "{told}");
    }
}

/// A variant replaces single variables, which are there when those of its game are.
#[test]
fn a_variant_has_them_under_the_same_params() {
    let load = |items: &str| {
        let text = format!("game Mini extends \"draughts.game\" {{ {items} }}");
        let loader = |_: &str, path: &str| Ok((path.to_string(), DRAUGHTS.to_string()));
        let (loaded, _) = ruse::load_with("mini.game", &text, &Settings::new(), &loader);
        match loaded {
            Ok((machine, _)) => Ok(machine.description().vars.len()),
            Err(problems) => Err(problems[0].code.0),
        }
    };
    assert_eq!(load("state { rank : [Player] 0..9 = 4 }"), Ok(5));
    assert_eq!(
        load("param kings = false   state { rank : [Player] 0..9 = 4 }"),
        Ok(3)
    );
    assert_eq!(
        load("state if kings { rank : [Player] 0..9 = 4 }"),
        Err("E0019")
    );
}
