//! What several test programs share: loading shipped games, playing random games.

#![allow(dead_code)]

pub mod broken;
pub mod command;
pub mod inputs;
pub mod mutants;
pub mod mutate;
pub mod silent;
pub mod snapshots;
pub mod trial;

use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::check::Settings;
use ruse::internal::machine::{Action, Machine, State, Turn};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The text of a shipped game, by its file name without the ending.
pub fn text(game: &str) -> String {
    let path = games().join(format!("{game}.game"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn games() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("games")
}

/// A shipped game under some settings.
pub fn load(game: &str, settings: &[(&str, &str)]) -> Arc<Machine> {
    let settings = settings
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    let name = games().join(format!("{game}.game"));
    load_text(&name.to_string_lossy(), &text(game), &settings)
}

/// A game by its text, as if it stood in a file of that name; it may extend others beside it.
pub fn load_text(name: &str, text: &str, settings: &Settings) -> Arc<Machine> {
    let (outcome, sources) = ruse::load_with(name, text, settings, &beside);
    match outcome {
        Ok((machine, _)) => Arc::new(machine),
        Err(problems) => {
            let shown: Vec<String> = problems
                .iter()
                .map(|d| d.render_in(&sources, false))
                .collect();
            panic!("{name} with {settings:?}:\n{}", shown.join("\n"));
        }
    }
}

/// A small variant of a shipped game, by the items that it replaces.
pub fn variant_of(game: &str, items: &str) -> Arc<Machine> {
    let name = games().join("variant.game");
    let text = format!("game Variant extends \"{game}.game\" {{\n{items}\n}}");
    load_text(&name.to_string_lossy(), &text, &Settings::new())
}

/// The file that another one extends.
pub fn beside(from: &str, path: &str) -> Result<(String, String), String> {
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    let path = folder.join(path);
    let name = path.to_string_lossy().into_owned();
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok((name, text)),
        Err(e) => Err(format!("{name}: {e}")),
    }
}

/// Every shipped game under settings that show its different faces, small enough to play often.
pub fn variants() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let mut all = vec![
        ("tic-tac-toe", vec![]),
        ("matching-pennies", vec![]),
        ("matching-pennies", vec![("seats", "3")]),
        ("rock-paper-scissors", vec![]),
        ("kuhn-poker", vec![]),
        ("kuhn-poker", vec![("seats", "3")]),
        ("leduc-poker", vec![]),
        ("leduc-poker", vec![("suits", "merged")]),
        ("connect-four", vec![]),
        (
            "connect-four",
            vec![("columns", "3"), ("rows", "3"), ("connect", "3")],
        ),
        ("breakthrough", vec![("columns", "3"), ("rows", "4")]),
        ("breakthrough", vec![("columns", "4"), ("rows", "6")]),
        ("backgammon", vec![("limit", "40")]),
        ("draughts", vec![]),
        ("draughts", vec![("half", "3")]),
        ("go", vec![("size", "3")]),
        ("go", vec![("size", "5"), ("komi", "6"), ("limit", "60")]),
        ("hex", vec![("size", "3")]),
        ("hex", vec![("size", "5")]),
        ("scotland-yard", vec![]),
        ("scotland-yard", vec![("rounds", "5")]),
        ("scotland-yard", vec![("rounds", "8"), ("seats", "3")]),
        ("scotland-yard-mini", vec![]),
        ("scotland-yard-mini", vec![("seats", "2")]),
        ("patrol", vec![]),
        ("patrol", vec![("units", "2"), ("rounds", "3")]),
        ("patrol-sight", vec![("rounds", "3")]),
        (
            "patrol-sight",
            vec![("units", "2"), ("rounds", "2"), ("sight", "3")],
        ),
        ("goofspiel", vec![]),
        ("goofspiel", vec![("bids", "hidden")]),
        (
            "goofspiel",
            vec![("cards", "5"), ("seats", "3"), ("order", "ascending")],
        ),
        (
            "goofspiel",
            vec![
                ("cards", "6"),
                ("order", "descending"),
                ("bids", "hidden"),
                ("scoring", "point_difference"),
            ],
        ),
        (
            "goofspiel",
            vec![
                ("cards", "4"),
                ("seats", "3"),
                ("bids", "hidden"),
                ("scoring", "point_difference"),
            ],
        ),
        ("goofspiel-hidden", vec![("cards", "5")]),
        ("liars-dice", vec![]),
        ("liars-dice", vec![("dice", "2"), ("sides", "3")]),
        ("oshi-zumo", vec![("coins", "8"), ("horizon", "12")]),
        ("phantom-tic-tac-toe", vec![]),
        ("cheat", vec![("dealt", "2")]),
        (
            "cheat",
            vec![("ranks", "3"), ("suits", "1"), ("rounds", "8")],
        ),
        (
            "cheat",
            vec![("ranks", "4"), ("suits", "2"), ("rounds", "12")],
        ),
        ("reversi", vec![]),
        ("reversi", vec![("size", "4")]),
        ("amazons", vec![("size", "4")]),
        ("amazons", vec![("size", "5")]),
        ("gomoku", vec![("size", "7")]),
        (
            "gomoku",
            vec![("size", "5"), ("length", "3"), ("longer", "counts_not")],
        ),
        ("dark-hex", vec![]),
        (
            "dark-hex",
            vec![("columns", "2"), ("rows", "3"), ("version", "abrupt")],
        ),
        (
            "battleship",
            vec![("columns", "4"), ("rows", "4"), ("ships", "2")],
        ),
        (
            "battleship",
            vec![
                ("columns", "3"),
                ("rows", "2"),
                ("ships", "1"),
                ("shots", "2"),
                ("again", "allowed"),
                ("scoring", "each_ship"),
                ("loss", "2"),
            ],
        ),
        ("chess", vec![("fifty", "2")]),
    ];
    all.extend(variants_with_secrets());
    all
}

fn variants_with_secrets() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    vec![
        ("blotto", vec![]),
        ("sealed-bid", vec![]),
        (
            "sealed-bid",
            vec![("seats", "3"), ("top", "2"), ("price", "second")],
        ),
        (
            "hanabi",
            vec![("colours", "2"), ("ranks", "3"), ("hand", "3")],
        ),
        (
            "hanabi",
            vec![
                ("seats", "3"),
                ("colours", "2"),
                ("ranks", "2"),
                ("hand", "1"),
                ("fuses", "1"),
            ],
        ),
        ("stratego", vec![("limit", "10")]),
        ("stratego-small", vec![("limit", "40")]),
        ("limit-holdem", vec![]),
        ("limit-holdem", vec![("ranks", "5"), ("suits", "2")]),
        ("whist", vec![]),
        ("whist", vec![("ranks", "2")]),
        ("resistance", vec![]),
        ("resistance", vec![("seats", "7")]),
    ]
}

/// Every file in `games/` has a variant above; a test says so.
pub fn shipped() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(games())
        .expect("games/")
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            name.strip_suffix(".game").map(String::from)
        })
        .collect();
    names.sort();
    names
}

/// The players to move, in seating order.
pub fn movers(machine: &Machine, state: &State) -> Vec<usize> {
    match machine.turn(state) {
        Turn::Decision(mask) => mask.iter().collect(),
        _ => Vec::new(),
    }
}

/// One step at random; `None` at the end.
pub fn random_step(
    machine: &Machine,
    state: &State,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<Vec<Action>> {
    match machine.turn(state) {
        Turn::Terminal => None,
        Turn::Chance => Some(vec![machine.sample_chance(state, rng).expect("a draw")]),
        Turn::Decision(_) => Some(
            movers(machine, state)
                .into_iter()
                .map(|p| machine.sample(state, p, rng).expect("an option"))
                .collect(),
        ),
    }
}
