//! Random small games: playouts as one flow, after each of the passes over it, against play state by state.
//!
//! The games are well typed. The bytes that decide their form come from proptest, so that a failing one shrinks.

use crate::compile::optimise::PASSES;
use crate::machine::{Engine, Machine};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Reads decisions off bytes; past their end every decision is 0, which is the simplest.
struct Writer<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Names of integers that are in reach.
    bound: Vec<String>,
    made: usize,
}

impl Writer<'_> {
    fn pick(&mut self, n: u8) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte % n
    }

    fn one(&mut self, of: &[&str]) -> String {
        of[self.pick(of.len() as u8) as usize].to_string()
    }

    fn name(&mut self) -> String {
        self.made += 1;
        format!("x{}", self.made)
    }

    /// Something in which a new name is in reach.
    fn binding(&mut self, write: impl FnOnce(&mut Self, &str) -> String) -> String {
        let name = self.name();
        self.bound.push(name.clone());
        let text = write(self, &name);
        self.bound.pop();
        text
    }

    fn int(&mut self, d: u32) -> String {
        if d == 0 {
            return match self.pick(8) {
                0 => self.one(&["0", "1", "2", "3", "7", "-1"]),
                1 => "size(s)".to_string(),
                2 => "n".to_string(),
                3 => "m".to_string(),
                4 => format!("a[{}]", self.one(&["0", "1", "3"])),
                5 => format!("left[{}]", self.one(&["me", "A", "B"])),
                _ => match self.bound.len() {
                    0 => "k".to_string(),
                    reach => {
                        let i = self.pick(reach as u8) as usize;
                        self.bound[i].clone()
                    }
                },
            };
        }
        let d = d - 1;
        match self.pick(16) {
            0 => self.int(0),
            1 => format!("({} + {})", self.int(d), self.int(d)),
            2 => format!("({} - {})", self.int(d), self.int(d)),
            3 => format!("({} * {})", self.int(d), self.one(&["2", "3", "-1", "k"])),
            4 => format!("({} div {})", self.int(d), self.one(&["2", "3"])),
            5 => format!("({} mod {})", self.int(d), self.one(&["2", "5", "8"])),
            6 => format!("min({}, {})", self.int(d), self.int(d)),
            7 => format!("max({}, {})", self.int(d), self.int(d)),
            8 => format!("worth[{}]", self.place(d)),
            9 => format!("a[({}) mod 4]", self.int(d)),
            10 => format!("size({})", self.set(d)),
            11 => format!(
                "(if {} then {} else {})",
                self.bool(d),
                self.int(d),
                self.int(d)
            ),
            12 => {
                let set = self.set(d);
                self.binding(|w, x| format!("(sum({x} in {set}) ({}))", w.int(d.min(1))))
            }
            13 => {
                let set = self.set(d);
                self.binding(|w, x| format!("(count {x} in {set}: {})", w.bool(d.min(1))))
            }
            14 => format!("size({})", self.wide()),
            _ => format!("sign({})", self.int(d)),
        }
    }

    /// An element of 0..8.
    fn place(&mut self, d: u32) -> String {
        match self.pick(4) {
            0 => self.one(&["0", "4", "8"]),
            _ => format!("(({}) mod 9)", self.int(d)),
        }
    }

    fn bool(&mut self, d: u32) -> String {
        if d == 0 {
            return match self.pick(4) {
                0 => "yes".to_string(),
                1 => format!("{} in s", self.place(0)),
                2 => format!("c == {}", self.one(&["red", "green", "blue"])),
                _ => format!("{} < {}", self.int(0), self.int(0)),
            };
        }
        let d = d - 1;
        match self.pick(14) {
            0 => self.bool(0),
            1 => format!("({} and {})", self.bool(d), self.bool(d)),
            2 => format!("({} or {})", self.bool(d), self.bool(d)),
            3 => format!("not ({})", self.bool(d)),
            4 => format!(
                "({} {} {})",
                self.int(d),
                self.one(&["==", "!=", "<", "<=", ">"]),
                self.int(d)
            ),
            5 => format!("({} in {})", self.place(d), self.set(d)),
            6 => format!("({} in {})", self.set(d), self.set(d)),
            7 => format!("({} == {})", self.set(d), self.set(d)),
            8 => format!("({} != {{}})", self.set(d)),
            9 => {
                let set = self.set(d);
                let word = self.one(&["some", "every"]);
                self.binding(|w, x| format!("({word} {x} in {set}: {})", w.bool(d.min(1))))
            }
            10 => format!("line({})", self.one(&["s", "men[me]", "men[A]", "men[B]"])),
            11 => format!("who == {}", self.one(&["none", "A", "B", "me"])),
            12 => format!("me == {}", self.one(&["A", "B"])),
            _ => format!(
                "({} in {})",
                self.one(&["3", "n + 1", "64", "70"]),
                self.wide()
            ),
        }
    }

    fn set(&mut self, d: u32) -> String {
        if d == 0 {
            return self.one(&[
                "s",
                "men[me]",
                "men[opponent(me)]",
                "{ 1, 4, 8 }",
                "{ 0 }",
                "empty",
            ]);
        }
        let d = d - 1;
        match self.pick(8) {
            0 | 1 => self.set(0),
            2 => format!("({} + {})", self.set(d), self.set(d)),
            3 => format!("({} - {})", self.set(d), self.set(d)),
            4 => format!("({} & {})", self.set(d), self.set(d)),
            5 => format!("near[{}]", self.place(d)),
            6 => {
                let set = self.set(d);
                self.binding(|w, x| {
                    format!("{{ {x} for {x} in {set} where {} }}", w.bool(d.min(1)))
                })
            }
            _ => format!("({} + {})", self.set(d), self.place(d)),
        }
    }

    /// A set of two words.
    fn wide(&mut self) -> String {
        match self.pick(4) {
            0 => "w".to_string(),
            1 => "(w & { 2, 3, 64, 66 })".to_string(),
            2 => "(w - { 1, 65 })".to_string(),
            _ => "(w + { 5, 70 })".to_string(),
        }
    }

    fn statements(&mut self, d: u32) -> String {
        let n = 1 + self.pick(3);
        let from = self.bound.len();
        let all: Vec<String> = (0..n).map(|_| self.statement(d)).collect();
        self.bound.truncate(from);
        all.join("\n")
    }

    fn statement(&mut self, d: u32) -> String {
        let simple = if d == 0 { 12 } else { 19 };
        match self.pick(simple) {
            0 => format!("n = ({}) mod 21", self.int(2)),
            1 => format!("m = ({}) mod 11", self.int(2)),
            2 => format!("a[({}) mod 4] = ({}) mod 16", self.int(1), self.int(2)),
            3 => format!("a[{}] = ({}) mod 16", self.one(&["0", "2"]), self.int(2)),
            4 => format!("s += {}", self.place(1)),
            5 => format!("s -= {}", self.place(1)),
            6 => format!("s = {}", self.set(2)),
            7 => format!(
                "men[{}] {} {}",
                self.one(&["me", "A", "opponent(me)"]),
                self.one(&["+=", "-="]),
                self.place(1)
            ),
            8 => format!("yes = {}", self.bool(2)),
            9 => format!(
                "c = (if {} then {} else c)",
                self.bool(1),
                self.one(&["red", "green", "blue"])
            ),
            10 => format!("w {} 1 + ({}) mod 70", self.one(&["+=", "-="]), self.int(1)),
            11 => {
                let name = self.name();
                let text = format!("let {name} = ({}) mod 9", self.int(2));
                self.bound.push(name);
                text
            }
            12 | 13 => format!(
                "if {} {{\n{}\n}} else {{\n{}\n}}",
                self.bool(2),
                self.statements(d - 1),
                self.statements(d - 1)
            ),
            14 => format!("if {} {{\n{}\n}}", self.bool(2), self.statements(d - 1)),
            15 => {
                let set = self.set(1);
                self.binding(|w, x| format!("each {x} in {set} {{\n{}\n}}", w.statements(d - 1)))
            }
            16 => format!("repeat 3 times {{\n{}\n}}", self.statements(d - 1)),
            17 => format!(
                "if {} {{\nwho = {}\nend\n}}",
                self.bool(2),
                self.one(&["me", "A", "none"])
            ),
            _ => {
                let (name, by) = (self.name(), self.int(1));
                let text =
                    format!("draw {name} in 0..4 weighted 1 + ({by}) mod 3 as \"{{{name}}}\"");
                self.bound.push(name);
                text
            }
        }
    }

    fn choice(&mut self) -> String {
        let (x, y) = (self.name(), self.name());
        match self.pick(5) {
            0 => {
                format!(
                    "me chooses {x} in empty as \"{{{x}}}\" => {{ men[me] += {x} }} else {{ end }}"
                )
            }
            1 => {
                let set = self.set(1);
                format!("me chooses {x} in {set} + 3 as \"{{{x}}}\"\nmen[me] += {x}\nk = {x}")
            }
            2 => {
                let set = self.set(1);
                self.bound.push(x.clone());
                self.bound.push(y.clone());
                let cond = self.bool(1);
                format!(
                    "me chooses {x} in {set}, {y} in 0..3 where {cond} as \"{{{x}}}-{{{y}}}\" \
                     => {{ a[{y}] = {x}  s += {x} }} else {{ end }}"
                )
            }
            3 => {
                let cond = self.bool(1);
                format!(
                    "me chooses {{\nstay\ngo({x} in 0..8) where {cond} => {{ men[me] += {x}  k = {x} }}\n\
                     turn({y} in 1..3) => n = (n + {y}) mod 21\n}}"
                )
            }
            _ => {
                let place = self.place(0);
                format!(
                    "me chooses {x} in subsets(0..5, 2) where {place} in {x} or size({x} & s) < 2 as \"{{{x}}}\" => {{\n\
                     men[me] = men[me] - {x}\nleft[me] = (left[me] + sum({x})) mod 9\n}} else {{ end }}"
                )
            }
        }
    }
}

fn text(bytes: &[u8]) -> String {
    let mut w = Writer {
        bytes,
        at: 0,
        bound: Vec::new(),
        made: 0,
    };
    let turns = 2 + w.pick(6);
    let before = w.statements(2);
    let choice = w.choice();
    let after = w.statements(3);
    w.bound.clear();
    format!(
        "game Made {{
  players {{ A, B }}
  enum Color {{ red, green, blue }}
  const worth : [0..8] -9..9 = {{ 1: 4, 3: -9, 8: 7, else: 2 }}
  const near : [0..8] set of 0..8 = {{ 0: {{ 1, 3 }}, 4: {{ 1, 3, 5, 7 }}, 8: {{ 5 }}, else: {{ 4 }} }}
  state {{
    n : 0..20 = 7
    m : 0..10 = 2
    k : 0..8
    a : [0..3] 0..15
    left : [Player] 0..8
    s : set of 0..8 = {{ 2, 5 }}
    men : [Player] set of 0..8
    w : set of 1..70 = {{ 3, 66 }}
    yes : bool
    c : Color
    who : Player?
  }}
  def empty: set of 0..8 = {{ 0, 1, 2, 3, 4, 5, 6, 7, 8 }} - men[A] - men[B]
  def line(of: set of 0..8): bool =
    {{ 0, 1, 2 }} in of or {{ 3, 4, 5 }} in of or {{ 6, 7, 8 }} in of or {{ 0, 4, 8 }} in of or {{ 2, 4, 6 }} in of
  play {{
    turns me from A at most {turns} {{
{before}
{choice}
{after}
      if line(men[me]) {{ who = me  end }}
    }}
  }}
  payoff general-sum: [p in Player]
    if who == p then 100 else if who == none then n + 3 * m + size(men[p]) + left[p] else sum(a) - size(w)
}}
"
    )
}

fn machine(text: &str) -> Result<Machine, String> {
    match crate::load(text, &Default::default()) {
        Ok((machine, _)) => Ok(machine),
        Err(problems) => Err(format!("{problems:?}")),
    }
}

/// Whether playouts after some of the passes, and after all, come to what play by steps comes to.
fn agree(text: &str, some: &[u8]) -> Result<(), TestCaseError> {
    let Ok(mut machine) = machine(text) else {
        return Ok(());
    };
    let some = some.iter().map(|n| *n as usize % PASSES.len());
    for passes in some.chain([PASSES.len()]) {
        machine = machine.with_engine(Engine::Native).with_passes(passes);
        let Ok(state) = machine.initial() else {
            return Ok(());
        };
        let mut playouts = machine.playouts();
        for seed in 0..6 {
            let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let (mut stepwise, mut observed) = (Vec::new(), Vec::new());
            let expected = playouts.play_stepwise(&state, &mut rng.clone(), &mut stepwise);
            let found = playouts.play_observed(&state, &mut rng.clone(), &mut observed);
            let silent = playouts.play(&state, &mut rng.clone());
            let after = PASSES[..passes].last().map_or("nothing", |p| p.name);
            match expected {
                Ok(expected) => {
                    prop_assert_eq!(&stepwise, &observed, "{} {}\n{}", passes, after, text);
                    prop_assert_eq!(
                        Some(&expected),
                        found.as_ref().ok(),
                        "{} {}\n{}",
                        passes,
                        after,
                        text
                    );
                    prop_assert_eq!(
                        Some(&expected),
                        silent.as_ref().ok(),
                        "{} {}\n{}",
                        passes,
                        after,
                        text
                    );
                }
                Err(_) => {
                    prop_assert!(
                        found.is_err() && silent.is_err(),
                        "{} {}\n{}",
                        passes,
                        after,
                        text
                    );
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::random_tests::config(50))]

    #[test]
    fn every_pass_leaves_made_games_as_they_are(
        bytes in prop::collection::vec(any::<u8>(), 20..130),
        passes in prop::collection::vec(any::<u8>(), 2),
    ) {
        agree(&text(&bytes), &passes)?;
    }
}

/// The generator is of use only if most games are accepted, and most playouts end without an error.
#[test]
fn most_made_games_play() {
    use rand::Rng;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut accepted, mut played) = (0, 0);
    let mut first = None;
    for _ in 0..40 {
        let bytes: Vec<u8> = (0..120).map(|_| rng.next_u32() as u8).collect();
        let text = text(&bytes);
        match machine(&text) {
            Ok(machine) => {
                accepted += 1;
                let state = machine.initial();
                let mut playouts = machine.playouts();
                played += usize::from(state.is_ok_and(|s| playouts.play(&s, &mut rng).is_ok()));
            }
            Err(problems) => first = first.or(Some(format!("{problems}\n{text}"))),
        }
    }
    assert!(
        accepted > 30 && played > 25,
        "{accepted} {played} {first:?}"
    );
}
