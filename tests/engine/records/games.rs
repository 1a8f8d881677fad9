//! The laws on games that are there: shipped ones that are small enough, the examples of the documents, and the programs
//! that are known to tell nothing.

use super::laws::{Law, hold};
use crate::support::load_text;
use ruse::internal::machine::Machine;
use std::path::PathBuf;

/// More histories are not walked.
const MOST: usize = 20_000;

/// What was checked.
#[derive(Default)]
struct Checked {
    whole: usize,
    partly: usize,
    known: usize,
    broken: Vec<String>,
}

/// What is known to break a law: a line of the screen for each step, where only one step is noticed.
const KNOWN: &[(&str, Law)] = &[("tick-before-the-end", Law::Screen)];

impl Checked {
    fn check(&mut self, what: &str, machine: &Machine, most: usize) {
        let walked = hold(machine, most).unwrap_or_else(|e| panic!("{what}: {e}"));
        match walked.whole {
            true => self.whole += 1,
            false => self.partly += 1,
        }
        let all = if walked.whole { "" } else { ", not all" };
        println!(
            "{what}: {} histories, {} records{all}",
            walked.histories, walked.records
        );
        for violation in walked.violations {
            if KNOWN.contains(&(what, violation.law)) {
                self.known += 1;
                continue;
            }
            self.broken.push(format!("{what}: {}", violation.text));
        }
    }

    /// So many games were walked whole at least, and so many in part at most.
    #[track_caller]
    fn done(self, whole: usize, partly: usize, known: usize) {
        assert!(self.broken.is_empty(), "{}", self.broken.join("\n\n"));
        println!("{} walked whole, {} in part", self.whole, self.partly);
        assert!(self.whole >= whole && self.partly <= partly);
        assert_eq!(self.known, known);
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Shipped games and games of the tests, under settings that make them small enough.
const SMALL: &[(&str, &[(&str, &str)])] = &[
    ("games/breakthrough", &[("columns", "2"), ("rows", "4")]),
    (
        "games/cheat",
        &[("ranks", "3"), ("suits", "1"), ("rounds", "4")],
    ),
    (
        "games/connect-four",
        &[("columns", "3"), ("rows", "3"), ("connect", "3")],
    ),
    ("games/go", &[("size", "2"), ("limit", "5")]),
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
    ("tests/language/games/blotto", &[]),
    ("tests/language/games/dark-hex", &[("size", "2")]),
    ("tests/language/games/kuhn-three", &[]),
    ("tests/language/games/nim", &[("heaps", "2"), ("most", "4")]),
    (
        "tests/language/games/tron",
        &[("columns", "3"), ("rows", "3")],
    ),
];

#[test]
fn programs_that_tell_nothing_break_no_law() {
    let mut checked = Checked::default();
    let folder = root().join("tests/leaks/right");
    for entry in std::fs::read_dir(folder).expect("tests/leaks/right") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let name = path.file_stem().expect("a name").to_string_lossy();
        let (machine, _) = ruse::load(&text, &Default::default()).expect(&name);
        checked.check(&name, &machine, 5_000);
    }
    checked.done(37, 1, 1);
}

#[test]
fn small_games_break_no_law() {
    let mut checked = Checked::default();
    for (game, settings) in SMALL {
        let name = root().join(format!("{game}.game"));
        let text = std::fs::read_to_string(&name).expect(game);
        let settings = settings
            .iter()
            .map(|(k, v)| (k.to_string(), v.to_string()))
            .collect();
        let machine = load_text(&name.to_string_lossy(), &text, &settings);
        checked.check(&format!("{game} {settings:?}"), &machine, MOST);
    }
    checked.done(28, 0, 0);
}

/// The games of the page on the language, and its statements each in its frame.
fn examples() -> Vec<(String, String)> {
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

#[test]
fn examples_break_no_law() {
    let mut checked = Checked::default();
    let mut list = examples();
    let folder = root().join("docs/tutorial");
    for entry in std::fs::read_dir(folder).expect("docs/tutorial") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        list.push((path.to_string_lossy().into_owned(), text));
    }
    for (at, text) in list {
        // Some are read with the items above them.
        if let Ok((machine, _)) = ruse::load(&text, &Default::default()) {
            checked.check(&at, &machine, 5_000);
        }
    }
    checked.done(18, 4, 0);
}
