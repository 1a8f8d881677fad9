//! Conditions on subsets let the same ones through, in the same order, whether all are made and looked at or only those that the
//! conditions leave; and the same errors come.

use crate::by_sets::{histories, same_options};
use crate::support::load_text;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::check::Settings;
use ruse::internal::machine::{Engine, Machine};
use std::sync::Arc;

/// What can be chosen, and what is asked of that.
const CHOICES: &[(&str, &str)] = &[
    (
        "s in subsets(hand[me], 1..4)",
        "every c in s: c.rank == min(s).rank",
    ),
    (
        "s in subsets(hand[me], 2..3)",
        "every c in s: max(s).suit == c.suit",
    ),
    (
        "s in subsets(hand[me], 0..3)",
        "every c in s: s != {} and min(s).suit == c.suit",
    ),
    (
        "s in subsets(hand[me], 1..4)",
        "size({ c.rank for c in s }) == 1",
    ),
    (
        "s in subsets(hand[me], 3)",
        "size({ c.suit for c in s }) == 1 and size({ c.rank mod 2 for c in s }) == 1",
    ),
    (
        "s in subsets(hand[me], 1..3)",
        "every c in s: c.suit == led and c.rank > best",
    ),
    (
        "s in subsets(hand[me], 1..3)",
        "(every c in s: c.suit == led and c.rank mod 2 == max(s).rank mod 2) and size(s) > 1",
    ),
    (
        "s in subsets(hand[me], 1..3)",
        "no c in s: c in pile or c.rank < best",
    ),
    (
        "s in subsets(hand[me], 0..2)",
        "not (some c in s where c.rank > 2: c.suit == led)",
    ),
    (
        "s in subsets(hand[me], 1..3)",
        "every c in s where c.rank > 2: c.suit == led",
    ),
    ("s in subsets(Card - pile, 1..2)", "s in hand[me]"),
    ("s in subsets(hand[me], 1..3)", "s & ranked == {}"),
    (
        "s in subsets(hand[me], 1..3)",
        "pile == {} or size(s) == size(pile)",
    ),
    ("s in subsets(hand[me], 1..4)", "beats(s)"),
    (
        "s in subsets(hand[me], 0..4)",
        "size(s) + size(pile) < 4 and not (size(s) == 2 or size(s) > 3)",
    ),
    (
        "s in subsets(hand[me], 1..3)",
        "if size(s) > 2 then alike(s) else size(s) > 1 or max(s).rank > best",
    ),
    (
        "s in subsets(hand[me], 1..3)",
        "not (size(s) < 2 or not alike(s))",
    ),
    (
        "s in subsets(hand[me], 1..2), t in subsets(hand[me] - s, 1..2)",
        "(every c in t: c.rank == max(s).rank) and size(s) <= size(t)",
    ),
    (
        "s in subsets(hand[me], 1..2), t in subsets(hand[me], 1..2)",
        "(no c in t: c in s) and every c in s: c.suit == min(s).suit",
    ),
    (
        "r in 1..4, s in subsets(hand[me], 1..3)",
        "(every c in s: c.rank == r) and size(s) < r",
    ),
    (
        "s in subsets(hand[me], 1..2), r in 1..4",
        "(every c in s: c.rank == r) or size(s) == r",
    ),
    (
        "s in subsets({ c for c in hand[me] where c.rank != best }, 2..3)",
        "every c in s: c.suit == min(s).suit",
    ),
];

/// Hands as they come, and hands that are the same in every game.
const DEALT: &str = "deal 6 from deck to hand[Ann]  deal 6 from deck to hand[Ben]";
const KNOWN: &str = "each p in Player { hand[p] = { c for c in Card where (c.rank + (if c.suit == red then 0 else 1)) mod 2 == (if p == Ann then 0 else 1) } }";

fn game((parts, cond): (&str, &str), hands: &str) -> Machine {
    let text = format!(
        "game Subsets {{
  players {{ Ann, Ben }}
  enum Suit {{ red, green, blue }}
  type Card = (rank: 1..4, suit: Suit)
  state {{ deck : set of Card = all  hand : [Player] set of Card  pile : set of Card  led : Suit  best : 0..4 }}
  def ranked: set of Card = {{ c for c in Card where c.rank == 2 }}
  def alike(s: set of Card): bool = every c in s: c.rank == min(s).rank
  def straight(s: set of Card): bool =
    size({{ c.rank for c in s }}) == size(s) and max({{ c.rank for c in s }}) - min({{ c.rank for c in s }}) == size(s) - 1
  def beats(s: set of Card): bool =
    (alike(s) or size(s) > 2 and straight(s)) and (pile == {{}} or size(s) == size(pile) and alike(s) == alike(pile) and max(s) > max(pile))
  play {{
    {hands}
    turns me from Ann at most 12 {{
      draw l in Suit, b in 0..4
      led = l
      best = b
      me chooses {{
        play_({parts}) where {cond} => {{
          hand[me] -= s
          pile = s
        }}
        take(c in pile) => {{ hand[me] += c  pile = {{}} }}
        pass => {{ pile = {{}} }}
      }}
    }}
  }}
  payoff zero-sum: {{ Ann: size(hand[Ben]) - size(hand[Ann])  Ben: size(hand[Ann]) - size(hand[Ben]) }}
}}"
    );
    let machine = load_text("subsets.game", &text, &Settings::new());
    Arc::into_inner(machine).unwrap()
}

#[test]
fn what_a_condition_leaves_is_what_it_lets_through() {
    for &(parts, cond) in CHOICES {
        // What is compared with `true` is asked of every subset.
        let late = format!("({cond}) == true");
        let (early, late) = (game((parts, cond), DEALT), game((parts, &late), DEALT));
        let early = early.with_engine(Engine::Native);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut looked_at = 0;
        for _ in 0..12 {
            looked_at += same_options(cond, &early, &late, &mut rng);
        }
        assert!(looked_at > 100, "{cond}: {looked_at}");
    }
}

/// Moves are counted at once as they are one by one.
#[test]
fn subsets_that_are_left_are_counted() {
    for choice in [CHOICES[0], CHOICES[5], CHOICES[11], CHOICES[13]] {
        let machine = game(choice, KNOWN).with_engine(Engine::Native);
        let (fast, slow) = (histories(&machine, false), histories(&machine, true));
        assert_eq!(fast, slow, "{}", choice.1);
    }
}

/// What is left out hides no error of play, and what is asked of it is none that would not come.
#[test]
fn errors_come_as_if_all_subsets_were_made() {
    let cases = [
        ("max(pile).rank > 1 and size(s) == 4", true),
        ("size(s) == 4 and max(pile).rank > 1", false),
        ("size(s) == 2 and max(pile).rank > 1", true),
        (
            "pile == {} or size(s) == size(pile) and max(s) > max(pile)",
            false,
        ),
        ("pile != {} and size(s) == 2 and max(s) > max(pile)", false),
        (
            "(every c in s: c.suit == led and c.rank > best) and max(pile).rank > 9",
            false,
        ),
        (
            "(every c in s: c.suit == min(s).suit) and max(pile).rank > 1",
            true,
        ),
        (
            "max(pile).rank > 1 and every c in s: c.rank == 9 - min(s).rank",
            true,
        ),
        (
            "every c in s: max({ d for d in pile where d != c }).rank > 1",
            true,
        ),
        (
            "(no c in s: c in hand[me]) and every c in s: c.rank == max(pile).rank",
            false,
        ),
    ];
    for (cond, fails) in cases {
        for asked in [cond.to_string(), format!("({cond}) == true")] {
            for engine in [Engine::Native, Engine::Portable] {
                // Of no suit that is led are there cards above the best.
                let known = format!("{KNOWN}  best = 4");
                let text = FAULTS.replace("HANDS", &known).replace("COND", &asked);
                let machine = load_text("faults.game", &text, &Settings::new());
                let machine = Arc::into_inner(machine).unwrap().with_engine(engine);
                let start = machine.initial().unwrap();
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
                let played = machine.playouts().play(&start, &mut rng);
                assert_eq!(played.is_err(), fails, "{asked}");
            }
        }
    }
}

const FAULTS: &str = "game Faults {
  players { Ann, Ben }
  enum Suit { red, green, blue }
  type Card = (rank: 1..4, suit: Suit)
  state { hand : [Player] set of Card  pile : set of Card  led : Suit  best : 0..4 }
  play {
    HANDS
    turns me from Ann at most 1 {
      me chooses { play_(s in subsets(hand[me], 1..3)) where COND  pass }
    }
  }
  payoff zero-sum: [p in Player] 0
}";
