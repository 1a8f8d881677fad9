//! What the commands promise beyond a transcript: the same output on any number of threads, and JSON that other programs can
//! rely on.

use crate::support::command::ruse;
use crate::support::snapshots::snapshots;
use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str]) -> Output {
    ruse(arguments).output().unwrap()
}

/// The one JSON document on standard output, and the exit code.
fn json(arguments: &[&str]) -> (Value, i32) {
    let output = run(arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}\n{text}\n{errors}"));
    (value, output.status.code().unwrap())
}

/// Nothing waits for a pipe that nobody writes to.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.game");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    for command in ["check", "fmt", "show", "perft"] {
        let output = run(&[command, pipe.to_str().unwrap()]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
        assert!(errors.contains("named pipe"), "{command}: {errors}");
    }
}

/// A variant finds the game that it extends beside itself, wherever the command is run.
#[test]
fn variants_load_from_any_folder() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/games");
    let elsewhere = tempfile::tempdir().unwrap();
    for (folder, prefix) in [
        (elsewhere.path().to_path_buf(), format!("{games}/")),
        (games.into(), String::new()),
        (
            concat!(env!("CARGO_MANIFEST_DIR"), "/src").into(),
            "../games/".to_string(),
        ),
    ] {
        for game in ["scotland-yard-mini.game", "goofspiel-hidden.game"] {
            let file = format!("{prefix}{game}");
            for command in [
                &["check", &file][..],
                &["fmt", "--check", &file],
                &["show", "--reveals", &file],
                &["match", &file, "--players", "random", "--games", "2"],
                &["perft", &file, "--depth", "2"],
            ] {
                let output = ruse(command).current_dir(&folder).output().unwrap();
                let errors = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(0), "{command:?}: {errors}");
            }
        }
    }
    // What is said of the other file names it.
    let (shown, _) = json(&[
        "show",
        "games/scotland-yard-mini.game",
        "--reveals",
        "--json",
    ]);
    assert_eq!(shown["reveals"][0]["file"], "games/scotland-yard.game");
    let (shown, _) = json(&["show", "games/scotland-yard.game", "--reveals", "--json"]);
    assert!(shown["reveals"][0].get("file").is_none());
}

/// Times are nobody's promise; that there is one for each game, and what it is called, is.
#[test]
fn a_measurement_has_its_figures() {
    let games = ["tic-tac-toe", "kuhn-poker"];
    let (report, code) = json(&["bench", games[0], games[1], "--seconds", "0.001", "--json"]);
    assert_eq!((code, &report["seconds"]), (0, &Value::from(0.001)));
    let found = report["games"].as_array().unwrap();
    let names: Vec<&str> = found.iter().filter_map(|g| g["game"].as_str()).collect();
    assert_eq!(names, ["TicTacToe", "KuhnPoker"]);
    for game in found {
        let names: Vec<&String> = game.as_object().unwrap().keys().collect();
        assert_eq!(
            names,
            [
                "game",
                "ready_ms",
                "ready_phases_ms",
                "playouts_per_second",
                "plies_per_second",
                "plies_per_playout",
                "lists_per_second",
                "simulations_per_second",
                "simulations_per_search",
                "bytes_per_node",
            ]
        );
        let rates = game.as_object().unwrap().iter().skip(1).take(6);
        for (name, value) in rates.filter(|(name, _)| *name != "ready_phases_ms") {
            assert!(value.as_f64().is_some_and(|v| v > 0.0), "{name}: {value}");
        }
        let phases = game["ready_phases_ms"].as_object().unwrap();
        let names: Vec<&String> = phases.keys().collect();
        assert_eq!(names, ["read", "check", "compile", "optimise", "generate"]);
        let times: Vec<f64> = phases.values().filter_map(Value::as_f64).collect();
        assert!(times.iter().all(|time| *time > 0.0), "{times:?}");
        assert!(times.iter().sum::<f64>() <= game["ready_ms"].as_f64().unwrap());
    }
    // The search takes the state for known, so it is not for the second.
    assert!(found[0]["simulations_per_second"].as_f64().is_some());
    assert!(found[1]["simulations_per_second"].is_null());
    assert_eq!(found[0]["simulations_per_search"], 1000);
    assert!(found[1]["simulations_per_search"].is_null());
    assert!(found[0]["bytes_per_node"].as_f64().is_some_and(|b| b > 0.0));
    assert!(found[1]["bytes_per_node"].is_null());
    let listed = [
        "bench",
        games[1],
        "--moves",
        "listed",
        "--seconds",
        "0.001",
        "--json",
    ];
    let (report, code) = json(&listed);
    let figure = report["games"][0]["playouts_per_second"].as_f64();
    assert!(code == 0 && figure.is_some_and(|v| v > 0.0), "{report}");
    assert_eq!(json(&["bench", games[0], "--set", "x=1", "--json"]).1, 2);
}

/// A game that cannot be measured takes nothing from the others.
#[test]
fn a_game_that_fails_leaves_the_others_their_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = folder.path().join("wrong.game");
    std::fs::write(&wrong, "game Wrong { players { Ann }  play { k = 1 } }").expect("a file");
    let wrong = wrong.to_str().expect("a path");
    let all = ["bench", "tic-tac-toe", wrong, "hex", "--seconds", "0.001"];
    let (report, code) = json(&[&all[..], &["--json"]].concat());
    assert_eq!(
        (code, report["diagnostics"][0]["file"].as_str()),
        (1, Some(wrong))
    );
    let games = report["games"].as_array().expect("games").iter();
    let names: Vec<&str> = games.filter_map(|g| g["game"].as_str()).collect();
    assert_eq!(names, ["TicTacToe", "Hex"]);
    let (report, code) = json(&[
        "bench",
        wrong,
        "no-such-game",
        "--seconds",
        "0.001",
        "--json",
    ]);
    assert_eq!(
        (code, report["games"].as_array().map(Vec::len)),
        (2, Some(0))
    );
    assert!(
        report["diagnostics"]
            .as_array()
            .is_some_and(|list| list.len() > 1)
    );
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads() {
    let outputs = ["1", "2", "7"].map(|threads| {
        let output = run(&[
            "match",
            "games/goofspiel.game",
            "--set",
            "cards=4",
            "--players",
            "uct(playouts=30),random",
            "--games",
            "20",
            "--threads",
            threads,
            "--json",
        ]);
        assert_eq!(output.status.code(), Some(0));
        output.stdout
    });
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
}

#[test]
fn another_seed_is_another_match() {
    let outputs = ["1", "2"].map(|seed| {
        let arguments = [
            "match",
            "games/goofspiel.game",
            "--players",
            "random",
            "--seed",
        ];
        run(&[&arguments[..], &[seed]].concat()).stdout
    });
    assert_ne!(outputs[0], outputs[1]);
}

#[test]
fn a_budget_in_milliseconds_is_said_not_to_be_reproducible() {
    let game = "games/tic-tac-toe.game";
    let (result, code) = json(&[
        "match",
        game,
        "--players",
        "uct(ms=1),random",
        "--games",
        "2",
        "--json",
    ]);
    assert_eq!(code, 0);
    assert_eq!(result["reproducible"], false);
}

#[test]
fn perft_has_its_keys() {
    let (count, code) = json(&["perft", "games/kuhn-poker.game", "--full", "--json"]);
    assert_eq!(code, 0);
    let keys: Vec<&String> = count.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "schema",
            "histories",
            "terminals",
            "nodes_by_depth",
            "terminals_by_depth",
            "chance_edges",
            "information_states",
            "payoffs",
            "uniform_value",
            "uniform_value_exact",
            "uniform_length",
            "uniform_length_exact",
        ]
    );
    assert_eq!(count["information_states"]["Alice"], 6);
    assert_eq!(count["terminals"], 30);
}

#[test]
fn show_and_check_give_json() {
    let (shown, code) = json(&["show", "games/kuhn-poker.game", "--reveals", "--json"]);
    assert_eq!(code, 0);
    assert_eq!(shown["players"], serde_json::json!(["Alice", "Bob"]));
    assert_eq!(shown["params"]["seats"]["type"], "2..3");
    assert_eq!(shown["payoffs"]["sum"], "0");

    let (checked, code) = json(&[
        "check",
        "games/kuhn-poker.game",
        "--set",
        "seats=9",
        "--json",
    ]);
    assert_eq!(code, 2);
    assert_eq!(checked["files"][0]["fine"], false);
    let problem = &checked["diagnostics"][0];
    assert_eq!(
        (&problem["file"], &problem["line"]),
        (&"--set".into(), &1.into())
    );
    assert!(problem["span"]["end"].as_u64() > problem["span"]["start"].as_u64());
    for key in [
        "file", "severity", "code", "message", "column", "label", "hint", "edits",
    ] {
        assert!(problem.get(key).is_some(), "{key}");
    }
}

/// Editors may set a mark of the byte order before a text, whatever it is for.
#[test]
fn a_mark_of_the_byte_order_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), format!("\u{FEFF}{text}")).unwrap();
    };
    let marked = |name: &str| {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        put(name, &text);
    };
    let run = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let output = ruse(&words).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said, errors)
    };
    let fine = |line: &str| {
        let (code, _, errors) = run(line);
        assert_eq!(code, Some(0), "{line}: {errors}");
    };
    put("pair.yaml", "- random\n- random\n");
    fine("match tic-tac-toe --players pair.yaml --games 2 --record two.jsonl");
    marked("two.jsonl");
    fine("replay two.jsonl");
    fine("match tic-tac-toe --players random,random --games 4 --record two.jsonl --resume");
    fine("replay two.jsonl --game 4");

    fine("solve kuhn-poker --method lp --save kuhn.json");
    marked("kuhn.json");
    fine("exploitability kuhn-poker --strategy kuhn.json");
    fine("match kuhn-poker --players strategy(file=kuhn.json) --games 2");

    put("tree.efg", include_str!("bayes.efg"));
    fine("import tree.efg");
    put(
        "coin.game",
        "game Coin { players { Ann } play { Ann chooses { heads tails } } payoff general-sum: [p in Player] 0 }",
    );
    put(
        "coin.play",
        "game coin.game\n\nplay \"heads\"\n  Ann: heads\n  end\n",
    );
    fine("test coin.play");

    let experiment = "game: tic-tac-toe\nplayers: { A: random, B: random }\ngames: 4\n";
    put("fine.yaml", experiment);
    fine("experiment fine.yaml");
    put("wrong.yaml", &experiment.replace("game:", "gmae:"));
    let (_, said, _) = run("experiment wrong.yaml --json");
    let document: Value = serde_json::from_str(&said).unwrap();
    let problem = &document["diagnostics"][0];
    let place = ["column", "line"].map(|key| problem[key].as_u64());
    assert_eq!(
        (place, &problem["span"]["start"]),
        ([Some(1); 2], &3.into())
    );
}

/// Scripts that cannot be read are files that cannot be read.
#[test]
fn coverage_by_scripts_that_are_not_there_is_wrong_use() {
    let arguments = ["check", "tic-tac-toe", "--coverage", "--scripts", "nowhere"];
    let output = run(&arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    let (document, code) = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!(
        (code, &document["diagnostics"][0]["code"]),
        (2, &"E0801".into())
    );
}

/// Who wants to know learns who plays with what settings, and how fast that went.
#[test]
fn details_are_told_of_long_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.yaml");
    let text = "game: tic-tac-toe\nplayers: { A: random, B: { uct: { playouts: 2 } } }\ngames: 2\n";
    std::fs::write(&file, text).unwrap();
    for (arguments, told) in [
        (
            &["report", "matching-pennies", "-n", "2", "--playouts", "20"][..],
            [
                "player ismcts: playouts=20 ",
                "player random",
                "played 6 games in ",
            ],
        ),
        (
            &["experiment", file.to_str().unwrap()],
            [
                "player random",
                "player uct: playouts=2 ",
                "made 2 games in ",
            ],
        ),
        (
            &[
                "exploitability",
                "goofspiel",
                "--set",
                "cards=3",
                "--strategy",
                "smmcts(playouts=2)",
            ],
            ["player smmcts: playouts=2 ", "tree built in ", " nodes, "],
        ),
    ] {
        let output = run(&[arguments, &["--verbose"]].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        for words in told {
            assert!(errors.contains(words), "{arguments:?}: {errors}");
        }
        let output = run(arguments);
        assert!(!String::from_utf8_lossy(&output.stderr).contains("player"));
    }
}

/// Every row of Table 3 that is a payoff is an option, and what is given stands in the game.
#[test]
fn payoffs_of_warehouses_are_options() {
    let folder = tempfile::tempdir().unwrap();
    let made = |name: &str, more: &str| {
        let more: Vec<&str> = more.split_whitespace().collect();
        let arguments = [&["new", name, "--warehouse"], &more[..]].concat();
        let output = ruse(&arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        std::fs::read_to_string(folder.path().join(name).with_extension("game")).unwrap()
    };
    let plain = made("night", "");
    let payoffs = "--penalty -2.5 --target-penalty 4 --reward 0 --target-reward 7 --neutral -0.5";
    let changed = made("noon", payoffs);
    let rows: Vec<&str> = changed.lines().filter(|row| !plain.contains(row)).collect();
    assert_eq!(
        rows,
        [
            "game Noon extends \"patrol\" {",
            "  const penalty = { 1: 4, 2: 4, else: -2.5 }",
            "  const reward  = { 1: 7, 2: 7, else: 0 }",
            "  const neutral = -0.5",
        ]
    );
    let played = ruse(&["match", "noon.game", "--players", "random", "-n", "20"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(played.status.code(), Some(0));
}

/// Warehouses drawn at random are games, set the usual way, and the same from the same seed.
#[test]
fn warehouses_are_games() {
    let folder = tempfile::tempdir().unwrap();
    let made = |name: &str, more: &[&str]| {
        let arguments = [&["new", name, "--warehouse"], more].concat();
        let output = ruse(&arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        std::fs::read_to_string(folder.path().join(name).with_extension("game")).unwrap()
    };
    let night = made("night", &[]);
    snapshots("sessions").bind(|| insta::assert_snapshot!("warehouse", night));
    assert_eq!(
        made("again", &["--seed", "1"]),
        night.replace("Night", "Again")
    );
    assert_ne!(
        made("other", &["--seed", "2"]),
        night.replace("Night", "Other")
    );
    let large = [
        "--width",
        "6",
        "--length",
        "5",
        "--crossings",
        "2",
        "--units",
        "2",
        "--rounds",
        "20",
    ];
    made("large", &large);
    made(
        "hopeless",
        &["--any", "--rounds", "1", "--targets", "5", "--doors", "0.9"],
    );
    for name in ["night", "other", "large", "hopeless"] {
        let file = format!("{name}.game");
        for command in [
            &["check", &file][..],
            &["fmt", "--check", &file],
            &["match", &file, "--players", "random", "--games", "2"],
        ] {
            let output = ruse(command).current_dir(folder.path()).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{command:?}: {errors}");
        }
    }
}

/// Runs the program with a text on its standard input, which it need not read.
pub fn fed(arguments: &[&str], text: &str) -> Output {
    use std::io::Write;
    let mut command = ruse(arguments);
    let piped = Stdio::piped;
    let mut child = command
        .stdin(piped())
        .stdout(piped())
        .stderr(piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // Whoever refuses a game from standard input has ended before all of it is written.
    let _ = input.write_all(text.as_bytes());
    drop(input);
    child.wait_with_output().unwrap()
}

#[test]
fn a_game_comes_from_standard_input() {
    let text = std::fs::read_to_string("games/tic-tac-toe.game").unwrap();
    let checked = fed(&["check", "-"], &text);
    assert_eq!(checked.status.code(), Some(0));
    let told = String::from_utf8(checked.stdout).unwrap();
    assert!(
        told.starts_with("standard input: fine (TicTacToe;"),
        "{told}"
    );
    let wrong = fed(&["check", "-"], &text.replace("game ", "gme "));
    assert_eq!(wrong.status.code(), Some(1));
    let told = String::from_utf8(wrong.stderr).unwrap();
    assert!(told.contains("standard input:"), "{told}");
    let counted = fed(&["perft", "-", "--depth", "2"], &text);
    assert_eq!(counted.status.code(), Some(0));
    assert_eq!(fed(&["fmt", "-"], &text).stdout, text.as_bytes());
    let played = fed(&["play", "-"], &text);
    assert_eq!(played.status.code(), Some(2));
}

#[test]
fn a_tree_comes_from_standard_input() {
    let tree = std::fs::read_to_string("tests/cli/stages.efg").unwrap();
    let piped = fed(&["import", "-"], &tree);
    assert_eq!(piped.status.code(), Some(0));
    let named = fed(&["import", "tests/cli/stages.efg"], "");
    let [piped, named] = [piped, named].map(|o| String::from_utf8(o.stdout).unwrap());
    assert_eq!(piped, named.replacen("stages.efg", "standard input", 1));
    let torn = fed(&["import", "-"], &tree[..tree.len() / 2]);
    assert_eq!(torn.status.code(), Some(1));
    let told = String::from_utf8(torn.stderr).unwrap();
    assert!(told.contains("--> standard input:"), "{told}");
}

#[test]
fn a_record_comes_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record").display().to_string();
    let play = [
        "match",
        "tic-tac-toe",
        "--players",
        "random",
        "--games",
        "3",
    ];
    let played = ruse(&[&play[..], &["--record", &record]].concat()).output();
    assert!(played.unwrap().status.success());
    let text = std::fs::read_to_string(&record).unwrap();
    for more in [&[][..], &["--game", "2"]] {
        let piped = fed(&[&["replay", "-"], more].concat(), &text);
        assert_eq!(piped.status.code(), Some(0));
        let named = ruse(&[&["replay", record.as_str()], more].concat()).output();
        assert_eq!(piped.stdout, named.unwrap().stdout);
    }
    let belief = |record| ["belief", "--record", record, "--at", "2", "--player", "X"];
    let known = fed(&belief("-"), &text).stdout;
    assert!(!known.is_empty());
    assert_eq!(known, ruse(&belief(&record)).output().unwrap().stdout);
    assert_eq!(fed(&["replay", "-"], "").status.code(), Some(2));
}

/// `message` is one line, and what to do stands in `hint`.
#[test]
fn wrong_use_is_told_in_one_line_of_json() {
    for (arguments, hint) in [
        (&["solve", "--json"][..], None),
        (
            &["match", "chess", "--json", "--gams", "3"],
            Some("--games"),
        ),
        (
            &["perft", "chess", "--json", "--color", "alwys"],
            Some("always"),
        ),
    ] {
        let (told, code) = json(arguments);
        assert_eq!(code, 2);
        let told = &told["diagnostics"][0];
        let message = told["message"].as_str().unwrap();
        assert!(
            !message.contains('\n') && !message.contains("  "),
            "{message}"
        );
        match hint {
            None => assert!(
                told["hint"].is_null() && message.contains("<GAME>"),
                "{told}"
            ),
            Some(hint) => assert!(told["hint"].as_str().unwrap().contains(hint), "{told}"),
        }
    }
}

#[test]
fn a_folder_without_games_is_refused_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    for command in ["check", "show"] {
        let output = ruse(&[command, name]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("none in it ends in `.game`"), "{told}");
    }
    std::fs::copy("games/hex.game", folder.path().join("hex.game")).unwrap();
    let output = ruse(&["show", name]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("hex.game`"), "{told}");
}

#[test]
fn a_folder_stands_for_its_games() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b", "a"] {
        let path = folder.path().join(format!("{name}.game"));
        std::fs::copy("games/tic-tac-toe.game", path).unwrap();
    }
    std::fs::write(folder.path().join("notes.txt"), "no game").unwrap();
    // One below it counts, and a hidden one does not.
    for below in ["more", ".old"] {
        let below = folder.path().join(below);
        std::fs::create_dir(&below).unwrap();
        std::fs::copy("games/tic-tac-toe.game", below.join("c.game")).unwrap();
    }
    let name = folder.path().to_str().unwrap();
    let (checked, code) = json(&["check", name, "--json"]);
    assert_eq!(code, 0);
    let files = checked["files"].as_array().unwrap();
    let files: Vec<&str> = files.iter().filter_map(|f| f["file"].as_str()).collect();
    let found = ["a", "b", "more/c"].map(|n| format!("{name}/{n}.game"));
    assert_eq!(files, found);
    assert_eq!(json(&["fmt", "--check", name, "--json"]).1, 0);
    let (measured, code) = json(&["bench", name, "--seconds", "0.001", "--json"]);
    assert_eq!(code, 0);
    assert_eq!(measured["games"].as_array().unwrap().len(), 3);
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(
        json(&["check", empty.path().to_str().unwrap(), "--json"]).1,
        2
    );
}

#[test]
fn colours_and_words_are_as_wanted() {
    let wrong = ["check", "tests/cli/broken.game"];
    let errors = |more: &[&str]| {
        let output = ruse(&[&wrong[..], more].concat()).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!errors(&[]).contains('\x1b'));
    assert!(errors(&["--color", "always"]).contains("\x1b["));
    assert!(!errors(&["--color", "never"]).contains('\x1b'));
    let matched = |more: &[&str]| {
        let arguments = ["match", "kuhn-poker", "-n", "1", "-j", "1"];
        let output = ruse(&[&arguments[..], more].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(matched(&[]).contains("nobody is named"));
    assert_eq!(matched(&["-q"]), "");
}

/// The words for nobody and everybody are not guessed at.
#[test]
fn a_viewer_that_is_no_player_is_told_of_none_and_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("secret.game");
    let text = "game Secret {\n  players { Ann, Ben }\n  state { card : 1..3  seen by nobody }\n  \
                play { draw c in 1..3 into card }\n  payoff zero-sum: [p in Player] 0\n}\n";
    std::fs::write(&file, text).unwrap();
    let output = run(&["check", file.to_str().unwrap()]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.contains("`none` is nobody"), "{errors}");
}

#[test]
fn wrong_use_is_told_as_json_too() {
    let (told, code) = json(&["match", "--json", "kuhn-poker", "--games", "0"]);
    assert_eq!(code, 2);
    let message = told["diagnostics"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("'0'") && message.contains("--games"),
        "{message}"
    );
    assert!(!message.contains("Usage"), "{message}");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let text = |arguments: &[&str]| {
        let output = ruse(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let help = text(&["--help"]);
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let names = list
        .lines()
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    let names: Vec<&str> = names.filter_map(|l| l.split_whitespace().next()).collect();
    assert!(names.len() > 15 && names.contains(&"play"), "{names:?}");
    for shell in ["bash", "zsh", "fish"] {
        let script = text(&["completions", shell]);
        assert!(names.iter().all(|n| script.contains(n)), "{shell}");
    }
    assert_eq!(text(&["help", "play"]), text(&["play", "--help"]));
    let folder = tempfile::tempdir().unwrap();
    text(&["man", folder.path().to_str().unwrap()]);
    let read = |name: &str| {
        let page = folder.path().join(format!("ruse-{name}.1"));
        std::fs::read_to_string(page).unwrap()
    };
    for name in names.iter().filter(|n| **n != "help") {
        let page = read(name);
        assert!(page.contains(".TH ruse-"), "{name}: {page}");
    }
    // A command below another has a page too. What is to be typed stays in lines, and what is prose does not.
    assert!(read("experiment-merge").contains(".TH ruse-experiment-merge"));
    let check = read("check");
    assert!(check.contains("\n.SH \"EXIT CODES\"\n.TP\n"), "{check}");
    assert!(
        check.contains(".SH EXAMPLES\n.nf\n  ruse check duel.game\n"),
        "{check}"
    );
    assert!(
        check.contains(".SH NOTES\n.PP\nA game is checked as it stands"),
        "{check}"
    );
    assert!(text(&["man"]).contains(".TH ruse 1"));
}

/// Each row of the table in docs/json.md is a command and the keys of its document. Keys in brackets that are not printed are
/// those of what was stopped.
#[test]
fn the_page_on_json_tells_every_key() {
    let page = std::fs::read_to_string("docs/json.md").unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `ruse "));
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("first.game").display().to_string();
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let command = cells[1].trim_matches('`');
        let keys: Vec<&str> = cells[2].split(", ").collect();
        let rare = ["[`complete`]", "[`stopped`]", "[`warning`]"];
        let keys = keys.iter().filter(|key| !rare.contains(*key));
        let keys: Vec<&str> = keys.map(|k| k.trim_matches(['[', '`', ']'])).collect();
        let words = command.split(' ').skip(1);
        let mut arguments: Vec<&str> = words.map(|word| word.trim_matches('\'')).collect();
        if let ["new", name] = arguments.as_mut_slice() {
            *name = &written;
        }
        if arguments.contains(&"--shard") {
            arguments.extend(["--out", folder.path().to_str().unwrap()]);
        }
        arguments.push("--json");
        let (document, _) = json(&arguments);
        let found: Vec<&String> = document.as_object().unwrap().keys().collect();
        assert_eq!(found[0], "schema", "{command}");
        assert_eq!(document["schema"], 1);
        assert_eq!(found[1..], keys, "{command}");
        count += 1;
    }
    assert!(count > 40);
}

/// Long games do not make random play for coverage end before as many were played as were asked for.
#[test]
fn coverage_plays_every_game_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("long.game");
    let text = "game Long { players { Ann } \
                play { repeat 400 times { Ann chooses n in 1..2 } } \
                payoff general-sum: [p in Player] 0 }";
    std::fs::write(&game, text).unwrap();
    let arguments = ["check", game.to_str().unwrap(), "--coverage", "-n", "3000"];
    let output = run(&arguments);
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("in 3000 random games"), "{told}");
}

/// A script that cannot be played is told of, whatever game it was for.
#[test]
fn coverage_tells_of_scripts_without_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("lost.play");
    std::fs::write(&script, "game nowhere.game\n\nplay \"first\"\n  turn X\n").unwrap();
    let script = script.to_str().unwrap();
    let output = ruse(&[
        "check",
        "tic-tac-toe",
        "--coverage",
        "-n",
        "2",
        "--scripts",
        script,
    ])
    .output()
    .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("lost.play is about ") && told.contains("E0801"),
        "{told}"
    );
    assert_eq!(output.status.code(), Some(2));
}
