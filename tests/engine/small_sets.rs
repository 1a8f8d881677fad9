//! What is looked up by the words of small sets is what comes out where it is computed.

use crate::support::load_text;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::check::Settings;
use ruse::internal::machine::Engine;
use std::fmt::Write;
use std::sync::Arc;

/// Values that hang on sets of nine and four cells, on who moves and on small numbers. Where `0` stands in brackets, a number that
/// is always 0 and has too many values for a table takes its place.
const VALUES: &[&str] = &[
    "some c in marks[me], d in Small.direction: size(Small.line(c, d, marks[me])) == 3 + (0)",
    "line(marks[me], (0)) or line(marks[opponent(me)], (0))",
    "line(marks[me] - marks[opponent(me)], (0)) and not line(marks[opponent(me)], (0))",
    "every c in marks[me]: size(Small.next(c) & marks[me]) > (0) or c in { b2 }",
    "size(Small.group(b2, marks[me] + { b2 })) > 4 + (0) or { a1, c3 } in marks[me] or { a3, c1 } in marks[me] + (big)",
    "row(me, (0))",
    "(max(c in marks[me] + { a1 }) Small.row_of(c) * Small.column_of(c) + (0)) > k",
    "(sum(c in marks[me], e in marks[me]) Small.hops(c, e)) > 9 + k + (0)",
    "(sum(c in marks[me] where Small.next(c) & marks[me] != {}) Small.row_of(c)) + (0)",
    "(if { a1, b1, c1 } in marks[me] or { a2, b2, c2 } in marks[me] or { a3, b3, c3 } in marks[me] then k else (0)) + size(held[me])",
    "sum(h in held[me]) (sum(g in held[me]) (if g < h then g * h + k else (0)))",
    "count h in held[me], g in held[me]: h + g > k + (0) and g != h",
    "sum(x in held[me]) (size(made(k, x, (0)) - made(x, k, (0))) * x)",
    "some x in 1..6, y in held[me]: made(x, y, (0)) & made(y, x, (0)) == {} and size(made(x, 2, (0))) > k",
];

fn game() -> Arc<ruse::internal::machine::Machine> {
    let mut asked = String::new();
    for value in VALUES {
        let (short, long) = (
            value.replace("(big)", "{}").replace("(0)", "0"),
            value
                .replace("(big)", "(if zero == 0 then {} else Small)")
                .replace("(0)", "zero"),
        );
        let _ = writeln!(asked, "      if ({short}) != ({long}) {{ wrong += 1 }}");
    }
    let text = format!(
        "game Looked {{
  players {{ Ann, Ben }}
  grid Small(3, 3)
  state {{
    marks : [Player] set of Small
    held  : [Player] set of 2..5
    k     : 1..6 = 1
    zero  : 0..9999
    wrong : 0..9999
  }}
  def line(s: set of Small, more: 0..9999): bool =
    some c in s, d in Small.direction: size(Small.line(c, d, s)) == 3 + more
  def row(p: Player, more: 0..9999): bool =
    {{ a1, b1, c1 }} in marks[p] or {{ a2, b2, c2 }} in marks[p] or {{ a3, b3, c3 }} in marks[p] or
    {{ a1, a2, a3 }} in marks[p] or {{ b1, b2, b3 }} in marks[p] or {{ a1, b2, c3 }} in marks[p] or size(marks[p]) > 8 + more
  def made(a: 1..6, b: 1..6, more: 0..9999): set of 1..9 = match a {{
    1, 2 => {{ x for x in 1..9 where (x + more) mod 3 == b mod 3 }}
    3, 4 => {{ x for x in 1..9 where x > a + b + more }}
    else => if b > 2 + more then {{ x for x in 1..9 where x * b < 20 }} else {{ a, b }}
  }}
  play {{
    turns me from Ann at most 14 {{
      me chooses c in Small as \"{{c}}\"
      if c in marks[me] {{ marks[me] -= c }} else {{ marks[me] += c }}
      opponent(me) chooses h in 2..5, n in 1..6 as \"{{h}} {{n}}\"
      held[me] = if h in held[me] then held[me] - {{ h }} else held[me] + {{ h }}
      k = n
{asked}    }}
  }}
  payoff general-sum: [p in Player] -wrong
}}"
    );
    load_text("looked.game", &text, &Settings::new())
}

#[test]
fn tables_by_sets_hold_what_is_computed() {
    for engine in [Engine::Native, Engine::Portable] {
        let machine = Arc::into_inner(game()).unwrap().with_engine(engine);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let start = machine.initial().unwrap();
        let mut playouts = machine.playouts();
        for _ in 0..400 {
            let played = playouts.play(&start, &mut rng).unwrap();
            assert_eq!(played.payoffs[..], [0, 0], "{engine:?}");
        }
    }
}
