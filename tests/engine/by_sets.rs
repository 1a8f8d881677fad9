//! What is asked of sets as a whole is what is asked of their elements one by one, and conditions that are asked early let
//! the same through as those that are asked at the end.

use crate::support::{load_text, random_step};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::check::Settings;
use ruse::internal::machine::{Actions, Engine, Machine, Turn};
use ruse::internal::solve::{PerftOptions, perft};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Conditions on a cell `d`, beside the last one, `c`, the mover, `me`, and a number, `k`.
const CELLS: &[&str] = &[
    "d in stones[me]",
    "not d in stones[Ann] and not d in stones[Ben]",
    "cell[d] == me",
    "cell[d] != none and d != c",
    "none == cell[d] or d in Board.next(c)",
    "d < c",
    "d >= c",
    "c >= d and cell[d] == none",
    "Board.column_of(d) == 3",
    "Board.row_of(d) == k mod 5 + 1 or d == c",
    "Board.next(d) & stones[me] != {}",
    "some e in Board.next(d): e in stones[opponent(me)]",
    "cell[d] == cell[c]",
    "flag[d]",
    "not flag[d] and d != c",
    "marked[me, d]",
    "marked[opponent(me), d] or flag[d]",
    "not marked[me, d] and (marked[opponent(me), d] or d in Board.next(c))",
    "rated[k mod 3, d] == rated[k mod 3, c]",
    "rated[k mod 3, d] != 2",
    "rated[k mod 3, d] > 1 or d == c",
    "rated[k mod 3, d] in { 0, 3 }",
    "rated[k mod 3, d] + k mod 2 > 2",
    "rated[k mod 3, d] mod 2 == 0 and not (rated[k mod 3, d] == 2 and d in Board.next(c))",
    "cell[d] != none and opponent(cell[d]) == me",
    "not (cell[d] == none or opponent(cell[d]) != me) or d < c",
    "if cell[d] == none then k > 2 else cell[d] == opponent(me)",
    "d in Board.next(c) or k mod 2 == 0",
    "deep[d] < 0 or d == c",
    "(count p in Player: marked[p, d]) == 1",
    "(sum(p in Player) (if marked[p, d] then k mod 3 else 1)) > 2 or d in near",
    "deep[d] * deep[d] > k mod 4",
    "coin[d] != none and only(coin[d]).rank > 1",
    "coin[d] == none or only(coin[d]).rank + k mod 2 > 2 or only(coin[d]).gold and d in near",
    "flag[d] and d != c or k > 3 and d in near",
    "k mod 2 == 0 and d in Board.next(c)",
    "Board.column_of(d) == Board.column_of(c) + k mod 3 - 1",
    "Board.row_of(d) < Board.row_of(c) or Board.column_of(c) <= Board.column_of(d)",
    "some s in 1..k: Board.column_of(d) == Board.column_of(c) + s mod 3 and Board.row_of(d) == s",
    "every e in stones[me]: Board.row_of(e) >= Board.row_of(d)",
    "no e in stones[me]: Board.row_of(e) == Board.row_of(d) and e != c",
    "some p in Player: d in stones[p] or every q in Player: d in Board.next(c) and p != q",
    "size(Board.line(d, east, stones[me])) >= 2",
    "3 < size(Board.line(d, north, Board - stones[me])) and d != c",
    "size(Board.line(d, south, stones[Ann] + stones[Ben])) == 2 or d == c",
    "size(Board.line(d, west, stones[Ann] + stones[Ben])) != 2",
    "some way in { north, east }: size(Board.line(d, way, Board - near)) > 4",
    "size(Board.line(d, south, near)) < 2 or size(Board.line(d, east, near)) <= k - 3",
    "Board.run(d, east, stones[me]) != {}",
    "Board.run(d, north, stones[me]) == {} or d == c",
    "Board.step(d, east) in stones[me]",
    "Board.step(d, north) != c and Board.step(d, south, 2) in Board - near",
    "let t = Board.step(d, south); t != none and t in near and t != c",
    "let t = Board.step(d, west); if t == none then d == c else Board.run(t, west, stones[me]) != {}",
    "let t = Board.step(d, west); t == none or Board.step(t, north) not in stones[me]",
    "d in (if Board.column_of(d) > 2 then near else stones[opponent(me)])",
    "some way in { north, west }: (let t = Board.step(d, way); t != none and (t in near or Board.run(t, way, stones[me]) != {}))",
];

/// Conditions on a cell of which sets say more in other words.
const WAYS: &[&str] = &[
    "jumps(d, me) != {}",
    "jumps(d, opponent(me)) == {}",
    "not d in stones[me] or jumps(d, me) != {}",
    "some way in ways(d, me): Board.steps(d, { way }) & stones[opponent(me)] != {}",
    "(if d in stones[Ann] then Board.next(d) & stones[me] else near & Board.steps(d, { north })) != {}",
    "{ e for e in Board.next(d) where e in stones[me] and cell[e] != none } + (near & Board.steps(d, { east })) != {}",
];

/// Conditions of which sets decide a part.
const PARTS: &[&str] = &[
    "d in stones[me] and size(Board.next(d) & stones[me]) > 1",
    "size(Board.next(d) & stones[opponent(me)]) > 1 and not d in stones[me] and d < c",
    "not d in stones[me] or size(Board.next(d) & stones[me]) < 2",
    "size(Board.next(d) & near) == 1 or not (d in stones[me] and d <= c)",
    "cell[d] == me and (some e in Board: e in stones[me] and e in Board.next(d) and size(Board.next(e) & stones[me]) > 1)",
];

/// Conditions that ask first whether there is something.
const GUARDED: &[&str] = &[
    "last != none and d in Board.next(last)",
    "last == none or not d in Board.next(last) and d != last",
    "cell[d] != none and d in stones[cell[d]] and cell[d] == me",
    "cell[d] == none or size(stones[cell[d]] & Board.next(d)) > 1",
    "if last == none then d in near else d in Board.next(last) or Board.row_of(d) == Board.row_of(last)",
    "last != none and (some e in Board.next(d): e in Board.next(last) and cell[e] != none and e in stones[cell[e]])",
    "d in (if last != none and (some e in near: e in Board.next(last)) then { e for e in near where e in Board.next(last) } else Board.next(c))",
];

/// Conditions on two cells, of which the first asks something alone.
const PAIRS: &[&str] = &[
    "d in stones[me] and e in stones[me] and e in Board.next(d)",
    "e in Board.next(d) and e in stones[me] and d in stones[opponent(me)] and d < e",
    "not d in stones[me] or not e in stones[me] or size(Board.next(d) & Board.next(e)) < 2",
    "cell[d] == me and size(Board.next(e) & stones[opponent(me)]) > 1 and e in Board.steps(d, { north })",
    "d in near and (some f in Board: f in Board.next(e) and f in stones[me] and d in near and e in stones[me])",
];

/// What they are asked of.
const SETS: &[&str] = &[
    "Board",
    "stones[me]",
    "Board.next(c)",
    "Board - stones[Ann]",
    "{ d for d in Board where cell[d] != me }",
    "{ a1, b2, c3 }",
];

/// Conditions on a number `n`.
const NUMBERS: &[&str] = &[
    "n <= k",
    "n > k",
    "k < n",
    "n != k",
    "n mod 3 == 1 and n >= pile",
];

/// Conditions on one of few numbers `n`.
const FEW: &[&str] = &[
    "n <= pile",
    "n > pile and n mod 3 == 1",
    "not n == pile and n < 8 or n == 9",
    "n in 2..pile or n in { pile, 4 }",
    "n != pile and (n <= pile or n > 6) and not n in { 1, k }",
    "n in 3..8 and pile > n",
];

const NAMES: &str = "players { Ann, Ben }
  grid Board(5, 5)
  type Coin = (rank: 1..3, gold: bool)
  state { stones : [Player] set of Board  cell : [Board] Player?  k : 1..40 = 1  pile : 0..9 = 4  last : Board?  flag : [Board] bool  marked : [Player][Board] bool  rated : [0..2][Board] 0..3  deep : [Board] -2..2  coin : [Board] Coin?  wrong : 0..9999  hits : -99..99 }
  const ahead : [Player] set of Board.direction = { Ann: { north, west }, Ben: { south } }
  def near: set of Board = Board.column(k mod 5 + 1)
  def ways(d: Board, p: Player): set of Board.direction = if d in near then { north, east, south } else ahead[p]
  def jumps(d: Board, p: Player): set of Board =
    union(way in ways(d, p))
    union(over in Board.steps(d, { way }) & stones[opponent(p)]) (Board.steps(over, { way }) - stones[p])";

fn game(questions: &str, cond: &str) -> Arc<Machine> {
    let text = format!(
        "game Both {{
  {NAMES}
  play {{
    turns me from Ann at most 24 {{
      me chooses c in Board - stones[Ann] - stones[Ben] as \"{{c}}\"
      stones[me] += c
      cell[c] = me
      flag[c] = k mod 3 != 1
      marked[me, c] = true
      marked[opponent(me), a1] = k mod 2 == 0
      rated[k mod 3, c] = k mod 4
      deep[c] = k mod 5 - 2
      if k mod 4 == 0 {{ coin[c] = none }} else {{ coin[c] = (rank: k mod 3 + 1, gold: k mod 2 == 0) }}
      k = k mod 40 + 1
      if k mod 3 == 0 {{ last = none }} else {{ last = c }}
      {questions}
      opponent(me) chooses from in Board, d in Board where {cond} as \"{{from}} {{d}}\" else {{ }}
    }}
  }}
  payoff general-sum: [p in Player] -wrong
}}"
    );
    load_text("both.game", &text, &Settings::new())
}

/// Statements that count how often two ways of asking differ: of conditions on elements of sets, by a name.
fn questions(conditions: &[(&str, &str, &str)]) -> (String, usize) {
    let (mut all, mut asked) = (String::new(), 0);
    let mut ask = |one: &str, by_one: &str| {
        asked += 1;
        let _ = writeln!(all, "      if ({one}) != ({by_one}) {{ wrong += 1 }}");
    };
    for (set, name, cond) in conditions {
        // A condition that stands in the body of a sum is asked of each.
        let count = format!("sum({name} in {set}) (if {cond} then 1 else 0)");
        let size = format!("sum({name} in {set}) 1");
        ask(&format!("count {name} in {set}: {cond}"), &count);
        ask(
            &format!("size({{ {name} for {name} in {set} where {cond} }})"),
            &count,
        );
        ask(&format!("sum({name} in {set} where {cond}) 1"), &count);
        ask(
            &format!("some {name} in {set}: {cond}"),
            &format!("{count} > 0"),
        );
        ask(
            &format!("no {name} in {set}: {cond}"),
            &format!("{count} == 0"),
        );
        ask(
            &format!("every {name} in {set}: {cond}"),
            &format!("{count} == {size}"),
        );
    }
    for cond in PAIRS.iter().filter(|_| conditions.is_empty()) {
        let count = format!("sum(d in Board) (sum(e in Board) (if {cond} then 1 else 0))");
        let two = "d in Board, e in Board";
        ask(&format!("count {two}: {cond}"), &count);
        ask(&format!("sum({two} where {cond}) 1"), &count);
        ask(&format!("some {two}: {cond}"), &format!("{count} > 0"));
        ask(&format!("no {two}: {cond}"), &format!("{count} == 0"));
        ask(&format!("every {two}: {cond}"), &format!("{count} == 625"));
        ask(
            &format!("size({{ d for {two} where {cond} }})"),
            &format!(
                "sum(d in Board) (if (sum(e in Board) (if {cond} then 1 else 0)) > 0 then 1 else 0)"
            ),
        );
    }
    let near = "d in { e for e in Board where Board.next(e) & stones[me] != {} }";
    ask(
        "size(union(d in stones[me]) Board.next(d))",
        &format!("sum(d in Board) (if {near} then 1 else 0)"),
    );
    let _ = writeln!(
        all,
        "      let earlier = stones[me]
      let hit = sum(d in Board) (if d in Board.next(c) and cell[d] == me then 1 else 0)
      each d in Board where d in Board.next(c) and cell[d] == me {{ k = k mod 40 + 1  stones[me] -= d }}
      if size(earlier - stones[me]) != hit {{ wrong += 1 }}
      stones[me] = earlier
      hits = 0
      each d in Board {{ if d in earlier and d < c and cell[d] == me {{ hits += 1 }} }}
      each d in Board where not d in earlier or size(Board.next(d)) > 3 {{ hits += 1 }}
      each d in Board {{ if d in stones[me] {{ stones[me] += Board.next(d) & near  hits += 1 }} }}
      let left = stones[me]
      stones[me] = earlier
      hits -= sum(d in Board) (if d < c and cell[d] == me and d in earlier then 1 else 0)
      hits -= sum(d in Board) (if not d in earlier or size(Board.next(d)) > 3 then 1 else 0)
      each d in Board {{
        let stays = d in stones[me]
        if stays {{ stones[me] += Board.next(d) & near  hits -= 1 }}
      }}
      if hits != 0 or left != stones[me] {{ wrong += 1 }}
      stones[me] = earlier"
    );
    (all, asked)
}

#[test]
fn sets_answer_as_their_elements_do() {
    let of_cells = |set: &'static str, conds: &[&'static str]| {
        let of_one = |cond: &&'static str| (set, "d", *cond);
        conds.iter().map(of_one).collect::<Vec<_>>()
    };
    let mut games: Vec<_> = SETS.iter().map(|set| of_cells(set, CELLS)).collect();
    games.push(of_cells("Board - stones[Ann]", WAYS));
    games.push(of_cells("Board", PARTS));
    games.push(of_cells("Board", GUARDED));
    games.push(of_cells("stones[me]", GUARDED));
    games.push(Vec::new());
    games.push(NUMBERS.iter().map(|cond| ("1..40", "n", *cond)).collect());
    games.push(FEW.iter().map(|cond| ("0..9", "n", *cond)).collect());
    let (mut all, mut ends) = (0, 0);
    for conditions in games {
        let (questions, asked) = questions(&conditions);
        all += asked;
        for engine in [Engine::Native, Engine::Portable] {
            let machine = Arc::into_inner(game(&questions, "from == d")).unwrap();
            let machine = machine.with_engine(engine);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
            let start = machine.initial().unwrap();
            let mut playouts = machine.playouts();
            for _ in 0..20 {
                let played = playouts.play(&start, &mut rng).unwrap();
                assert_eq!(played.payoffs[..], [0, 0], "{engine:?} {conditions:?}");
                ends += 1;
            }
        }
    }
    assert!(all > 700 && ends == 520, "{all} {ends}");
}

#[test]
fn conditions_asked_early_let_the_same_through() {
    let conditions = [
        "from in stones[me] and d in Board.next(from) and cell[d] == none",
        "cell[from] == me and cell[d] == none",
        "size(stones[me]) > 2 and Board.hops(from, d) == 2 and not d in stones[me]",
        "d > from and from in stones[Ann] and d in stones[Ben]",
        "k mod 3 == 0 and from in Board.next(d)",
        "last != none and from in Board.next(last) and d in Board.next(from) and d != last",
        "cell[from] != none and d in stones[cell[from]] and (last == none or d in Board.next(last))",
        "some e in Board.next(from): cell[e] == me and d == e",
        "from in stones[me] and min(Board.next(from) + { from }) <= from and d in stones[Ben]",
    ];
    for cond in conditions {
        // What is compared with `true` is one condition, which is asked at the end.
        let (early, late) = (game("", cond), game("", &format!("({cond}) == true")));
        let early = Arc::into_inner(early).unwrap().with_engine(Engine::Native);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
        let mut looked_at = 0;
        for _ in 0..4 {
            looked_at += same_options(cond, &early, &late, &mut rng);
        }
        assert!(looked_at > 100, "{cond}: {looked_at}");
        assert_eq!(histories(&early, false), histories(&early, true), "{cond}");
    }
}

/// How many histories there are, ply by ply: by moves that are counted at once, or state by state.
pub fn histories(machine: &Machine, details: bool) -> Vec<u64> {
    let options = PerftOptions {
        depth: Some(3),
        details,
        ..PerftOptions::default()
    };
    let found = perft(machine, &options, &mut |_| {}, &AtomicBool::new(false)).unwrap();
    found.nodes_by_depth
}

/// How many options there were in a random game of both.
pub fn same_options(
    cond: &str,
    one: &Machine,
    other: &Machine,
    rng: &mut Xoshiro256PlusPlus,
) -> usize {
    let (mut a, mut b) = (one.initial().unwrap(), other.initial().unwrap());
    let mut seen = 0;
    let (mut first, mut second) = (Actions::default(), Actions::default());
    while one.turn(&a) != Turn::Terminal {
        assert_eq!(one.turn(&a), other.turn(&b), "{cond}");
        if let Turn::Decision(movers) = one.turn(&a) {
            for player in movers {
                one.legal(&a, player, &mut first).unwrap();
                other.legal(&b, player, &mut second).unwrap();
                assert_eq!(first, second, "{cond}");
                seen += first.len();
            }
        }
        let step = random_step(one, &a, rng).unwrap();
        one.step(&mut a, &step).unwrap();
        other.step(&mut b, &step).unwrap();
    }
    assert_eq!(other.turn(&b), Turn::Terminal, "{cond}");
    seen
}

/// The payoffs of the first player at all ends, in the order of the numbers, of a game that is counted as a whole.
fn payoffs(rest: &str) -> Vec<String> {
    let text = format!(
        "game Early {{
  players {{ Ann, Ben }}
  type T = 1..24
  grid Board(5, 5)
  {rest}
  payoff zero-sum: [p in Player] if p == Ann then n else -n
}}
"
    );
    let machine = load_text("early.game", &text, &Settings::default());
    let options = PerftOptions {
        details: true,
        ..PerftOptions::default()
    };
    let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).unwrap();
    found.details.unwrap().payoffs.into_keys().collect()
}

/// A def whose argument is one constant after the other is planned for each anew.
#[test]
fn constants_of_unrolled_loops_stay_where_they_are() {
    let found = payoffs(
        "state { n : 0..20000  k : 0..3 }
  def low(c: T, x: 0..9) = c mod 5 < x
  play {
    Ann chooses a in 0..3 into k
    n = sum(p in {1, 2, 4}) (p * (count c in T: low(c, p) or c mod 7 < k))
  }",
    );
    assert_eq!(found, ["98,-98", "109,-109", "116,-116", "130,-130"]);
}

/// What is left of a set by a condition is not the set that was computed before the loop around it.
#[test]
fn a_condition_holds_of_a_set_that_was_computed_before() {
    let found = payoffs(
        "state { n : 0..300  k : 0..3 }
  play {
    Ann chooses j in 0..3 into k
    n = sum(p in 1..2) (sum(x in { y for y in T where y > k } where x > 4 + p) 1)
  }",
    );
    assert_eq!(found, ["37,-37"]);
}

/// An optional value is not looked into before it is known that there is one.
#[test]
fn what_may_be_none_is_not_worked_out_early() {
    let found = payoffs(
        "state { best : Board?  n : 0..30 }
  play {
    turns me from Ann at most 2 {
      me chooses {
        put(c in Board) where best == none or c in Board.next(best) as \"{c}\" => best = c
        pass
      }
    }
    n = count c in Board: best != none and c in Board.next(best)
  }",
    );
    assert_eq!(found, ["0,0", "2,-2", "3,-3", "4,-4"]);
}

/// Nothing is drawn first that can be an error of play where there is nothing to draw before it.
#[test]
fn parts_that_can_fail_are_drawn_in_their_turn() {
    let text = "game Order {
  players { Ann, Ben }
  type T = 1..40
  state { k : 0..9  o : T?  W : [T] set of T = { 1: { 3, 4, 5, 8, 9, 10 }, else: { 3, 4, 5 } } }
  play {
    Ann chooses j in 0..9 into k as \"{j}\"
    if k > 0 { o = k }
    Ben chooses {
      x(a in 1..k, b in W[only(o)]) where a + b != 9 as \"{a} {b}\"
      pass
    }
  }
  payoff zero-sum: [p in Player] 0
}
";
    for engine in [Engine::Native, Engine::Portable] {
        let machine = load_text("order.game", text, &Settings::default());
        let machine = Arc::into_inner(machine).unwrap().with_engine(engine);
        let start = machine.initial().unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut playouts = machine.playouts();
        for _ in 0..500 {
            playouts.play(&start, &mut rng).unwrap();
        }
    }
}

/// What is asked early is no error of play that would not come, and hides none that would.
#[test]
fn errors_come_as_if_nothing_was_asked_early() {
    let cases = [
        ("some a in T: a in s and only(o[a]) == 99", true),
        ("some a in T: only(o[a]) == 99 and a in s", true),
        ("some a in T: a in s and a < 10 and only(o[a]) == 99", false),
        ("some a in T, b in T: only(o[a]) == 99 and b in s", true),
        (
            "some a in T, b in T: b in s and only(o[a]) == 99 and a in s",
            true,
        ),
        ("some a in T, b in s - s: only(o[a]) == 99", false),
        (
            "some a in T, b in s - s: a in s and only(o[a]) == 99",
            false,
        ),
        ("some a in T, b in { only(o[a]) }: a in s and b == 99", true),
        (
            "some a in T: a in s and a < 10 and (some b in { only(o[a]) }: b == 99)",
            false,
        ),
        ("every a in T: not a in s or only(o[a]) == a", true),
        (
            "every a in T: not a in s or a == 20 or only(o[a]) == a",
            false,
        ),
        (
            "every a in T, b in T: not a in s or a > 9 or not b in s or only(o[a]) == a",
            false,
        ),
        (
            "(count a in T, b in T: a in s and b in s and only(o[a]) == b) == 2",
            true,
        ),
    ];
    for (cond, fails) in cases {
        let text = format!(
            "game Faults {{
  players {{ Ann, Ben }}
  type T = 1..40
  state {{ s : set of T = {{ 1, 5, 20 }}  o : [T] T? = [t in T] if t mod 2 == 1 then t else none  n : 0..9 }}
  play {{
    Ann chooses k in 1..2
    if {cond} {{ n = 1 }}
  }}
  payoff zero-sum: [p in Player] 0
}}
"
        );
        for engine in [Engine::Native, Engine::Portable] {
            let machine = load_text("faults.game", &text, &Settings::default());
            let machine = Arc::into_inner(machine).unwrap().with_engine(engine);
            let start = machine.initial().unwrap();
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let played = machine.playouts().play(&start, &mut rng);
            assert_eq!(played.is_err(), fails, "{cond}");
        }
    }
}

/// Turns in games of arrays, of which a trial draws the first part from those that sets leave.
const FIRST: &[&str] = &[
    "me chooses c in Card where has[me, c] and not (some d in Card: has[me, d] and d > c and d mod 3 == c mod 3) as \"{c}\" else { end }
      has[me, c] = false",
    "me chooses {
        play(c in Card) where has[me, c] and c mod 4 != last mod 4 as \"{c}\" => { has[me, c] = false  last = c }
        pass where no c in Card: has[me, c] and c mod 4 != last mod 4
      }",
    "me chooses c in Card, d in 1..9 where has[me, c] and (c + d) mod 5 == last mod 5 and not has[opponent(me), d] as \"{c} {d}\" else { end }
      has[me, c] = false  last = c",
    "me chooses c in Card, d in { k for k in Card where k mod 9 == c mod 9 } where has[me, c] and has[opponent(me), d] as \"{c} {d}\" else { end }
      has[me, c] = false  last = d",
];

/// What `ruse check` plays to see which rules are reached is what is played without that.
#[test]
fn with_marks_the_same_games_are_played() {
    for turn in FIRST {
        let text = format!(
            "game First {{
  players {{ Ann, Ben }}
  type Card = 1..48
  state {{ has : [Player][Card] bool = [p in Player, c in Card] (c mod 2 == 0) == (p == Ann)  last : 0..48 }}
  play {{
    turns me from Ann at most 40 {{
      {turn}
    }}
  }}
  payoff zero-sum: [p in Player] 0
}}"
        );
        let plain = load_text("first.game", &text, &Settings::new());
        let marked = plain.marked().expect("marks");
        for seed in 0..20 {
            let mut rngs = [0; 2].map(|_| Xoshiro256PlusPlus::seed_from_u64(seed));
            let mut states = [&*plain, &marked].map(|machine| machine.initial().unwrap());
            for _ in 0..40 {
                let one = random_step(&plain, &states[0], &mut rngs[0]);
                let other = random_step(&marked, &states[1], &mut rngs[1]);
                assert_eq!(one, other, "{turn}");
                let Some(actions) = one else {
                    break;
                };
                plain.step(&mut states[0], &actions).unwrap();
                marked.step(&mut states[1], &actions).unwrap();
            }
        }
    }
}

/// Sets of which the least and the greatest element are wanted, by an element `x`.
const FILTERS: &[&str] = &[
    "(x * 3 + n) mod 5 > k",
    "x in held and x mod 3 == k mod 3",
    "flag[x] or x == n",
    "(some y in held: y == x + k)",
    "not x in held and x > n mod 7",
    "size(held & { x, n mod 9 + 1 }) == 1",
];

/// Plays at random by both engines, and wants the first player to get nothing in any game.
fn pays_nothing(text: &str, what: &str) {
    for engine in [Engine::Native, Engine::Portable] {
        let machine = load_text("counted.game", text, &Settings::new());
        let machine = Arc::into_inner(machine).expect("the only one");
        let machine = machine.with_engine(engine);
        let start = machine.initial().unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..50 {
            let played = machine.playouts().play(&start, &mut rng).expect(what);
            assert_eq!(played.payoffs[0], 0, "{what}");
        }
    }
}

/// The least and the greatest that fits, looked for from its end, is that of all that fit.
#[test]
fn the_first_that_fits_is_the_least_of_all() {
    for filter in FILTERS {
        for domain in ["N", "held", "2..9", "N - held"] {
            let text = format!(
                "game First {{
  players {{ Ann, Ben }}
  type N = 1..12
  state {{ held : set of N = {{ 1, 4, 7, 8, 11 }}  flag : [N] bool = [x in N] x mod 3 == 1  n : 0..40  k : 0..3
    least : 0..20  most : 0..20  wrong : 0..99 = 0 }}
  def fitting : set of N = {{ x for x in {domain} where {filter} }}
  play {{
    turns me from Ann at most 12 {{
      me chooses c in N as \"{{c}}\"
      least = 20
      most = 0
      each x in {domain} where {filter} {{ least = min(least, x)  most = max(most, x) }}
      if min({{ x for x in {domain} where {filter} }} + 20) != least {{ wrong += 1 }}
      if min(({{ x for x in {domain} where {filter} }} - 5) + 5) != min(5, least) {{ wrong += 1 }}
      if max({{ x for x in {domain} where {filter} }} + 0) != most {{ wrong += 1 }}
      if fitting != {{}} {{
        if min(fitting) != least or max({{ x for x in {domain} where {filter} }}) != most {{ wrong += 1 }}
      }}
      n = n + c mod 3
      k = (k + c) mod 4
      flag[c] = not flag[c]
      if c in held {{ held -= c }} else {{ held += c }}
    }}
  }}
  payoff zero-sum: {{ Ann: wrong, Ben: -wrong }}
}}"
            );
            pays_nothing(&text, &format!("{domain}: {filter}"));
        }
    }
}

/// Whether a value is in one of some sets is what it is for their union, made first.
#[test]
fn what_is_in_a_union_is_in_one_of_its_sets() {
    for (cond, domain) in [
        ("part[k] in held", "1..8"),
        ("part[k] & held != {}", "1..8"),
        ("size(part[k] & held) == 2 or k == n mod 8 + 1", "1..8"),
        ("part[k] in held", "some_"),
        (
            "not (k in some_) and not (part[k] in held)",
            "1..n mod 8 + 1",
        ),
    ] {
        let union = format!("union(k in {domain} where {cond}) part[k]");
        let text = format!(
            "game Union {{
  players {{ Ann, Ben }}
  type N = 1..12
  const part : [1..8] set of N = [k in 1..8] {{ x for x in N where (x * k) mod 5 == 1 or x == k }}
  state {{ held : set of N = {{ 1, 4, 7, 8, 11 }}  some_ : set of 1..8  n : 0..40  whole : set of N  wrong : 0..99 = 0 }}
  play {{
    turns me from Ann at most 12 {{
      me chooses c in N as \"{{c}}\"
      whole = {union}
      each x in N {{
        if (x in {union}) != (x in whole) {{ wrong += 1 }}
      }}
      if c in {union} {{ n = n + 2 }} else {{ n = n + 1 }}
      if (c in whole) != (n mod 2 == 0) {{ wrong += 1 }}
      n = 2 * (n div 2)
      if c < 9 {{ if c in some_ {{ some_ -= c }} else {{ some_ += c }} }}
      if c in held {{ held -= c }} else {{ held += c }}
    }}
  }}
  payoff zero-sum: {{ Ann: wrong, Ben: -wrong }}
}}"
        );
        pays_nothing(&text, &format!("{domain}: {cond}"));
    }
}
