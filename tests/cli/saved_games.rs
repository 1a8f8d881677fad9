//! Games at the terminal that are kept in a file, however they end, and go on from it.

use super::play::{TIC_TAC_TOE, piped, screen_of, typed, typed_in};
#[cfg(target_os = "linux")]
use super::pty::interrupted;
use crate::support::command::{ruse, ruse_in};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The second line of a record: its one game.
pub fn game_in(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(text.lines().nth(1).unwrap()).unwrap()
}

/// A game with one move, in a file of the folder: its name, and what is in it.
fn begun(folder: &Path) -> (String, String) {
    let name = folder.join("game.jsonl").display().to_string();
    let mut arguments = TIC_TAC_TOE.to_vec();
    arguments.extend(["--save", &name]);
    screen_of(&arguments, "b2\nquit\n");
    let text = std::fs::read_to_string(&name).unwrap();
    (name, text)
}

/// A record of a match is sound, and no game to go on with.
#[test]
fn a_match_is_no_game_to_go_on_with() {
    let record = "tests/cli/duel.jsonl";
    let output = ruse(&["play", "--resume", record]).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("E0808") && errors.contains("is a record of `ruse match`"),
        "{errors}"
    );
}

#[test]
fn a_saved_game_goes_on_as_if_it_had_not_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (whole, parts, undone) = (file("whole"), file("parts"), file("undone"));
    let game = [
        "play",
        "goofspiel",
        "--as",
        "Bob",
        "--against",
        "random",
        "--set",
        "cards=4",
        "--seed",
        "8",
        "--save",
    ];
    let with = |save: &str, lines: &str| {
        let mut arguments = game.to_vec();
        arguments.push(save);
        screen_of(&arguments, lines)
    };
    with(&whole, "4\n3\n2\n1\nno\n");
    let screen = with(&parts, "4\n3\nquit\n");
    assert!(screen.ends_with(&format!("saved in {parts}\n")), "{screen}");
    assert!(
        game_in(Path::new(&parts))["payoffs"]
            .as_object()
            .unwrap()
            .is_empty()
    );

    // What is saved is a record, and that its game is not over is no fault.
    for (more, said) in [
        (&[][..], "every game fits; game 1 is not over"),
        (&["--game", "1"], "the game is not over"),
        (&["--json"], "\"unfinished\": 1"),
    ] {
        let mut arguments = vec!["replay", parts.as_str()];
        arguments.extend(more);
        let output = ruse(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains(said), "{told}");
    }
    // Where another game follows, it is one.
    let text = std::fs::read_to_string(&parts).unwrap();
    let line = text.lines().nth(1).unwrap();
    let second = line.replace("\"game\":1", "\"game\":2");
    let two = file("two");
    std::fs::write(&two, format!("{text}{second}\n")).unwrap();
    let output = ruse(&["replay", &two]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("game 1 before it is not over"), "{errors}");

    screen_of(&["play", "--resume", &parts], "undo\n3\n2\n1\nno\n");
    with(
        &undone,
        "4\n3\nundo\nundo\n4\n3\n2\nundo\n2\n1\nundo\n1\nno\n",
    );
    let wanted = game_in(Path::new(&whole));
    assert_eq!(game_in(Path::new(&parts)), wanted);
    assert_eq!(game_in(Path::new(&undone)), wanted);
    for path in [&whole, &parts, &undone] {
        let output = ruse(&["replay", path]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{errors}");
    }

    // Nothing that is there already is written over.
    let before = std::fs::read(&whole).unwrap();
    let mut arguments = game.to_vec();
    arguments.push(&whole);
    let output = typed(&arguments, "4\nquit\n");
    assert_eq!(output.status.code(), Some(2));
    let output = typed(&game[..10], &format!("4\nsave {whole}\nquit\n"));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("there already")
    );
    assert_eq!(std::fs::read(&whole).unwrap(), before);
}

#[test]
fn a_file_that_fits_no_game_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (name, text) = begun(folder.path());
    for (from, to) in [
        ("\"X\":\"person\"", "\"X\":\"random\""),
        ("\"move\":\"b2\"", "\"move\":\"b9\""),
        ("\"ruse-record\":2", "\"ruse-record\":7"),
        ("\"game\":1", "\"game\":0"),
        ("\"O\":\"random\"}", "\"O\":\"nobody\"}"),
        ("\"plies\"", "\"lies\""),
    ] {
        assert!(text.contains(from), "{text}");
        std::fs::write(&name, text.replace(from, to)).unwrap();
        let output = typed(&["play", "--resume", &name], "a1\nquit\n");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("error"), "{to}: {errors}");
        assert_ne!(output.status.code(), Some(0), "{to}");
    }
}

/// What another run has saved in the meantime stays, and so does what is played here.
#[test]
fn two_runs_do_not_write_over_one_another() {
    let folder = tempfile::tempdir().unwrap();
    let (name, text) = begun(folder.path());
    let mut child = ruse_in(folder.path(), &["play", "--resume", &name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once X is asked the file is as this run wants it.
    let mut printed = Vec::new();
    let stdout = child.stdout.as_mut().unwrap();
    while !printed.ends_with(b"X> ") {
        let mut next = [0];
        stdout.read_exact(&mut next).unwrap();
        printed.extend(next);
    }
    let other = format!("{text}\n");
    std::fs::write(&name, &other).unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"a1\nquit\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("was written by another run since"),
        "{errors}"
    );
    assert_eq!(std::fs::read_to_string(&name).unwrap(), other);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("saved in TicTacToe.jsonl"), "{printed}");
    assert!(folder.path().join("TicTacToe.jsonl").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_saves() {
    let folder = tempfile::tempdir().unwrap();
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/games/tic-tac-toe.game");
    let mut command = piped(&["play", game, "--as", "X", "--against", "random"]);
    let mut child = command.current_dir(folder.path()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"b2\n").unwrap();
    input.flush().unwrap();
    // The second question is asked after the answer.
    let mut shown = String::new();
    let mut screen = child.stdout.take().unwrap();
    while shown.matches("X> ").count() < 2 {
        let mut byte = [0];
        screen.read_exact(&mut byte).unwrap();
        shown.push(char::from(byte[0]));
    }
    child.stdout = Some(screen);
    let mut errors = child.stderr.take().unwrap();
    let output = interrupted(child);
    let errors = std::io::read_to_string(&mut errors).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("--resume TicTacToe.jsonl"), "{errors}");
    let saved = game_in(&folder.path().join("TicTacToe.jsonl"));
    assert_eq!(saved["plies"].as_array().unwrap().len(), 2);
    drop(input);
}

/// A line that was not written to its end is no reason to lose those before it.
#[test]
fn a_torn_line_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let (name, text) = begun(folder.path());
    let (header, game) = text.split_once('\n').unwrap();
    std::fs::write(&name, format!("{text}{}", &game[..40])).unwrap();
    let output = typed(&["play", "--resume", &name], "history\nquit\n");
    assert_eq!(output.status.code(), Some(0));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("line 3, the last, is torn and was skipped"),
        "{errors}"
    );
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("1  X  b2")
    );
    assert_eq!(std::fs::read_to_string(&name).unwrap(), text);

    std::fs::write(&name, format!("{header}\n{}", &game[..40])).unwrap();
    let output = typed(&["play", "--resume", &name], "quit\n");
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("the only game is torn"), "{errors}");
}

/// The file holds a ply as soon as it is played, so that nothing has to be done at the end.
#[test]
fn a_kill_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.jsonl");
    let name = path.display().to_string();
    let mut arguments = TIC_TAC_TOE.to_vec();
    arguments.extend(["--save", &name]);
    let mut child = piped(&arguments).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"b2\n").unwrap();
    input.flush().unwrap();
    let start = Instant::now();
    let plies = |path: &Path| match path.exists() {
        true => game_in(path)["plies"].as_array().unwrap().len(),
        false => 0,
    };
    while plies(&path) < 2 {
        assert!(start.elapsed() < Duration::from_secs(60), "no ply is kept");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(input);
    let output = ruse(&["replay", &name]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let screen = screen_of(&["play", "--resume", &name], "history\nquit\n");
    assert!(screen.contains("1  X  b2"), "{screen}");
}

#[test]
fn the_end_of_the_input_keeps_what_was_played() {
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/games/tic-tac-toe.game");
    let left = |lines: &[u8]| {
        let folder = tempfile::tempdir().unwrap();
        let mut command = piped(&["play", game, "--as", "X", "--against", "random"]);
        let mut child = command.current_dir(folder.path()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(lines).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let path = folder.path().join("TicTacToe.jsonl");
        let plies = path
            .exists()
            .then(|| game_in(&path)["plies"].as_array().unwrap().len());
        (plies, String::from_utf8(output.stderr).unwrap())
    };
    let (plies, told) = left(b"b2\n");
    assert_eq!(plies, Some(2));
    assert!(
        told.contains("`ruse play --resume TicTacToe.jsonl` goes on"),
        "{told}"
    );
    // Nobody is there who could be asked.
    let (plies, told) = left(b"b2\nquit\n");
    assert_eq!(plies, Some(2));
    assert!(told.starts_with("saved in TicTacToe.jsonl;"), "{told}");
    // There is nothing to keep.
    assert_eq!(left(b"").0, None);
    assert_eq!(left(b"quit\n").0, None);
}

/// A name that cannot be written is forgotten, and what was played is not.
#[test]
fn a_save_that_fails_loses_no_game() {
    let ways = |lines: &str, named: bool| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.jsonl").display().to_string();
        let mut arguments = TIC_TAC_TOE.to_vec();
        if named {
            arguments.extend(["--save", &file]);
        }
        let output = typed_in(folder.path(), &arguments, lines);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{errors}");
        assert!(errors.contains("no/x.jsonl cannot be written"), "{errors}");
        let file = folder
            .path()
            .join(["TicTacToe.jsonl", "own.jsonl"][usize::from(named)]);
        game_in(&file)["plies"].as_array().unwrap().len()
    };
    for named in [false, true] {
        // The end of the input, and somebody who leaves.
        assert_eq!(ways("b2\nsave no/x.jsonl\n", named), 2);
        assert_eq!(ways("b2\nsave no/x.jsonl\nquit\n", named), 2);
    }
}

/// Where the file of a game is not to be written in the end, another one is taken.
#[test]
fn a_file_that_cannot_be_written_is_not_the_last_one() {
    for (lines, over) in [
        ("b2\nquit\n", false),
        ("b2\n", false),
        ("b2\nb1\nb3\nno\n", true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = [&TIC_TAC_TOE[..], &["--save", "no/x.jsonl"]].concat();
        let output = typed_in(folder.path(), &arguments, lines);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{errors}");
        assert_eq!(errors.matches("cannot be written").count(), 1, "{errors}");
        let told = String::from_utf8(output.stdout).unwrap() + &errors;
        assert!(told.contains("saved in TicTacToe.jsonl"), "{told}");
        let game = game_in(&folder.path().join("TicTacToe.jsonl"));
        assert_eq!(game["payoffs"].as_object().unwrap().is_empty(), !over);
        // Where nothing can be written at all, nobody is told that all is well.
        std::fs::remove_file(folder.path().join("TicTacToe.jsonl")).unwrap();
        std::fs::create_dir(folder.path().join("TicTacToe.jsonl.new")).unwrap();
        let output = typed_in(folder.path(), &arguments, lines);
        assert_eq!(output.status.code(), Some(2), "{lines}");
    }
}
