//! Stores of whole rows.

use crate::table::table;

const STATE: &str = "  enum Fare { taxi, bus, boat }
  state { t : [Player] [Fare] 0..20   u : [Fare] 0..20   k : 0..9 = 3 }";

fn row(t: &crate::table::Table, name: &str) -> Vec<String> {
    let fares = ["taxi", "bus", "boat"];
    fares
        .iter()
        .map(|f| t.value(&format!("{name}[{f}]")))
        .collect()
}

#[test]
fn entries_and_else() {
    let t = table(
        STATE,
        "t[Ann] = { taxi: 4, bus: k + 2, else: k }   u = { boat: 1, else: 2 }
         t[Ben] = { taxi: 1, bus: 2, boat: 3 }   Ann chooses n in 1..2",
    );
    assert_eq!(row(&t, "t[Ann]"), ["4", "5", "3"]);
    assert_eq!(row(&t, "t[Ben]"), ["1", "2", "3"]);
    assert_eq!(row(&t, "u"), ["2", "2", "1"]);
}

#[test]
fn formulas_and_other_rows() {
    let t = table(
        STATE,
        "u = [f in Fare] if f == bus then k else 1
         t[Ann] = [f in Fare] u[f] + 1   t[Ben] = u   Ann chooses n in 1..2",
    );
    assert_eq!(row(&t, "u"), ["1", "3", "1"]);
    assert_eq!(row(&t, "t[Ann]"), ["2", "4", "2"]);
    assert_eq!(row(&t, "t[Ben]"), ["1", "3", "1"]);
}

/// Everything is read before anything is stored: a rotation loses nothing.
#[test]
fn a_row_may_be_made_from_itself() {
    let t = table(
        STATE,
        "u = { taxi: 1, bus: 2, boat: 3 }   u = [f in Fare] u[next(f)]
         t[Ann] = u   t = [p in Player] [f in Fare] t[next(p)][f] + size(Fare before f)
         Ann chooses n in 1..2",
    );
    assert_eq!(row(&t, "u"), ["2", "3", "1"]);
    // The two change places, and 0, 1, 2 are added.
    assert_eq!(row(&t, "t[Ann]"), ["0", "1", "2"]);
    assert_eq!(row(&t, "t[Ben]"), ["2", "4", "3"]);
}

/// What is revealed is told before anything is stored, under a condition too.
#[test]
fn values_of_a_row_may_be_revealed() {
    let t = table(
        STATE,
        "u = { taxi: 1, bus: 2, boat: 3 }   u = [f in Fare] reveal(u[next(f)])
         t[Ann] = [f in Fare] reveal(u[f] + 1)   t[Ben] = [f in Fare] if u[f] > 1 then reveal(u[f]) else 0
         u = { taxi: reveal(u[boat]), else: reveal(u[taxi] to Ann) }   Ann chooses n in 1..2",
    );
    assert_eq!(row(&t, "t[Ann]"), ["3", "4", "2"]);
    assert_eq!(row(&t, "t[Ben]"), ["2", "3", "0"]);
    assert_eq!(row(&t, "u"), ["1", "2", "2"]);
}

#[test]
fn several_indices_at_once() {
    let t = table(
        STATE,
        "t = { Ann: { taxi: 1, else: 2 }, else: [f in Fare] k }   t[Player] = { boat: 9, else: k }
         Ann chooses n in 1..2",
    );
    assert_eq!(row(&t, "t[Ann]"), ["3", "3", "9"]);
    assert_eq!(row(&t, "t[Ben]"), ["3", "3", "9"]);
    let t = table(
        STATE,
        "t = { Ann: { taxi: 1, else: 2 }, else: [f in Fare] k }   Ann chooses n in 1..2",
    );
    assert_eq!(row(&t, "t[Ann]"), ["1", "2", "2"]);
    assert_eq!(row(&t, "t[Ben]"), ["3", "3", "3"]);
}
