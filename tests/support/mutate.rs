//! Texts of games, damaged at random: what a person with a bad day, or somebody with bad intentions, could hand in.

use rand::RngExt;
use ruse::internal::random::Stream;

/// One way to damage a text. Where there is nothing to damage like this, the text stays as it is.
type Damage = fn(&str, &Pool, &mut Stream) -> String;

/// Every kind of damage, with its name.
pub const KINDS: &[(&str, Damage)] = &[
    ("bytes deleted", delete_bytes),
    ("bytes inserted", insert_bytes),
    ("bytes swapped", swap_bytes),
    ("a token deleted", delete_token),
    ("a token duplicated", duplicate_token),
    ("two tokens swapped", swap_tokens),
    ("a token of another game", foreign_token),
    ("another number", change_number),
    ("another number", change_number),
    ("a line moved", move_line),
    ("a line twice", repeat_line),
    ("a line of another game", foreign_line),
    ("a block dropped", drop_block),
    ("a block moved", move_block),
    ("a small number", small_number),
    ("a small number", small_number),
    ("a small number", small_number),
    ("a statement moved", move_near),
    ("names exchanged", exchange_names),
    ("one name for another", other_name),
    ("one name for another", other_name),
    ("deeper", nest),
    ("an operator exchanged", change_operator),
    ("an operator exchanged", change_operator),
    ("`seen by` dropped", drop_seen_by),
    ("`seen by` added", add_seen_by),
    ("a range changed", change_range),
    ("cut off", cut_off),
];

/// What the shipped games are made of.
pub struct Pool {
    tokens: Vec<String>,
    lines: Vec<String>,
}

impl Pool {
    pub fn new(texts: &[String]) -> Pool {
        let mut tokens: Vec<String> = texts
            .iter()
            .flat_map(|t| {
                tokens(t)
                    .into_iter()
                    .map(|(from, to)| t[from..to].to_string())
            })
            .collect();
        tokens.sort();
        tokens.dedup();
        let lines = texts.iter().flat_map(|t| t.lines().map(String::from));
        Pool {
            tokens,
            lines: lines.filter(|l| !l.trim().is_empty()).collect(),
        }
    }
}

/// A damaged text, and the names of what was done to it. Most texts are damaged in one place, some in several.
pub fn mutant(text: &str, pool: &Pool, random: &mut Stream) -> (String, Vec<&'static str>) {
    let times = match random.random_range(0..10u32) {
        0..8 => 1,
        8 => 2,
        _ => random.random_range(3..8u32),
    };
    let mut damaged = text.to_string();
    let mut done = Vec::new();
    for _ in 0..times {
        let (name, damage) = pick(KINDS, random);
        damaged = damage(&damaged, pool, random);
        done.push(*name);
    }
    (damaged, done)
}

fn pick<'a, T>(from: &'a [T], random: &mut Stream) -> &'a T {
    &from[random.random_range(0..from.len())]
}

/// Where the words, numbers, texts, comments and signs of a text begin and end.
pub fn tokens(text: &str) -> Vec<(usize, usize)> {
    const TWO: [&str; 8] = ["..", "=>", "==", "!=", "<=", ">=", "+=", "-="];
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let until = |stop: &dyn Fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
        let length = match first {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            c if letter(c) => until(&|c| !letter(c)),
            '"' => rest[1..].find(['"', '\n']).map_or(rest.len(), |n| n + 2),
            '/' if rest.starts_with("//") => until(&|c| c == '\n'),
            _ if TWO.iter().any(|t| rest.starts_with(t)) => 2,
            c => c.len_utf8(),
        };
        found.push((at, at + length));
        at += length;
    }
    found
}

/// The text with what stands in a place replaced.
fn put(text: &str, (from, to): (usize, usize), new: &str) -> String {
    format!("{}{new}{}", &text[..from], &text[to..])
}

/// One of the tokens for which `fits` holds.
fn some_token(
    text: &str,
    random: &mut Stream,
    fits: impl Fn(&str) -> bool,
) -> Option<(usize, usize)> {
    let mut found = tokens(text);
    found.retain(|&(from, to)| fits(&text[from..to]));
    (!found.is_empty()).then(|| *pick(&found, random))
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic())
}

fn is_number(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

fn delete_bytes(text: &str, _: &Pool, random: &mut Stream) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let from = random.random_range(0..=bytes.len());
    let to = (from + random.random_range(1..4usize)).min(bytes.len());
    bytes.drain(from..to);
    lossy(bytes)
}

fn insert_bytes(text: &str, _: &Pool, random: &mut Stream) -> String {
    const OFTEN: &[u8] = b"{}()[]\"\\/.,:;=<>+-*&?!|#0aZ_ \n\t\0";
    let mut bytes = text.as_bytes().to_vec();
    let at = random.random_range(0..=bytes.len());
    for _ in 0..random.random_range(1..4u32) {
        let byte = match random.random_range(0..4u32) {
            0 => random.random(),
            _ => *pick(OFTEN, random),
        };
        bytes.insert(at, byte);
    }
    lossy(bytes)
}

fn swap_bytes(text: &str, _: &Pool, random: &mut Stream) -> String {
    let mut bytes = text.as_bytes().to_vec();
    if bytes.len() > 1 {
        let a = random.random_range(0..bytes.len() - 1);
        let b = match random.random_range(0..2u32) {
            0 => a + 1,
            _ => random.random_range(0..bytes.len()),
        };
        bytes.swap(a, b);
    }
    lossy(bytes)
}

fn delete_token(text: &str, _: &Pool, random: &mut Stream) -> String {
    some_token(text, random, |_| true).map_or(text.to_string(), |at| put(text, at, ""))
}

fn duplicate_token(text: &str, _: &Pool, random: &mut Stream) -> String {
    some_token(text, random, |_| true).map_or(text.to_string(), |(from, to)| {
        put(text, (to, to), &format!(" {}", &text[from..to]))
    })
}

fn exchange(text: &str, a: (usize, usize), b: (usize, usize)) -> String {
    let (a, b) = (a.min(b), a.max(b));
    if a.1 > b.0 {
        return text.to_string();
    }
    let [one, two] = [a, b].map(|(from, to)| text[from..to].to_string());
    put(&put(text, b, &one), a, &two)
}

fn swap_tokens(text: &str, _: &Pool, random: &mut Stream) -> String {
    let found = tokens(text);
    if found.len() < 2 {
        return text.to_string();
    }
    let a = random.random_range(0..found.len() - 1);
    let b = match random.random_range(0..2u32) {
        0 => a + 1,
        _ => random.random_range(0..found.len()),
    };
    exchange(text, found[a], found[b])
}

fn foreign_token(text: &str, pool: &Pool, random: &mut Stream) -> String {
    let new = pick(&pool.tokens, random);
    some_token(text, random, |_| true).map_or(text.to_string(), |at| put(text, at, new))
}

fn other_number(random: &mut Stream) -> String {
    const EDGES: &[&str] = &[
        "0",
        "0",
        "1",
        "1",
        "2",
        "3",
        "-1",
        "-3",
        "5",
        "7",
        "31",
        "32",
        "33",
        "63",
        "64",
        "65",
        "100",
        "255",
        "4096",
        "4097",
        "65536",
        "65537",
        "1000000",
        "2147483648",
        "4294967296",
        "1000000000000",
        "4611686018427387904",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "99999999999999999999999999",
        "0.5",
        "1.25",
        "00",
        "1/3",
    ];
    match random.random_range(0..3u32) {
        0 => random.random_range(0..20u32).to_string(),
        _ => (*pick(EDGES, random)).to_string(),
    }
}

fn change_number(text: &str, _: &Pool, random: &mut Stream) -> String {
    let new = other_number(random);
    some_token(text, random, is_number).map_or(text.to_string(), |at| put(text, at, &new))
}

fn small_number(text: &str, _: &Pool, random: &mut Stream) -> String {
    let new = random.random_range(0..7u32).to_string();
    some_token(text, random, is_number).map_or(text.to_string(), |at| put(text, at, &new))
}

/// Takes lines apart, lets `change` work on them and puts them together.
fn with_lines<'t>(text: &'t str, change: impl FnOnce(&mut Vec<&'t str>)) -> String {
    let mut lines: Vec<&'t str> = text.lines().collect();
    if !lines.is_empty() {
        change(&mut lines);
    }
    lines.join("\n") + "\n"
}

fn move_line(text: &str, _: &Pool, random: &mut Stream) -> String {
    with_lines(text, |lines| {
        let line = lines.remove(random.random_range(0..lines.len()));
        lines.insert(random.random_range(0..=lines.len()), line);
    })
}

/// Exchanges two lines that stand one after the other.
fn move_near(text: &str, _: &Pool, random: &mut Stream) -> String {
    with_lines(text, |lines| {
        let at = random.random_range(0..lines.len());
        let next = (at + 1).min(lines.len() - 1);
        lines.swap(at, next);
    })
}

fn repeat_line(text: &str, _: &Pool, random: &mut Stream) -> String {
    with_lines(text, |lines| {
        let line = *pick(lines, random);
        lines.insert(random.random_range(0..=lines.len()), line);
    })
}

fn foreign_line<'t>(text: &'t str, pool: &'t Pool, random: &mut Stream) -> String {
    let new = pick(&pool.lines, random);
    with_lines(text, |lines| {
        lines.insert(random.random_range(0..=lines.len()), new);
    })
}

/// A pair of brackets with what stands between them.
fn some_block(text: &str, random: &mut Stream) -> Option<(usize, usize)> {
    let mut open = Vec::new();
    let mut found = Vec::new();
    for (from, to) in tokens(text) {
        match &text[from..to] {
            "{" | "(" | "[" => open.push(from),
            "}" | ")" | "]" => found.extend(open.pop().map(|begin| (begin, to))),
            _ => {}
        }
    }
    (!found.is_empty()).then(|| *pick(&found, random))
}

fn drop_block(text: &str, _: &Pool, random: &mut Stream) -> String {
    let empty = random.random_range(0..2u32) == 0;
    some_block(text, random).map_or(text.to_string(), |(from, to)| {
        if empty {
            put(text, (from + 1, to - 1), "")
        } else {
            put(text, (from, to), "")
        }
    })
}

fn move_block(text: &str, _: &Pool, random: &mut Stream) -> String {
    let (a, b) = (some_block(text, random), some_block(text, random));
    a.zip(b)
        .map_or(text.to_string(), |(a, b)| exchange(text, a, b))
}

fn exchange_names(text: &str, _: &Pool, random: &mut Stream) -> String {
    let a = some_token(text, random, is_name);
    let b = some_token(text, random, is_name);
    let (Some(a), Some(b)) = (a, b) else {
        return text.to_string();
    };
    let (one, two) = (&text[a.0..a.1], &text[b.0..b.1]);
    // Everywhere, so that the game still hangs together.
    let mut new = String::new();
    let mut last = 0;
    for (from, to) in tokens(text) {
        new.push_str(&text[last..from]);
        new.push_str(match &text[from..to] {
            t if t == one => two,
            t if t == two => one,
            t => t,
        });
        last = to;
    }
    new + &text[last..]
}

fn other_name(text: &str, _: &Pool, random: &mut Stream) -> String {
    let a = some_token(text, random, is_name);
    let b = some_token(text, random, is_name);
    let Some((a, b)) = a.zip(b) else {
        return text.to_string();
    };
    let new = text[b.0..b.1].to_string();
    put(text, a, &new)
}

fn nest(text: &str, _: &Pool, random: &mut Stream) -> String {
    let times = *pick(&[1usize, 2, 5, 40, 88, 95, 130, 400], random);
    let (before, after) = *pick(
        &[
            ("(", ")"),
            ("not ", ""),
            ("- ", ""),
            ("{ ", " }"),
            ("1 + (", ")"),
            ("size({ ", " })"),
            ("if true then ", " else 0"),
        ],
        random,
    );
    if random.random_range(0..3u32) == 0 {
        let (before, after) = *pick(
            &[
                ("if true ", ""),
                ("repeat 2 times ", ""),
                ("each p in Player { if p == p ", " }"),
                ("while 1 < 2 at most 3 ", ""),
            ],
            random,
        );
        return some_block(text, random).map_or(text.to_string(), |(from, to)| {
            let inner = &text[from..to];
            let new = format!(
                "{{ {}{inner}{} }}",
                before.repeat(times),
                after.repeat(times)
            );
            put(text, (from, to), &new)
        });
    }
    some_token(text, random, |t| is_name(t) || is_number(t)).map_or(
        text.to_string(),
        |(from, to)| {
            let inner = &text[from..to];
            let new = format!("{}{inner}{}", before.repeat(times), after.repeat(times));
            put(text, (from, to), &new)
        },
    )
}

fn change_operator(text: &str, _: &Pool, random: &mut Stream) -> String {
    const OPERATORS: &[&str] = &[
        "+", "-", "*", "/", "div", "mod", "&", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in",
        "=", "+=", "-=", "..", "before", "min", "max", "argmin", "argmax", "some", "every", "no",
        "count", "sum", "union", "first", "last", "only", "size",
    ];
    let new = pick(OPERATORS, random);
    some_token(text, random, |t| OPERATORS.contains(&t))
        .map_or(text.to_string(), |at| put(text, at, new))
}

fn drop_seen_by(text: &str, _: &Pool, random: &mut Stream) -> String {
    let found: Vec<usize> = text.match_indices("seen by").map(|(at, _)| at).collect();
    if found.is_empty() {
        return text.to_string();
    }
    let from = *pick(&found, random);
    let end = text[from..].find('\n').map_or(text.len(), |n| from + n);
    put(text, (from, end), "")
}

fn add_seen_by(text: &str, _: &Pool, random: &mut Stream) -> String {
    let whom = *pick(
        &["none", "p", "all - p", "opponent(p)", "only(Player)", "{}"],
        random,
    );
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let here = |line: &&mut String| line.contains(':') || line.contains("draw");
    let mut places: Vec<&mut String> = lines.iter_mut().filter(here).collect();
    if !places.is_empty() {
        let line = random.random_range(0..places.len());
        places[line].push_str(&format!(" seen by {whom}"));
    }
    lines.join("\n") + "\n"
}

fn change_range(text: &str, _: &Pool, random: &mut Stream) -> String {
    let found = tokens(text);
    let ranges: Vec<usize> = (1..found.len().saturating_sub(1))
        .filter(|&i| &text[found[i].0..found[i].1] == "..")
        .collect();
    if ranges.is_empty() {
        return text.to_string();
    }
    let i = *pick(&ranges, random);
    let side = *pick(&[i - 1, i + 1], random);
    put(text, found[side], &other_number(random))
}

fn cut_off(text: &str, _: &Pool, random: &mut Stream) -> String {
    let at = random.random_range(0..=text.len());
    text[..text.floor_char_boundary(at)].to_string()
}
