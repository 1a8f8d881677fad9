//! What a loop of statements reads again and again, and what an array formula reads of its own array, is as if it were worked out
//! anew each time, and before the first store.

use crate::support::load_text;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::check::Settings;
use ruse::internal::machine::Engine;
use std::sync::Arc;

/// Values of an element `i` of an array `a` that is stored to, made of its elements.
const VALUES: &[&str] = &[
    "a[i]",
    "a[71 - i]",
    "(a[i] + k) mod 6",
    "if i == 70 then a[1] else a[i + 1]",
    "if i in s then a[71 - i] else a[i]",
    "(count j in 1..70: a[j] == a[i]) mod 6",
    "(sum(j in s) a[j]) mod 6",
    "max({ a[j] for j in 1..70 where j <= i } + 0)",
    "((a[i] + a[71 - i]) after { a[k] = 5 }) mod 6",
    "a[i] after { a[i] = a[71 - i] }",
    "if (some j in s: a[j] == 5) then a[i] else a[71 - i]",
];

/// Statements of a loop over `i`, some of which change what others read.
const STATEMENTS: &[&str] = &[
    "t = (t + (count j in s: a[j] > 2)) mod 97",
    "if i in s { t = (t + (sum(j in 1..70 where j in s) a[j])) mod 97 }",
    "a[i] = (a[i] + (count j in s: b[j] > 2)) mod 6",
    "a[i] = (a[i] + (count j in s: a[j] > 2)) mod 6",
    "if i mod 7 == 0 { s -= i }  t = (t + (count j in s: a[j] > 2)) mod 97",
    "if i mod 7 == 0 { s -= i } else { t = (t + (sum(j in s) b[j])) mod 97 }",
    "let j = i  if (some l in s: l > j and a[l] == b[j]) { t = (t + (count l in s: a[l] < 3)) mod 97 }",
    "t = (t + (if t mod 3 == 0 then (sum(j in s) b[j]) else (count j in s: b[j] == t mod 6))) mod 97",
    "each l in 1..6 { b[l] = (b[l] + (count j in s: a[j] > l mod 3)) mod 6 }",
];

/// A game with a rule for one element, and what is done after each choice.
fn game(one: &str, statements: &str) -> String {
    format!(
        "game AtOnce {{
  players {{ Ann, Ben }}
  state {{ a : [1..70] 0..5  old : [1..70] 0..5  b : [1..70] 0..5  k : 1..70  s : set of 1..70  t : 0..97 }}
  rule one(i: 1..70) {{ {one} }}
  play {{
    a = [i in 1..70] i mod 6
    b = [i in 1..70] (i * i) mod 6
    turns me from Ann at most 5 {{
      me chooses x in 1..70 into k
      s += x
      {statements}
    }}
  }}
  payoff general-sum: {{ Ann: (sum(i in 1..70) (i * a[i])) + t, Ben: (sum(i in 1..70) (i * b[i])) + size(s) }}
}}"
    )
}

/// What both get in some random games.
fn payoffs(text: &str, engine: Engine) -> Vec<Vec<i64>> {
    let machine = load_text("at-once.game", text, &Settings::new());
    let machine = Arc::into_inner(machine).expect("the only one");
    let machine = machine.with_engine(engine);
    let start = machine.initial().unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut play = || machine.playouts().play(&start, &mut rng).expect(text);
    (0..30).map(|_| play().payoffs.to_vec()).collect()
}

fn same(one: &str, other: &str) {
    let expected = payoffs(other, Engine::Portable);
    for engine in [Engine::Native, Engine::Portable] {
        assert_eq!(payoffs(one, engine), expected, "{one}");
    }
}

#[test]
fn what_a_formula_reads_of_its_own_array_is_as_it_was_before() {
    for value in VALUES {
        let stored = game("", &format!("a = [i in 1..70] {value}"));
        let of_old = value.replace("a[", "old[");
        let one = format!("a[i] = {of_old}");
        let copied = "each i in 1..70 { old[i] = a[i] }  each i in 1..70 { one(i) }";
        same(&stored, &game(&one, copied));
    }
}

/// As where the loop is written out.
#[test]
fn what_a_loop_reads_again_is_worked_out_anew() {
    for one in STATEMENTS {
        let rounds: String = (1..=70).map(|i| format!("one({i})  ")).collect();
        let expected = game(one, &rounds);
        for looped in [
            "each i in 1..70 { one(i) }",
            "k = 1  repeat 70 times { one(k)  if k < 70 { k += 1 } }",
            "k = 1  old[1] = 0  while old[1] == 0 at most 80 { one(k)  if k < 70 { k += 1 } else { old[1] = 1 } }",
        ] {
            same(&game(one, looped), &expected);
        }
    }
}

/// The values of all entries are worked out before the first of them is stored.
#[test]
fn entries_read_what_was_there_before_others() {
    let game = |store: &str| {
        format!(
            "game Entries {{
  players {{ Ann, Ben }}
  state {{ a : [Player][1..70] 0..199   old : [Player][1..70] 0..199   k : 1..70 }}
  play {{
    a = [p in Player] [i in 1..70] if p == Ann then i else 2 * i
    repeat 2 times {{
      Ann chooses x in 1..70 into k
      each p in Player, i in 1..70 {{ old[p, i] = a[p, i] }}
      {store}
    }}
  }}
  payoff general-sum: {{ Ann: sum(i in 1..70) (i * a[Ann, i]), Ben: sum(i in 1..70) (i * a[Ben, i]) }}
}}"
        )
    };
    for (ann, ben) in [
        ("a[Ben, i]", "a[Ann, i]"),
        ("(a[Ann, i] + 1) mod 190", "a[Ann, i]"),
        ("a[Ann, 71 - i]", "(a[Ann, i] + a[Ben, k]) mod 190"),
        (
            "(count j in 1..70: a[Ben, j] > a[Ann, i])",
            "(sum(j in 1..3) a[Ann, j]) mod 190",
        ),
        ("k", "a[Ann, k]"),
    ] {
        let of_old = |value: &str| value.replace("a[", "old[");
        let expected = format!(
            "each i in 1..70 {{ a[Ann, i] = {}  a[Ben, i] = {} }}",
            of_old(ann),
            of_old(ben)
        );
        for entries in [
            format!("a = {{ Ann: [i in 1..70] {ann}, Ben: [i in 1..70] {ben} }}"),
            format!("a = {{ Ann: [i in 1..70] {ann}, else: [i in 1..70] {ben} }}"),
            format!("a = {{ Ben: [i in 1..70] {ben}, else: [i in 1..70] {ann} }}"),
            format!("a = [p in Player] [i in 1..70] if p == Ann then {ann} else {ben}"),
        ] {
            same(&game(&entries), &game(&expected));
        }
    }
}
