//! What is still wanted at a node is part of the state's identity, and nothing else is.

use super::{NOTHING, compiled, game, live, live_at};
use crate::ir::NodeKind;

fn live_in(state: &str, play: &str) -> Vec<Vec<String>> {
    live(&compiled(&game(state, play, NOTHING)))
}

fn names(list: &[&[&str]]) -> Vec<Vec<String>> {
    list.iter()
        .map(|names| names.iter().map(ToString::to_string).collect())
        .collect()
}

#[test]
fn a_variable_is_live_until_its_last_reading() {
    let found = live_in(
        "a : 0..9 = 2  b : 0..9",
        "Ann chooses x in 0..a  Ben chooses y in 1..2  b = a  Ann chooses z in 1..2  Ben chooses w in 0..b",
    );
    assert_eq!(found, names(&[&["a"], &["a"], &["b"], &["b"]]));
}

#[test]
fn what_is_overwritten_before_it_is_read_is_dead() {
    let found = live_in(
        "a : 0..9  s : set of 1..70",
        "a = 3  s = { 1 }  Ann chooses x in 1..2  a = 4  s = { 2 }  Ben chooses y in 0..a, z in s",
    );
    assert_eq!(found, names(&[&[], &["a", "s", "s.1"]]));
}

/// One element written by a computed index leaves the others as they were, so the array stays live.
#[test]
fn a_store_into_an_array_keeps_the_rest() {
    let found = live_in(
        "a : [1..2] 0..9  i : 1..2",
        "Ann chooses x in 1..2 into i  a[i] = 3  Ben chooses y in 0..a[1]",
    );
    assert_eq!(found, names(&[&["a[1]", "a[2]"], &["a[1]"]]));
}

#[test]
fn locals_live_as_long_as_they_are_wanted() {
    let found = live_in(
        "n : 0..99",
        "draw d in 1..6  let twice = d + d  Ann chooses x in 1..2  Ben chooses y in 1..d  n = twice  Ann chooses z in 1..2",
    );
    // n is nowhere read, so it is not live, and neither is what is only copied into it.
    assert_eq!(found, names(&[&[], &["d"], &["d"], &[]]));
}

#[test]
fn loops_keep_their_counters_and_snapshots() {
    let found = live_in(
        "s : set of 1..9 = { 2, 3 }",
        "each x in s { Ann chooses y in 1..x }  repeat 3 times { Ben chooses z in 1..2 }",
    );
    assert_eq!(found, names(&[&["rest", "x"], &["round"]]));
}

#[test]
fn a_branch_keeps_what_either_side_wants() {
    let found = live_in(
        "a : 1..9 = 2  b : 1..9 = 3  c : 1..9 = 4",
        "Ann chooses x in 0..1 => if x == 0 { Ben chooses y in 1..a } else { Ben chooses z in 1..b }",
    );
    assert_eq!(found, names(&[&["a", "b"], &["a"], &["b"]]));
}

#[test]
fn payoffs_keep_what_they_read_up_to_the_end() {
    let text = game(
        "a : 0..9  b : 0..9",
        "Ann chooses x in 1..3 into a  Ben chooses y in 1..3 into b",
        "general-sum: { Ann: a * a  Ben: 1 }",
    );
    let program = compiled(&text);
    assert_eq!(live(&program), names(&[&[], &["a"]]));
    let end = program
        .nodes
        .iter()
        .position(|n| matches!(n.kind, NodeKind::Terminal));
    assert_eq!(live_at(&program, end.expect("an end")), ["a"]);
}

#[test]
fn the_chooser_and_who_takes_part_are_part_of_the_state() {
    let found = live_in(
        "who : Player  in_ : set of Player = all",
        "draw q in Player into who  who chooses x in 1..2
         together each p in in_ { p chooses k in 1..3 }",
    );
    assert_eq!(found[0], ["in_"]);
    assert_eq!(found[1].len(), 2);
    assert!(found[1].contains(&"chooser".to_string()) && found[1].contains(&"in_".to_string()));
    assert_eq!(found[2], ["takes part", "takes part"]);
}

/// What only the text of a move reads is kept, and two states that differ in it are the same.
#[test]
fn what_is_only_printed_is_kept_and_no_identity() {
    let program = compiled(&game(
        "a : 0..9",
        "draw d in 1..6  let shown_ = d + 1  Ann chooses x in 1..2 as \"{x} at {shown_}\"",
        NOTHING,
    ));
    assert_eq!(live(&program)[1], Vec::<String>::new());
    let kept: Vec<String> = program.layout.kept[1]
        .iter()
        .map(|&i| program.slot_name(program.layout.fields[i as usize].slot))
        .collect();
    assert!(kept.iter().any(|n| n.starts_with("shown_#")), "{kept:?}");
}
