//! What boards answer, by small games whose every condition holds. The same questions are asked of values that are known
//! before play and of values that are stored in play, so that constants and the running machine agree.

use ruse::internal::check::Settings;
use ruse::internal::machine::Turn;

/// Plays a game without choices and wants it to end with no condition failed.
fn holds(board: &str, state: &str, start: &str, facts: &[&str]) {
    let asked: String = facts
        .iter()
        .enumerate()
        .map(|(i, fact)| format!("    if not ({fact}) {{ failed += {i} }}\n"))
        .collect();
    let text = format!(
        "game Facts {{
  players {{ A }}
  {board}
  state {{
    failed : set of 0..99
    {state}
  }}
  play {{
    {start}
{asked}  }}
  payoff general-sum: {{ A: size(failed) }}
}}"
    );
    let machine = match ruse::load(&text, &Settings::new()) {
        Ok((machine, _)) => machine,
        Err(problems) => {
            let shown: Vec<String> = problems
                .iter()
                .map(|d| d.render("facts", &text, false))
                .collect();
            panic!("{}", shown.join("\n"));
        }
    };
    let state = machine.initial().expect("an end");
    assert_eq!(machine.turn(&state), Turn::Terminal);
    let view = machine.view(&state, 0).entries;
    let failed = view.iter().find(|e| e.name == "failed").expect("failed");
    assert_eq!(failed.value, "{}", "failed: {facts:#?}");
}

const CITY: &str = "enum Fare { taxi, bus, black }
  graph City {
    nodes 1..6
    edges taxi { 1: 2 3; 2: 3; 4: 5 }
    edges bus { 1: 4, 3: 4 }
  }
  type Place = City.node";

#[test]
fn graphs() {
    for stored in [false, true] {
        let (state, start) = if stored {
            (
                "one : Place  four : Place  six : Place  some_ : set of Place  line : set of Fare  cab : Fare",
                "one = 1  four = 4  six = 6  some_ = { 2, 4 }  line = { taxi, black }  cab = taxi",
            )
        } else {
            ("", "")
        };
        let constants = "
  const one = 1  const four = 4  const six = 6  const some_ : set of Place = { 2, 4 }
  const line : set of Fare = { taxi, black }  const cab : Fare = taxi";
        let board = format!("{CITY}{}", if stored { "" } else { constants });
        holds(
            &board,
            state,
            start,
            &[
                "City.all == 1..6",
                "City == City.node",
                "City.next(one) == { 2, 3, 4 }",
                "City.next(six) == {}",
                "City.via(one, taxi) == { 2, 3 }",
                "City.via(one, { bus }) == { 4 }",
                "City.via(one, line) == { 2, 3 }",
                "City.via(four, cab) == { 5 }",
                "City.via(four, { cab }) == { 5 }",
                "City.via(four, { cab, bus }) == { 1, 3, 5 }",
                "City.via(four, {}) == {}",
                "City.via(four, black) == {}",
                "City.degree(one) == 3 and City.degree(six) == 0",
                "City.hops(one, four) == 1 and City.hops(four, 2) == 2 and City.hops(one, one) == 0",
                // By taxi alone 1 and 4 are apart: as many as there are nodes.
                "City.hops(one, four, taxi) == 6 and City.hops(one, four, { taxi, bus }) == 1",
                "City.hops(one, six) == 6",
                "City.reach(one) == 1..5 and City.reach(six) == { 6 }",
                "City.around(some_) == { 1, 3, 5 }",
                "City.around(one) == { 2, 3, 4 }",
                "City.group(one, { 1, 2, 5, 6 }) == { 1, 2 }",
                "City.group(one, { 2, 3 }) == {}",
                "City.group(some_, { 2, 3, 4, 5 }) == { 2, 3, 4, 5 }",
                // The only board needs no name.
                "hops(one, four) == 1 and hops(one, four, taxi) == 6 and hops(2, 5) == 3",
                "via(one, line) == { 2, 3 } and degree(one) == 3 and reach(six) == { 6 }",
                "around(some_) == { 1, 3, 5 } and group(one, { 1, 2, 5, 6 }) == { 1, 2 }",
            ],
        );
    }
}

/// Of several boards, that one is meant whose nodes the names in the brackets stand for.
#[test]
fn functions_without_the_name_of_a_board() {
    holds(
        "graph Town { nodes 1..4  edges { 1: 2; 2: 3; 3: 4 } }
  graph River { nodes { spring, mill, sea }  edges stream { spring: mill; mill: sea } }
  grid Field(3, 3)
  const home : Town = 1
  def far(s: Town): 0..4 = hops(s, home)
  def first(p: Player): Town = home
  def reach(n: 0..9): 0..9 = n",
        "at : [Player] Town  boat : River?  cells : set of Field",
        "at[A] = 4  boat = mill  cells = { a1, b2 }",
        &[
            "hops(at[A], 2) == 2 and hops(1, home) == 0 and far(3) == 2",
            "boat != none and hops(boat, sea) == 1 and degree(boat) == 2",
            "hops(spring, sea) == 2 and hops(a1, c3) == 4",
            "hops(only(steps(b1, { north })), a1) == 2",
            // The next in their order, and no neighbour.
            "next(mill, 1) == sea and next(at[A], 1) == 1",
            "hops(only(cells & { a1 }), max(cells)) == 2",
            "size({ c for c in Field where hops(c, b2) <= 1 }) == 5",
            "via(mill, stream) == { spring, sea } and column(2) == { b1, b2, b3 }",
            "hops(first(A), at[A]) == 3",
            // A def of the game comes first.
            "reach(3) == 3",
        ],
    );
}

#[test]
fn one_way_edges_and_named_nodes() {
    holds(
        "graph River { nodes { spring, mill, bridge, sea }
    directed edges stream { spring: mill; mill: bridge; bridge: sea }
    edges road { mill: sea } }",
        "at : River",
        "at = mill",
        &[
            "River.next(at) == { bridge, sea }",
            "River.via(sea, stream) == {}",
            "River.via(sea, { road, stream }) == { mill }",
            "River.hops(spring, sea) == 2 and River.hops(spring, sea, stream) == 3",
            "River.hops(sea, spring) == 4",
            "River.reach(sea) == { mill, bridge, sea }",
            "{ road, stream } == River.label",
            "next(at, 2) == sea",
        ],
    );
}

#[test]
fn squares() {
    for stored in [false, true] {
        let values = [
            ("here", "Board", "b2"),
            ("corner", "Board", "d3"),
            ("up", "Board.direction", "north"),
            ("mine", "set of Board", "{ a1, b2, c2, d2, d3, b3 }"),
            ("n", "1..4", "4"),
        ];
        let (mut constants, mut state, mut start) = (String::new(), String::new(), String::new());
        for (name, ty, value) in values {
            if stored {
                state += &format!("{name} : {ty}\n    ");
                start += &format!("{name} = {value}\n    ");
            } else {
                constants += &format!("\n  const {name} : {ty} = {value}");
            }
        }
        holds(
            &format!("grid Board(4, 3){constants}"),
            &state,
            &start,
            &[
                "size(Board) == 12 and Board.all == Board and Board.cell == Board",
                "Board.next(here) == { b1, a2, c2, b3 } and Board.next(corner) == { c3, d2 }",
                "Board.touching(corner) == { c3, c2, d2 } and size(Board.touching(here)) == 8",
                "Board.degree(here) == 4 and Board.degree(corner) == 2",
                "Board.hops(corner, a1) == 5",
                "Board.around({ here, corner }) == { b1, a2, c2, b3, c3, d2 }",
                "Board.around({ a1, b1 }) == { c1, a2, b2 }",
                "Board.group(here, mine) == { b2, c2, d2, d3, b3 } and Board.group(a1, mine) == { a1 }",
                "Board.step(here, up) == b3 and Board.step(corner, up) == none",
                "Board.step(here, southwest) == a1 and Board.step(here, southeast) == c1",
                "Board.steps(here, { up, east }) == { b3, c2 } and Board.steps(corner, up) == {}",
                "Board.steps(corner, Board.direction) == { c2, c3, d2 }",
                "Board.run(here, east, mine) == { c2, d2 } and Board.run(corner, up, mine) == {}",
                "Board.run(a2, east, mine) == { b2, c2, d2 } and Board.run(a1, east, mine) == {}",
                "Board.run(a1, northeast, Board) == { b2, c3 }",
                "Board.line(c2, east, mine) == { b2, c2, d2 } and Board.line(c2, west, mine) == { b2, c2, d2 }",
                "Board.line(here, up, mine) == { b2, b3 } and Board.line(c1, up, mine) == {}",
                "Board.line(c2, northeast, mine) == { c2, d3 } and Board.line(here, southwest, mine) == { a1, b2 }",
                "Board.column(n) == { d1, d2, d3 } and Board.column(here) == { b1, b2, b3 }",
                "Board.row(1) == Board.bottom and Board.row(3) == Board.top and Board.row(here) == { a2, b2, c2, d2 }",
                "Board.left == Board.column(1) and Board.right == Board.column(n)",
                "min(Board.column(2)) == b1 and max(Board) == corner",
                "some way in { north, east }: size(Board.line(d2, way, mine)) == 3",
                "Board.group(here, mine, all) == mine and Board.group(a1, mine, east) == { a1 }",
                "Board.group(a1, mine, { northeast, southwest }) == { a1, b2 }",
                "every c in mine: Board.group(c, mine, { north, east, south, west }) == Board.group(c, mine)",
                "Board.step(a2, east, 3) == d2 and Board.step(here, up, 0) == here and Board.step(here, up, n) == none",
                "Board.step(a1, northeast, n - 2) == c3",
                "every c in Board, d in Board.direction, k in 0..4: (Board.step(c, d, k) == none) == (k > size(Board.run(c, d, Board)))",
                "Board.steps(b1, { up, east, west }, 2) == { b3, d1 } and Board.steps(here, east, n - 2) == { d2 }",
                "Board.sight(a1, up, mine) == { a2 } and Board.sight(a1, northeast, mine) == { b2, c3 }",
                "Board.sight(here, east, mine) == { c2, d2 } and Board.sight(corner, up, mine) == {}",
                "every c in Board, d in Board.direction: Board.sight(c, d, mine) == Board.run(c, d, mine) + (union(x in Board.run(c, d, mine) + c) Board.steps(x, { d }))",
                "Board.at(n, 3) == corner and Board.at(2, n - 2) == here and Board.at(n + 1, 1) == none and Board.at(1, n) == none",
                "every c in Board: Board.at(Board.column_of(c), Board.row_of(c)) == c",
                // b2 and d2 have another of them above.
                "(count c in mine: Board.steps(c, up) & mine != {}) == 2",
            ],
        );
    }
}

#[test]
fn hexagons() {
    holds(
        "hex Board(3)",
        "here : Board  mine : set of Board",
        "here = b2  mine = { a1, a2, b2, c1 }",
        &[
            "Board.next(here) == { b1, c1, a2, c2, a3, b3 }",
            "Board.next(a1) == { b1, a2 } and Board.next(c1) == { b1, b2, c2 }",
            "Board.step(here, northeast) == c1 and Board.step(here, southeast) == b3",
            "Board.step(here, southwest) == a3 and Board.step(here, northwest) == b1",
            "Board.top == { a1, b1, c1 } and Board.bottom == { a3, b3, c3 }",
            "Board.left == { a1, a2, a3 } and Board.right == { c1, c2, c3 }",
            "Board.group(a1, mine) == mine",
            "Board.group(a1, mine - a2) == { a1 }",
            "Board.line(here, northeast, mine) == { b2, c1 } and Board.line(here, east, mine) == { a2, b2 }",
            "Board.hops(a1, c3) == 4 and Board.hops(c1, a3) == 2",
            "Board.step(a1, southeast, 2) == a3 and Board.sight(a1, southeast, { a2 }) == { a2, a3 }",
            "Board.group(a1, mine, { east, southeast }) == { a1, a2, b2 } and Board.at(3, 1) == c1",
        ],
    );
}

/// A name that two boards have is that of the board that the other side speaks of.
#[test]
fn boards_with_the_same_names() {
    holds(
        "grid Board(4, 3)  hex Comb(3)",
        "at : Board  bee : Comb",
        "at = b2  bee = c3",
        &[
            "Board.next(at) == { b1, a2, c2, b3 } and { b1, a2, c2, b3 } == Board.next(b2)",
            "Comb.next(bee) == { c2, b3 } and bee == c3 and bee in { c3 }",
            "Board.column(2) - { b1 } == { b2, b3 } and at in { a1, b2 }",
            "Board.steps(a1, { west, northeast }) == { b2 } and Comb.step(a2, northeast) == b1",
        ],
    );
}

/// More than one word of bits: cells 65 to 361.
#[test]
fn large_boards() {
    holds(
        "grid Board(19, 19)",
        "chain : set of Board",
        "chain = Board.column(10) + Board.row(10)",
        &[
            "size(Board.group(s10, chain)) == 37",
            "Board.group(j1, chain - j10) == Board.column(10) - j10 - { j11, j12, j13, j14, j15, j16, j17, j18, j19 }",
            // Twice 18 beside each arm, less the four cells beside both.
            "size(Board.around(chain)) == 68",
            "size(Board.line(j5, north, chain)) == 19 and size(Board.run(a10, east, chain)) == 18",
            "Board.hops(a1, s19) == 36",
            "Board.group(s10, chain, all) == chain and Board.step(a10, east, 18) == s10",
            "Board.sight(j5, north, chain - j9) == { j6, j7, j8, j9 } and Board.at(10, 19) == j19",
        ],
    );
}

/// As many nodes as a board may have: distances above 255, and a node that no way leads to.
#[test]
fn distances_on_the_largest_boards() {
    for stored in [false, true] {
        let (constants, state, start) = if stored {
            (
                "",
                "far : Board  near : Board",
                "far = max(Board)  near = a1",
            )
        } else {
            ("const far = max(Board)  const near = a1", "", "")
        };
        holds(
            &format!("grid Board(64, 64)\n  {constants}"),
            state,
            start,
            &[
                "hops(near, far) == 126 and hops(far, near) == 126 and hops(far, far) == 0",
                "(max(c in Board) hops(near, c)) == 126 and (count c in Board: hops(near, c) == 63) == 64",
            ],
        );
    }
    let path: Vec<String> = (1..1999).map(|n| format!("{n}: {}", n + 1)).collect();
    holds(
        &format!(
            "graph Path {{ nodes 1..2000  edges {{ {} }} }}",
            path.join("; ")
        ),
        "here : Path",
        "here = 7",
        &[
            "hops(here, 1999) == 1992 and hops(1999, here) == 1992 and hops(here, 8) == 1",
            "hops(here, 2000) == 2000 and hops(2000, here) == 2000 and hops(2000, 2000) == 0",
        ],
    );
}

/// Where a number of steps leads is known for few of them only on the longest boards.
#[test]
fn numbers_of_steps_on_long_boards() {
    let check = |asked: &str| {
        let text = format!(
            "game Long {{
  players {{ A, B }}
  grid Board(4096, 1)
  state {{ at : Board   n : 0..4096   few : 0..3   near : set of Board }}
  play {{ A chooses c in Board into at   {asked} }}
  payoff zero-sum: [p in Player] 0
}}"
        );
        let problems = ruse::load(&text, &Settings::new()).err();
        let codes = problems.iter().flatten().map(|d| d.code.0);
        codes.collect::<Vec<_>>()
    };
    assert_eq!(
        check("if Board.step(at, east, few) == at { n = 1 }"),
        [""; 0]
    );
    assert_eq!(check("near = Board.steps(at, { east, west }, 2)"), [""; 0]);
    assert_eq!(check("near = Board.sight(at, east, near)"), [""; 0]);
    assert_eq!(
        check("if Board.step(at, east, n) == at { n = 1 }"),
        ["E0304"]
    );
    assert_eq!(check("near = Board.steps(at, east, n)"), ["E0304"]);
}
