//! What nobody should hand in, and what is answered: an error that can be read, soon and in little memory, whatever it is.
//!
//! Every input goes to the program in a process of its own, with bounds on its memory and on the time that it may compute
//! (which, unlike the time that passes, does not depend on what else the machine does).

use crate::support::snapshots::snapshots;
use crate::support::{broken, inputs, trial};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Address space in kB.
const MEMORY: u32 = 1_500_000;
/// The promise is two seconds for a program that is optimised; tests are built with little optimisation.
const SECONDS: u32 = 12;

/// Runs the program with bounds, where there is a shell that can set them.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_ruse");
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        let line = format!("ulimit -v {MEMORY}; ulimit -t {SECONDS}; exec \"$0\" \"$@\"");
        shell.args(["-c", &line, program]);
        shell
    } else {
        Command::new(program)
    };
    let command = command.args(arguments).current_dir(folder);
    let start = Instant::now();
    let output = command.env("NO_COLOR", "1").output().expect("the program");
    let took = start.elapsed();
    if took > Duration::from_secs(1) {
        println!("{took:?}: {arguments:?}");
    }
    output
}

/// What the program said of an input, in one line; panics when it did not answer as it should.
fn answer(what: &str, output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    let brief: String = errors.chars().take(2000).collect();
    assert!(
        matches!(code, Some(0..=2)),
        "{what}: it ended with {}\n{brief}",
        output.status
    );
    assert!(!errors.contains("panicked"), "{what}: {brief}");
    assert!(
        !errors.contains("mistake of ruse") && !errors.contains("mistake in Ruse"),
        "{what}: {brief}"
    );
    if code == Some(0) {
        return "fine".to_string();
    }
    let mut lines = errors.lines();
    let told = lines.find(|l| l.starts_with("error"));
    let told = told.unwrap_or_else(|| panic!("{what}: no error is told\n{brief}"));
    // A report is for people: none is longer than a few screens.
    assert!(
        errors.len() < 100_000,
        "{what}: a report of {} bytes",
        errors.len()
    );
    told.chars().take(200).collect()
}

fn table(inputs: Vec<(&'static str, String)>) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let lines: Vec<String> = inputs
        .par_iter()
        .enumerate()
        .map(|(i, (what, text))| {
            let name = format!("{i}.game");
            std::fs::write(folder.path().join(&name), text).expect("a file");
            let output = run(folder.path(), &["check", &name]);
            let answer = answer(what, &output).replace(&name, "it");
            format!("{what}\n    {answer}\n")
        })
        .collect();
    lines.concat()
}

fn snapshot(name: &str, table: &str) {
    snapshots("hostile").bind(|| insta::assert_snapshot!(name, table));
}

#[test]
fn nesting() {
    snapshot("nesting", &table(inputs::nesting()));
}

#[test]
fn length() {
    snapshot("length", &table(inputs::length()));
}

#[test]
fn size() {
    snapshot("size", &table(inputs::size()));
}

#[test]
fn endless() {
    snapshot("endless", &table(inputs::endless()));
}

#[test]
fn characters() {
    snapshot("characters", &table(inputs::characters()));
}

/// Files that are none, or no text, and games that extend what they cannot.
#[test]
fn files() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
    };
    let variant = |of: &str| format!("game V extends \"{of}\" {{ }}").into_bytes();
    put("latin1.game", b"game G { // caf\xe9\n}");
    put("utf16.game", b"\xff\xfeg\0a\0m\0e\0");
    put("half.game", b"game G { // \xc3");
    put("surrogate.game", b"game G { // \xed\xa0\x80 }");
    put(
        "noise.game",
        &(0..=255u8).cycle().take(100_000).collect::<Vec<_>>(),
    );
    put("one.game", &variant("two.game"));
    put("two.game", &variant("one.game"));
    put("self.game", &variant("self.game"));
    put("roundabout.game", &variant("./x/../self.game"));
    put("lost.game", &variant("nowhere.game"));
    put("folder.game", &variant("."));
    put("empty-name.game", &variant(""));
    put("nul.game", &variant("a\0b"));
    put("bad-text.game", &variant("latin1.game"));
    for i in 0..10 {
        put(
            &format!("chain{i}.game"),
            &variant(&format!("chain{}.game", i + 1)),
        );
    }
    let mut arguments = vec![
        "latin1.game",
        "utf16.game",
        "half.game",
        "surrogate.game",
        "noise.game",
        "one.game",
        "self.game",
        "roundabout.game",
        "lost.game",
        "folder.game",
        "empty-name.game",
        "nul.game",
        "bad-text.game",
        "chain0.game",
        "nowhere.game",
        ".",
        "",
        "latin1.game/inside",
    ];
    if cfg!(unix) {
        arguments.extend(["/dev/null", "/dev/zero"]);
        put("endless.game", &variant("/dev/zero"));
        arguments.push("endless.game");
    }
    let table: String = arguments
        .iter()
        .map(|name| {
            format!(
                "{name}\n    {}\n",
                answer(name, &run(folder.path(), &["check", name]))
            )
        })
        .collect();
    snapshot("files", &table);
}

/// Params and players that do not fit, each with what is said of it.
#[test]
fn settings_and_players() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let huge = "9".repeat(100);
    let deep = format!("uct{}", "(".repeat(10_000));
    let many = "random,".repeat(5_000);
    let mut table = String::new();
    for setting in [
        "seats=4",
        "seats=0",
        "seats=-1",
        "seats=two",
        "seats=",
        "seats=2.5",
        "seats=+2",
        "seats=0x2",
        "seats= 2",
        &format!("seats={huge}"),
        "seets=2",
        "Seats=2",
        "nothing=1",
        "=",
        "=2",
        "seats",
        "",
        "seats=2=3",
        "seats=🎲",
        "seats=\u{202E}2",
    ] {
        let output = run(&root, &["check", "games/kuhn-poker.game", "--set", setting]);
        table += &said("--set", setting, &output);
    }
    for setting in [
        "bids=open",
        "bids=Hidden",
        "bids=0",
        "scoring=win",
        "cards=17",
        "order=",
    ] {
        let output = run(&root, &["check", "games/goofspiel.game", "--set", setting]);
        table += &said("--set", setting, &output);
    }
    for players in [
        "",
        ",",
        "random",
        "random,random,random",
        "chess,random",
        "Random,random",
        "uct(",
        "uct)",
        "uct()x",
        "uct(,)",
        "uct(playouts)",
        "uct(playouts=)",
        "uct(playouts=0)",
        "uct(playouts=-5)",
        "uct(playouts=1e9)",
        "uct(playouts=99999999999999999999)",
        "uct(playout=5)",
        "uct(c=nan)",
        "uct(c=1,c=2)",
        "uct(final=worst)",
        "X=random",
        "X=random,X=random",
        "X=random,Y=random",
        "X=,O=random",
        "=random",
        "X=random,O=chess",
        "X=X=random",
        "🎲",
        "random\0",
        &deep,
        &many,
    ] {
        if players.contains('\0') {
            continue;
        }
        let arguments = [
            "match",
            "games/tic-tac-toe.game",
            "--games",
            "1",
            "--players",
            players,
        ];
        table += &said("--players", players, &run(&root, &arguments));
    }
    snapshot("settings", &table);
}

/// The error and what helps, in two lines.
fn said(option: &str, value: &str, output: &Output) -> String {
    let shown: String = value
        .chars()
        .take(40)
        .flat_map(char::escape_default)
        .collect();
    let what = format!("{option} {shown}");
    let answer = answer(&what, output);
    let errors = String::from_utf8_lossy(&output.stderr);
    let help = errors.lines().find_map(|l| l.split_once("= help: "));
    let help: String = help.map_or("", |(_, h)| h).chars().take(200).collect();
    format!("{what}\n    {answer}\n    {help}\n")
}

/// Records that no match wrote: what a replay says, and what a match that is to go on says.
#[test]
fn records() {
    let folder = tempfile::tempdir().expect("a folder");
    fn recorded(name: &str) -> Vec<&str> {
        let game = ["goofspiel", "--set", "cards=2", "--players", "random"];
        let games = ["--games", "3", "--seed", "1", "--record", name];
        [&["match"][..], &game, &games].concat()
    }
    let sound = run(folder.path(), &recorded("sound.jsonl"));
    assert_eq!(sound.status.code(), Some(0));
    let sound = std::fs::read_to_string(folder.path().join("sound.jsonl")).expect("a record");
    let lines: Vec<String> = sound.lines().map(String::from).collect();
    assert_eq!(lines.len(), 4);
    std::fs::create_dir(folder.path().join("folder.jsonl")).expect("a folder");
    let mut inputs = broken::records(&lines);
    inputs.push(("a folder in place of the record", Vec::new()));
    let table: Vec<String> = inputs
        .par_iter()
        .enumerate()
        .map(|(i, (what, bytes))| {
            let name = if what.starts_with("a folder in") {
                "folder.jsonl".to_string()
            } else {
                let name = format!("{i}.jsonl");
                std::fs::write(folder.path().join(&name), bytes).expect("a file");
                name
            };
            let replayed = answer(what, &run(folder.path(), &["replay", &name]));
            let resumed = [&recorded(&name)[..], &["--resume"]].concat();
            let resumed = answer(what, &run(folder.path(), &resumed));
            let _ = std::fs::remove_file(folder.path().join(&name));
            let lines = format!("{what}\n    {replayed}\n    {resumed}\n");
            lines.replace(&name, "it")
        })
        .collect();
    // The hash of the game changes with its text.
    let (_, hash) = sound.split_once("\"sha256:").expect("a hash");
    let table = table
        .concat()
        .replace(&hash[..64], "…")
        .replace(&hash[..12], "…");
    snapshot("records", &table);
}

/// Files of players that say nothing sensible: all players of a match, and one of them.
#[test]
fn files_of_players() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("folder.yaml")).expect("a folder");
    let mut inputs = broken::players();
    inputs.push(("a folder", Vec::new()));
    let table: Vec<String> = inputs
        .par_iter()
        .enumerate()
        .map(|(i, (what, bytes))| {
            let name = if *what == "a folder" {
                "folder.yaml".to_string()
            } else {
                let name = format!("{i}.yaml");
                std::fs::write(folder.path().join(&name), bytes).expect("a file");
                name
            };
            let one = format!("random,@{name}");
            let [all, one] = [&name, &one].map(|players| {
                let arguments = ["match", "tic-tac-toe", "--games", "1", "--players", players];
                answer(what, &run(folder.path(), &arguments))
            });
            format!("{what}\n    {all}\n    {one}\n").replace(&name, "it")
        })
        .collect();
    snapshot("players", &table.concat());
}

/// A game that is never over is not measured, nor recorded for ever.
#[test]
fn games_without_an_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "game Endless { players { X }
      play { while true at most 1000000000 { X chooses { go } } }
      payoff general-sum: [p in Player] 0 }";
    std::fs::write(folder.path().join("endless.game"), text).expect("a file");
    let measured = answer("bench", &run(folder.path(), &["bench", "endless.game"]));
    assert!(measured.contains("is not over after"), "{measured}");
    let record = [
        "match",
        "endless.game",
        "--players",
        "random",
        "--games",
        "1",
    ];
    let record = [&record[..], &["--record", "endless.jsonl"]].concat();
    let recorded = answer("match", &run(folder.path(), &record));
    assert!(
        recorded.contains("more than a record can hold"),
        "{recorded}"
    );
}

/// Texts that once were answered badly. `// reports E0201` in one says what is answered now.
#[test]
fn what_was_found_stays_mended() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile");
    let limits = trial::Limits {
        games: 2,
        plies: 200,
        patience: Duration::from_secs(1),
    };
    let mut found = 0;
    for entry in std::fs::read_dir(folder).expect("tests/hostile") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("text");
        let loader = |_: &str, path: &str| match path {
            "a.game" => Ok((path.to_string(), text.clone())),
            _ => Err(format!("there is no `{path}`")),
        };
        let course = trial::trial(&text, &Default::default(), &loader, &limits);
        if let Some((_, code)) = text.split_once("// reports ") {
            let code = &code[..5];
            assert!(
                course.codes.contains(&code),
                "{}: {course:?}",
                path.display()
            );
        }
        found += 1;
    }
    assert!(found > 0);
}
