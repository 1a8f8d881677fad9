//! One formula, computed in several ways: from constants, which are folded before play; from state variables, which
//! compiled code reads at run time; and from locals. All must come to the same.
//!
//! Formulas are random but well typed. The bytes that decide their form come from proptest, so that a failing one shrinks.

use crate::machine::Machine;
use proptest::prelude::*;

/// The names that formulas read: type, then two possible values.
pub(super) const NAMES: [(&str, &str, [&str; 2]); 14] = [
    ("a", "-6..9", ["-4", "7"]),
    ("b", "1..5", ["1", "4"]),
    ("c", "1..70", ["3", "66"]),
    ("yes", "bool", ["true", "false"]),
    ("may", "bool", ["false", "true"]),
    ("s", "set of 1..70", ["{ 1, 3, 64, 65, 70 }", "{}"]),
    ("t", "set of 1..70", ["{ 3, 5, 66 }", "{ 65 }"]),
    ("near", "set of -3..3", ["{ -3, 0, 2 }", "{ 1 }"]),
    ("e", "Color", ["red", "blue"]),
    (
        "k",
        "Card",
        ["(rank: 2, color: blue)", "(rank: 3, color: red)"],
    ),
    (
        "l",
        "Card",
        ["(rank: 2, color: green)", "(rank: 1, color: red)"],
    ),
    (
        "h",
        "set of Card",
        ["{ (rank: 2, color: blue), (rank: 4, color: red) }", "{}"],
    ),
    ("o", "1..5?", ["4", "none"]),
    ("m", "Color?", ["none", "green"]),
];

pub(super) const ITEMS: &str = "  enum Color { red, green, blue }
  type Card = (rank: 1..4, color: Color)
  const worth : [Color] -9..99 = { red: 40, green: -9, blue: 7 }
  const more : [1..70] set of 1..70 = { 3: { 1, 70 }, else: { 2, 64 } }";

/// Reads decisions off bytes; past their end every decision is 0, which is a leaf.
pub(super) struct Writer<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Names of integers in 1..70 that are in reach.
    pub bound: Vec<String>,
    made: usize,
}

impl<'a> Writer<'a> {
    pub fn new(bytes: &'a [u8]) -> Writer<'a> {
        Writer {
            bytes,
            at: 0,
            bound: Vec::new(),
            made: 0,
        }
    }

    pub fn pick(&mut self, n: u8) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte % n
    }

    /// One of some names or numbers.
    pub fn one(&mut self, of: &[&str]) -> String {
        of[self.pick(of.len() as u8) as usize].to_string()
    }

    /// Something in which a new name is in reach.
    fn binding(&mut self, write: impl FnOnce(&mut Self, &str) -> String) -> String {
        let name = format!("x{}", self.made);
        self.made += 1;
        self.bound.push(name.clone());
        let text = write(self, &name);
        self.bound.pop();
        text
    }

    fn place(&mut self) -> String {
        let n = self.pick(4);
        match (n, self.bound.len()) {
            (0, _) | (_, 0) => self.one(&["c", "1", "3", "64", "70"]),
            (_, reach) => {
                let i = self.pick(reach as u8) as usize;
                self.bound[i].clone()
            }
        }
    }

    pub fn int(&mut self, d: u32) -> String {
        if d == 0 {
            return match self.pick(3) {
                0 => self.one(&["a", "b", "0", "2", "-1", "9"]),
                _ => self.place(),
            };
        }
        let d = d - 1;
        match self.pick(24) {
            0 => self.int(0),
            1 => format!("({} + {})", self.int(d), self.int(d)),
            2 => format!("({} - {})", self.int(d), self.int(d)),
            3 => format!("({} * {})", self.int(d), self.one(&["b", "a", "-2"])),
            4 => format!("({} div {})", self.int(d), self.one(&["b", "3", "-2"])),
            5 => format!("({} mod {})", self.int(d), self.one(&["b", "4", "-3"])),
            6 => format!("min({}, {})", self.int(d), self.int(d)),
            7 => format!("max({}, {})", self.int(d), self.int(d)),
            8 => format!("abs({})", self.int(d)),
            9 => format!("(-{})", self.int(d)),
            10 => format!("sign({})", self.int(d)),
            11 => format!("size({})", self.set(d)),
            12 => format!(
                "(if {} then {} else {})",
                self.bool(d),
                self.int(d),
                self.int(d)
            ),
            13 => {
                let set = self.set(d);
                self.binding(|w, x| {
                    let cond = w.bool(d.min(1));
                    format!("(sum({x} in {set} where {cond}) ({}))", w.int(d))
                })
            }
            14 => {
                let set = self.set(d);
                self.binding(|w, x| format!("(count {x} in {set}: {})", w.bool(d)))
            }
            15 | 16 => {
                let set = self.set(d);
                let op = self.one(&["min", "max"]);
                self.binding(|w, x| format!("({op}({x} in {set}) ({}))", w.int(d)))
            }
            17 => format!(
                "{}({})",
                self.one(&["min", "max", "sum", "only"]),
                self.set(d)
            ),
            18 => format!("({}).rank", self.card(d)),
            19 => "only(o)".to_string(),
            20 => format!(
                "(if o != none then o + {} else {})",
                self.int(d),
                self.int(d)
            ),
            21 => format!(
                "(match {} {{ red => {}  green, blue => {} }})",
                self.color(d),
                self.int(d),
                self.int(d)
            ),
            22 => format!("worth[{}]", self.color(d)),
            _ => {
                let value = self.place();
                self.binding(|w, x| format!("(let {x} = {value}; {})", w.int(d)))
            }
        }
    }

    pub fn bool(&mut self, d: u32) -> String {
        if d == 0 {
            return self.one(&["yes", "may", "true", "false"]);
        }
        let d = d - 1;
        match self.pick(17) {
            0 => self.bool(0),
            1 => format!("(not {})", self.bool(d)),
            2 => format!("({} and {})", self.bool(d), self.bool(d)),
            3 => format!("({} or {})", self.bool(d), self.bool(d)),
            4 | 5 => {
                let op = self.one(&["<", "<=", "==", "!=", ">", ">="]);
                format!("({} {op} {})", self.int(d), self.int(d))
            }
            6 => format!("({} in {})", self.int(d), self.set(d)),
            7 => {
                let op = self.one(&["<=", "==", "!=", "<", ">=", ">", "in"]);
                format!("({} {op} {})", self.set(d), self.set(d))
            }
            8 => {
                let set = self.set(d);
                let op = self.one(&["some", "every", "no"]);
                self.binding(|w, x| format!("({op} {x} in {set}: {})", w.bool(d)))
            }
            9 => format!("({} == {})", self.color(d), self.color(d)),
            10 => format!("({} < {})", self.card(d), self.card(d)),
            11 => format!("({} in {})", self.card(d), self.cards(d)),
            12 => format!("(o {} none)", self.one(&["==", "!="])),
            13 => format!("(m == {})", self.color(d)),
            14 => format!("({} in near)", self.int(d)),
            15 => {
                let op = self.one(&["<", "<=", ">=", "in"]);
                format!("({} {op} {})", self.cards(d), self.cards(d))
            }
            _ => format!("({} <= {})", self.color(d), self.color(d)),
        }
    }

    pub fn set(&mut self, d: u32) -> String {
        if d == 0 {
            return self.one(&["s", "t", "{ 64, 2 }", "(62..67)", "near"]);
        }
        let d = d - 1;
        match self.pick(20) {
            0 => self.set(0),
            1 => format!("({} + {})", self.set(d), self.set(d)),
            2 => format!("({} - {})", self.set(d), self.set(d)),
            3 => format!("({} & {})", self.set(d), self.set(d)),
            4 => format!("({} + {})", self.set(d), self.place()),
            5 => format!("({} - {})", self.set(d), self.place()),
            6 => self.binding(|w, x| format!("{{ {x} for {x} in s where {} }}", w.bool(d))),
            7 => {
                let set = self.one(&["s", "t", "(1..70)"]);
                self.binding(|w, x| {
                    format!("{{ {x} + {} for {x} in {set} }}", w.one(&["b", "a", "-3"]))
                })
            }
            8 => format!("({}..{})", self.place(), self.place()),
            9 => format!("top({}, {})", self.one(&["b", "2", "0"]), self.set(d)),
            10 => format!("({} before {})", self.one(&["s", "t"]), self.place()),
            11 => format!(
                "(if {} then {} else {})",
                self.bool(d),
                self.set(d),
                self.set(d)
            ),
            12 | 13 => {
                let op = self.one(&["argmin", "argmax"]);
                let set = self.one(&["s", "t", "{ 3, 65, 70 }"]);
                self.binding(|w, x| format!("({op}({x} in {set}) ({}))", w.int(d)))
            }
            14 => {
                let set = self.one(&["s", "t"]);
                self.binding(|w, x| {
                    let y = w.place();
                    format!("(union({x} in {set}) {{ {x}, {y} }})")
                })
            }
            15 => format!("more[{}]", self.place()),
            16 => format!(
                "{}({}, {})",
                self.one(&["min", "max"]),
                self.set(d),
                self.set(d)
            ),
            17 => {
                let op = self.one(&["min", "max"]);
                let set = self.one(&["s", "t", "{ 3, 65, 70 }"]);
                self.binding(|w, x| format!("({op}({x} in {set}) ({}))", w.set(d)))
            }
            18 => {
                let op = self.one(&["argmin", "argmax"]);
                let set = self.one(&["s", "t", "{ 3, 65, 70 }"]);
                self.binding(|w, x| format!("({op}({x} in {set}) (more[{x}] - {}))", w.set(d)))
            }
            _ => format!("{{ {}, {}, {} }}", self.place(), self.place(), self.place()),
        }
    }

    fn color(&mut self, d: u32) -> String {
        if d == 0 {
            return self.one(&["e", "red", "green", "blue"]);
        }
        let d = d - 1;
        match self.pick(7) {
            0 => self.color(0),
            1 => format!("next({})", self.color(d)),
            2 => format!("next({}, {})", self.color(d), self.int(d)),
            3 => format!(
                "(if {} then {} else {})",
                self.bool(d),
                self.color(d),
                self.color(d)
            ),
            4 => format!("({}).color", self.card(d)),
            5 => "only(m)".to_string(),
            _ => format!("(if m != none then m else {})", self.color(d)),
        }
    }

    fn card(&mut self, d: u32) -> String {
        if d == 0 {
            return self.one(&["k", "l"]);
        }
        let d = d - 1;
        match self.pick(7) {
            0 => self.card(0),
            1 => format!(
                "(rank: {}, color: {})",
                self.one(&["b", "2", "4"]),
                self.color(d)
            ),
            2 => format!("next({}, {})", self.card(d), self.int(d)),
            3 => format!(
                "(if {} then {} else {})",
                self.bool(d),
                self.card(d),
                self.card(d)
            ),
            4 => format!("max({})", self.cards(d)),
            5 => format!("min({})", self.cards(d)),
            _ => format!("only(top(1, {}))", self.cards(d)),
        }
    }

    fn cards(&mut self, d: u32) -> String {
        if d == 0 {
            return self.one(&["h", "{ k, l }"]);
        }
        let d = d - 1;
        match self.pick(7) {
            0 => self.cards(0),
            1 => format!("({} + {})", self.cards(d), self.card(d)),
            2 => format!("({} - {})", self.cards(d), self.card(d)),
            3 => format!("({} & {})", self.cards(d), self.cards(d)),
            4 => format!("({} before {})", self.cards(d), self.card(d)),
            5 => format!("max({}, {})", self.cards(d), self.cards(d)),
            _ => {
                let y = format!("y{}", self.made);
                self.made += 1;
                format!(
                    "{{ {y} for {y} in {} where {y}.rank > {} }}",
                    self.cards(d),
                    self.one(&["b", "1", "2"])
                )
            }
        }
    }
}

/// A type, and a formula of it.
fn formula(bytes: &[u8]) -> (&'static str, String) {
    let mut w = Writer::new(bytes);
    match w.pick(6) {
        0 => ("-1000000000..1000000000", w.int(4)),
        1 => ("bool", w.bool(4)),
        2 => ("set of -80..200", w.set(4)),
        3 => ("Color?", w.color(4)),
        4 => ("Card", w.card(4)),
        _ => ("set of Card", w.cards(4)),
    }
}

/// The ways to give the names their values.
#[derive(Copy, Clone, Debug)]
enum Way {
    Constants,
    Variables,
    Locals,
    /// As variables, which a decision separates from where they are read.
    AcrossANode,
}

fn text(way: Way, values: u16, ty: &str, formula: &str) -> String {
    let (mut items, mut state, mut play) = (String::from(ITEMS), String::new(), String::new());
    for (i, (name, ty, options)) in NAMES.iter().enumerate() {
        let value = options[(values >> i & 1) as usize];
        match way {
            Way::Constants => items += &format!("\n  const {name} : {ty} = {value}"),
            Way::Variables | Way::AcrossANode => state += &format!("    {name} : {ty} = {value}\n"),
            Way::Locals => {
                state += &format!("    kept_{name} : {ty} = {value}\n");
                play += &format!("    let {name} = kept_{name}\n");
            }
        }
    }
    if let Way::AcrossANode = way {
        play += "    Ann chooses { go }\n";
    }
    state += &format!("    result : {ty}\n");
    play += &format!("    result = {formula}\n");
    super::text(&items, &state, &play)
}

/// The result as text, or the code of an error of play. `None`: the text is refused.
fn result(text: &str) -> Option<String> {
    let (machine, _): (Machine, _) = match crate::load(text, &Default::default()) {
        Ok(loaded) => loaded,
        Err(problems) => {
            assert!(
                problems.iter().all(|d| d.code.0 != "E0603"),
                "{text}\n{problems:?}"
            );
            return None;
        }
    };
    let mut state = match machine.initial() {
        Ok(state) => state,
        Err(error) => return Some(error.code.0.to_string()),
    };
    if machine.turn(&state) != crate::machine::Turn::Terminal {
        let mut actions = crate::machine::Actions::default();
        machine.legal(&state, 0, &mut actions).expect("an option");
        if let Err(error) = machine.step(&mut state, &actions[..1]) {
            return Some(error.code.0.to_string());
        }
    }
    let view = machine.whole_view(&state);
    view.entries
        .into_iter()
        .rfind(|e| e.name == "result")
        .map(|e| e.value)
}

fn agree(bytes: &[u8], values: u16) -> Result<(), TestCaseError> {
    let (ty, formula) = formula(bytes);
    let plain = result(&text(Way::Variables, values, ty, &formula));
    prop_assume!(plain.is_some());
    for way in [Way::Constants, Way::Locals, Way::AcrossANode] {
        // Exact values may let the check refuse what ranges do not: a divisor, an index that never fits. And a set
        // between two constants has just their range, which the elements of a set beside it have to keep to.
        let other = result(&text(way, values, ty, &formula));
        let narrower = matches!(way, Way::Constants) && other.as_deref() == Some("E0701");
        if let Some(other) = other.filter(|_| !narrower) {
            prop_assert_eq!(
                Some(&other),
                plain.as_ref(),
                "{:?}: {}",
                way,
                text(way, values, ty, &formula)
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::random_tests::config(500))]

    #[test]
    fn folded_and_compiled_formulas_agree(bytes in prop::collection::vec(any::<u8>(), 1..60), values in any::<u16>()) {
        agree(&bytes, values)?;
    }
}

/// The generator is of use only if most formulas are accepted in every way, and most have a value.
#[test]
fn most_formulas_are_well_typed() {
    use rand::{Rng, SeedableRng};
    let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(1);
    let mut counts = [0; 3];
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..40).map(|_| rng.next_u32() as u8).collect();
        let (ty, formula) = formula(&bytes);
        let values = rng.next_u32() as u16;
        let plain = result(&text(Way::Variables, values, ty, &formula));
        let folded = result(&text(Way::Constants, values, ty, &formula));
        counts[0] += usize::from(plain.is_some());
        counts[1] += usize::from(folded.is_some());
        counts[2] += usize::from(plain.is_some_and(|v| !v.starts_with("E07")));
    }
    assert!(counts.iter().all(|n| *n > 100), "{counts:?}");
}
