//! Trees of other programs (`ruse import FILE.efg`): what comes out is a game with the same tree, which the export shows by a
//! reader of its own here, and no text makes the import do anything but tell what is wrong. Maps (`FILE.ggame`) are JSON, with
//! the types of JSON.

use crate::commands::fed;
use crate::support::command::ruse;
use std::collections::HashMap;
use std::path::Path;

/// What a command prints; panics when it fails.
fn printed(arguments: &[&str]) -> String {
    let output = ruse(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The words of a line; texts keep their quotation mark at the front.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => 2 + rest[1..].find('"').expect("a closing quotation mark"),
            ',' => 1,
            _ => rest.find([' ', ',', '\t']).unwrap_or(rest.len()),
        };
        if first != ',' {
            words.push(rest[..length].trim_end_matches('"').to_string());
        }
        rest = rest[length..].trim_start();
    }
    words
}

fn number(word: &str) -> f64 {
    let (above, below) = word.split_once('/').unwrap_or((word, "1"));
    above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap()
}

/// The tree of a file that has a node a line and all of it described: for chance the probabilities, for players who, at which
/// set by the order in which sets come, and how many moves, and at the ends the payoffs.
fn tree(efg: &str) -> Vec<String> {
    let mut sets: HashMap<(String, String), usize> = HashMap::new();
    let mut tree = Vec::new();
    for line in efg
        .lines()
        .filter(|l| ["c ", "p ", "t "].contains(&&l[..2]))
    {
        let words = words(line);
        let list: Vec<&String> = words.iter().skip_while(|w| *w != "{").skip(1).collect();
        let list: Vec<&String> = list.into_iter().take_while(|w| *w != "}").collect();
        let numbers = list.iter().filter(|w| !w.starts_with('"'));
        let numbers: Vec<f64> = numbers.map(|w| number(w)).collect();
        if words[0] == "p" {
            let next = sets.len();
            let set = sets.entry((words[2].clone(), words[3].clone()));
            let set = *set.or_insert(next);
            tree.push(format!("{} at {set} of {}", words[2], list.len()));
        } else {
            tree.push(format!("{} {numbers:?}", words[0]));
        }
    }
    tree
}

/// Imports a file into a folder, with all that must hold of any game that comes out; gives the name of the game.
fn imported(folder: &Path, file: &Path) -> String {
    let text = printed(&["import", file.to_str().unwrap()]);
    assert_eq!(text, printed(&["import", file.to_str().unwrap()]));
    let game = folder.join("imported.game");
    std::fs::write(&game, text).unwrap();
    let game = game.to_str().unwrap().to_string();
    printed(&["check", &game]);
    printed(&["fmt", "--check", &game]);
    game
}

/// Poker, where Leduc has fewer nodes than all, three players, all at once, chance between, and payoffs of any sum.
#[test]
fn a_tree_that_was_exported_comes_back_the_same() {
    let games: [&[&str]; 6] = [
        &["kuhn-poker"],
        &["kuhn-poker", "--set", "seats=3", "--depth", "6"],
        &["matching-pennies"],
        &["goofspiel-hidden", "--set", "cards=2"],
        &["sealed-bid", "--set", "seats=3", "--set", "top=1"],
        &["leduc-poker", "--depth", "5"],
    ];
    for game in games {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tree.efg");
        let before = printed(&[&["export"], game, &["--efg"]].concat());
        std::fs::write(&file, &before).unwrap();
        let game = imported(folder.path(), &file);
        let after = printed(&["export", &game, "--efg"]);
        let [before, after] = [before, after].map(|text| tree(&text));
        assert!(before.len() > 5);
        assert_eq!(before, after, "{game}");
    }
}

#[test]
fn what_comes_back_is_worth_the_same() {
    for game in ["kuhn-poker", "matching-pennies"] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tree.efg");
        std::fs::write(&file, printed(&["export", game, "--efg"])).unwrap();
        let imported = imported(folder.path(), &file);
        let solved = |game: &str| -> serde_json::Value {
            let found = printed(&["solve", game, "--method", "lp", "--json"]);
            serde_json::from_str(&found).unwrap()
        };
        let [was, is] = [game, &imported].map(solved);
        let [before, after] = [&was, &is].map(|found| {
            let values = found["values"].as_object().expect("values");
            values
                .values()
                .map(|v| v.as_f64().expect("a value"))
                .collect::<Vec<_>>()
        });
        assert_eq!(before.len(), 2);
        for (before, after) in std::iter::zip(before, after) {
            assert!((before - after).abs() < 1e-6, "{game}");
        }
        assert_eq!(was["tree"], is["tree"], "{game}");
    }
}

/// The sample of Gambit's documentation (“The extensive game (.efg) file format”): the tree that is exported is that of the
/// file, set by set and payoff by payoff.
#[test]
fn a_file_of_the_documentation_is_the_game_that_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let file = Path::new("tests/cli/bayes.efg");
    let game = imported(folder.path(), file);
    let before = tree(&std::fs::read_to_string(file).unwrap());
    let after = tree(&printed(&["export", &game, "--efg"]));
    assert_eq!(before.len(), 31);
    assert_eq!(before, after);
}

/// Payoffs on the way are added up: by hand, 1 + 1 and 1/2 + 1/2 where it is sunny, and so on.
#[test]
fn payoffs_on_the_way_belong_to_the_ends() {
    let folder = tempfile::tempdir().unwrap();
    let game = imported(folder.path(), Path::new("tests/cli/stages.efg"));
    let wanted = [
        "1 at 0 of 2",
        "c [0.25, 0.75]",
        "t [2.0, 1.0]",
        "2 at 1 of 3",
        "t [0.0, 10.5]",
        "t [1.0, 11.0]",
        "t [-1.0, 20.5]",
        "t [1.0, 0.5]",
    ];
    assert_eq!(tree(&printed(&["export", &game, "--efg"])), wanted);
}

const HEAD: &str = "EFG 2 R \"odd\" { \"A\" \"B\" }\n";

/// What is told of a file that begins as it should, with line and column, and the code.
#[test]
fn what_does_not_fit_is_told_with_its_place() {
    let ends = "t \"\" 0\n".repeat(2);
    let two = "{ \"l\" \"r\" } 0\n";
    let cases = [
        (
            format!("p \"\" 3 1 \"\" {two}{ends}"),
            "from 1 to 2",
            "2:6",
            "E0813",
        ),
        (
            format!("p \"\" 1 1 \"\" {two}t \"\" 0\n"),
            "before its tree is complete",
            "3:8",
            "E0813",
        ),
        (
            format!("p \"\" 1 1 \"\" {two}{ends}t \"\" 0\n"),
            "complete before this",
            "5:1",
            "E0813",
        ),
        (
            format!("c \"\" 1 \"\" {{ \"a\" 1/3 \"b\" 0.6666 }} 0\n{ends}"),
            "14999/15000",
            "2:8",
            "E0813",
        ),
        (
            "t \"\" 1 \"o\" { 1 }\n".to_string(),
            "here: 1 payoff for 2 players",
            "2:8",
            "E0813",
        ),
        (
            "t \"\" 1\n".to_string(),
            "needs its name and payoffs",
            "2:8",
            "E0813",
        ),
        (
            "t \"\" 1 \"o\" { 1 1/0 }\n".to_string(),
            "no number that can be read",
            "2:16",
            "E0813",
        ),
        (
            "t \"open 1 0".to_string(),
            "no closing quotation mark",
            "2:3",
            "E0813",
        ),
        (
            format!("p \"\" 1 1 \"\" {two}p \"\" 1 2 \"\" {two}{ends}p \"\" 1 2 0\n{ends}"),
            "would have to forget",
            "6:1",
            "E0814",
        ),
        (
            format!("p \"\" 1 1 \"\" {two}p \"\" 1 1 0\n{ends}t \"\" 0\n"),
            "would have to forget",
            "3:1",
            "E0814",
        ),
        (
            format!(
                "c \"\" 1 \"\" {{ \"a\" 1/2 \"b\" 1/2 }} 0\n\
                 p \"\" 1 1 \"\" {two}p \"\" 2 1 \"\" {two}{ends}p \"\" 2 1 0\n{ends}\
                 p \"\" 2 1 0\np \"\" 1 1 0\n{ends}p \"\" 1 1 0\n{ends}"
            ),
            "no order of asking fits",
            "3:1",
            "E0814",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.efg");
    for (body, told, place, code) in cases {
        std::fs::write(&file, format!("{HEAD}{body}")).unwrap();
        let output = ruse(&["import"]).arg(&file).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        for part in [told, code, &format!("odd.efg:{place}\n")] {
            assert!(errors.contains(part), "{part} in {errors}");
        }
        let is_mendable = told == "would have to forget";
        assert_eq!(errors.contains("= help: split the set"), is_mendable);
    }
}

/// Files that were cut off or changed anywhere, paths of any length, and many names that are alike: an answer, and no crash.
#[test]
fn damaged_and_deep_files_get_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("torn.efg");
    let whole = std::fs::read_to_string("tests/cli/stages.efg").unwrap();
    let torn = (1..whole.len()).step_by(13).map(|n| whole[..n].to_string());
    let signs = ["\"", "{", "}", "-", "9", "0", "\u{1f600}", "1e18", "/"];
    let changed = signs.iter().zip((40..).step_by(31)).map(|(sign, at)| {
        let mut text = whole.clone();
        text.insert_str(at, sign);
        text
    });
    let deep = format!(
        "{HEAD}{}{}",
        (1..=20_000)
            .map(|n| format!("p \"\" {} {n} \"\" {{ \"a\" \"b\" }} 0\n", n % 2 + 1))
            .collect::<String>(),
        "t \"\" 0\n".repeat(20_001)
    );
    let alike = format!(
        "{HEAD}p \"\" 1 1 \"\" {{ {}}} 0\n{}",
        "\"x\" ".repeat(9_000),
        (1..=9_000)
            .map(|n| format!("p \"\" 2 {n} \"y\" {{ \"a\" }} 0\nt \"\" 0\n"))
            .collect::<String>(),
    );
    for text in torn.chain(changed).chain([deep, alike]) {
        std::fs::write(&file, &text).unwrap();
        let output = ruse(&["import"]).arg(&file).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{text:.300} {errors:.2000}"
        );
        assert!(!errors.contains("panicked"), "{errors}");
    }
}

const MUSEUM: &str = "tests/cli/museum.ggame";

/// Only JSON is JSON, and only a number is a number. Each case changes the museum: what is told, and where.
#[test]
fn a_map_is_json_with_numbers() {
    let whole = std::fs::read_to_string(MUSEUM).unwrap();
    let count = ("\"vertexCount\": 6", "\"vertexCount\": \"6\"");
    let edge = ("\"from\": 0,", "\"from\": \"0\",");
    let payoff = ("  0.3,", "  \"0.3\",");
    let number = "must be a number, without quotation marks";
    let cases = [
        (("\"spawn\": 5", "\"spawn\": \"5\""), number, "53:11"),
        (("  1,\n  2\n", "  \"1\",\n  2\n"), number, "50:3"),
        (count, number, "3:18"),
        (edge, number, "6:13"),
        (payoff, number, "75:3"),
        (
            ("\"rounds\": 4", "\"rounds\": null"),
            "from 1 to 4096",
            "47:12",
        ),
        (
            ("\"rounds\": 4", "\"rounds\": 4.5"),
            "from 1 to 4096",
            "47:12",
        ),
        (
            ("\"rounds\": 4", "\"rounds\": 1e99"),
            "from 1 to 4096",
            "47:12",
        ),
        (
            ("\"rounds\"", "'rounds'"),
            "no JSON: key must be a string",
            "47:2",
        ),
        (("  2\n ]", "  2,\n ]"), "no JSON: trailing comma", "52:2"),
        (
            ("\"id\": \"7\"\n}", "\"id\": \"7\"\n} x"),
            "no JSON: trailing characters",
            "79:3",
        ),
        (
            ("\"rounds\": 4", "# four\n\"rounds\": 4"),
            "no JSON: ",
            "47:2",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.ggame");
    for ((from, to), told, place) in cases {
        assert!(whole.contains(from), "{from}");
        std::fs::write(&file, whole.replacen(from, to, 1)).unwrap();
        let output = ruse(&["import"]).arg(&file).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{to}: {errors}");
        for part in [told, "E0813", &format!("odd.ggame:{place}\n")] {
            assert!(errors.contains(part), "{to}: {part} in {errors}");
        }
    }
    // A whole number may be written in another way.
    std::fs::write(
        &file,
        whole.replacen("\"rounds\": 4", "\"rounds\": 4.0e0", 1),
    )
    .unwrap();
    let text = printed(&["import", file.to_str().unwrap()]);
    assert!(text.contains("param rounds = 4\n"), "{text}");
}

/// Names of files that are none of the language, and standard input.
#[test]
fn a_map_gets_a_plain_name() {
    let folder = tempfile::tempdir().unwrap();
    for (file, name) in [
        ("3 éx.ggame", "Map_3_x"),
        ("two--rooms-.ggame", "Two_rooms"),
        ("é.ggame", "Map"),
    ] {
        let file = folder.path().join(file);
        std::fs::copy(MUSEUM, &file).unwrap();
        let text = printed(&["import", file.to_str().unwrap()]);
        assert!(text.contains(&format!("\ngame {name} extends")), "{text}");
    }
    let whole = std::fs::read_to_string(MUSEUM).unwrap();
    let output = fed(&["import", "-"], &whole);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\ngame Map extends"), "{text}");
}

/// The map of the museum as a picture, with its payoffs where they are won and lost, for each side.
#[test]
fn whoever_plays_a_map_sees_it() {
    let folder = tempfile::tempdir().unwrap();
    let game = imported(folder.path(), Path::new(MUSEUM));
    let text = std::fs::read_to_string(&game).unwrap();
    let (_, layouts) = text.split_once("knowledge Defender").unwrap();
    // Both sides have the picture: each of five ways is a line in it.
    assert_eq!(
        layouts.matches("---").count() + layouts.matches('|').count(),
        2 * 5
    );
    for (side, marks) in [
        ("Defender", ["0[1]", "1[loss-8]", "2[loss-5]", "5[entry]"]),
        ("Evader", ["0[base]", "1[prize9]", "2[prize7]", "5[me]"]),
    ] {
        let output = fed(&["play", &game, "--as", side], "");
        let screen = String::from_utf8(output.stdout).unwrap();
        for mark in marks {
            assert!(screen.contains(mark), "{mark} in {screen}");
        }
    }
}
