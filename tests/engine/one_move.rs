//! Random moves of several choices, with stores, loops and branches in between, against the reader.

use crate::reader::compare::compare;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use ruse::internal::machine::{Actions, Machine, State, Turn};

/// Histories that are read of one game.
const MOST: usize = 40;

struct Writer {
    rng: Xoshiro256PlusPlus,
    /// Choices that may still be written.
    choices: usize,
    names: usize,
}

impl Writer {
    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.rng.random_range(0..of.len())]
    }

    /// A cell, a small number and a condition on what there is at this place.
    fn cell(&mut self) -> &'static str {
        self.one(&["at", "19 - at", "k + 2", "(at + k) mod 18 + 1", "3"])
    }

    fn cond(&mut self) -> String {
        let cell = self.cell();
        match self.rng.random_range(0..5) {
            0 => format!("man[{cell}] == me"),
            1 => format!("man[{cell}] != none"),
            2 => format!("{cell} in hand"),
            3 => self.one(&["k > 1", "k < 3", "n mod 2 == 0"]).to_string(),
            _ => "size(hand) > 2".to_string(),
        }
    }

    fn store(&mut self) -> String {
        let cell = self.cell();
        match self.rng.random_range(0..9) {
            0 => format!("man[{cell}] = me"),
            1 => format!("man[{cell}] = none"),
            2 => format!("at = {cell}"),
            3 => format!("hand -= {cell}"),
            4 => format!("hand += {cell}"),
            5 => "k = if k == 1 then 3 else k - 1".to_string(),
            6 => format!("n = size({{ c for c in C where man[c] == me }}) + {cell}"),
            7 => format!("if n < 50 {{ n += {cell} }}"),
            _ => format!(
                "heap[k, (at + k) mod 5 + 1] = n mod 4  if heap[2, 3] > 1 {{ man[{cell}] = none }}"
            ),
        }
    }

    fn statements(&mut self, depth: usize) -> String {
        let count = self.rng.random_range(1..4);
        let all: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        all.join("\n")
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.store();
        }
        let kind = self.rng.random_range(0..9);
        if (5..8).contains(&kind) && self.choices > 0 {
            return self.choice(depth);
        }
        let inner = self.statements(depth - 1);
        match kind {
            0 => format!("if {} {{ {inner} }}", self.cond()),
            1 => {
                let other = self.statements(depth - 1);
                format!("if {} {{ {inner} }} else {{ {other} }}", self.cond())
            }
            2 => format!("repeat {} times {{ {inner} }}", self.one(&["2", "k"])),
            3 => format!("while k > 1 at most 3 {{ k -= 1  {inner} }}"),
            4 => {
                self.names += 1;
                let cells = self.one(&["hand", "{ c for c in C where man[c] == me }", "{ 4, 9 }"]);
                let (name, value) = (self.names, self.one(&["me", "none"]));
                format!("each e{name} in {cells} {{ man[e{name}] = {value}  {inner} }}")
            }
            _ => self.store(),
        }
    }

    fn choice(&mut self, depth: usize) -> String {
        self.choices -= 1;
        self.names += 1;
        let name = self.names;
        let domain = self.one(&["1..k", "hand", "{ c for c in C where man[c] == me }"]);
        let condition = match self.rng.random_range(0..3) {
            0 => String::new(),
            1 => format!(" where {}", self.cond()),
            _ => format!(" where x{name} < 5 and man[x{name}] != me"),
        };
        let uses = self.one(&[
            "at = X",
            "man[X] = me",
            "hand -= X",
            "n = X  man[19 - X] = none",
        ]);
        let uses = uses.replace('X', &format!("x{name}"));
        let inner = self.statements(depth - 1);
        if self.rng.random_bool(0.5) {
            return format!(
                "me chooses x{name} in {domain}{condition} as \" a{{x{name}}}\"\n{uses}\n{inner}"
            );
        }
        if self.rng.random_bool(0.3) {
            let (limit, other) = (self.one(&["2", "at", "k"]), self.statements(depth - 1));
            return format!(
                "me chooses x{name} in {domain} where x{name} > {limit} as \" l{{x{name}}}\" => {{ {uses}  {inner} }} else {{ {other} }}"
            );
        }
        let (other, stop) = (self.statements(depth - 1), self.store());
        let more = self.cond();
        format!(
            "me chooses {{
               go{name}(x{name} in {domain}){condition} as \" g{{x{name}}}\" => {{ {uses}  {inner} }}
               stop{name} as \" s\" => {{ {stop} }}
               or{name}(y{name} in 1..2, z{name} in hand) where y{name} <= z{name} and {more} as \" o{{y{name}}}{{z{name}}}\" => {{ hand -= z{name}  {other} }}
             }}"
        )
    }
}

fn game(number: u64, choices: usize) -> String {
    let mut writer = Writer {
        rng: Xoshiro256PlusPlus::seed_from_u64(number),
        choices,
        names: 0,
    };
    let first = writer.choice(2);
    let rest = writer.statements(2);
    let first = match number % 2 {
        0 => format!("let here = at\n{first}\nif here != at {{ n = here }}"),
        _ => first,
    };
    let greatest = match number % 4 {
        0 if choices > 1 => " maximise n mod 7",
        _ => "",
    };
    format!(
        "game Moves {{
  players {{ Ann, Ben }}
  type C = 1..18
  state {{
    man : [C] Player? = [c in C] if c < 3 then Ann else if c == 9 then Ben else none
    heap : [1..4][1..5] 0..9
    hand : set of C = {{ 2, 3, 12 }}  k : 1..4 = 2  at : C = 5  n : 0..100
  }}
  play {{
    turns me from Ann at most 2 {{
      one move {{
        {first}
        {rest}
      }}{greatest} else {{ n = 0 }}
      if size(hand) == 0 {{ end }}
    }}
  }}
  payoff zero-sum: {{ Ann: n + size(hand)  Ben: -n - size(hand) }}
}}"
    )
}

#[test]
fn random_moves_are_what_the_reader_says() {
    let (mut games, mut ends, mut differ) = (0, 0, Vec::new());
    for number in 0..240 {
        let text = game(number, if number.is_multiple_of(5) { 1 } else { 3 });
        let Ok((machine, _)) = ruse::load(&text, &Default::default()) else {
            continue;
        };
        let Ok(compared) = compare(&machine, MOST) else {
            continue;
        };
        games += 1;
        ends += compared.ends;
        differ.extend(compared.differs.map(|what| format!("{text}\n{what}")));
    }
    println!("{games} games, {ends} histories");
    assert!(differ.is_empty(), "{} differ: {}", differ.len(), differ[0]);
    assert!(
        games > 120 && ends > 2000,
        "{games} games, {ends} histories"
    );
}

/// The same with all texts of choices left to the program.
fn without_texts(text: &str) -> String {
    let mut parts = text.split(" as \"");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |all, part| {
        all + part.split_once('"').map_or("", |(_, rest)| rest)
    })
}

/// What the player to move may choose, in words.
fn options(machine: &Machine, state: &State) -> (Actions, Vec<String>) {
    let mut actions = Actions::default();
    let Turn::Decision(movers) = machine.turn(state) else {
        return (actions, Vec::new());
    };
    let player = movers.iter().next().unwrap();
    machine.legal(state, player, &mut actions).unwrap();
    let texts = actions.iter();
    let texts = texts.map(|action| machine.action_text(state, player, action, None));
    let texts = texts.collect();
    (actions, texts)
}

fn in_parts(machine: &Machine) -> bool {
    format!("{:?}", machine.description().play).contains("OneMove(")
}

/// Plays both alike, and says at how many nodes they were compared.
fn same_options(one: &Machine, other: &Machine, rng: &mut Xoshiro256PlusPlus, text: &str) -> usize {
    let mut compared = 0;
    for _ in 0..3 {
        let (mut a, mut b) = (one.initial().unwrap(), other.initial().unwrap());
        loop {
            let [(actions, texts), (others, expected)] =
                [(one, &a), (other, &b)].map(|(machine, state)| options(machine, state));
            assert_eq!(texts, expected, "{text}");
            compared += 1;
            if actions.is_empty() {
                break;
            }
            let i = rng.random_range(0..actions.len());
            let [next, after] = [(one, &mut a, &actions), (other, &mut b, &others)]
                .map(|(machine, state, all)| machine.step(state, &[all[i].clone()]));
            assert_eq!(next.is_ok(), after.is_ok(), "{text}");
            if next.is_err() {
                break;
            }
        }
        assert_eq!(one.payoffs(&a).ok(), other.payoffs(&b).ok(), "{text}");
    }
    compared
}

/// Whether a move is a plain choice, and at how many nodes it was compared with one that is kept in parts; `None`: it is
/// no game.
fn same_when_kept_apart(
    text: &str,
    kept: &str,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<(bool, usize)> {
    let [Ok((one, _)), Ok((other, _))] =
        [text, kept].map(|text| ruse::load(text, &Default::default()))
    else {
        return None;
    };
    assert!(in_parts(&other), "{kept}");
    let compared = same_options(&one, &other, rng, text);
    Some((!in_parts(&one), compared))
}

#[test]
fn a_move_of_one_choice_is_that_choice() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut alone, mut compared) = (0, 0);
    for number in 0..120 {
        let text = match number % 3 {
            0 => without_texts(&game(number, 1)),
            _ => game(number, 1),
        };
        // It changes nothing, and the move stays one of several parts.
        let kept = text.replace("one move {", "one move {\n at = at");
        let Some((is_plain, nodes)) = same_when_kept_apart(&text, &kept, &mut rng) else {
            continue;
        };
        alone += usize::from(is_plain);
        compared += nodes;
    }
    assert!(
        alone > 40 && compared > 300,
        "{alone} alone, {compared} compared"
    );
}

/// Choices with nothing in between, and a last one with or without a condition, a text and values of its own.
fn in_a_row(number: u64) -> String {
    let mut writer = Writer {
        rng: Xoshiro256PlusPlus::seed_from_u64(number),
        choices: 0,
        names: 0,
    };
    let count = writer.rng.random_range(2..4);
    let texts = writer.rng.random_bool(0.5);
    let choices = (0..count).map(|i| {
        let x = format!("x{i}");
        let cells = ["1..k", "hand", "{ c for c in C where man[c] == none }"];
        let (domain, other) = (writer.one(&cells), writer.one(&cells));
        let before = format!("x{}", i32::max(i - 1, 0));
        let cond = match writer.rng.random_range(0..4) {
            0 => String::new(),
            1 => format!(" where {x} >= {before}"),
            2 => format!(" where man[{x}] != me and {x} != {before} + 1"),
            _ => format!(" where {}", writer.cond()),
        };
        let more = match writer.rng.random_bool(0.3) {
            true => format!(", y{i} in {other}"),
            false => String::new(),
        };
        let text = match texts {
            true => format!(" as \"-{{{x}}}\""),
            false => String::new(),
        };
        format!("me chooses {x} in {domain}{more}{cond}{text}")
    });
    let choices: Vec<String> = choices.collect();
    let text = game(number, 1);
    let (before, rest) = text.split_once("one move {").unwrap();
    let after = rest.split_once("} else { n = 0 }").unwrap().1;
    let choices = choices.join("\n");
    format!(
        "{before}one move {{\n{choices}\nat = x0  hand -= x1\n}} else {{ n = 0  hand += k }}{after}"
    )
}

#[test]
fn choices_in_a_row_are_one_choice() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let (mut joined, mut compared) = (0, 0);
    for number in 0..150 {
        let text = in_a_row(number);
        let kept = text.replace("\nme chooses", "\nat = at\nme chooses");
        let Some((is_plain, nodes)) = same_when_kept_apart(&text, &kept, &mut rng) else {
            continue;
        };
        joined += usize::from(is_plain);
        compared += nodes;
    }
    assert!(
        joined > 100 && compared > 400,
        "{joined} joined, {compared} compared"
    );
}
