//! Records and files of players that no program wrote. Each has a name for the table of what is answered.

use serde_json::{Value, json};

const LONG: usize = (16 << 20) - 2000;

/// A sound record with three games, and what becomes of it when something else stands there.
struct Record<'a> {
    lines: &'a [String],
    first: Value,
    game: Value,
}

impl Record<'_> {
    fn header(&self, key: &str, value: Value) -> Vec<u8> {
        let mut line = self.first.clone();
        line[key] = value;
        let lines = &self.lines;
        text(&[&line.to_string(), &lines[1], &lines[2], &lines[3]])
    }

    fn with(&self, key: &str, value: Value) -> Vec<u8> {
        let mut line = self.game.clone();
        line[key] = value;
        text(&[&self.lines[0], &line.to_string()])
    }

    fn moved(&self, key: &str, value: Value) -> Vec<u8> {
        let mut line = self.game.clone();
        line["plies"][0][0][key] = value;
        text(&[&self.lines[0], &line.to_string()])
    }

    fn second(&self, line: &str) -> Vec<u8> {
        text(&[&self.lines[0], line])
    }

    fn replaced(&self, a: &str, b: &str) -> Vec<u8> {
        assert!(self.lines[1].contains(a), "{a} in {}", self.lines[1]);
        self.second(&self.lines[1].replacen(a, b, 1))
    }
}

/// What may stand in a record: `lines` are those of a sound one with three games.
pub fn records(lines: &[String]) -> Vec<(&'static str, Vec<u8>)> {
    let record = Record {
        lines,
        first: serde_json::from_str(&lines[0]).expect("a first line"),
        game: serde_json::from_str(&lines[1]).expect("a game"),
    };
    [unreadable(&record), wrong(&record), large(&record)].concat()
}

/// What is no record at all.
fn unreadable(record: &Record<'_>) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("nothing", Vec::new()),
        ("a line break", b"\n".to_vec()),
        ("the first line alone", text(&[&record.lines[0]])),
        (
            "half of the first line",
            record.lines[0].as_bytes()[..50].to_vec(),
        ),
        (
            "half of a game, then a game",
            text(&[&record.lines[0], &record.lines[1][..40], &record.lines[2]]),
        ),
        (
            "Latin-1",
            [
                text(&[&record.lines[0]]),
                b"{\"game\":\"caf\xe9\"}\n".to_vec(),
            ]
            .concat(),
        ),
        ("zero bytes", vec![0; 1000]),
        ("zero bytes in place of a game", record.second("\0\0\0")),
        (
            "a mark of the byte order",
            text(&[&format!("\u{FEFF}{}", record.lines[0])]),
        ),
        ("a list", text(&["[]"])),
        ("null", text(&["null"])),
        ("a version alone", text(&["{\"ruse-record\":2}"])),
        (
            "an empty line",
            text(&[&record.lines[0], "", &record.lines[1]]),
        ),
        (
            "two values in a line",
            record.second(&format!("{} {{}}", record.lines[1])),
        ),
        (
            "a key twice",
            record.replaced("\"game\":1", "\"game\":1,\"game\":1"),
        ),
        (
            "half of a surrogate",
            record.replaced("\"move\":\"", "\"move\":\"\\ud800"),
        ),
        (
            "a number too large",
            record.replaced("\"game\":1", "\"game\":1e999"),
        ),
        (
            "a million digits",
            record.replaced("\"game\":1", &format!("\"game\":{}", "9".repeat(1_000_000))),
        ),
    ]
}

/// Records with something wrong in one place.
fn wrong(record: &Record<'_>) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("version 1", record.header("ruse-record", json!(1))),
        ("version 2.0", record.header("ruse-record", json!(2.0))),
        ("version -1", record.header("ruse-record", json!(-1))),
        ("version 1e30", record.header("ruse-record", json!(1e30))),
        (
            "an unknown key in the first line",
            record.header("more", json!(1)),
        ),
        ("an unknown key in a game", record.with("more", json!(1))),
        (
            "the seed 2^64",
            record.header("seed", json!(18446744073709551616.0)),
        ),
        (
            "another hash",
            record.header("description", json!("sha256:00")),
        ),
        ("another game", record.header("game", json!("Chess"))),
        (
            "the file of another game",
            record.header("file", json!("kuhn-poker")),
        ),
        ("no file", record.header("file", json!(""))),
        (
            "a file that is none",
            record.header("file", json!("lost.game")),
        ),
        ("a folder", record.header("file", json!("/"))),
        ("zero in the file", record.header("file", json!("a\0b"))),
        (
            "a param out of range",
            record.header("params", json!({"cards": "99"})),
        ),
        (
            "an unknown param",
            record.header("params", json!({"card": "2"})),
        ),
        (
            "other players",
            record.header("players", json!("uct(playouts=5)")),
        ),
        ("other seats", record.header("seats", json!(["X"]))),
        ("no such move", record.moved("move", json!("9"))),
        (
            "signs that move the cursor",
            record.moved("move", json!("\u{1b}[31m\u{7}\u{202E}")),
        ),
        (
            "a move that reads otherwise",
            record.moved("exact", json!([0, 1])),
        ),
        ("a move and half a tuple", record.moved("exact", json!([0]))),
        (
            "a move and a tuple out of range",
            record.moved("exact", json!([0, u64::MAX])),
        ),
        (
            "a tuple with a negative number",
            record.moved("exact", json!([-1])),
        ),
        (
            "somebody who does not play",
            record.moved("by", json!("Nobody")),
        ),
        ("no plies", record.with("plies", json!([]))),
        ("an empty ply", record.with("plies", json!([[]]))),
        ("a ply of nothing", record.with("plies", json!([[{}]]))),
        (
            "plies after the end",
            record.with("plies", twice(&record.game["plies"])),
        ),
        (
            "other payoffs",
            record.with("payoffs", json!({"Alice": 7, "Bob": -7})),
        ),
        (
            "the payoffs of others",
            record.with("payoffs", json!({"X": 1})),
        ),
        (
            "the seats of others",
            record.with("seats", json!({"X": "random"})),
        ),
        (
            "a game too many",
            text(&[&record.lines[0], &record.lines[1], &record.lines[1]]),
        ),
        (
            "a game missing",
            text(&[&record.lines[0], &record.lines[1], &record.lines[3]]),
        ),
        (
            "the last number of a game",
            record.with("game", json!(u64::MAX)),
        ),
    ]
}

/// Records that are deep or long.
fn large(record: &Record<'_>) -> Vec<(&'static str, Vec<u8>)> {
    let mut all = vec![
        ("deep lists", record.second(&"[".repeat(1_000_000))),
        ("deep objects", text(&[&"{\"a\":".repeat(1_000_000)])),
        (
            "deep plies",
            record.second(&format!(
                "{{\"game\":1,\"seed\":1,\"seats\":{{}},\"plies\":{}",
                "[".repeat(1_000_000)
            )),
        ),
        (
            "five million empty lines",
            record.second(&"\n".repeat(5_000_000)),
        ),
        ("a line of 17 MB", record.second(&"a".repeat(17 << 20))),
        ("a first line of 17 MB", "a".repeat(17 << 20).into_bytes()),
        ("16 MB of spaces", record.second(&" ".repeat(LONG))),
        (
            "a key of 16 MB",
            record.second(&format!("{{\"{}\":1}}", "x".repeat(LONG))),
        ),
        (
            "a move of 16 MB",
            record.moved("move", json!("x".repeat(LONG))),
        ),
        (
            "a name of 16 MB",
            record.moved("by", json!("x".repeat(LONG))),
        ),
    ];
    for key in ["game", "file", "description", "players", "program"] {
        let name = match key {
            "game" => "a game of a megabyte",
            "file" => "a file of a megabyte",
            "description" => "a hash of a megabyte",
            "players" => "players of a megabyte",
            _ => "a program of a megabyte",
        };
        all.push((name, record.header(key, json!("a".repeat(1_000_000)))));
    }
    let many = |pairs: usize, value: Value| -> Value {
        (0..pairs)
            .map(|i| (i.to_string(), value.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let repeated = |n: usize, piece: &str| {
        let list = vec![piece; n].join(",");
        record.replaced("\"plies\":[", &format!("\"plies\":[{list},"))
    };
    all.extend([
        (
            "fifty thousand params",
            record.header("params", many(50_000, json!("1"))),
        ),
        (
            "a million params",
            record.header("params", many(1_000_000, json!("1"))),
        ),
        (
            "three hundred thousand seats",
            record.header("seats", json!(vec![""; 300_000])),
        ),
        (
            "half a million payoffs",
            record.with("payoffs", many(500_000, json!(0))),
        ),
        (
            "half a million seats",
            record.with("seats", many(500_000, json!("random"))),
        ),
        ("five million plies", repeated(5_000_000, "[]")),
        ("a million moves", repeated(1_000_000, "[{\"move\":\"a\"}]")),
        ("a tuple of eight million", {
            let tuple = vec!["0"; 8_000_000].join(",");
            record.replaced("\"exact\":[", &format!("\"exact\":[{tuple},"))
        }),
    ]);
    all
}

fn twice(list: &Value) -> Value {
    let list = list.as_array().into_iter().flatten();
    list.clone().chain(list).cloned().collect()
}

fn text(lines: &[&str]) -> Vec<u8> {
    (lines.join("\n") + "\n").into_bytes()
}

/// What may stand in a file of players.
pub fn players() -> Vec<(&'static str, Vec<u8>)> {
    let mut laughs = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_string();
    for (before, name) in "abcdefgh".chars().zip("bcdefghi".chars()) {
        let list = vec![format!("*{before}"); 9].join(",");
        laughs += &format!("{name}: &{name} [{list}]\n");
    }
    let fit = 65_536;
    let steps: String = (0..300).map(|i| " ".repeat(i) + "a:\n").collect();
    let seats: String = (0..4_000).map(|i| format!("k{i}: random\n")).collect();
    let texts: Vec<(&'static str, String)> = vec![
        ("nothing", String::new()),
        ("a comment", "# nobody\n".to_string()),
        ("null", "~".to_string()),
        ("a zero byte", "random\0".to_string()),
        ("two documents", "--- random\n--- random\n".to_string()),
        ("a tab", "\tuct: 1".to_string()),
        ("half a table", "uct: {".to_string()),
        ("laughs", laughs),
        ("an anchor in itself", "&a [*a]".to_string()),
        ("a table in itself", "a: &a {b: *a}".to_string()),
        ("an unknown anchor", "*a".to_string()),
        ("a merge", "uct: {<<: {playouts: 5}}".to_string()),
        ("a tag", "!x {uct: {playouts: 5}}".to_string()),
        ("a tag of a language", "!!python/object x".to_string()),
        ("a list in a list", "[[random], random]".to_string()),
        ("a table as a key", "{a: b}: c".to_string()),
        ("a seat twice", "X: random\nX: random\n".to_string()),
        (
            "a setting twice",
            "- uct: {playouts: 5, playouts: 6}\n- random".to_string(),
        ),
        ("a number", "- 5\n- random".to_string()),
        ("no number", "- uct: {c: .nan}\n- random".to_string()),
        ("no end", "- uct: {c: .inf}\n- random".to_string()),
        (
            "a huge number",
            format!("- uct: {{playouts: {}}}\n- random", "9".repeat(100)),
        ),
        (
            "a negative number",
            "- uct: {playouts: -1}\n- random".to_string(),
        ),
        (
            "two players in one",
            "- \"uct(playouts=5),random\"\n- random".to_string(),
        ),
        (
            "a line break in a word",
            "- \"uct\\n(playouts=5)\"\n- random".to_string(),
        ),
        (
            "signs that move the cursor",
            "- \"\\e[31m\u{202E}\"\n- random".to_string(),
        ),
        (
            "line breaks of other kinds",
            "- random\r- uct: {playouts: x}\u{85}\u{2028}".to_string(),
        ),
        ("deep brackets", "[".repeat(fit)),
        ("deep braces", "{a: ".repeat(fit / 4)),
        ("deep dashes", "- ".repeat(fit / 2)),
        ("deep question marks", "? ".repeat(fit / 2)),
        ("deep steps", steps),
        (
            "deep parentheses",
            format!("- {}\n- random", "uct(".repeat(fit / 5)),
        ),
        (
            "a word of 60 kB",
            format!("- {}\n- random", "a".repeat(60_000)),
        ),
        ("thousands of players", "- random\n".repeat(7_000)),
        ("thousands of seats", seats),
        (
            "thousands of anchors",
            format!("[{}]", "&a 1,".repeat(13_000)),
        ),
        ("line breaks alone", "\n".repeat(fit)),
        ("quotes without end", format!("\"{}", "a".repeat(60_000))),
        ("64 kB and one more", "#".repeat(fit + 1)),
        ("16 MB of brackets", "[".repeat(16 << 20)),
        ("17 MB", "a".repeat(17 << 20)),
    ];
    let mut all: Vec<(&'static str, Vec<u8>)> = texts
        .into_iter()
        .map(|(name, text)| (name, text.into_bytes()))
        .collect();
    all.push(("Latin-1", b"caf\xe9".to_vec()));
    all.push(("UTF-16", b"\xff\xfer\0a\0".to_vec()));
    all.push(("every byte", (0..=255).collect()));
    all
}
