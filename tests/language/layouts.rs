//! `layout` in a knowledge block: how a board is drawn for a player.

use crate::table::{around, report, set_up};

const ITEMS: &str = "  grid Board(3, 2)
  state {
    stones : [Player] set of Board
    mine   : [p: Player] set of Board  seen by p
    last   : Board
  }
";

const PLAY: &str = "each p in Player { draw c in Board into last as \"{c}\"  stones[p] += c }
  each p in Player { draw c in Board seen by p as \"{c}\"  mine[p] += c }
  Ann chooses n in 1..2 as \"{n}\"";

/// The rows of the one board from top to bottom, and the variables that it shows.
fn drawn(layout: &str, viewer: Option<usize>) -> (Vec<String>, Vec<String>) {
    let mut t = set_up(&around(&format!("{ITEMS}{layout}"), PLAY), &[]);
    for outcome in ["a1", "b2", "c1", "c2"] {
        t.play(&[outcome]);
    }
    let drawings = t.machine.draw(&t.state, viewer);
    assert_eq!(drawings.len(), 1);
    let board = &drawings[0];
    assert_eq!(board.name, "Board");
    assert_eq!(board.columns, ["a", "b", "c"]);
    let rows = board.rows.iter();
    let rows = rows.map(|(name, cells)| format!("{name} {}", cells.join(" ")));
    (rows.collect(), board.shown.clone())
}

#[test]
fn without_a_layout_every_variable_that_is_seen_has_a_mark() {
    let (rows, shown) = drawn("", Some(0));
    assert_eq!(rows, ["2 . Bl .", "1 A . m"]);
    assert_eq!(shown, ["stones[Ann]", "stones[Ben]", "mine[Ann]", "last"]);
    let (rows, _) = drawn("", Some(1));
    assert_eq!(rows, ["2 . Bl m", "1 A . ."]);
    let (rows, _) = drawn("", None);
    assert_eq!(rows, ["2 . Bl i", "1 A . m"]);
}

#[test]
fn the_first_rule_that_holds_gives_the_mark() {
    let layout = "  knowledge Player {
    layout c in Board {
      c in stones[me]           => \"me\"
      c in stones[opponent(me)] => \"x\"
      else                      => \"-\"
    }
  }";
    let (rows, shown) = drawn(layout, Some(0));
    assert_eq!(rows, ["2 - x -", "1 me - -"]);
    // What the layout does not read stays to be told.
    assert_eq!(shown, ["stones[Ann]", "stones[Ben]"]);
    let (rows, _) = drawn(layout, Some(1));
    assert_eq!(rows, ["2 - me -", "1 x - -"]);
    // A layout is its owner's, and a cell without a rule is empty.
    let layout =
        "knowledge Ben { layout c in Board { c in mine[Ben] => \"s\"  c == last => \"l\" } }";
    assert_eq!(drawn(layout, Some(1)).0, ["2 . l s", "1 . . ."]);
    assert_eq!(drawn(layout, Some(0)).0, ["2 . Bl .", "1 A . m"]);
    // An error of its rules puts a layout aside.
    let layout = "knowledge Ben { layout c in Board { c == min(mine[Ben] - mine[Ben]) => \"s\" } }";
    assert_eq!(drawn(layout, Some(1)).0, ["2 . Bl m", "1 A . ."]);
}

fn codes(layout: &str) -> Vec<&'static str> {
    let text = around(&format!("{ITEMS}{layout}"), PLAY);
    match ruse::load(&text, &Default::default()) {
        Ok(_) => Vec::new(),
        Err(problems) => {
            assert!(!report(&text, &problems).is_empty());
            problems.iter().map(|d| d.code.0).collect()
        }
    }
}

#[test]
fn a_layout_reads_what_its_owner_sees() {
    let of = |owner: &str, rules: &str| {
        codes(&format!(
            "knowledge {owner} {{ layout c in Board {{ {rules} }} }}"
        ))
    };
    assert_eq!(of("Ben", "c in mine[Ben] => \"s\""), [""; 0]);
    assert_eq!(of("Player", "c in mine[me] => \"s\""), [""; 0]);
    assert_eq!(of("Ann", "c in mine[Ben] => \"s\""), ["E0412"]);
    assert_eq!(of("Player", "c in mine[Ben] => \"s\""), ["E0412"]);
    // Which rule holds tells of all rules before it.
    let rules = "c == last and c in mine[Ben] => \"s\"  c in stones[Ann] => \"s\"";
    assert_eq!(of("Ann", rules), ["E0412"]);
}

#[test]
fn layouts_that_are_none() {
    let of = |rules: &str| codes(&format!("knowledge Ann {{ layout c in {rules} }}"));
    assert_eq!(of("Board { c => \"s\" }"), ["E0201"]);
    assert_eq!(of("Board { else => \"s\"  c == last => \"l\" }"), ["E0208"]);
    assert_eq!(of("Board { else => \"\" }"), ["E0201"]);
    assert_eq!(of("Board { else => \"{c}\" }"), ["E0201"]);
    assert_eq!(of("Board { else => \"a b\" }"), ["E0201"]);
    assert_eq!(of("1..3 { else => \"s\" }"), ["E0201"]);
    assert_eq!(of("Board - last { else => \"s\" }"), ["E0201"]);
    assert_eq!(of("Board { d == last => \"s\" }"), ["E0101"]);
    assert_eq!(of("Board { c == last \"s\" }").len(), 1);
    let two = "Board { else => \"s\" }  layout d in Board { else => \"t\" }";
    assert_eq!(of(two), ["E0102"]);
}
