//! Notes: kept up beside the rules, which do not change for it.

use crate::table::table;

const STATE: &str = "  state { x : 0..9   hidden : 0..3 seen by Ann }
  note seen : set of 0..9
  note best : [p: Player] 0..9 = 1 seen by p
  note guess : set of 0..3 = { 1, 2 } seen by Ann";

#[test]
fn notes_are_kept_up_and_shown_to_those_who_may() {
    let mut t = table(
        STATE,
        "note seen = { 7 }
         repeat 2 times {
           Ann chooses n in 1..3 into x
           note seen += x
           note best = [p in Player] max(best[p], x)
           note guess -= x
         }",
    );
    t.play(&["3"]);
    let notes = |p| {
        let view = t.machine.notes(&t.state, p);
        let list: Vec<String> = view
            .entries
            .iter()
            .map(|e| format!("{} {}", e.name, e.value))
            .collect();
        list
    };
    assert_eq!(
        notes(None),
        ["seen {3, 7}", "best[Ann] 3", "best[Ben] 3", "guess {1, 2}"]
    );
    assert_eq!(notes(Some(1)), ["seen {3, 7}", "best[Ben] 3"]);
    assert!(
        t.machine
            .view(&t.state, 0)
            .entries
            .iter()
            .all(|e| e.name == "x" || e.name == "hidden")
    );
}

/// Two ways to the same place have the same identity whatever was noted, even where only notes look at a variable.
#[test]
fn notes_are_no_part_of_identity() {
    let play = "Ann chooses n in 1..3   NOTE   x = 0
         Ann chooses m in 1..2 NOTE2";
    let with = table(
        STATE,
        &play.replace("NOTE2", "note seen += n").replace(
            "NOTE",
            "x = n   note seen = { i for i in seen where i < x } + n",
        ),
    );
    let mut keys = Vec::new();
    let mut words = Vec::new();
    for first in with.actions(0) {
        let mut state = with.state.clone();
        with.machine.step(&mut state, &[first]).unwrap();
        keys.push((
            with.machine.exact_key(&state),
            with.machine.reduced_key(&state),
            with.machine.key(&state),
        ));
        words.push(with.machine.notes(&state, None));
    }
    assert!(keys.windows(2).all(|k| k[0] == k[1]));
    assert!(words.windows(2).all(|w| w[0] != w[1]));
}

#[test]
fn what_is_only_tried_is_not_noted() {
    let t = table(
        &format!("{STATE}\n  rule go() {{ x += 1   note seen += x }}"),
        "if x == 1 after {{ go() }} { x = 5 }   Ann chooses n in 1..2"
            .replace("{{ go() }}", "{ go() }")
            .as_str(),
    );
    assert_eq!(t.value("x"), "5");
    assert_eq!(t.machine.notes(&t.state, None).entries[0].value, "{}");
}
