//! `filter` in a knowledge block: which moves a player looks at.

use crate::table::{Table, around, report, set_up};
use ruse::internal::machine::Actions;

/// A small Scotland Yard with the filters of Nijssen & Winands 2012, section IV-F: no black ticket in the first two rounds,
/// nor when X is to show himself, nor when every place where he can be has taxis only, unless a ferry leaves from where he
/// is; no double move as long as some move leads out of reach.
const YARD: &str = "game Yard {
  players { X, Red }
  enum Fare { taxi, bus, ferry, black }
  graph Town {
    nodes 1..9
    edges taxi { 1: 2 3; 2: 4; 3: 5; 4: 6; 5: 6; 6: 7; 7: 8 9 }
    edges bus { 4: 7; 5: 9 }
    edges ferry { 8: 9 }
  }
  const surfacing : set of 1..9 = { 3 }
  state {
    at       : [p: Player] Town      seen by if p == X then X else all
    tickets  : [Fare] 0..9 = { taxi: 9, bus: 9, ferry: 0, black: 2 }
    round    : 0..9 = 0
    suspects : set of Town = { 2, 4, 8 }
  }
  def fares: set of Fare                    = { f for f in Fare where tickets[f] > 0 }
  def lines(f: Fare): set of Fare           = if f == black then all else { f }
  def targets(s: Town, f: Fare): set of Town = Town.via(s, lines(f)) - at[Red]
  play {
    draw s in { 2, 4, 8 } into at[X] as \"{s}\"
    draw s in { 1, 7 } into at[Red] as \"{s}\"
    repeat 9 times {
      round += 1
      X chooses fare in fares, secretly to in targets(at[X], fare) into at[X], double in { false, true }
        as \"{fare} to {to}{if double then 2 else 1}\"
      tickets[fare] -= 1
      suspects = union(s in suspects) targets(s, fare)
      if round in surfacing { suspects = { reveal(at[X]) } }
      Red chooses stop in Town.next(at[Red]) into at[Red] as \"{stop}\"
      suspects -= stop
      if reveal(at[Red] == at[X]) { end }
    }
  }
  payoff zero-sum: [p in Player] 0
  knowledge X {
    filter sparing = fare != black or Town.via(at[X], ferry) != {} or
      round > 2 and not (round in surfacing) and some s in suspects: Town.via(s, all - taxi) != {}
    filter calm    = not double or every f in fares: targets(at[X], f) <= Town.next(at[Red])
  }
}";

/// The texts of the moves that every filter keeps.
fn kept(t: &Table, names: &[&str]) -> Vec<String> {
    let mut actions = Actions::default();
    t.machine.legal(&t.state, 0, &mut actions).unwrap();
    let mut all = vec![true; actions.len()];
    for name in names {
        let entry = t.machine.find_knowledge(0, name).expect("X's");
        let kept = t.machine.kept(&t.state, entry, 0, &actions).unwrap();
        all.iter_mut().zip(kept).for_each(|(a, k)| *a &= k);
    }
    let list = actions.iter().zip(all).filter(|(_, kept)| *kept);
    list.map(|(a, _)| t.machine.action_text(&t.state, 0, a, None))
        .collect()
}

fn yard(moves: &[&str]) -> Table {
    let mut t = set_up(YARD, &[]);
    for text in moves {
        t.play(&[text]);
    }
    t
}

const BOTH: [&str; 2] = ["sparing", "calm"];

#[test]
fn no_black_ticket_in_the_first_rounds_nor_when_surfacing() {
    let mut t = yard(&["2", "1"]);
    assert_eq!(
        t.options(0),
        ["taxi to 41", "taxi to 42", "black to 41", "black to 42"]
    );
    assert_eq!(kept(&t, &BOTH), ["taxi to 41"]);
    t.play(&["taxi to 41"]).play(&["3"]);
    assert_eq!(kept(&t, &BOTH), ["taxi to 21", "taxi to 61", "bus to 71"]);
    t.play(&["taxi to 61"]).play(&["1"]);
    assert_eq!(kept(&t, &BOTH), ["taxi to 41", "taxi to 51", "taxi to 71"]);
    // He shows himself at 5, where a bus stops: then a black ticket tells less than a taxi.
    t.play(&["taxi to 51"]).play(&["2"]);
    assert_eq!(
        kept(&t, &BOTH),
        [
            "taxi to 31",
            "taxi to 61",
            "bus to 91",
            "black to 31",
            "black to 61",
            "black to 91"
        ]
    );
}

#[test]
fn no_black_ticket_where_only_taxis_stop() {
    let t = yard(&[
        "2",
        "1",
        "taxi to 41",
        "3",
        "bus to 71",
        "1",
        "taxi to 61",
        "2",
    ]);
    assert_eq!(kept(&t, &BOTH), ["taxi to 41", "taxi to 51", "taxi to 71"]);
}

#[test]
fn a_ferry_is_an_exception_and_danger_calls_for_a_double_move() {
    let t = yard(&["8", "1"]);
    assert_eq!(
        kept(&t, &BOTH),
        ["taxi to 71", "black to 71", "black to 91"]
    );
    // Red at 7 can follow to 9, and nothing else is left.
    let t = yard(&["8", "7"]);
    assert_eq!(kept(&t, &BOTH), ["black to 91", "black to 92"]);
}

/// A filter says nothing of choices that do not bind its names, and never leaves a player without a move.
#[test]
fn a_filter_leaves_something() {
    let text = around(
        "  state { x : 0..3 }
  knowledge Ann { filter large = n > 3  filter even = n mod 2 == 0 }",
        "Ann chooses { pick(n in 1..4) => {}  pass }   Ann chooses n in 1..3   Ann chooses m in 1..2",
    );
    let mut t = set_up(&text, &[]);
    assert_eq!(kept(&t, &["large"]), ["pick(4)", "pass"]);
    t.play(&["pass"]);
    assert_eq!(kept(&t, &["large"]), ["1", "2", "3"]);
    assert_eq!(kept(&t, &["even"]), ["2"]);
    t.play(&["1"]);
    assert_eq!(kept(&t, &["even"]), ["1", "2"]);
}

fn codes(knowledge: &str) -> Vec<&'static str> {
    let text = around(
        &format!("  state {{ x : 0..3   s : 0..3 seen by Ben }}\n{knowledge}"),
        "draw d in 0..3 into s   Ann chooses n in 1..3   Ben chooses m in 1..3",
    );
    match ruse::load(&text, &Default::default()) {
        Ok(_) => Vec::new(),
        Err(problems) => {
            assert!(!report(&text, &problems).is_empty());
            problems.iter().map(|d| d.code.0).collect()
        }
    }
}

#[test]
fn a_filter_reads_what_its_owner_sees() {
    assert_eq!(codes("knowledge Ann { filter f = n > s }"), ["E0412"]);
    assert_eq!(codes("knowledge Player { filter f = m > s }"), ["E0412"]);
    assert_eq!(codes("knowledge Ben { filter f = m > s }"), [""; 0]);
    assert_eq!(codes("knowledge Ann { filter f = x > 1 }"), ["E0312"]);
    assert_eq!(codes("knowledge Ann { filter f = n > m }"), ["E0312"]);
    assert_eq!(codes("knowledge Ann { filter f = n }"), ["E0201"]);
    assert_eq!(
        codes("knowledge Ann { filter f = n > 1 }  knowledge Player { playout f = maximise n }"),
        ["E0102"]
    );
}
