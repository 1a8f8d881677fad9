//! Small games: shipped ones under settings that make them small, the examples of the documents, and the programs that are
//! known to tell nothing.

use crate::support::load_text;
use ruse::internal::check::Settings;
use ruse::internal::machine::Machine;
use std::path::{Path, PathBuf};

/// A game with a name for reports.
pub type Named = (String, Machine);

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Shipped games and games of the tests, under settings that make them small enough.
const SETTINGS: &[(&str, &[(&str, &str)])] = &[
    (
        "games/backgammon",
        &[
            ("limit", "1"),
            ("start", "{ else: { 2: 1, 5: 1, else: 0 } }"),
        ],
    ),
    ("games/breakthrough", &[("columns", "2"), ("rows", "4")]),
    (
        "games/cheat",
        &[("ranks", "3"), ("suits", "1"), ("rounds", "4")],
    ),
    (
        "games/connect-four",
        &[("columns", "3"), ("rows", "3"), ("connect", "3")],
    ),
    ("games/draughts", &[("half", "2"), ("patience", "1")]),
    ("games/go", &[("size", "2"), ("limit", "5")]),
    ("games/dark-hex", &[("columns", "2")]),
    ("games/dark-hex", &[("columns", "2"), ("version", "abrupt")]),
    (
        "games/battleship",
        &[
            ("columns", "2"),
            ("rows", "2"),
            ("ships", "1"),
            ("shots", "2"),
            ("length[destroyer]", "1"),
        ],
    ),
    ("games/blotto", &[]),
    ("games/sealed-bid", &[]),
    (
        "games/sealed-bid",
        &[("seats", "3"), ("top", "1"), ("price", "second")],
    ),
    (
        "games/hanabi",
        &[
            ("colours", "1"),
            ("ranks", "2"),
            ("hand", "1"),
            ("hints", "1"),
            ("fuses", "1"),
        ],
    ),
    (
        "games/hanabi",
        &[
            ("seats", "3"),
            ("colours", "1"),
            ("ranks", "2"),
            ("hand", "1"),
            ("hints", "1"),
            ("fuses", "1"),
        ],
    ),
    ("games/goofspiel", &[("cards", "3")]),
    ("games/goofspiel", &[("cards", "3"), ("bids", "hidden")]),
    (
        "games/goofspiel",
        &[("cards", "4"), ("order", "descending"), ("bids", "hidden")],
    ),
    (
        "games/goofspiel",
        &[("cards", "3"), ("seats", "3"), ("bids", "hidden")],
    ),
    ("games/goofspiel-hidden", &[("cards", "3")]),
    ("games/hex", &[("size", "2")]),
    ("games/kuhn-poker", &[]),
    ("games/kuhn-poker", &[("seats", "3")]),
    ("games/leduc-poker", &[]),
    ("games/leduc-poker", &[("suits", "merged")]),
    ("games/liars-dice", &[("sides", "2")]),
    ("games/liars-dice", &[("sides", "4")]),
    ("games/liars-dice", &[("dice", "2"), ("sides", "2")]),
    ("games/matching-pennies", &[("seats", "3")]),
    (
        "games/oshi-zumo",
        &[("coins", "3"), ("size", "1"), ("horizon", "6")],
    ),
    ("games/patrol", &[("rounds", "1")]),
    ("games/patrol", &[("rounds", "2")]),
    ("games/rock-paper-scissors", &[]),
    (
        "games/scotland-yard-mini",
        &[("seats", "2"), ("rounds", "1")],
    ),
    ("games/whist", &[("ranks", "1")]),
    ("tests/language/games/kuhn-three", &[]),
    ("tests/language/games/nim", &[("heaps", "2"), ("most", "4")]),
    (
        "tests/language/games/tron",
        &[("columns", "3"), ("rows", "3")],
    ),
];

pub fn shipped() -> Vec<(String, std::sync::Arc<Machine>)> {
    let load = |(game, settings): &(&str, &[(&str, &str)])| {
        let name = root().join(format!("{game}.game"));
        let text = std::fs::read_to_string(&name).expect(game);
        let pairs = settings.iter();
        let settings: Settings = pairs.map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let machine = load_text(&name.to_string_lossy(), &text, &settings);
        (format!("{game} {settings:?}"), machine)
    };
    SETTINGS.iter().map(load).collect()
}

/// The texts in a folder, by the names of their files.
pub fn texts(folder: &str) -> Vec<(String, String)> {
    let read = |path: &Path| std::fs::read_to_string(path).expect("a text");
    let entries = std::fs::read_dir(root().join(folder)).expect(folder);
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let games = paths.filter(|path| path.extension().is_some_and(|e| e == "game"));
    let name = |path: &Path| {
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    let mut list: Vec<(String, String)> = games.map(|path| (name(&path), read(&path))).collect();
    list.sort();
    list
}

/// Programs that tell nothing that they should not.
pub fn right() -> Vec<Named> {
    let list = texts("tests/leaks/right").into_iter();
    list.map(|(name, text)| {
        let (machine, _) = ruse::load(&text, &Settings::new()).expect(&name);
        (name, machine)
    })
    .collect()
}

/// The games of the page on the language, and its statements each in its frame.
fn page() -> Vec<(String, String)> {
    let page = std::fs::read_to_string(root().join("docs/language.md")).expect("the page");
    let mut games = Vec::new();
    let mut frame = String::new();
    let mut line = 1;
    for (i, part) in page.split("```").enumerate() {
        let at = format!("docs/language.md:{line}");
        line += part.matches('\n').count();
        let Some((kind, text)) = part.split_once('\n').filter(|_| i % 2 == 1) else {
            continue;
        };
        match kind.split(' ').next() {
            Some("frame") => frame = text.to_string(),
            Some("game") => games.push((at, text.to_string())),
            Some("game-play") => games.push((at, frame.replace("// statements", text))),
            _ => {}
        }
    }
    games
}

/// The examples of the documents that stand for themselves.
pub fn examples() -> Vec<Named> {
    let list = page().into_iter().chain(texts("docs/tutorial"));
    list.filter_map(|(at, text)| {
        // Some are read with the items above them.
        let (machine, _) = ruse::load(&text, &Settings::new()).ok()?;
        Some((at, machine))
    })
    .collect()
}
