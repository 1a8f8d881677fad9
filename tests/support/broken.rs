//! Records and files of players that no program wrote. Each has a name for the table of what is answered.

use serde_json::{Value, json};

const LONG: usize = (16 << 20) - 2000;

/// What may stand in a record: `lines` are those of a sound one with three games.
pub fn records(lines: &[String]) -> Vec<(&'static str, Vec<u8>)> {
    let first: Value = serde_json::from_str(&lines[0]).expect("a first line");
    let game: Value = serde_json::from_str(&lines[1]).expect("a game");
    // A first line, or a game, in which something else stands.
    let header = |key: &str, value: Value| {
        let mut line = first.clone();
        line[key] = value;
        text(&[&line.to_string(), &lines[1], &lines[2], &lines[3]])
    };
    let with = |key: &str, value: Value| {
        let mut line = game.clone();
        line[key] = value;
        text(&[&lines[0], &line.to_string()])
    };
    let moved = |key: &str, value: Value| {
        let mut line = game.clone();
        line["plies"][0][0][key] = value;
        text(&[&lines[0], &line.to_string()])
    };
    let second = |line: &str| text(&[&lines[0], line]);
    let replaced = |a: &str, b: &str| {
        assert!(lines[1].contains(a), "{a} in {}", lines[1]);
        second(&lines[1].replacen(a, b, 1))
    };
    let mut all: Vec<(&'static str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("a line break", b"\n".to_vec()),
        ("the first line alone", text(&[&lines[0]])),
        ("half of the first line", lines[0].as_bytes()[..50].to_vec()),
        (
            "half of a game, then a game",
            text(&[&lines[0], &lines[1][..40], &lines[2]]),
        ),
        (
            "Latin-1",
            [text(&[&lines[0]]), b"{\"game\":\"caf\xe9\"}\n".to_vec()].concat(),
        ),
        ("zero bytes", vec![0; 1000]),
        ("zero bytes in place of a game", second("\0\0\0")),
        (
            "a mark of the byte order",
            text(&[&format!("\u{FEFF}{}", lines[0])]),
        ),
        ("a list", text(&["[]"])),
        ("null", text(&["null"])),
        ("a version alone", text(&["{\"ruse-record\":1}"])),
        ("an empty line", text(&[&lines[0], "", &lines[1]])),
        (
            "two values in a line",
            second(&format!("{} {{}}", lines[1])),
        ),
        (
            "a key twice",
            replaced("\"game\":0", "\"game\":0,\"game\":0"),
        ),
        (
            "half of a surrogate",
            replaced("\"move\":\"", "\"move\":\"\\ud800"),
        ),
        (
            "a number too large",
            replaced("\"game\":0", "\"game\":1e999"),
        ),
        (
            "a million digits",
            replaced("\"game\":0", &format!("\"game\":{}", "9".repeat(1_000_000))),
        ),
        ("version 2", header("ruse-record", json!(2))),
        ("version 1.0", header("ruse-record", json!(1.0))),
        ("version -1", header("ruse-record", json!(-1))),
        ("version 1e30", header("ruse-record", json!(1e30))),
        ("an unknown key in the first line", header("more", json!(1))),
        ("an unknown key in a game", with("more", json!(1))),
        (
            "the seed 2^64",
            header("seed", json!(18446744073709551616.0)),
        ),
        ("another hash", header("description", json!("sha256:00"))),
        ("another game", header("game", json!("Chess"))),
        (
            "the file of another game",
            header("file", json!("kuhn-poker")),
        ),
        ("no file", header("file", json!(""))),
        ("a file that is none", header("file", json!("lost.game"))),
        ("a folder", header("file", json!("/"))),
        ("zero in the file", header("file", json!("a\0b"))),
        (
            "a param out of range",
            header("params", json!({"cards": "99"})),
        ),
        ("an unknown param", header("params", json!({"card": "2"}))),
        ("other players", header("players", json!("uct(playouts=5)"))),
        ("other seats", header("seats", json!(["X"]))),
        ("no such move", moved("move", json!("9"))),
        (
            "signs that move the cursor",
            moved("move", json!("\u{1b}[31m\u{7}\u{202E}")),
        ),
        ("a move that reads otherwise", moved("exact", json!([0, 1]))),
        ("a move and half a tuple", moved("exact", json!([0]))),
        (
            "a move and a tuple out of range",
            moved("exact", json!([0, u64::MAX])),
        ),
        (
            "a tuple with a negative number",
            moved("exact", json!([-1])),
        ),
        ("somebody who does not play", moved("by", json!("Nobody"))),
        ("no plies", with("plies", json!([]))),
        ("an empty ply", with("plies", json!([[]]))),
        ("a ply of nothing", with("plies", json!([[{}]]))),
        ("plies after the end", with("plies", twice(&game["plies"]))),
        (
            "other payoffs",
            with("payoffs", json!({"Alice": 7, "Bob": -7})),
        ),
        ("the payoffs of others", with("payoffs", json!({"X": 1}))),
        ("the seats of others", with("seats", json!({"X": "random"}))),
        ("a game too many", text(&[&lines[0], &lines[1], &lines[1]])),
        ("a game missing", text(&[&lines[0], &lines[1], &lines[3]])),
        ("the last number of a game", with("game", json!(u64::MAX))),
        ("deep lists", second(&"[".repeat(1_000_000))),
        ("deep objects", text(&[&"{\"a\":".repeat(1_000_000)])),
        (
            "deep plies",
            second(&format!(
                "{{\"game\":0,\"seed\":1,\"seats\":{{}},\"plies\":{}",
                "[".repeat(1_000_000)
            )),
        ),
        ("five million empty lines", second(&"\n".repeat(5_000_000))),
        ("a line of 17 MB", second(&"a".repeat(17 << 20))),
        ("a first line of 17 MB", "a".repeat(17 << 20).into_bytes()),
        ("16 MB of spaces", second(&" ".repeat(LONG))),
        (
            "a key of 16 MB",
            second(&format!("{{\"{}\":1}}", "x".repeat(LONG))),
        ),
        ("a move of 16 MB", moved("move", json!("x".repeat(LONG)))),
        ("a name of 16 MB", moved("by", json!("x".repeat(LONG)))),
    ];
    for key in ["game", "file", "description", "players", "program"] {
        let name = match key {
            "game" => "a game of a megabyte",
            "file" => "a file of a megabyte",
            "description" => "a hash of a megabyte",
            "players" => "players of a megabyte",
            _ => "a program of a megabyte",
        };
        all.push((name, header(key, json!("a".repeat(1_000_000)))));
    }
    let many = |pairs: usize, value: Value| -> Value {
        (0..pairs)
            .map(|i| (i.to_string(), value.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let repeated = |n: usize, piece: &str| {
        let list = vec![piece; n].join(",");
        replaced("\"plies\":[", &format!("\"plies\":[{list},"))
    };
    all.extend([
        (
            "fifty thousand params",
            header("params", many(50_000, json!("1"))),
        ),
        (
            "a million params",
            header("params", many(1_000_000, json!("1"))),
        ),
        (
            "three hundred thousand seats",
            header("seats", json!(vec![""; 300_000])),
        ),
        (
            "half a million payoffs",
            with("payoffs", many(500_000, json!(0))),
        ),
        (
            "half a million seats",
            with("seats", many(500_000, json!("random"))),
        ),
        ("five million plies", repeated(5_000_000, "[]")),
        ("a million moves", repeated(1_000_000, "[{\"move\":\"a\"}]")),
        ("a tuple of eight million", {
            let tuple = vec!["0"; 8_000_000].join(",");
            replaced("\"exact\":[", &format!("\"exact\":[{tuple},"))
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
