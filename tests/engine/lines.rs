//! Whether a line has so many cells is the same question however the board numbers its cells, and however many words they take.

use crate::playouts::{agree, of_text};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// On boards whose lines are found by shifts, and on some whose are not: a ring, and one of many words.
const BOARDS: [&str; 9] = [
    "grid Board(4, 3)",
    "grid Board(8, 8)",
    "grid Board(9, 8)",
    "grid Board(13, 13)",
    "grid Board(16, 16)",
    "grid Board(17, 19)",
    "hex Board(5)",
    "hex Board(10, 7)",
    "grid Board(1, 6)",
];

fn game(board: &str) -> String {
    let ways = match board.starts_with("hex") {
        true => "east, southeast, southwest",
        false => "north, east, southeast",
    };
    format!(
        "game Lines {{
  players {{ Ann, Ben }}
  {board}
  state {{ men : [Player] set of Board  last : Board?  points : [Player] 0..9999 }}
  def line(p: Player, c: Board, d: Board.direction) = size(Board.line(c, d, men[p]))
  play {{
    turns p from Ann at most 60 {{
      p chooses {{
        far(c in Board - men[Ann] - men[Ben]) => {{ men[p] += c  last = c }}
        near(c in {{ c for c in Board - men[Ann] - men[Ben] where some d in Board.direction: Board.line(c, d, men[p] + c) != {{ c }} }}) => {{
          men[p] += c
          last = c
        }}
      }}
      else {{ end }}
      each d in Board.direction {{
        if line(p, last, d) >= 3 {{ points[p] += 1 }}
        if line(p, last, d) > 4 {{ points[p] += 2 }}
        if line(p, last, d) < 2 {{ points[p] += 3 }}
        if 2 <= size(Board.line(last, d, men[Ann] + men[Ben])) {{ points[p] += 1 }}
        if line(opponent(p), last, d) > 0 {{ end }}
        if line(p, last, d) == 4 {{ points[p] += 4 }}
        if size(Board.line(last, d, Board - men[opponent(p)])) <= 5 {{ points[p] += 1 }}
      }}
      if (max(d in {{ {ways} }}) line(p, last, d)) >= 3 {{ points[p] += 2 }}
      if (max(d in {{ {ways} }}) line(p, last, d)) == 2 {{ points[p] += 3 }}
      if (min(d in {{ {ways} }}) line(p, last, d)) > 1 {{ points[p] += 4 }}
      if some c in men[p], d in {{ {ways} }}: line(p, c, d) > 4 {{ points[p] += 1 }}
      if no c in men[Ann], d in {{ {ways} }}: size(Board.line(c, d, men[Ann] + men[Ben])) >= 6 {{ points[p] += 2 }}
      points[p] += count c in men[p]: line(p, c, east) == 3
    }}
  }}
  payoff general-sum: points
}}"
    )
}

#[test]
fn lines_are_as_long_in_playouts_as_in_steps() {
    for board in BOARDS {
        agree(board, || of_text(&game(board)));
    }
}

/// Questions about a set that is only made to be asked, where nothing else needs the place of the answer.
const ASIDE: &str = "
game Aside {
  players { Ann, Ben }
  grid Board(9, 8)
  state { men : set of Board  last : Board = a1  marks : [Player] 0..9972 }
  play {
    turns p from Ann at most 30 {
      p chooses c in Board - men => { last = c }
      if size(Board.line(last, east, Board - men)) == 3 { marks[p] = (marks[p] * 7 + 198) mod 9973 }
      if (max(d in { east, north }) size(Board.line(last, d, Board - men))) >= 5 { marks[p] = (marks[p] * 5 + 1) mod 9973 }
      men += last
    }
  }
  payoff general-sum: marks
}";

#[test]
fn an_answer_does_not_stand_where_the_question_is_read() {
    agree("aside", || of_text(ASIDE));
}

/// Sets of four words of which one is what another is, but for where its words stand.
const WIDE: &str = "
game Wide {
  players { Ann, Ben }
  grid Board(3, 80)
  state { men : [Player] set of Board  last : Board = a1  marks : [Player] 0..9972 }
  play {
    repeat 40 times {
      Ann chooses {
        far(c in Board - men[Ann] - men[Ben]) => { men[Ann] += c  last = c }
        near(c in Board.next(last) - men[Ann] - men[Ben]) => { men[Ann] += c  last = c }
        back(c in men[Ann]) => { men[Ann] -= c  last = c }
        mark(c in Board - men[Ann]) => { last = c }
      }
      else { end }
      if size(Board.run(last, north, Board - men[Ann])) > 3 { marks[Ann] = (marks[Ann] * 7 + 860) mod 9973 }
    }
  }
  payoff general-sum: marks
}";

#[test]
fn sets_of_several_words_are_read_before_they_are_written_over() {
    agree("wide", || of_text(WIDE));
}

/// Random questions about sets of cells, on boards of one word to five.
fn questions(seed: u64) -> String {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut any = |list: &[&str]| list[rng.random_range(0..list.len() as u64) as usize].to_string();
    let board = any(&[
        "grid Board(8, 8)",
        "grid Board(65, 2)",
        "grid Board(3, 80)",
        "grid Board(70, 3)",
        "grid Board(16, 17)",
        "hex Board(12)",
        "hex Board(4, 33)",
    ]);
    let ways: &[&str] = match board.starts_with("hex") {
        true => &["east", "southeast", "southwest", "northeast"],
        false => &["north", "east", "southeast", "northeast", "south"],
    };
    const SETS: &[&str] = &[
        "men[p]",
        "men[Ann]",
        "men[Ann] + men[Ben]",
        "Board - men[Ann]",
        "Board - men[p]",
        "men[Ben] - last",
        "men[opponent(p)]",
    ];
    let mut statements = String::new();
    for n in 0..6 {
        let cell = any(&["last", "last", "first"]);
        let (way, set, other) = (any(ways), any(SETS), any(SETS));
        let asked = any(&["==", ">=", "<", ">"]);
        let than = any(&["1", "2", "3", "5", "9"]);
        let question = any(&["line", "longest", "shorter", "run", "next", "size"]);
        let size = match question.as_str() {
            "line" => format!("size(Board.line({cell}, {way}, {set}))"),
            "longest" => format!(
                "(max(d in {{ {way}, {} }}) size(Board.line({cell}, d, {set})))",
                any(ways)
            ),
            "shorter" => format!(
                "min(size(Board.line({cell}, {way}, {set})), size(Board.line(first, {way}, {other})))"
            ),
            "run" => format!("size(Board.run({cell}, {way}, {set}))"),
            "next" => format!("size(Board.next({cell}) & {set})"),
            _ => format!("size({set} - {other})"),
        };
        statements += &format!(
            "      if {size} {asked} {than} {{ marks[p] = (marks[p] * 7 + {}) mod 9973 }}\n",
            100 * n + 3
        );
    }
    let filter = any(SETS);
    format!(
        "game Questions {{
  players {{ Ann, Ben }}
  {board}
  state {{ men : [Player] set of Board  last : Board = a1  first : Board = a1  marks : [Player] 0..9972 }}
  play {{
    turns p from Ann at most 30 {{
      p chooses {{
        far(c in Board - men[Ann] - men[Ben]) => {{ men[p] += c  last = c }}
        near(c in Board.next(last) - men[Ann] - men[Ben]) => {{ men[p] += c  last = c }}
        back(c in men[p]) => {{ men[p] -= c  first = c }}
        mark(c in Board - {filter}) => {{ first = c }}
      }}
      else {{ end }}
{statements}    }}
  }}
  payoff general-sum: marks
}}"
    )
}

#[test]
fn random_questions_have_the_answers_of_steps() {
    for seed in 0..24 {
        let text = questions(seed);
        agree(&format!("{seed}\n{text}"), || of_text(&text));
    }
}
