//! The program on a terminal.

use super::pty::{Screen, interrupt, interrupted, resize, watched, watched_in};
use crate::support::command::ruse;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// Keys as a person has them: Tab, the arrow up, Ctrl-C.
#[test]
fn lines_are_edited_called_up_and_completed() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("game").display().to_string();
    let (screen, slave) = Screen::new();
    let mut command = ruse(&[
        "play",
        "tic-tac-toe",
        "--against",
        "random",
        "--save",
        &save,
    ]);
    command.env("TERM", "xterm");
    let copy = || Stdio::from(slave.try_clone().unwrap());
    command.stdin(copy()).stdout(copy()).stderr(copy());
    let mut child = command.spawn().unwrap();
    let prompts = |n: usize| screen.wait_for_times("X> ", n);
    prompts(1);
    screen.type_keys("b2\r");
    screen.wait_for("O  ");
    // `und`, completed.
    screen.type_keys("und\t\r");
    screen.wait_for("undo");
    screen.type_keys("\x1b[A\r");
    screen.wait_for("there is nothing to take back");
    // A mistake, taken back with the key for that.
    screen.type_keys("b3\x7f2\r");
    screen.wait_for_times("O  ", 2);
    // Nobody hears a key that is pressed between two lines.
    while child.try_wait().unwrap().is_none() {
        screen.type_keys("\x03");
        std::thread::sleep(Duration::from_millis(100));
    }
    screen.wait_for("goes on");
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let text = std::fs::read_to_string(&save).unwrap();
    let game: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!(game["plies"][0][0]["move"], "b2");
}

/// A game at a keyboard, with the terminal that it is on.
fn at_keyboard(arguments: &[&str], folder: &Path, columns: u16) -> (Child, Screen) {
    let (screen, slave) = Screen::new();
    resize(&slave, columns, 24);
    let mut command = ruse(arguments);
    command.current_dir(folder).env("TERM", "xterm");
    let copy = || Stdio::from(slave.try_clone().unwrap());
    command.stdin(copy()).stdout(copy()).stderr(copy());
    (command.spawn().unwrap(), screen)
}

/// Lines that are typed before anybody asks for them are not lost.
#[test]
fn lines_are_typed_ahead() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "tic-tac-toe", "--against", "random"];
    let (mut child, screen) = at_keyboard(&arguments, folder.path(), 80);
    screen.wait_for("X> ");
    screen.type_keys("b2\rundo\rhistory\rquit\r");
    screen.wait_for("nothing has happened yet");
    screen.wait_for("keep the game?");
    screen.type_keys("no\r");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Whoever is passed the keyboard sees what happened, and nothing of what the other saw or typed.
#[test]
fn the_keyboard_is_passed() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "kuhn-poker", "--as", "alice,bob", "--seed", "2"];
    let (mut child, screen) = at_keyboard(&arguments, folder.path(), 80);
    // What stands on the screen now.
    let now = || {
        let text = screen.text();
        let last = text.rsplit("\x1b[H").next().unwrap_or_default();
        without_codes(last)
    };
    screen.wait_for("pass the keyboard to Alice, then press Enter");
    assert!(!now().contains("drew"), "{}", now());
    screen.type_keys("\r");
    screen.wait_for("Alice> ");
    assert!(now().contains("you drew  1"), "{}", now());
    // Whoever comes first still reads how the game began.
    assert!(now().contains("seed 2; `?` helps"), "{}", now());
    screen.type_keys("bet\r");
    screen.wait_for("pass the keyboard to Bob, then press Enter");
    let passed = now();
    assert!(
        !passed.contains("drew") && !passed.contains("bet"),
        "{passed}"
    );
    screen.type_keys("\r");
    screen.wait_for("Bob> ");
    let question = now();
    for shown in ["you drew  2", "Alice     bet", "1 fold   2 call"] {
        assert!(question.contains(shown), "{shown} in {question}");
    }
    assert_eq!(question.matches("drew").count(), 1, "{question}");
    // No line of Alice's is called up.
    screen.type_keys("\x1b[A\r");
    screen.type_keys("call\r");
    screen.wait_for_times("pass the keyboard to Alice", 2);
    assert!(!now().contains("chips"), "{}", now());
    screen.type_keys("\r");
    // It stays until it has been read.
    screen.wait_for("press Enter when you have read this");
    assert!(now().contains("the game is over: you lose"), "{}", now());
    screen.type_keys("\r");
    screen.wait_for_times("pass the keyboard to Bob", 2);
    assert!(!now().contains("chips"), "{}", now());
    screen.type_keys("\r");
    screen.wait_for("another game?");
    assert!(now().contains("the game is over: you win"), "{}", now());
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A terminal that only prints has one way to take something away.
#[test]
fn what_somebody_saw_leaves_the_page_of_a_plain_terminal() {
    let (screen, slave) = Screen::new();
    resize(&slave, 80, 24);
    let mut command = ruse(&["play", "kuhn-poker", "--as", "alice,bob", "--seed", "2"]);
    let copy = || Stdio::from(slave.try_clone().unwrap());
    command.env("TERM", "dumb");
    command.stdin(copy()).stdout(copy()).stderr(copy());
    let mut child = command.spawn().unwrap();
    screen.wait_for("pass the keyboard to Alice");
    screen.type_keys("\n");
    screen.wait_for("Alice> ");
    screen.type_keys("bet\n");
    screen.wait_for("pass the keyboard to Bob");
    let text = screen.text();
    let page: Vec<&str> = text.lines().rev().take(24).collect();
    assert!(
        page[1..].iter().all(|line| line.trim().is_empty()),
        "{text}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
}

/// What is to be typed stands on one line.
#[test]
fn the_seed_and_the_help_are_not_torn_apart() {
    for columns in [24, 30, 36, 40, 50] {
        let seats = ["--as", "o,x", "--seed", "12345"];
        let text = printed(&[&["play", "tic-tac-toe"][..], &seats].concat(), columns);
        let whole = |line: &str| line.ends_with("seed 12345; `?` helps");
        assert!(text.lines().any(whole), "{columns}: {text}");
    }
}

/// Ctrl-C after the end keeps the game too, and says what can be done with it.
#[test]
fn a_finished_game_is_kept_to_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "rock-paper-scissors", "--against", "random"];
    let (mut child, screen) = at_keyboard(&arguments, folder.path(), 80);
    screen.wait_for("Alice> ");
    screen.type_keys("rock\r");
    screen.wait_for("another game?");
    screen.type_keys("\x03");
    screen.wait_for(
        "saved in RockPaperScissors.jsonl; `ruse replay RockPaperScissors.jsonl --game 1`",
    );
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let mut replay = ruse(&["replay", "RockPaperScissors.jsonl", "--game", "1"]);
    let replayed = replay.current_dir(folder.path()).output().unwrap();
    assert!(replayed.status.success());
}

/// Before anything is done nobody knows how long it will take.
#[test]
fn the_time_left_is_told_once_something_is_done() {
    let arguments = [
        "match",
        "tic-tac-toe",
        "-n",
        "4",
        "--players",
        "uct(ms=3600000)",
    ];
    let mut command = ruse(&arguments);
    let (child, screen) = watched_in(command.env("TERM", "xterm"), 80);
    screen.wait_until("time", |text| text.contains("0 of 4 games 1s"));
    interrupted(child);
    assert!(!screen.text().contains("to go"), "{}", screen.text());
}

/// Whoever waits sees that something goes on: with playouts, whatever searches, unless how often others are asked is a secret.
#[test]
fn a_player_that_thinks_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    for (game, player, playouts) in [
        ("tic-tac-toe", "uct(ms=3600000)", true),
        ("goofspiel", "smmcts(ms=3600000)", true),
        ("kuhn-poker", "ismcts(ms=3600000)", true),
        ("kuhn-poker", "determinized(ms=3600000)", true),
        ("leduc-poker", "smooth_uct(ms=3600000)", true),
        ("leduc-poker", "oos(ms=3600000)", true),
        ("phantom-tic-tac-toe", "ismcts(ms=3600000)", false),
    ] {
        let file = format!("{game}-{}", player.split('(').next().unwrap());
        let save = folder.path().join(file).display().to_string();
        let seats = ruse(&["show", game, "--json"]).output().unwrap().stdout;
        let shown: serde_json::Value = serde_json::from_slice(&seats).unwrap();
        let person = shown["players"][1].as_str().unwrap();
        let arguments = ["play", game, "--as", person, "--against", player];
        let (mut child, screen) = watched(&[&arguments[..], &["--save", &save]].concat());
        // Where all choose at a time, people do first.
        let mut input = child.stdin.take().unwrap();
        let _ = input.write_all(b"#1\n");
        screen.wait_for("thinking … 1s");
        let counted = screen.text().contains("playouts");
        assert_eq!(counted, playouts, "{game}");
        interrupt(&child);
        child.wait().unwrap();
    }
}

#[test]
fn progress_after_resume_is_that_of_what_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("record").display().to_string();
    let play = |games: &str, more: &[&str]| {
        let fixed = [
            "match",
            "goofspiel",
            "--players",
            "random",
            "--record",
            &record,
        ];
        let (mut child, screen) = watched(&[&fixed[..], &["--games", games], more].concat());
        drop(child.stdin.take());
        let mut out = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut out)
            .unwrap();
        assert!(child.wait().unwrap().success());
        screen
    };
    play("30", &[]).wait_for("30 games in");
    let resumed = play("50", &["--resume"]);
    resumed.wait_for("s; 30 games were there already");
    resumed.wait_for("20 games in");
    assert!(!resumed.text().contains("of 50 games"));
}

#[test]
fn results_that_are_there_already_are_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("duel.yaml").display().to_string();
    let text = "title: Duel\ngame: tic-tac-toe\nplayers: { A: random, B: random }\n\
                games: 10\nseed: 1\nmetrics: [share]\n";
    std::fs::write(&file, text).unwrap();
    let run = || {
        let (child, screen) = watched(&["experiment", &file]);
        assert!(child.wait_with_output().unwrap().status.success());
        screen
    };
    run().wait_for("10 games in ");
    let again = run();
    again.wait_for("already: nothing is left to be done");
    assert!(!again.text().contains("0 games in 0"));
}

/// What a player would do, and why that one is asked, in lines that fit.
#[test]
fn a_hint_fits_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "tic-tac-toe", "--against", "random"];
    let (mut child, screen) = at_keyboard(&arguments, folder.path(), 50);
    screen.wait_for("X> ");
    screen.type_keys("hint\r");
    screen.wait_for("would choose");
    let text = without_codes(&screen.text());
    let why = text.split("nobody is named").nth(1).unwrap();
    let why = why.split("would choose").next().unwrap();
    assert!(too_long(why, 50).is_empty(), "{why}");
    assert!(why.lines().count() > 2, "{why}");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A line that is written anew has room for all of it: what is wider would be left standing above.
#[test]
fn progress_fits_the_terminal() {
    for columns in [24, 40, 60, 80] {
        for (arguments, shown) in [
            (
                &[
                    "match",
                    "tic-tac-toe",
                    "-n",
                    "100000000",
                    "--players",
                    "random",
                ][..],
                " of 100000000",
            ),
            (&["report", "connect-four", "-n", "100000"], " of "),
            (&["perft", "chess", "--depth", "9"], "1"),
            (
                &[
                    "solve",
                    "leduc-poker",
                    "--method",
                    "cfr+",
                    "--iterations",
                    "100000000",
                ],
                " of 100000000",
            ),
        ] {
            let mut command = ruse(arguments);
            let (child, screen) = watched_in(command.env("TERM", "xterm"), columns);
            screen.wait_until("progress", |text| {
                text.contains(shown) && text.matches('\r').count() > 3
            });
            interrupted(child);
            let text = screen.text();
            for line in text.split(['\r', '\n']) {
                let line = without_codes(line);
                let drawn = line.contains('░') || line.contains('█');
                // What is said at the end may be as wide as the terminal: nothing is written over it.
                let most = usize::from(columns) - usize::from(drawn);
                let counts = drawn || line.contains(shown);
                assert!(
                    !counts || line.trim_end().chars().count() <= most,
                    "{arguments:?} in {columns}: `{line}`"
                );
            }
            assert!(
                columns < 40 || text.contains(" of ") == (shown != "1"),
                "{text}"
            );
        }
    }
}

/// A line without what moves the cursor and sets colours.
fn without_codes(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            '\x1b' => drop(rest.by_ref().find(char::is_ascii_alphabetic)),
            c => text.push(c),
        }
    }
    text
}

/// What was measured and found before Ctrl-C is printed.
#[test]
fn bench_and_coverage_can_be_stopped() {
    let (child, screen) = watched(&["bench", "tic-tac-toe", "--seconds", "600", "-v"]);
    screen.wait_for("compiled in");
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(1));
    screen.wait_for("stopped: 1 game not measured");

    let arguments = ["check", "chess", "hex", "--coverage", "-n", "1000000"];
    for (more, found) in [(None, "places ("), (Some("--json"), "\"complete\": false")] {
        let arguments: Vec<&str> = arguments.into_iter().chain(more).collect();
        let (child, screen) = watched(&arguments);
        screen.wait_for_some("of 1000000 games");
        let output = interrupted(child);
        assert_eq!(output.status.code(), Some(1));
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains(found), "{told}");
        screen.wait_for("stopped: 1 file not checked");
    }
}

/// What was chosen for a person stays on the screen with the first question.
#[test]
fn the_first_page_fits_below_the_beginning() {
    for (game, seat) in [
        ("scotland-yard", "X"),
        ("scotland-yard", "Red"),
        ("scotland-yard", "Black"),
        ("hanabi", "Ann"),
        ("battleship", "Red"),
    ] {
        let (screen, slave) = Screen::new();
        resize(&slave, 80, 24);
        let mut command = ruse(&["play", game, "--seed", "3", "--as", seat]);
        command.env("TERM", "dumb");
        let copy = || Stdio::from(slave.try_clone().unwrap());
        command.stdin(copy()).stdout(copy()).stderr(copy());
        let mut child = command.spawn().unwrap();
        screen.wait_for("> ");
        let text = screen.text();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(text.lines().count() <= 24, "{text}");
        assert!(text.contains("seed 3; `?` helps"), "{text}");
        // Where the one who is looked for may be is told to the end.
        let list = text.split("\nX? ").nth(1).unwrap_or_default();
        assert!(!list.contains('…'), "{text}");
    }
}

/// What is said after the last move has room below it.
#[test]
fn the_end_of_a_game_fits_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    for (rows, save) in [(17, false), (18, true), (24, true)] {
        let (screen, slave) = Screen::new();
        resize(&slave, 60, rows);
        let mut command = ruse(&["play", "go", "--as", "Black,White"]);
        if save {
            let file = folder.path().join(rows.to_string());
            command.arg("--save").arg(file);
        }
        let copy = || Stdio::from(slave.try_clone().unwrap());
        command.env("TERM", "dumb");
        command.stdin(copy()).stdout(copy()).stderr(copy());
        let mut child = command.spawn().unwrap();
        screen.wait_for("Black> ");
        screen.type_keys("pass\n");
        screen.wait_for("White> ");
        screen.type_keys("pass\n");
        screen.wait_for("another game?");
        let text = screen.text();
        let page = text.rsplit("White> ").next().unwrap();
        let lines = page.lines().skip(1).count();
        assert!(lines <= usize::from(rows), "{lines} lines:\n{page}");
        assert!(page.contains("the game is over"), "{page}");
        screen.type_keys("no\n");
        assert!(child.wait().unwrap().success());
    }
}

/// What the program prints on a terminal of so many columns.
fn printed(arguments: &[&str], columns: u16) -> String {
    let (screen, slave) = Screen::new();
    resize(&slave, columns, 24);
    let mut command = ruse(arguments);
    command.arg("--quiet");
    command.env("TERM", "xterm").env("NO_COLOR", "1");
    let copy = || Stdio::from(slave.try_clone().unwrap());
    command.stdin(Stdio::null()).stdout(copy()).stderr(copy());
    let mut child = command.spawn().unwrap();
    // Nobody else has the other end any more, so that the reader comes to the end.
    drop((command, slave));
    screen.wait_for_end();
    child.wait().unwrap();
    screen.text().replace('\r', "")
}

/// Lines that are longer than the terminal is wide, but for those that are one word.
fn too_long(text: &str, columns: usize) -> Vec<&str> {
    let long = text.lines().filter(|line| line.chars().count() > columns);
    let long = long.filter(|line| line.split_whitespace().count() > 1);
    long.collect()
}

/// The move that was made last is marked, in the colour of its player where there are colours.
#[test]
fn seats_have_colours_where_colours_are_wanted() {
    let arguments = ["play", "tic-tac-toe", "--as", "O", "--against", "random"];
    let plain = printed(&arguments, 80);
    assert!(plain.contains("(X)") && !plain.contains('\x1b'), "{plain}");
    let coloured = printed(&[&arguments[..], &["--color", "always"]].concat(), 80);
    assert!(coloured.contains("(\x1b[36mX\x1b[0m)"), "{coloured}");
}

#[test]
fn tables_problems_and_help_fit_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.game");
    std::fs::write(
        &wrong,
        "game Wrong {\n  players { Ann, Ben }\n  state { score : 0..3 }\n  play { Ann chooses x in 1..3 into scores }\n  payoff zero-sum: [p in Player] 0\n}\n",
    )
    .unwrap();
    let wrong = wrong.display().to_string();
    for (arguments, says) in [
        (&["games"][..], "tic-tac-toe"),
        (&["players"], "random"),
        (
            &[
                "match",
                "tic-tac-toe",
                "--players",
                "random",
                "--games",
                "20",
                "--seed",
                "1",
            ],
            "losses",
        ),
        (
            &[
                "analyse",
                "kuhn-poker",
                "--player",
                "ismcts(playouts=200)",
                "--moves",
                "1; 3; bet",
            ],
            "probability",
        ),
        (&["solve", "kuhn-poker"], "best response"),
        (&["show", "kuhn-poker"], "Alice"),
        (&["report", "kuhn-poker", "--games", "20"], "plies"),
        (
            &["match", "kuhn-poker", "--players", "uct"],
            "perfect information",
        ),
        (&["explain", "E0201"], "E0201"),
        (&["help", "match"], "Usage"),
    ] {
        for columns in [40, 60, 80] {
            let text = printed(arguments, columns);
            let long = too_long(&text, usize::from(columns));
            assert!(
                long.is_empty(),
                "{arguments:?} in {columns}: {long:#?} of\n{text}"
            );
            let words: Vec<&str> = text.split_whitespace().collect();
            let said = says
                .split(' ')
                .all(|word| words.iter().any(|w| w.contains(word)));
            assert!(said, "{arguments:?} in {columns}:\n{text}");
        }
    }
    let text = printed(&["check", &wrong], 40);
    assert!(text.contains("did you mean `score`?"), "{text}");
}
