//! What is told of a wrong use: with its place in the file that says it, once, and with an exit code that says so.

use super::commands::fed;
use crate::support::command::ruse;

/// The exit code, standard output and standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = ruse(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

const KUHN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/games/kuhn-poker.game");

#[test]
fn a_wrong_value_is_told_where_the_script_sets_it() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("a.play");
    let path = script.to_str().unwrap();
    let snapshots = folder.path().join("none");
    for (text, place) in [
        (
            format!("game {KUHN}\nset seats = 9\nplay \"x\"\n turn chance\n"),
            ":2:13",
        ),
        (
            format!("game {KUHN}\nplay \"x\"\n set seat = 3\n turn chance\n"),
            ":3:6",
        ),
    ] {
        std::fs::write(&script, text).unwrap();
        let (code, _, told) = run(&["test", path, "--snapshots", snapshots.to_str().unwrap()]);
        assert_eq!(code, 1);
        assert!(told.contains(&format!("a.play{place}")), "{told}");
    }
}

#[test]
fn a_wrong_value_is_told_where_the_experiment_sets_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.yaml");
    let players = "players: { A: random, B: random }\ngames: 4\n";
    for (text, place) in [
        (
            format!("game: kuhn-poker\nset: {{ seats: 9 }}\n{players}"),
            ":2:15",
        ),
        (
            format!("game: kuhn-poker\nset: {{ seat: 2 }}\n{players}"),
            ":2:8",
        ),
        (
            format!(
                "game: kuhn-poker\nvariants:\n  one: {{}}\n  two:\n    set:\n      seats: 7\n{players}"
            ),
            ":6:14",
        ),
        (
            "game: matching-pennies\nplayers: { A: double_oracle }\nleader: Nobody\nafter: 5\n"
                .to_string(),
            ":3:9",
        ),
    ] {
        std::fs::write(&file, &text).unwrap();
        let (code, _, told) = run(&["experiment", file.to_str().unwrap()]);
        assert_ne!(code, 0);
        assert!(told.contains(&format!("a.yaml{place}")), "{text}\n{told}");
    }
}

#[test]
fn an_experiment_without_a_title_has_none_in_its_document() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.yaml");
    let text = "game: matching-pennies\nplayers: { A: random, B: random }\ngames: 2\n";
    std::fs::write(&file, text).unwrap();
    let (code, document, _) = run(&["experiment", file.to_str().unwrap(), "--json"]);
    assert_eq!(code, 0);
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert!(document.as_object().unwrap().contains_key("title"));
    assert!(document["title"].is_null());
}

#[test]
fn standard_input_has_one_name_and_no_results() {
    let wrong = fed(&["check", "-", "--json"], "game X {");
    let document: serde_json::Value = serde_json::from_slice(&wrong.stdout).unwrap();
    assert_eq!(
        document["files"][0]["file"],
        document["diagnostics"][0]["file"]
    );
    let printed = fed(&["fmt", "-", "--json"], "game  X { }");
    assert_eq!(printed.status.code(), Some(2));
    let document: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert!(document["diagnostics"][0]["hint"].is_string());
    let kept = fed(&["experiment", "-"], "game: kuhn-poker\n");
    assert_eq!(kept.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&kept.stderr).contains("is a file"));
}

#[test]
fn threads_are_no_wrong_use_with_any_method() {
    let method = ["solve", KUHN, "--method", "cfr+", "--iterations", "5"];
    let (code, told, _) = run(&[&method[..], &["-j", "1"]].concat());
    assert_eq!(code, 0);
    let (more, same, _) = run(&[&method[..], &["-j", "2"]].concat());
    assert_eq!((more, same), (0, told));
}

#[test]
fn hints_say_what_to_write() {
    let (code, _, told) = run(&["match", KUHN, "--players", "ismcts playouts=10"]);
    assert_eq!(code, 2);
    assert!(told.contains("write `ismcts(playouts=10)`"), "{told}");
    let (code, _, told) = run(&["solve", KUHN, "--method", "cfr+", "--until", "-1"]);
    assert_eq!(code, 2);
    assert!(told.contains("at least 0") && told.len() < 400, "{told}");
    let (code, _, told) = run(&["import", KUHN]);
    assert_eq!(code, 1);
    assert!(told.contains("ruse check"), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_told() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let status = ruse(&["--help"]).stdout(full.unwrap()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

/// What has an effect only with another option is refused beside one that goes without it, too.
#[test]
fn options_without_an_effect_are_refused() {
    for arguments in [
        &["analyse", "kuhn-poker", "--moves", "1;3", "--svg", "x.svg"][..],
        &[
            "belief",
            "kuhn-poker",
            "--player",
            "Bob",
            "--moves",
            "3;1;bet",
            "--at",
            "1",
        ],
        &[
            "match",
            "tic-tac-toe",
            "--players",
            "random,uct",
            "--round-robin",
            "--resume",
        ],
        &[
            "best-response",
            "kuhn-poker",
            "--player",
            "Bob",
            "--seed",
            "1",
        ],
    ] {
        assert_eq!(run(arguments).0, 2, "{arguments:?}");
    }
}
