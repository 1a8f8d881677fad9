//! Expressions and stores: sets, arrays, products, optionals, arithmetic.

use super::{Run, after, done, small};

#[test]
fn arithmetic_rounds_down() {
    done(
        "",
        "a : -9..9 = -7  b : 1..9 = 2  q : -9..9  r : 0..9  s : -9..9  t : -9..9  u : -9..9 = 0",
        "q = a div b  r = a mod b  s = abs(a) * sign(a)  t = min(a, b) + max(a, b)  u = -a - b",
        // -7 = -4 * 2 + 1.
        &[
            ("q", "-4"),
            ("r", "1"),
            ("s", "-7"),
            ("t", "-5"),
            ("u", "5"),
        ],
    );
}

#[test]
fn negative_divisors_round_down_too() {
    done(
        "",
        "a : -9..9 = 7  b : -9..-1 = -2  q : -9..9  r : -9..9",
        "q = a div b  r = a mod b",
        // 7 = -4 * -2 - 1.
        &[("q", "-4"), ("r", "-1")],
    );
}

#[test]
fn sets_over_more_than_a_word() {
    done(
        "type Cell = 0..149",
        "a : set of Cell = { 0, 63, 64, 127, 128, 149 }  b : set of Cell = { 63, 128, 3 }
         u : set of Cell  d : set of Cell  i : set of Cell  r : set of Cell  t : set of Cell  before_it : set of Cell
         n : 0..150  lo : Cell  hi : Cell  one : Cell  yes : bool  no_ : bool  sub : bool  less : bool
         from : Cell = 60  to : Cell = 66  k : 0..5 = 3",
        "u = a + b  d = a - b  i = a & b  r = from..to  n = size(a)  lo = min(a)  hi = max(a)  one = only(i - 63)
         t = top(k, a)  before_it = a before 128  yes = 149 in a  no_ = 65 in a  sub = i <= b  less = a < a
         a -= 64  a += from",
        &[
            ("u", "{0, 3, 63, 64, 127, 128, 149}"),
            ("d", "{0, 64, 127, 149}"),
            ("i", "{63, 128}"),
            ("r", "{60, 61, 62, 63, 64, 65, 66}"),
            ("n", "6"),
            ("lo", "0"),
            ("hi", "149"),
            ("one", "128"),
            ("t", "{127, 128, 149}"),
            ("before_it", "{0, 63, 64, 127}"),
            ("yes", "true"),
            ("no_", "false"),
            ("sub", "true"),
            ("less", "false"),
            ("a", "{0, 60, 63, 127, 128, 149}"),
        ],
    );
}

#[test]
fn sets_of_numbers_that_do_not_begin_at_zero() {
    done(
        "type Small = -3..3  type Wide = -70..70",
        "a : set of Small = { -3, 0, 2 }  w : set of Wide  n : Small = -2  s : -9..9  m : Small  back : set of Small",
        "w = a  w += 70  w -= 0  s = sum(a)  m = min(a)  a += n  back = { x + 1 for x in a where x < 3 }",
        &[
            ("w", "{-3, 2, 70}"),
            ("s", "-1"),
            ("m", "-3"),
            ("a", "{-3, -2, 0, 2}"),
            ("back", "{-2, -1, 1, 3}"),
        ],
    );
}

#[test]
fn folds_over_stored_sets() {
    done(
        "",
        "s : set of 1..9 = { 2, 4, 7 }  w : [1..9] 0..20 = 3  all_ : bool  some_ : bool  none_ : bool  n : 0..9
         least : 0..99  most : 0..99  total : 0..999  where_least : set of 1..9  where_most : set of 1..9  u : set of 1..20
         empty : set of 1..9  e1 : bool  e2 : bool  e3 : bool  e4 : 0..9  e5 : 0..200  e6 : set of 1..9",
        "w[4] = 11  w[7] = 11  w[9] = 20
         all_ = every x in s: x > 2  some_ = some x in s: x > 6  none_ = no x in s: x > 7
         n = count x in s where x > 2: w[x] > 3
         least = min(x in s) w[x]  most = max(x in s where x < 7) w[x]  total = sum(x in s) (w[x] * x)
         where_least = argmin(x in s) w[x]  where_most = argmax(x in s) w[x]
         u = union(x in s) { x, x + 1 }
         e1 = every x in empty: false  e2 = some x in empty: true  e3 = no x in empty: true  e4 = count x in empty: true
         e5 = sum(x in empty) w[x]  e6 = argmax(x in empty) w[x]",
        &[
            ("all_", "false"),
            ("some_", "true"),
            ("none_", "true"),
            ("n", "2"),
            ("least", "3"),
            ("most", "11"),
            // 3 * 2 + 11 * 4 + 11 * 7.
            ("total", "127"),
            ("where_least", "{2}"),
            ("where_most", "{4, 7}"),
            ("u", "{2, 3, 4, 5, 7, 8}"),
            ("e1", "true"),
            ("e2", "false"),
            ("e3", "true"),
            ("e4", "0"),
            ("e5", "0"),
            ("e6", "{}"),
        ],
    );
}

#[test]
fn arrays_of_several_indices() {
    done(
        "enum Suit { red, black }",
        "a : [Player] [Suit] [2..4] 0..99  p : Player = Ben  s : Suit = black  i : 2..4 = 3  sum_ : 0..999
         sets : [Player] [Suit] set of 1..70  picked : 0..99",
        "a[p, s, i] = 7  a[Ann, red, 2] = 5  a[p][s][4] = 9  picked = a[Ben, black, 3] + a[p, black, i + 1]
         sum_ = sum(q in Player) sum(t in Suit) sum(j in 2..4) a[q, t, j]
         sets[p, s] = { 1, 70 }  sets[p, s] += 64  sets[p, s] -= 1  sets[Ann, s] += sets[p, s] + 2",
        &[
            ("a[Ben][black][3]", "7"),
            ("a[Ann][red][2]", "5"),
            ("a[Ben][black][4]", "9"),
            ("a[Ben][red][3]", "0"),
            ("picked", "16"),
            ("sum_", "21"),
            ("sets[Ben][black]", "{64, 70}"),
            ("sets[Ann][black]", "{2, 64, 70}"),
            ("sets[Ann][red]", "{}"),
        ],
    );
}

#[test]
fn tables_of_constants_are_read_at_run_time() {
    done(
        "enum Suit { red, black }
         const worth : [Suit] [1..3] 0..99 = { red: { 1: 10, 2: 20, 3: 30 }, black: { 1: 11, 2: 22, 3: 33 } }
         const near : [1..3] set of 1..70 = { 1: { 2 }, 2: { 1, 70 }, else: {} }",
        "s : Suit = black  i : 1..3 = 2  w : 0..99  n : set of 1..70  direct : 0..99",
        "w = worth[s, i]  n = near[i]  direct = worth[red, 3]",
        &[("w", "22"), ("n", "{1, 70}"), ("direct", "30")],
    );
}

#[test]
fn products_and_their_fields() {
    done(
        "enum Suit { red, black }  type Card = (rank: 2..4, suit: Suit, face: bool) as \"{rank}{suit}\"",
        "c : Card  d : Card  r : 2..4 = 4  got : 2..4  suit : Suit  face : bool  all_ : 0..12  late : bool  same : bool
         hand : set of Card  high : set of Card",
        "c = (rank: r, suit: black, face: true)  d = (rank: r - 1, suit: red, face: false)
         got = c.rank  suit = c.suit  face = c.face  all_ = count x in Card: true  late = d < c  same = c == d
         hand = { c, d }  high = { x for x in hand where x.rank > 3 }",
        &[
            ("c", "4black"),
            ("d", "3red"),
            ("got", "4"),
            ("suit", "black"),
            ("face", "true"),
            ("all_", "12"),
            ("late", "true"),
            ("same", "false"),
            ("hand", "{3red, 4black}"),
            ("high", "{4black}"),
        ],
    );
}

#[test]
fn optionals_are_stored_narrowed_and_opened() {
    done(
        "enum Suit { red, black }  type Card = (rank: 2..4, suit: Suit)",
        "o : 5..9?  n : 5..9?  x : 0..20  y : 0..20  c : Card?  s : Suit  was : bool  p : Player?  q : Player
         wide : 0..20?  again : 5..9?",
        "was = o == none  o = 5  if o != none { x = o + 1 }  y = only(o) * 2  c = (rank: 3, suit: black)
         if c != none { s = c.suit }  q = if p == none then Ben else p  wide = o  again = if x == 6 then n else 7",
        &[
            ("was", "true"),
            ("o", "5"),
            ("x", "6"),
            ("y", "10"),
            ("s", "black"),
            ("q", "Ben"),
            ("wide", "5"),
            ("again", "none"),
            ("n", "none"),
        ],
    );
}

#[test]
fn next_goes_round_both_ways() {
    done(
        "enum Day { mon, tue, wed }",
        "d : Day = wed  k : -9..9 = -4  a : Day  b : Day  c : 3..6 = 3  e : 3..6  p : Player = Ben  q : Player  r : Player",
        "a = next(d)  b = next(d, k)  e = next(c, -1)  q = next(p)  r = opponent(q)",
        // Four back from the third of three days is one back.
        &[
            ("a", "mon"),
            ("b", "tue"),
            ("e", "6"),
            ("q", "Ann"),
            ("r", "Ben"),
        ],
    );
}

#[test]
fn stores_over_a_set_of_indices() {
    done(
        "",
        "a : [1..5] 0..99 = 1  s : set of 1..5 = { 2, 4, 5 }  b : [Player] [1..3] 0..9  sets : [1..3] set of 1..9",
        "a[s] = 7  a[{ 1, 2 }] += 3  b[all, { 1, 3 }] = 4  b[Ben, all] += 1  sets[{ 1, 3 }] += 9",
        &[
            ("a[1]", "4"),
            ("a[2]", "10"),
            ("a[3]", "1"),
            ("a[4]", "7"),
            ("a[5]", "7"),
            ("b[Ann][1]", "4"),
            ("b[Ann][2]", "0"),
            ("b[Ben][1]", "5"),
            ("b[Ben][2]", "1"),
            ("sets[1]", "{9}"),
            ("sets[2]", "{}"),
        ],
    );
}

/// The value, the indices and the set of indices are those from before the store.
#[test]
fn a_store_over_a_set_reads_before_it_writes() {
    done(
        "",
        "a : [1..3] 0..99 = 5  sets : [1..3] set of 1..3 = {}  b : [1..2] [1..2] 1..2 = 1",
        "a[all] += a[1]
         sets[1] = { 1, 2, 3 }  sets[sets[1]] -= 2
         b[all, b[1, 1]] = 2",
        &[
            ("a[1]", "10"),
            ("a[2]", "10"),
            ("a[3]", "10"),
            ("sets[1]", "{1, 3}"),
            ("b[1][1]", "2"),
            ("b[2][1]", "2"),
            ("b[2][2]", "1"),
        ],
    );
}

/// Both sides of a short `if` are cheap, and the side that is not taken may not exist.
#[test]
fn what_is_not_taken_is_not_looked_at() {
    done(
        "",
        "a : [1..3] 0..9 = 4  x : 0..9 = 7  y : 0..9  ok : bool  z : bool  flag : [1..3] bool = true  s : set of 1..3  n : 0..9",
        "let i = x  y = if i <= 3 then a[i] else 2  ok = i <= 3 and flag[i]  z = i > 3 or flag[i]
         n = if size(s) > 0 then min(s) else 8",
        &[("y", "2"), ("ok", "false"), ("z", "true"), ("n", "8")],
    );
}

#[test]
fn a_variable_on_both_sides_of_a_store() {
    done(
        "",
        "x : 0..99 = 3  y : 0..99 = 4  a : set of 1..70 = { 1, 70 }  b : bool = true  c : bool  o : 1..5? = 2  i : 1..3 = 2
         w : [1..3] 1..3 = 3",
        "x = x * x + y * x  a = { v for v in 1..70 where not v in a and v > 68 } + (a - 70)
         b = b and (x > 30 or b)  c = if b then not c else c  o = if o == none then 1 else next(only(o), 2)
         w[i] = 1  w[w[i]] = w[w[i]] - 1  y = if y > 3 then y + y else 0",
        // 3 * 3 + 4 * 3.
        &[
            ("x", "21"),
            ("a", "{1, 69}"),
            ("b", "true"),
            ("c", "true"),
            ("o", "4"),
            ("w[1]", "2"),
            ("w[2]", "1"),
            ("y", "8"),
        ],
    );
}

#[test]
fn lets_defs_and_matches_nest() {
    done(
        "enum Suit { red, black, blue }
         def worth(of_: Suit): 0..9 = match of_ { red => 2  black, blue => let k = size(Suit before of_); k + 5 }
         def best: 0..9 = max(t in Suit) worth(t)",
        "s : Suit = blue  a : 0..9  b : 0..9  c : 0..9  n : 0..99 = 12",
        "a = worth(s)  b = best  let twice = n + n  let more = let half = n div 4; half + 1
         match n { 0 => c = 1  11, 12 => { c = more }  else => c = 9 }
         if twice == 24 { let again = 1  c += again }  n = twice",
        &[("a", "7"), ("b", "7"), ("c", "5"), ("n", "24")],
    );
}

#[test]
fn a_drawn_value_fits_the_type_of_its_place() {
    let machine = small(
        "type Card = (rank: 1..3, face: bool)",
        "o : 1..9?  c : (rank: 0..5, face: bool)  p : Player?  wide : -5..9",
        "draw x in 3..4 into o  draw y in Card into c  draw q in Player into p  Ann chooses z in 2..3 into wide",
    );
    let values = after(
        &machine,
        &["4", "(3, true)", "Ben", "3"],
        &["o", "c", "p", "wide"],
    );
    assert_eq!(values, ["4", "(3, true)", "Ben", "3"]);
}

#[test]
fn shares_and_means_are_exact() {
    let machine = super::game(
        "game Sharing { players { A, B, C } state { x : [Player] 0..9 = 1 } play { x[A] = 0 }
         payoff general-sum: [p in Player] x[p] - mean(x) }",
    );
    let run = Run::new(&machine);
    assert_eq!(machine.payoff_denominator(), 3);
    assert_eq!(
        machine.payoff_units(&run.state).expect("payoffs").to_vec(),
        [-2, 1, 1]
    );
}

/// A set that is only asked something need not be made; the answer is that of the set that is.
#[test]
fn sets_are_asked_as_if_they_were_made() {
    let sets = [
        "{ c for c in a where abs(c - k) < 3 }",
        "union(c in a where c > k) near[c]",
        "if k in b then { c for c in a where abs(c - k) < 3 } else b",
        "{ c for c in a where c < k } + (union(c in b where c > k) near[c])",
        "(union(c in a where c > k) near[c]) & b",
        "b & { c for c in Cell where near[c] & a == {} and c > k }",
        "{ min(70, c + 1) for c in a where c in b or c == k }",
        "union(c in { d for d in a where d > k }) { d for d in near[c] & near[k] where d in b }",
        "{ c for c in { d for d in a where d > k } where near[c] & b != {} }",
        "union(i in 1..2) (if i == 1 then near[k] & a else { c for c in b where c == k })",
    ];
    for set in sets {
        done(
            &format!(
                "type Cell = -3..70
                 const near : [Cell] set of Cell = [c in Cell] {{ d for d in Cell where abs(d - c) <= 2 and d != c }}
                 def asked(k: Cell): set of Cell = {set}"
            ),
            "a : set of Cell = { -3, 0, 5, 6, 31, 60, 70 }  b : set of Cell = { -2, -1, 6, 8, 33, 61, 63, 64, 70 }
             empty : 0..99  meets : 0..99  has : 0..9999",
            "empty = count k in Cell: (asked(k) == {}) != (size(asked(k)) == 0)
             meets = count k in Cell: (asked(k) & b != {}) != (size(asked(k) & b) > 0)
             has = count k in Cell, x in Cell: (x in asked(k)) != (size(asked(k) & { x }) == 1)",
            &[("empty", "0"), ("meets", "0"), ("has", "0")],
        );
    }
}

/// As below, where the elements are optional themselves.
#[test]
fn sets_of_optional_values_are_filtered_so_too() {
    for condition in ["c != o", "c == o", "c != none", "c == none or c in b"] {
        for o in ["none", "1", "4", "20"] {
            done(
                &format!("type Cell = 1..20\n def holds(c: Cell?): bool = {condition}"),
                &format!(
                    "a : set of Cell? = {{ none, 1, 3, 4, 20 }}  b : set of Cell? = {{ none, 4, 7 }}  o : Cell? = {o}
                     kept : set of Cell?  wrong : 0..99"
                ),
                "kept = { c for c in a where holds(c) }
                 wrong = count x in a: (x in kept) != holds(x)",
                &[("wrong", "0")],
            );
        }
    }
}

/// Conditions that are asked of all elements at once leave the same as those that are asked one by one.
#[test]
fn sets_are_filtered_as_if_element_by_element() {
    let conditions = [
        "c in b",
        "not (c in b)",
        "c != v",
        "c == v or c != o",
        "c != o and c != p",
        "near[c] & b != {}",
        "b & near[c] == {}",
        "near[c] in b",
        "not (near[c] in b) and c mod 2 == 0",
        "c in b and c mod 3 == 1",
        "c mod 3 == 1 or near[c] & b != {}",
        "c != o and (near[c] & b != {} or size(near[c] & a) == 1)",
        "some d in near[c]: d in b",
        "every d in near[c]: d in b",
        "no d in near[c]: d in b",
        "beside(c) or c in b",
        "beside(c) and (c == v or 6 mod max(1, c) > 0)",
    ];
    for condition in conditions {
        done(
            &format!(
                "type Cell = -3..70
                 const near : [Cell] set of Cell = [c in Cell] {{ d for d in Cell where d - c in {{ -2, -1, 1, 2 }} }}
                 def beside(e: Cell): bool = near[e] & b - v != {{}}
                 def holds(c: Cell): bool = {condition}"
            ),
            "a : set of Cell = { -3, 0, 5, 6, 7, 31, 60, 61, 62, 70 }  b : set of Cell = { -2, -1, 6, 8, 33, 61, 63, 64, 70 }
             v : Cell = 6  o : Cell? = 61  p : Cell?  kept : set of Cell  wrong : 0..99",
            "kept = { c for c in a where holds(c) }
             wrong = count x in Cell: (x in kept) != (x in a and holds(x))",
            &[("wrong", "0")],
        );
    }
}
