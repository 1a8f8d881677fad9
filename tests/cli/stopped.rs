//! What Ctrl-C leaves: what was finished is kept and told, and so is what was not.

use super::pty::{interrupted, watched};
use serde_json::Value;
use std::process::Command;

#[test]
fn ctrl_c_keeps_what_was_finished() {
    let (child, screen) = watched(&[
        "match",
        "games/goofspiel.game",
        "--players",
        "random",
        "--games",
        "1000000000000",
        "--json",
    ]);
    screen.wait_for_some(" of 1000000000000 games");
    let output = interrupted(child);
    screen.wait_for_end();
    let errors = screen.text();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("of 1000000000000 games"), "{errors}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let finished = result["finished"].as_u64().unwrap();
    assert!(0 < finished && finished < 1_000_000_000_000);
}

/// Which games are finished by then hangs on when it was.
#[test]
fn what_was_stopped_is_not_reproducible() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("endless.yaml");
    let text = "game: goofspiel\nplayers: { A: random, B: uct }\ngames: 100000\n";
    std::fs::write(&file, text).unwrap();
    for arguments in [
        &["match", "goofspiel", "--games", "10000000"][..],
        &[
            "match",
            "goofspiel",
            "--games",
            "10000000",
            "--players",
            "random,uct",
            "--round-robin",
        ],
        &["report", "goofspiel", "--games", "100000"],
        &["experiment", file.to_str().unwrap()],
    ] {
        let (child, screen) = watched(&[arguments, &["--json"]].concat());
        screen.wait_for(" games");
        let output = interrupted(child);
        assert_eq!(output.status.code(), Some(1), "{}", screen.text());
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["reproducible"], false, "{arguments:?}: {document}");
    }
}

/// A document of what was stopped says so.
#[test]
fn ctrl_c_is_told_in_json() {
    let player = "uct(playouts=1000000000)";
    for (arguments, begun) in [
        (&["analyse", "hex", "--player", player][..], "thinking … "),
        (
            &["bench", "tic-tac-toe", "hex", "--seconds", "20"],
            "measuring TicTacToe, 1 of 2",
        ),
    ] {
        let (child, screen) = watched(&[arguments, &["--json"]].concat());
        screen.wait_for(begun);
        let output = interrupted(child);
        assert_eq!(output.status.code(), Some(1), "{}", screen.text());
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["complete"], false, "{document}");
        assert_ne!(document["reproducible"], true, "{document}");
    }
    let player = "solve(method=cfr, iterations=1000000000)";
    let (child, screen) = watched(&["match", "kuhn-poker", "--players", player, "--json"]);
    screen.wait_for("iterations");
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(1), "{}", screen.text());
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let told = document["diagnostics"][0]["message"].as_str().unwrap();
    assert!(told.starts_with("stopped: `solve("), "{document}");
}

/// What was found until then is in the file, and somebody is told so.
#[test]
fn a_run_that_is_stopped_saves_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plan.json");
    let path = file.to_str().unwrap();
    let rest = ["--iterations", "1000000000", "--save", path];
    let (child, screen) =
        watched(&[&["solve", "kuhn-poker", "--method", "cfr+"][..], &rest].concat());
    screen.wait_for("iterations");
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(1), "{}", screen.text());
    screen.wait_for("has what was found until then");
    assert!(std::fs::read_to_string(&file).unwrap().contains("Alice"));
}

/// Two signals at once, as `timeout` sends them to a process and its group, are one.
#[test]
fn a_signal_that_comes_twice_at_once_ends_nothing_early() {
    let (child, screen) = watched(&["match", "goofspiel", "--games", "10000000"]);
    screen.wait_for(" games");
    let id = child.id().to_string();
    // Two of one kind could come as one.
    let both = format!("kill -INT {id}; kill -TERM {id}");
    Command::new("sh").args(["-c", &both]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", screen.text());
    assert!(!output.stdout.is_empty());
}

/// A count of states stops inside a joint choice that has very many ways.
#[test]
fn ctrl_c_is_heard_within_a_choice_of_many() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crowd.game");
    let names: Vec<String> = (0..30).map(|i| format!("P{i}")).collect();
    let text = format!(
        "game Crowd {{ players {{ {} }} play {{ together each p in Player {{ p chooses {{a b}} }} }} \
         payoff general-sum: [p in Player] 0 }}",
        names.join(", ")
    );
    std::fs::write(&file, text).unwrap();
    let (child, screen) = watched(&["perft", file.to_str().unwrap(), "--states", "--json"]);
    screen.wait_for(" states");
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(1), "{}", screen.text());
    let count: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&count["total"], &count["complete"]),
        (&1.into(), &false.into())
    );
}
