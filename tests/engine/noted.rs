//! Arrays that one move or `after` changes: noted store by store, or copied as a whole where loops could store to them very often. What
//! may be chosen and what follows is the same.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Actions, Engine, Machine, Turn};
use std::sync::Arc;

use crate::support::random_step;

/// Moves of several choices, with what stores between them and behind them.
const MOVES: [&str; 9] = [
    "me chooses c in C as \"{c}\"
     at = c
     repeat 2 times { me chooses d in { d for d in C where d - at in 1..3 and man[d] != me } as \"-{d}\"  man[at] = none  man[d] = me  at = d }",
    "man[5] = me
     me chooses c in C where man[c] == none as \"{c}\"
     if c > 10 { man[c] = me  heap[c mod 4, 2] += 1 } else { heap[1, c mod 5 + 1] += 2 }
     while heap[1, 2] > 0 at most 3 { heap[1, 2] -= 1  me chooses k in 1..4 where heap[k mod 4, k] < 3 as \"+{k}\"  heap[k mod 4, k] += 1 }",
    "me chooses { x(c in C) where man[c] == none and (size({ e for e in C where man[e] == me }) after { KEEP man[c] = me  man[25 - c] = none }) < 9 as \"x{c}\" => { man[c] = me }
                  y(c in C, d in C before c) where c - d == 2 as \"y{c} {d}\" => { man[c] = man[d]  man[d] = me  break } }
     me chooses c in C where man[c] == me and c mod 2 == 0 as \"-{c}\"
     man[c] = opponent(me)",
    "me chooses c in C as \"{c}\"
     rows[c mod 20] += c
     me chooses d in rows[c mod 20] as \"{d}\"
     rows[d mod 20] -= d  man[d] = me
     if size(rows[d mod 20]) > 1 { me chooses e in rows[d mod 20] as \"/{e}\"  rows[7] += e }",
    "me chooses c in C as \"{c}\"
     man[c] = me
     me chooses d in C where d < c and man[d] != me as \"{d}\"
     man[d] = me
   } maximise count c in C: man[c] == me and c mod 3 == 0
   one move {
     me chooses c in C where man[c] != none as \"{c}\"  man[c] = none",
    "me chooses c in C where (man[1] != me and heap[2, 2] < 3 after { KEEP if c > 4 { man[c mod 4 + 1] = me }  heap[c mod 3, 2] += 1  heap[2, 2] += 1 }) as \"{c}\"
     man[c] = me  heap[2, 2] += c mod 2",
    "me chooses c in C where man[c] != me as \"{c}\"
     each d in C where d < 4 { man[d] = if d == c then me else man[c]  repeat 2 times { heap[d, 2] += 1  rows[d] += c } }
     me chooses d in C where man[d] == me and not d in rows[2] as \" {d}\"
     each e in rows[3] { man[e] = opponent(me) }",
    "me chooses { x(c in C) where man[c] == none and heap[1, 1] < 9 as \"x{c}\" => { at = c  me chooses d in C where d < at as \"-{d}\" }
                  stop as \"s\" => { man[at] = me }
                  y(c in C) where c < at as \"y{c}\" => { while heap[1, 1] < 9 at most 3 { heap[1, 1] += 3  man[c] = me } } }",
    "repeat 3 times { let free = { c for c in C where man[c] == none }  if size(free) > 20 { me chooses c in free where c < 6 as \"{c}\"  man[c] = me } else { man[1] = none } }",
];

fn machine(moves: &str, copied: bool) -> Machine {
    // It changes nothing, but that is not known before.
    let loops = match copied {
        true => {
            "if never { each z in C, y in C, x in C { man[z] = none  heap[0, 1] = 0  rows[0] = {} } }\n"
        }
        // A move of one choice alone would be that choice, which is drawn otherwise.
        false => "at = at\n",
    };
    let text = format!(
        "game Noted {{
  players {{ Ann, Ben }}
  type C = 1..24
  state {{ man : [C] Player?  heap : [0..4][1..5] 0..60  rows : [0..19] set of C  at : C = 1  never : bool }}
  play {{
    turns me from Ann at most 5 {{
      one move {{
     {loops}{}
      }} else {{ end }}
    }}
  }}
  def lead: -24..24 = (count c in C: man[c] == Ann) - (count c in C: man[c] == Ben)
  payoff zero-sum: {{ Ann: lead  Ben: -lead }}
}}",
        moves.replace("KEEP", loops)
    );
    let (machine, _) = ruse::load(&text, &Default::default()).expect(moves);
    machine
}

#[test]
fn what_is_noted_is_put_back() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let mut lists = 0;
    for moves in MOVES {
        let (noted, copied) = (machine(moves, false), machine(moves, true));
        for _ in 0..4 {
            let (mut one, mut other) = (noted.initial().unwrap(), copied.initial().unwrap());
            while let Some(actions) = random_step(&noted, &one, &mut rng) {
                if let Turn::Decision(movers) = noted.turn(&one) {
                    for player in movers {
                        let [mut a, mut b] = [Actions::default(), Actions::default()];
                        noted.legal(&one, player, &mut a).unwrap();
                        copied.legal(&other, player, &mut b).unwrap();
                        assert_eq!(a.0, b.0, "{moves}");
                        lists += 1;
                    }
                }
                noted.step(&mut one, &actions).unwrap();
                copied.step(&mut other, &actions).unwrap();
            }
            assert_eq!(
                noted.payoffs(&one).unwrap(),
                copied.payoffs(&other).unwrap()
            );
        }
        for engine in [Engine::Native, Engine::Portable] {
            let [one, other] = [false, true].map(|copied| {
                let machine = Arc::new(machine(moves, copied));
                let machine = Arc::into_inner(machine).unwrap().with_engine(engine);
                let start = machine.initial().unwrap();
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(13);
                let mut playouts = machine.playouts();
                let all = (0..40).map(|_| playouts.play(&start, &mut rng).unwrap().payoffs);
                all.collect::<Vec<_>>()
            });
            assert_eq!(one, other, "{engine:?} {moves}");
        }
    }
    assert!(lists > 80, "{lists}");
}
