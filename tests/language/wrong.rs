//! What a wrong game is told: the text with its report, kept as snapshots.

use crate::table::{around, report};

/// The problems of a game, rendered after its text.
#[track_caller]
pub fn snapshot(name: &str, text: &str) {
    let found = match ruse::load(text, &Default::default()) {
        Ok((_, warnings)) => warnings,
        Err(problems) => problems,
    };
    assert!(!found.is_empty(), "nothing is wrong with {name}");
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        let shown = format!("{text}\n\n{}", report(text, &found));
        insta::assert_snapshot!(format!("check-{}", name.replace('_', "-")), shown);
    });
}

macro_rules! wrong {
    ($($name:ident: $items:expr, $play:expr;)*) => {
        $(
            #[test]
            fn $name() {
                snapshot(stringify!($name), &around($items, $play));
            }
        )*
    };
}

const HANDS: &str =
    "  state { hand : [p: Player] set of 1..4 = all seen by p   secret : 1..2 seen by Ben }";

wrong! {
    misplaced_subsets: HANDS, "    let x = subsets(hand[Ann], 2)   Ann chooses s in subsets(hand[Ann])";
    subsets_of_a_secret_size: HANDS, "    Ann chooses s in subsets(hand[Ann], secret)";
    misplaced_in_after: "  state { x : 0..3 }\n  rule ask() { Ben chooses n in 1..2 into x }\n  rule tell() { reveal(x) }\n  const k = 3 after { }",
        "    if x == 1 after { Ann chooses n in 1..3   draw d in 1..2   end } { }
    if x == 1 after { ask()   tell() } { }   if x == 1 after { break } { }   if reveal(x == 1) after { x = 1 } { }";
    after_a_secret: HANDS, "    Ann chooses s in hand[Ann] where size(hand[Ann]) == 2 after { if secret == 1 { hand[Ann] -= s } }";
    bad_team: "  team Reds { Ann, Bne }\n  team Blues { Ann }", "    let x = team(3)";
    misused_note: "  state { x : 0..9 }\n  note n : 0..9\n  def twice: 0..18 = 2 * n\n  shown def told: 0..9 = n",
        "    x = n   n = 3   note x = 2   note n = x   if twice == 2 { }   Ann chooses m in 1..2 into n";
    note_that_leaks: "  state { x : 0..9 seen by Ann }\n  note n : 0..9", "    draw d in 1..9 into x   note n = x   if x == 1 { note n = 3 }";
    bad_row: "  state { a : [1..3] 0..9   b : [1..2] 0..9   c : [1..3][1..3] 0..9 }",
        "    a = { 1: 2, 1: 3 }   a = { 1: 2 }   a = [i in 1..2] i   a = b   c = a   c[1] = { 1: 2, else: red }";
    bad_family: "  state { n : 1..3 = 2   s : set of 1..3 }",
        "    Ann chooses each u in s: r[u] in 1..2   Ann chooses each u in 1..3: q in 1..2   Ann chooses k[u] in 1..2
    Ann chooses each u in 1..2: w[u] in 1..2   n = w   n = w[3]   n = w[n]";
    shared_texts: "  state { a : 0..20 = 12 }",
        "    Ann chooses x in 1..12, y in 1..12 as \"{x}{y}\"   Ann chooses { one as \"go\"  two as \"go\" }
    Ann chooses x in 1..a, y in 1..a as \"{x}\"   Ann chooses x in 1..5 as \"{x div 2}\"   Ann chooses x in 1..5 as \"{6 - x}\"";
    subsets_of_what: HANDS, "    Ann chooses s in subsets(3, true)";
}

/// What could not be read is told once: names that it declares are not missed as well.
#[test]
fn names_that_were_not_read() {
    let text = "game Test {
  players { Ann, Ben }
  enum Suit { red black }
  type Die = 1..6;;
  grid Board 3
  state {
    face : [p: Player, d: Die] 1..6
    last Suit
    sum : 0..12
  }
  def worth(s) = if s == red then 2 else 1
  rule roll p: Player { face[p][1] = 2 }
  play {
    roll(Ann)
    face[Ann][2] = 3
    last = black
    let best mx = 3
    sum = worth(last) + best + missing
    Ann chooses c in Board
  }
  payoff [p in Player] face[p][1]
}";
    snapshot("names_that_were_not_read", text);
}
