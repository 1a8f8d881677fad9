//! `layout` in a knowledge block: how a board is drawn for a player.

use crate::table::{around, report, set_up};
use ruse::internal::arena::session::screen;
use ruse::internal::machine::{Picture, RenderedBoard};

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
    let boards = t.machine.render(&t.state, viewer);
    assert_eq!(boards.len(), 1);
    rows(&boards[0])
}

fn rows(board: &RenderedBoard) -> (Vec<String>, Vec<String>) {
    assert_eq!(board.name, "Board");
    let Picture::Cells(cells) = &board.picture else {
        panic!("{board:?}");
    };
    assert_eq!(cells.columns, ["a", "b", "c"]);
    let rows = cells.rows.iter();
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
    // A blank leaves nothing there.
    let layout =
        "knowledge Ben { layout c in Board { c == last => \"l\"  c in mine[Ben] => \" \" } }";
    assert_eq!(drawn(layout, Some(1)).0, ["2 . l  ", "1 . . ."]);
    // An error of its rules puts a layout aside.
    let layout = "knowledge Ben { layout c in Board { c == min(mine[Ben] - mine[Ben]) => \"s\" } }";
    assert_eq!(drawn(layout, Some(1)).0, ["2 . Bl m", "1 A . ."]);
}

/// A line with a mark for each element of a set; all of them that hold are shown.
#[test]
fn a_rule_may_have_a_mark_for_each_element() {
    let layout = "  knowledge Player { layout c in Board {
    each p in Player: c in stones[p] or c == last => \"{p}\"
    else => \"-\"
  } }";
    let (rows, shown) = drawn(layout, Some(0));
    assert_eq!(rows, ["2 - Ann,Ben -", "1 Ann - -"]);
    assert_eq!(shown, ["stones[Ann]", "stones[Ben]", "last"]);
    let layout = layout.replace("in Player:", "in Player where p != me:");
    assert_eq!(drawn(&layout, Some(0)).0, ["2 - Ben -", "1 - - -"]);
    assert_eq!(drawn(&layout, Some(1)).0, ["2 - Ann -", "1 Ann - -"]);
}

/// What is hidden behind the mark of an earlier line is told beside the board.
#[test]
fn a_variable_without_a_mark_is_not_shown() {
    let layout = "knowledge Player { layout c in Board { c in stones[Ann] or c in stones[Ben] => \"s\"  c == last => \"l\" } }";
    let (rows, shown) = drawn(layout, Some(0));
    assert_eq!(rows, ["2 . s .", "1 s . ."]);
    assert_eq!(shown, ["stones[Ann]", "stones[Ben]"]);
}

/// Who sees everything sees the board of a player who does, or else what each of them sees.
#[test]
fn a_board_for_who_sees_everything_is_drawn_by_layouts() {
    let layout = "  knowledge Player { layout c in Board {
    c in mine[me] => \"m\"
    c in stones[me] => \"s\"
  } }";
    let mut t = set_up(&around(&format!("{ITEMS}{layout}"), PLAY), &[]);
    for outcome in ["a1", "b2", "c1", "c2"] {
        t.play(&[outcome]);
    }
    let boards = t.machine.render(&t.state, None);
    let seen: Vec<_> = boards
        .iter()
        .map(|d| (d.viewers.join(" "), rows(d)))
        .collect();
    let lines = |rows: [&str; 2]| rows.map(String::from).to_vec();
    assert_eq!(seen[0].0, "Ann");
    assert_eq!(seen[0].1.0, lines(["2 . . .", "1 s . m"]));
    assert_eq!(seen[0].1.1, ["stones[Ann]", "mine[Ann]"]);
    assert_eq!(seen[1].0, "Ben");
    assert_eq!(seen[1].1.0, lines(["2 . s m", "1 . . ."]));
    assert_eq!(seen[1].1.1, ["stones[Ben]", "mine[Ben]"]);
    assert_eq!(seen.len(), 2);

    let open = ITEMS.replace("seen by p", "");
    let play = PLAY.replace(" seen by p", "");
    let mut t = set_up(&around(&format!("{open}{layout}"), &play), &[]);
    for outcome in ["a1", "b2", "c1", "c2"] {
        t.play(&[outcome]);
    }
    let boards = t.machine.render(&t.state, None);
    assert_eq!(boards.len(), 1);
    assert_eq!(boards[0], t.machine.render(&t.state, Some(0))[0]);
}

const TOWN: &str = "  enum Way { road, rail }
  graph Town {
    nodes 8..12
    edges road { 8: 9 10; 9: 10; 10: 11 }
    edges rail { 8: 12 }
  }
  graph Pond { nodes { reed, pier \"old pier\", isle }  edges { reed: pier; pier: isle } }
  state {
    at    : [p: Player] Town = 8  seen by if p == Ann then Ann else all
    burnt : set of Town = { 9, 11 }
    frog  : Pond = pier
  }
";

/// The graphs as text, after Ann has gone to 10.
fn town(layout: &str, viewer: Option<usize>) -> String {
    let play = "Ann chooses secretly a in Town into at[Ann] as \"{a}\"";
    let mut t = set_up(&around(&format!("{TOWN}{layout}"), play), &[]);
    t.play(&["10"]);
    let boards = t.machine.render(&t.state, viewer);
    let texts: Vec<String> = boards.iter().map(screen::rendered).collect();
    texts.concat()
}

#[test]
fn a_graph_is_drawn_by_a_layout_alone() {
    assert_eq!(town("", Some(0)), "");
    let layout = "knowledge Player { layout t in Town {
      t == at[me] => \"me\"
      t == at[Ben] => \"Ben\"
      t in burnt => \"*\"
    } }";
    let anns = "\
me   10  road 8[Ben] 9[*] 11[*]
Ben   8  road 9[*] 10[me]; rail 12
*     9  road 8[Ben] 10[me]
*    11  road 10[me]
";
    assert_eq!(town(layout, Some(0)), anns);
    let bens = "\
me   8  road 9[*] 10; rail 12
*    9  road 8[me] 10
*   11  road 10
";
    assert_eq!(town(layout, Some(1)), bens);
    // Ann sees all of it.
    assert_eq!(town(layout, None), anns);
    // Many nodes of one mark are a list, and what an `else` marks is nothing to look at.
    let layout = "knowledge Player { layout t in Town { t >= 8 => \"many\" } }";
    assert_eq!(town(layout, Some(0)).lines().count(), 5);
    let large = TOWN.replace("8..12", "6..12");
    let all = large + "knowledge Player { layout t in Town { t >= 6 => \"many\" } }";
    let t = set_up(&around(&all, "Ann chooses a in 1..2 as \"{a}\""), &[]);
    let drawn = screen::rendered(&t.machine.render(&t.state, Some(0))[0]);
    assert_eq!(drawn, "many  6 7 8 9 10 11 12\n");
    let layout = "knowledge Player { layout t in Town { else => \"o\" } }";
    assert_eq!(town(layout, Some(0)), "");
}

/// Marks stand beside the names; where there is no room, every row is widened.
#[test]
fn a_graph_may_have_a_picture() {
    let layout = "knowledge Player { layout t in Town {
      \"8 - 9\"
      \"|\\ /   .. 12\"
      \"| 10---11\"
      t == at[me] => \"me\"
      t in burnt => \"*\"
    } }";
    let drawn = town(layout, Some(0));
    let (picture, around) = drawn.split_once("\n\n").unwrap();
    let wanted = "\
8 -   9[*]
|\\ /     .. 12
| 10[me]-11[*]";
    assert_eq!(picture, wanted);
    assert_eq!(around.lines().count(), 3);
    let layout = "knowledge Ann { layout p in Pond {
      \"reed-pier-isle\"
      \"  :    :    :\"
      p == frog => \"F\"
    } }";
    let wanted = "\
reed-old pier[F]-isle
  :    :           :
";
    assert_eq!(town(layout, Some(0)), wanted);
    assert_eq!(town(layout, Some(1)), "");
    let layout = "knowledge Ann { layout p in Pond { \"reed-pier-isle\"  p != frog => \"four\" } }";
    assert_eq!(town(layout, Some(0)), "reed[four]-old pier-isle[four]\n");
}

#[test]
fn pictures_that_are_none() {
    let of = |picture: &str| {
        let layout =
            format!("knowledge Ann {{ layout p in Pond {{ {picture} p == frog => \"F\" }} }}");
        codes_of(TOWN, &layout)
    };
    assert_eq!(of(""), [""; 0]);
    assert_eq!(of("\"reed pier isle\""), [""; 0]);
    assert_eq!(of("\"reed -- pier == isle\""), [""; 0]);
    assert_eq!(of("\"__reed pier__ ..isle\""), ["E0120", "E0120"]);
    assert_eq!(of("\"__ reed pier __ ..isle\""), [""; 0]);
    assert_eq!(of("\"reed -- isle -- pier\""), ["E0322"]);
    assert_eq!(of("\"reed\" \" |\" \"isle  pier\""), ["E0322"]);
    assert_eq!(of("\"reed\" \"    /\" \"isle  pier\""), [""; 0]);
    assert_eq!(of("\"reed\" \"    \\\\\" \"isle  pier\""), [""; 0]);
    assert_eq!(of("\"pier   reed\" \"      /\" \"   isle\""), ["E0322"]);
    assert_eq!(of("\"reed\" \"    \\\" \"     isle  pier\""), ["E0322"]);
    assert_eq!(of("\"reed pier\""), ["E0322"]);
    assert_eq!(of("\"reed pier isle reed\""), ["E0322"]);
    assert_eq!(of("\"reed pier ilse\""), ["E0120"]);
    assert_eq!(of("\"reed pier isle {frog}\""), ["E0322"]);
    assert_eq!(
        of(&format!("\"reed pier isle{}\"", " ".repeat(120))),
        ["E0322"]
    );
    assert_eq!(of(&"\"\" ".repeat(101)), ["E0322"]);
    // A great many mistakes are told in part.
    assert_eq!(of(&format!("\"{}\"", "x ".repeat(50))).len(), 5);
    let numbers = "knowledge Ann { layout t in 8..12 { t == at[me] => \"F\" } }";
    assert_eq!(codes_of(TOWN, numbers), ["E0201"]);
    let part = "knowledge Ann { layout t in Town - 8 { t == at[me] => \"F\" } }";
    assert_eq!(codes_of(TOWN, part), ["E0201"]);
    let cells = "knowledge Ann { layout c in Board { \"a1 b1\"  c == last => \"F\" } }";
    assert_eq!(codes(cells), ["E0322"]);
    let hidden =
        "knowledge Player { layout t in Town { each p in Player: t == at[p] => \"{p}\" } }";
    assert_eq!(codes_of(TOWN, hidden), ["E0412"]);
}

fn codes(layout: &str) -> Vec<&'static str> {
    codes_of(ITEMS, layout)
}

fn codes_of(items: &str, layout: &str) -> Vec<&'static str> {
    let play = match items == ITEMS {
        true => PLAY,
        false => "Ann chooses a in 1..2 as \"{a}\"",
    };
    let text = around(&format!("{items}{layout}"), play);
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
    assert_eq!(of("Board { else => \"  \" }"), ["E0201"]);
    let each = "Board { each p in Player: c == last => \"{q}\" }";
    assert_eq!(of(each), ["E0201"]);
    let each = "Board { each n in 1..65: c == last => \"{n}\" }";
    assert_eq!(of(each), ["E0304"]);
    let each = "Board { each d in mine[Ann]: c == d => \"{d}\" }";
    assert_eq!(of(each), ["E0303"]);
    assert_eq!(of("1..3 { else => \"s\" }"), ["E0201"]);
    assert_eq!(of("Player { else => \"s\" }"), ["E0201"]);
    for (values, found) in [
        ("a1, b1, a2, b2", &[][..]),
        ("a1, b1, a2, b3", &["E0201"]),
        ("red, blue, green, white", &["E0201"]),
    ] {
        let rules = format!("Square {{ else => \"s\" }} }} enum Square {{ {values}");
        assert_eq!(of(&rules), found, "{values}");
    }
    // Of some of its values under some params.
    let cut = "Square { else => \"s\" } } param few : 1..4 = 3 enum Square few of { p1, q1, p2, q2";
    assert_eq!(of(cut), [""; 0]);
    assert_eq!(of("Board - last { else => \"s\" }"), ["E0201"]);
    assert_eq!(of("Board { d == last => \"s\" }"), ["E0101"]);
    assert_eq!(of("Board { c == last \"s\" }").len(), 1);
    let two = "Board { else => \"s\" }  layout d in Board { else => \"t\" }";
    assert_eq!(of(two), ["E0102"]);
}
