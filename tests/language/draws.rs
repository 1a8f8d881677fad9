//! Draws that take what is drawn out of where it was.

use crate::table::{around, report, table};

const STATE: &str = "  state {
    at    : 1..3 = 1
    spot  : [1..2] 1..3
    other : 1..3
    rooms : [1..3] set of 1..3 = { 1: { 2, 3 }, 2: { 1, 2 }, 3: { 1, 3 } }
    many  : [1..3][1..3] 0..5 = { 1: { 2: 1, else: 0 }, else: { else: 1 } }
  }
  def room = rooms_at(at)
  def rooms_at(k: 1..3): 1..3 = k";

#[test]
fn a_draw_takes_out_of_the_place_that_it_drew_from() {
    let mut t = table(
        STATE,
        "draw r from rooms[at] into other as \"{r}\"
         draw s from rooms[at] into spot[1] as \"{s}\"
         at = s
         Ann chooses n in 1..2",
    );
    t.play(&["2"]);
    t.play(&["3"]);
    let rooms = ["rooms[1]", "rooms[2]", "rooms[3]"].map(|name| t.value(name));
    assert_eq!(rooms, ["{}", "{1, 2}", "{1, 3}"]);
    assert_eq!(
        ["other", "spot[1]", "at"].map(|name| t.value(name)),
        ["2", "3", "3"]
    );
}

/// What is drawn is stored first and taken out then: by that time the index would be another one.
#[test]
fn a_draw_does_not_store_to_what_says_where_it_draws_from() {
    for play in [
        "draw r from rooms[at] into at",
        "draw r from rooms[spot[1]] into spot[2]",
        "draw r from rooms[room] into at",
        "draw r from many[at] into at",
    ] {
        let text = around(STATE, &format!("{play}\n    Ann chooses n in 1..2"));
        let problems = ruse::load(&text, &Default::default()).expect_err(play);
        let told = report(&text, &problems);
        assert_eq!(problems[0].code.0, "E0210", "{told}");
        assert!(told.contains("store in a statement of its own"), "{told}");
    }
}
