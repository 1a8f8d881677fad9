//! One choice with a value for each element of a set.

use crate::table::{set_up, table};

const STATE: &str = "  param units : 1..3 = 2
  type Unit = 1..units
  state { at : [Unit] 0..9 = [u in Unit] u   sum : 0..30 }
  def near(n: 0..9): set of 0..9 = { n, n + 1 }";

#[test]
fn a_tuple_has_a_value_for_each() {
    let mut t = table(
        STATE,
        "Ann chooses each u in Unit: r[u] in near(at[u]) into at[u]   sum = r[1] * 10 + sum(u in Unit) r[u]",
    );
    assert_eq!(t.options(0), ["1, 2", "1, 3", "2, 2", "2, 3"]);
    t.play(&["2, 3"]);
    assert_eq!(
        (t.value("at[1]"), t.value("at[2]")),
        ("2".into(), "3".into())
    );
    assert_eq!(t.value("sum"), "25");
}

#[test]
fn the_number_may_be_a_param() {
    let play = "Ann chooses each u in Unit: r[u] in near(at[u]) into at[u]";
    let text = crate::table::around(STATE, play);
    assert_eq!(set_up(&text, &[("units", "1")]).options(0), ["1", "2"]);
    assert_eq!(set_up(&text, &[("units", "3")]).options(0).len(), 8);
}

#[test]
fn conditions_and_texts_may_read_all_of_them() {
    let t = table(
        STATE,
        "Ann chooses each u in Unit: r[u] in near(at[u]), fast in { 0, 1 }
           where every u in Unit: every v in Unit before u: r[u] != r[v] as \"{r} at {fast}: {r[2]}\"",
    );
    let all = [
        "1, 2 at 0: 2",
        "1, 2 at 1: 2",
        "1, 3 at 0: 3",
        "1, 3 at 1: 3",
        "2, 3 at 0: 3",
        "2, 3 at 1: 3",
    ];
    assert_eq!(t.options(0), all);
    for count in t.counts(0, 6_000) {
        assert!((850..1_150).contains(&count), "{count}");
    }
}

#[test]
fn alternatives_draws_and_filters_have_families_too() {
    let mut t = table(
        STATE,
        "Ann chooses { go(each u in Unit where u > 1: r[u] in near(at[u]) into at[u]) => sum = r[2]   stay }
         draw each u in Unit: d[u] in { 0, 5 } into at[u]",
    );
    assert_eq!(t.options(0), ["go(2)", "go(3)", "stay"]);
    t.play(&["go(3)"]);
    assert_eq!(t.value("sum"), "3");
    assert_eq!(t.draws(), ["0, 0", "0, 5", "5, 0", "5, 5"]);
}

#[test]
fn secrecy_is_that_of_each_place() {
    let mut t = table(
        "  type Unit = 1..2\n  state { at : [u: Unit] 0..9 seen by if u == 1 then all else Ann }",
        "Ann chooses each u in Unit: r[u] in 3..4 into at[u]   Ben chooses n in 1..2",
    );
    t.play(&["3, 4"]);
    assert_eq!(t.seen[0][0].values.as_slice(), [0, 3, 4]);
    assert_eq!(t.seen[1][0].values.as_slice(), [0, 3]);
}

/// A domain may read what was chosen for the elements before.
#[test]
fn domains_read_the_values_before() {
    let distinct = [
        "Ann chooses each u in Unit: r[u] in near(at[u]) - { r[v] for v in Unit before u } into at[u]",
        "Ann chooses each u in Unit: r[u] in { c for c in near(at[u]) where every v in Unit before u: r[v] != c }",
        "Ann chooses each u in Unit: r[u] in near(at[u]) where every u in Unit: every v in Unit before u: r[v] != r[u]",
    ];
    for play in distinct {
        let text = crate::table::around(STATE, play);
        assert_eq!(set_up(&text, &[]).options(0), ["1, 2", "1, 3", "2, 3"]);
        let three = set_up(&text, &[("units", "3")]);
        assert_eq!(
            three.options(0),
            ["1, 2, 3", "1, 2, 4", "1, 3, 4", "2, 3, 4"]
        );
    }
    // What is left of a sum.
    let t = table(
        "  type Field = 1..3",
        "Ann chooses each f in Field: n[f] in 0..2 - sum(g in Field before f) n[g] where sum(f in Field) n[f] == 2",
    );
    let all = [
        "0, 0, 2", "0, 1, 1", "0, 2, 0", "1, 0, 1", "1, 1, 0", "2, 0, 0",
    ];
    assert_eq!(t.options(0), all);
}

/// Whether values may repeat can be a setting, also where there is one of them alone.
#[test]
fn a_domain_that_reads_values_before_may_depend_on_a_setting() {
    let state = format!("  param again : bool = false\n{STATE}");
    let ways = [
        "if again then near(at[u]) else near(at[u]) - { r[v] for v in Unit before u }",
        "if not again then near(at[u]) - { r[v] for v in Unit before u } else near(at[u])",
        "near(at[u]) - (if again then {} else { r[v] for v in Unit before u })",
        "near(at[u]) - (if not again then { r[v] for v in Unit before u } else {})",
    ];
    for domain in ways {
        let play = format!("Ann chooses each u in Unit: r[u] in {domain} into at[u]");
        let text = crate::table::around(&state, &play);
        let options = |settings: &[_]| set_up(&text, settings).options(0);
        assert_eq!(options(&[]), ["1, 2", "1, 3", "2, 3"], "{domain}");
        let again = ("again", "true");
        assert_eq!(
            options(&[again]),
            ["1, 2", "1, 3", "2, 2", "2, 3"],
            "{domain}"
        );
        assert_eq!(options(&[("units", "1")]), ["1", "2"], "{domain}");
        assert_eq!(options(&[("units", "1"), again]), ["1", "2"], "{domain}");
    }
}

/// Arms of which a setting takes one are not of one type.
#[test]
fn arms_that_a_setting_rules_out_have_types_of_their_own() {
    let state = "  param again : bool = false\n  enum Hot { tea, milk }\n  enum Cold { ice, milk }\n  state { sum : 0..9 }";
    for play in [
        "Ann chooses x in if again then Hot else { ice, milk }",
        "Ann chooses x in if not again then { ice, milk } else Hot",
    ] {
        let text = crate::table::around(state, play);
        assert_eq!(set_up(&text, &[]).options(0), ["ice", "milk"]);
        assert_eq!(
            set_up(&text, &[("again", "true")]).options(0),
            ["tea", "milk"]
        );
    }
}

/// A family for some of a type can be read wherever a name runs over no others.
#[test]
fn a_part_of_a_family_can_be_run_over() {
    let mut t = table(
        "  type Unit = 1..3\n  state { x : 0..9   y : 0..9 }",
        "Ann chooses each u in Unit where u > 1: r[u] in 1..4
         x = sum(u in Unit where u > 1) r[u]   y = max(u in 2..3) r[u]   Ben chooses n in 1..2",
    );
    t.play(&["2, 4"]);
    assert_eq!((t.value("x"), t.value("y")), ("6".into(), "4".into()));
}

/// The hint on all values of a family takes a name that nothing else has there.
#[test]
fn the_hint_on_a_whole_family_takes_a_free_name() {
    for (play, name) in [
        (
            "Ann chooses each f in 1..2: n[f] in 0..3 where sum(n) < 3",
            "p",
        ),
        (
            "each p in Player { p chooses each f in 1..2: n[f] in 0..3 where sum(n) < 3 }",
            "q",
        ),
    ] {
        let text = crate::table::around("", play);
        let problems = ruse::load(&text, &Default::default()).expect_err(play);
        let hint = problems[0].hint.as_deref().unwrap_or_default();
        let sum = format!("(sum({name} in 1..2) n[{name}])");
        assert!(hint.contains(&sum), "{play}: {hint}");
    }
}
