//! What is sampled at states of random games comes up as often as the list says it should. The exact distributions, of
//! generated choices, are compared beside the machine.

use crate::support::{load, random_step, variants};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::ir::{Listing, NodeKind};
use ruse::internal::machine::{Action, Actions, Machine, Outcomes, State, Turn};
use statrs::distribution::{ChiSquared, ContinuousCDF};
use std::collections::HashMap;

/// Samples for each option of a list.
const EACH: usize = 60;
/// Longer lists are left alone.
const LONGEST: usize = 120;

/// A true sampler fails with this probability at each list.
const CHANCE_OF_ALARM: f64 = 1e-6;

/// Whether the sampling of a player to move, or of chance, makes trials.
fn tried(machine: &Machine, state: &State) -> bool {
    let has_trial = |listing: &Listing| listing.trial.is_some();
    match &machine.program().nodes[machine.node(state) as usize].kind {
        NodeKind::Decision(arms) => arms.iter().any(|arm| has_trial(&arm.listing)),
        NodeKind::Chance(listing) => has_trial(listing),
        NodeKind::Terminal => false,
    }
}

/// Pearson's chi-square of samples against a list of options with weights.
fn fits(name: &str, options: &[(Action, u64)], mut draw: impl FnMut() -> Action) {
    let mut counts: HashMap<&Action, usize> = options.iter().map(|(o, _)| (o, 0)).collect();
    let samples = EACH * options.len();
    for _ in 0..samples {
        let drawn = draw();
        let count = counts.get_mut(&drawn);
        *count.unwrap_or_else(|| panic!("{name}: {drawn:?} is not listed")) += 1;
    }
    if options.len() == 1 {
        return;
    }
    let total: u64 = options.iter().map(|(_, weight)| weight).sum();
    let deviation = |(option, weight): &(Action, u64)| {
        let expected = samples as f64 * *weight as f64 / total as f64;
        (counts[option] as f64 - expected).powi(2) / expected
    };
    let chi: f64 = options.iter().map(deviation).sum();
    let expected = ChiSquared::new(options.len() as f64 - 1.0).unwrap();
    let most = expected.inverse_cdf(1.0 - CHANCE_OF_ALARM);
    assert!(chi < most, "{name}: {chi} > {most}: {counts:?}");
}

/// Compares the lists at a state, and says how many.
fn look(name: &str, machine: &Machine, state: &State, rng: &mut Xoshiro256PlusPlus) -> usize {
    match machine.turn(state) {
        Turn::Terminal => 0,
        Turn::Chance => {
            let mut outcomes = Outcomes::default();
            if !machine.few_outcomes(state, LONGEST, &mut outcomes).unwrap() {
                return 0;
            }
            fits(name, &outcomes.list, || {
                machine.sample_chance(state, rng).unwrap()
            });
            1
        }
        Turn::Decision(movers) => {
            let mut compared = 0;
            for player in movers {
                let mut actions = Actions::default();
                machine.legal(state, player, &mut actions).unwrap();
                if actions.0.len() <= LONGEST {
                    let list: Vec<(Action, u64)> = actions.0.into_iter().map(|a| (a, 1)).collect();
                    fits(name, &list, || machine.sample(state, player, rng).unwrap());
                    compared += 1;
                }
            }
            compared
        }
    }
}

/// How many lists were compared, and at how many states with trials.
fn compared(name: &str, machine: &Machine) -> (usize, usize) {
    let (mut lists, mut trials) = (0, 0);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..2 {
        let mut state = machine.initial().unwrap();
        let mut ply = 0;
        while let Some(actions) = random_step(machine, &state, &mut rng) {
            if ply % 5 == 0 && lists < 12 {
                lists += look(name, machine, &state, &mut rng);
                trials += usize::from(tried(machine, &state));
            }
            machine.step(&mut state, &actions).unwrap();
            ply += 1;
        }
    }
    (lists, trials)
}

#[test]
fn samples_come_up_as_often_as_the_list_says() {
    let (mut games, mut with_trials) = (0, 0);
    for (name, settings) in variants() {
        let machine = load(name, &settings);
        let (lists, trials) = compared(&format!("{name} {settings:?}"), &machine);
        games += usize::from(lists > 0);
        with_trials += usize::from(trials > 0);
    }
    assert_eq!(games, variants().len());
    assert!(with_trials >= 5, "{with_trials}");
}

/// Dependent parts, filters, several alternatives and conditions, the first with far more room than fits.
const PARTS: &str = "
game Parts {
  players { Ann, Ben }
  state { hand : set of 1..9 = { 2, 3, 5, 7, 8 }  total : 0..100 }
  play {
    draw a in 1..4, b in a..9 where a + b != 7 as \"{a} {b}\"
    hand -= b
    Ann chooses {
      two(x in { h for h in hand where h != 3 }, y in { 1, 2, 5 }) where x != y => total = x + y
      one(x in 1..9) where not (x in hand) => total = x
      nothing => total = 0
    }
    Ben chooses k in { 1, 2, 4 }, q in { n for n in 1..9 where n mod 2 == 1 }, r in q..9 where k + q + r < 14 as \"{k} {q} {r}\"
  }
  payoff zero-sum: [p in Player] if p == Ann then total else -total
}";

#[test]
fn dependent_parts_and_alternatives_are_uniform() {
    let (machine, _) = ruse::load(PARTS, &Default::default()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut lists = 0;
    for _ in 0..6 {
        let mut state = machine.initial().unwrap();
        while let Some(actions) = random_step(&machine, &state, &mut rng) {
            lists += look("parts", &machine, &state, &mut rng);
            machine.step(&mut state, &actions).unwrap();
        }
    }
    assert_eq!(lists, 18);
}

/// Sets whose size hangs on what a loop over few values stood for, and on a single element.
const SIZES: &str = "
game Sizes {
  players { Ann, Ben }
  const near : [1..2] set of 1..8 = { 1: { 1, 2, 3, 4, 5 }, 2: { 6 } }
  const mine : [1..8] 1..8 = { 1: 1, else: 3 }
  state { hand : set of 1..2 = all  total : 0..100 }
  play {
    Ann chooses a in 1..8, b in union(k in { 1, 2 } where k in hand) near[k] as \"{a} {b}\"
    Ben chooses c in 1..8, d in { 8 } + mine[c] where c + d > 2 as \"{c} {d}\"
    total = 1
  }
  payoff zero-sum: [p in Player] if p == Ann then total else -total
}";

#[test]
fn no_element_is_beyond_what_a_set_can_have() {
    let (machine, _) = ruse::load(SIZES, &Default::default()).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut state = machine.initial().unwrap();
    let mut lists = 0;
    while let Some(actions) = random_step(&machine, &state, &mut rng) {
        lists += look("sizes", &machine, &state, &mut rng);
        machine.step(&mut state, &actions).unwrap();
    }
    assert_eq!(lists, 2);
}

/// Draws and choices of several elements of one set, which differ all or in part, or of which a condition says where they are.
const DIFFERENT: [&str; 38] = [
    "draw each s in 1..4: c[s] in Five - { c[t] for t in (1..4) before s } where k < 9",
    "draw each s in 1..4: c[s] in Five where k < 9 and (every s in 1..4, t in (1..4) before s: c[s] != c[t])",
    "draw each s in 1..3: c[s] in Five where every s in 1..3, t in 1..3 where s != t: not c[s] == c[t] and c[s] + k != c[t]",
    "draw c in Five, d in Five - c, e in Five - c - d where k > 1",
    "draw c in Five - n, d in Five - n - c where k > 1",
    "draw c in Five - n, d in Five - c - n, e in Five - { d, n, c }",
    "draw c in Five, d in Five - n - c where k > 1",
    "Ann chooses c in Five - n, d in Five - { c, n } where k > 1",
    "draw c in Five, d in Five, e in Five where c != d and not d == e and k > 1",
    "draw c in Five, d in Five, e in Five where d != e and c + e > 4 and c != e and k > 1",
    "draw c in Five, d in 2..5, e in Five where d != e and k > 1 and c != e",
    "Ann chooses c in Five - k, d in Five - k - c, e in Five where e != c and d != e",
    "Ann chooses { three(c in Five, d in Five, e in Five - d) where c != d and c != e and k > 2  two(c in Five, d in Five - c) }",
    "Ann chooses each s in 1..3: c[s] in Five where no s in 1..3, t in (1..3) before s: c[s] == c[t] or c[s] + c[t] == k",
    "draw c in Nine, d in Nine where d == c + 1 and k < 9",
    "draw c in Nine, d in Nine where k < 9 and abs(c - d) == 2 and not d == k",
    "draw c in Nine, d in 2..8, e in Nine where e in { c, k } and d in 2..k",
    "draw c in Nine, d in Nine, e in Nine where c in 2..3 and d in { c, k } and e in { c, d, 9 }",
    "Ann chooses c in Nine, d in Nine where d in hand and c in { h for h in hand where h != k }",
    "Ann chooses c in Nine - k, d in Nine - { 1, 5 } where d < c and d + 2 >= c",
    "Ann chooses { two(c in Nine, d in Nine) where d in { c, k } and c in hand  one(c in Nine) where c in hand }",
    "Ann chooses each s in 1..3: c[s] in Nine where every s in 1..3, t in (1..3) before s: c[s] - c[t] in { 1, 2, k }",
    "Ann chooses c in { h for h in Nine where h * h mod 7 < k + 1 } - hand - k, d in Nine where d + c > 3",
    "Ann chooses c in hand & { h for h in Nine where h * h mod 7 < 4 or h == k }, d in { h for h in Nine where h mod (k + 1) != 1 } - c",
    "Ann chooses c in Nine, d in (if k < 4 then { h for h in Nine where h * h mod 7 < 4 } else { g for g in Nine where g mod (k + 1) == 1 }) - hand where c != d",
    "Ann chooses d in { h for h in Nine where h * h mod 7 < k } - { 1, k }",
    "Ann chooses c in Nine, d in { x for x in Nine where x mod 4 == c mod 4 } where c in hand or k > 2",
    "Ann chooses c in Nine, d in union(x in Nine, y in 1..2 where x mod 4 == c mod 4) { x, (x + y) mod 9 + 1 } where d != k",
    "Ann chooses c in Nine, d in { sum(y in 1..5 where (x + c) mod 3 == 1 and y in hand) x for x in 1..6 } where c mod 7 != d",
    "Ann chooses c in Nine, d in argmin(x in Nine) (sum(y in 1..5 where (x + c) mod 5 == 1 and y in hand) y) where c mod 7 != d",
    "Ann chooses c in Nine, d in argmax(x in Nine where x mod 3 == c mod 3) (count y in hand: y < x) where d != k",
    "Ann chooses c in Nine, d in { count y in hand: y > x and (x + c) mod 3 == 1 for x in 0..8 } where d != c",
    "draw c in Nine, d in { x for x in Nine where (x + c) mod 4 == 1 } - hand where c + d > k",
    // One formula with other arguments.
    "Ann chooses c in hand, d in modulo(c, 9), e in modulo(c, 2) where (c + d + e) mod 5 > 1",
    "draw c in hand, d in modulo(c, 2), e in modulo(c, 9) where (c + d + e) mod 5 > 1",
    // Alternatives with values and without.
    "Ann chooses { two(c in Nine, d in Nine) where c in hand and d < c  stay where k > 2  leave  go where 9 mod max(1, k) == 1 }",
    "Ann chooses { stay where k > 2  leave  go where 9 mod max(1, k) == 1  run where k < 5 or 2 in hand }",
    "Ann chooses { one(c in Nine) where k == 2 or c > k  stay where k > 2 }",
];

#[test]
fn parts_that_differ_or_lie_in_smaller_sets_are_uniform() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(10);
    let (mut lists, mut trials) = (0, 0);
    for stmt in DIFFERENT {
        let text = format!(
            "game Different {{
  players {{ Ann, Ben }}
  type Five = 1..5
  type Nine = 1..9
  state {{ hand : set of Nine = {{ 2, 3, 7 }}  k : 0..9 = 0  total : 0..9 }}
  def modulo(j: Nine, n: Nine): set of 0..9 = {{ v mod n for v in 1..9 + j }}
  play {{
    draw n in {{ 2, 3, 5 }} into k
    {stmt}
    total = k
  }}
  payoff zero-sum: {{ Ann: total Ben: -total }}
}}"
        );
        let (machine, _) = ruse::load(&text, &Default::default()).expect(stmt);
        for _ in 0..3 {
            let mut state = machine.initial().unwrap();
            let draw = random_step(&machine, &state, &mut rng).unwrap();
            machine.step(&mut state, &draw).unwrap();
            lists += look(stmt, &machine, &state, &mut rng);
            trials += usize::from(tried(&machine, &state));
        }
    }
    assert_eq!(lists, 114);
    assert!(trials >= 76, "{trials}");
}

/// Several elements of a set of the state, in an order or only different, and ranges that hang on one another.
const IN_ORDER: [&str; 17] = [
    "Ann chooses a in hand, b in hand before a",
    "draw a in hand, b in hand where b < a",
    "Ann chooses a in hand, b in hand - a where a < b",
    "draw a in hand, b in hand before a, c in hand before b",
    "Ann chooses a in hand, b in hand, c in hand where b < c and c < a",
    "draw a in hand, b in hand - a, c in hand before a where b > c",
    "draw a in hand, b in hand before a, c in hand before a",
    "Ann chooses a in hand, b in hand - a, c in hand - a - b",
    "draw a in hand, b in hand - a, c in hand before a",
    "draw a in hand - n, b in hand - n before a, c in hand - n where c != b",
    "Ann chooses a in hand, b in hand before a, c in hand - n",
    "Ann chooses { two(a in hand, b in hand before a)  three(a in hand, b in hand - a, c in hand) where c > a and c > b  one(a in hand) }",
    "Ann chooses { two(a in hand, b in hand - a) where a > b  three(a in hand, b in hand before a, c in hand before b) } else { n = 1 }",
    "Ann chooses a in hand, b in hand before a, c in hand before b, d in hand before c else { n = 1 }",
    "draw a in 0..3, b in 0..3 - a, c in 0..3 - a - b",
    "Ann chooses s in subsets(hand, 2), t in subsets(hand - s, 1)",
    "Ann chooses s in subsets(hand, 2), t in subsets(hand, 2) where t < s",
];

#[test]
fn parts_in_order_are_uniform() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut lists, mut trials) = (0, 0);
    for stmt in IN_ORDER {
        for cards in [
            "5..9",
            "62..66",
            "{ 1, 7, 64, 65, 100 }",
            "{ 5, 9 }",
            "{ 5 }",
        ] {
            if cards.len() < 9 && cards.starts_with('{') && !stmt.contains("else") {
                continue;
            }
            let last = if cards.contains('6') { 100 } else { 30 };
            let text = format!(
                "game InOrder {{
  players {{ Ann, Ben }}
  type Card = 1..{last}
  state {{ hand : set of Card = {{}}  n : 1..9 = 1 }}
  play {{
    draw m in {{ 5, 7, 9 }} into n
    hand = {cards}
    {stmt}
  }}
  payoff zero-sum: {{ Ann: n Ben: -n }}
}}"
            );
            let (machine, _) = ruse::load(&text, &Default::default()).expect(stmt);
            let mut state = machine.initial().unwrap();
            let draw = random_step(&machine, &state, &mut rng).unwrap();
            machine.step(&mut state, &draw).unwrap();
            lists += look(stmt, &machine, &state, &mut rng);
            trials += usize::from(tried(&machine, &state));
        }
    }
    assert_eq!((lists, trials), (52, 43));
}

/// Parts whose sets hang on the state and on no other part.
const ON_THEIR_OWN: [&str; 8] = [
    "Ann chooses a in hand, b in 0..k",
    "draw a in hand, b in other, c in 1..k + 1",
    "Ann chooses a in hand, b in other where a != b else { k = 0 }",
    "Ann chooses a in hand, b in other, c in 0..k where a + b > c else { k = 0 }",
    "Ann chooses { one(a in hand, b in other)  two(b in other, c in 0..k) where b > c  pass }",
    "Ann chooses each i in 1..3: n[i] in if i in hand then 0..k else 0..1",
    "Ann chooses each i in 1..3: n[i] in if i in hand then 0..k else 0..1, a in other where (sum(i in 1..3) n[i]) != a else { k = 0 }",
    "Ann chooses a in hand - other, b in 0..k else { k = 0 }",
];

#[test]
fn parts_on_their_own_are_uniform() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let (mut lists, mut trials) = (0, 0);
    for stmt in ON_THEIR_OWN {
        let text = format!(
            "game OnTheirOwn {{
  players {{ Ann, Ben }}
  state {{ hand : set of 1..9 = {{ 2, 3, 7 }}  other : set of 1..70 = {{ 1, 3, 66 }}  k : 0..9 }}
  play {{
    draw m in {{ 1, 2, 4 }} into k
    if k == 4 {{ hand = {{ 2, 9 }} }}
    {stmt}
  }}
  payoff zero-sum: {{ Ann: k Ben: -k }}
}}"
        );
        let (machine, _) = ruse::load(&text, &Default::default()).expect(stmt);
        for _ in 0..4 {
            let mut state = machine.initial().unwrap();
            let draw = random_step(&machine, &state, &mut rng).unwrap();
            machine.step(&mut state, &draw).unwrap();
            lists += look(stmt, &machine, &state, &mut rng);
            trials += usize::from(tried(&machine, &state));
        }
    }
    assert!(lists >= 28 && trials >= 16, "{lists} {trials}");
}

/// 2⁶⁶ tuples are some, though a word that counts them comes out as 0.
#[test]
fn more_tuples_than_a_word_counts_are_not_none() {
    let text = "game Many {
  players { Ann, Ben }
  state { most : [1..11] 0..63 = 63  passed : 0..1 }
  play { Ann chooses each x in 1..11: n[x] in 0..most[x] as \"{n}\" else { passed = 1 } }
  payoff zero-sum: { Ann: passed  Ben: -passed }
}";
    let (machine, _) = ruse::load(text, &Default::default()).expect("a game");
    let start = machine.initial().unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(13);
    let played = machine.playouts().play(&start, &mut rng).unwrap();
    assert!(
        played.payoffs.iter().all(|payoff| *payoff == 0),
        "{played:?}"
    );
}

/// Where several alternatives are counted together, so many tuples are too many, and not none.
#[test]
fn more_tuples_than_a_word_counts_are_refused_beside_others() {
    for (targets, units) in [(64, 11), (128, 9)] {
        let text = format!(
            "game Many {{
  players {{ Ann, Ben }}
  state {{ free : set of 1..{targets} = all  passed : 0..1 }}
  play {{
    Ann chooses {{
      deploy(each u in 1..{units}: to[u] in free) as \"{{to}}\"
      pass => passed = 1
    }}
  }}
  payoff zero-sum: {{ Ann: passed  Ben: -passed }}
}}"
        );
        let (machine, _) = ruse::load(&text, &Default::default()).expect("a game");
        let start = machine.initial().unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(14);
        let played = machine.playouts().play(&start, &mut rng);
        let refused = played.expect_err("too many to list").to_string();
        assert!(refused.contains("to list"), "{refused}");
    }
}

/// An element of a set, and one of few values.
const OF_FEW: [&str; 13] = [
    "Ann chooses { one(c in men, d in may(c), n in 1..2) where blocked(c, d) and n <= k  two(c in foes, d in may(c), n in 1..2) where not blocked(c, d) and n < k  three(c in Board, d in may(c), n in 2..3) where c in free and blocked(c, d) } else { k = 0 }",
    "Ann chooses c in men, d in may(c), let t = Board.step(c, d) where t != none and (Board.run(c, d, foes) != {} or Board.run(t, d, free) != {}) else { k = 0 }",
    "draw c in men, d in ways where k == 5 or Board.step(c, d) in free",
    "Ann chooses c in men, d in ways where Board.steps(c, d) & free != {} else { k = 0 }",
    "Ann chooses d in ways, c in men where Board.steps(c, d) & free != {} and k > 0 else { k = 0 }",
    "Ann chooses c in men, d in ways, let over = Board.step(c, d), let to = Board.step(c, d, 2) where over != none and to != none and over in foes and to in free else { k = 0 }",
    "Ann chooses c in men, d in may(c), let to = Board.step(c, d) where to != none and to not in men and to != mark else { k = 0 }",
    "Ann chooses c in men, d in may(c) where goes(c, d) else { k = 0 }",
    "Ann chooses { hop(c in men, d in ways) where Board.step(c, d) in foes and Board.step(c, d, 2) in free  go(c in men, d in may(c)) where Board.step(c, d) in free and no m in men: goes(m, north)  pass }",
    "Ann chooses { hop(c in men, d in ways) where Board.step(c, d) in foes and Board.step(c, d, 2) in free  put(c in free) } else { k = 0 }",
    "Ann chooses c in men, d in ways, n in 1..2 where Board.steps(c, d, n) & free != {} and n <= k else { k = 0 }",
    "Ann chooses { go(c in men, d in ways) where Board.step(c, d) in free and k > 1  stay where k < 2 }",
    "Ann chooses c in men, up in { true, false } where (if up then Board.step(c, north) in free else Board.step(c, south) in foes) else { k = 0 }",
];

#[test]
fn elements_with_one_of_few_values_are_uniform() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(15);
    let (mut lists, mut trials) = (0, 0);
    for (board, ways, stmt) in OF_FEW.iter().flat_map(|stmt| {
        let grid = ("grid Board(7, 6)", "{ north, east, south, west }", *stmt);
        [
            grid,
            (
                "grid Board(9, 9)",
                "{ north, northwest, south, east }",
                stmt,
            ),
        ]
    }) {
        let text = format!(
            "game OfFew {{
  players {{ Ann, Ben }}
  {board}
  const ways : set of Board.direction = {ways}
  state {{
    men  : set of Board = {{ a1, b2, c3, d4, d5, g6 }}
    foes : set of Board = {{ a2, b3, e4, f6 }}
    mark : Board = d6
    k    : 0..9
  }}
  def free: set of Board = Board - men - foes
  def may(c: Board): set of Board.direction = if c in Board.row(2) + Board.row(3) then {{ north, east }} else ways - east
  def blocked(c: Board, d: Board.direction): bool =
    not (Board.steps(c, {{ d }}) & free != {{}} and (some e in ways: Board.step(c, e) in (if k > 2 then free else foes)))
    and (let t = Board.step(c, next(d, 4)); let u = Board.step(c, next(d, 4), 2); t != none and u != none and t in (if k > 2 then free else men) and u != mark)
  def goes(c: Board, d: Board.direction): bool = (let to = Board.step(c, d); to != none and to in free)
  play {{
    draw m in {{ 1, 2, 4, 5 }} into k
    if k == 4 {{ men = {{ c3 }} }}
    if k == 5 {{ foes += Board - men - mark }}
    {stmt}
  }}
  payoff zero-sum: {{ Ann: k Ben: -k }}
}}"
        );
        let (machine, _) = ruse::load(&text, &Default::default()).expect(stmt);
        for _ in 0..6 {
            let mut state = machine.initial().unwrap();
            let draw = random_step(&machine, &state, &mut rng).unwrap();
            machine.step(&mut state, &draw).unwrap();
            lists += look(stmt, &machine, &state, &mut rng);
            trials += usize::from(tried(&machine, &state));
        }
    }
    assert!(lists >= 80 && trials >= 80, "{lists} {trials}");
}
