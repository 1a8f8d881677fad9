//! The program on a terminal: a pseudo-terminal whose other end the test holds.

use crate::support::command::ruse;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What was written to a terminal so far.
struct Screen(Arc<Mutex<Vec<u8>>>, File);

impl Screen {
    /// A terminal, as what it shows and as the end that a program has.
    fn new() -> (Screen, File) {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let mut slave = OpenOptions::new();
        let slave = slave.read(true).write(true).open(name.to_str().unwrap());
        let slave = slave.unwrap();
        let shown = Arc::new(Mutex::new(Vec::new()));
        let (all, master) = (Arc::clone(&shown), File::from(master));
        let mut reader = master.try_clone().unwrap();
        // It ends with an error when nobody has the other end any more.
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                all.lock().unwrap().extend_from_slice(&bytes[..n]);
            }
        });
        (Screen(shown, master), slave)
    }

    /// All that was written so far. A sign that has not come in full yet is a `\u{fffd}` at the end.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }

    fn type_keys(&self, keys: &str) {
        (&self.1).write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until a text is shown.
    fn wait_for(&self, text: &str) {
        self.wait_for_times(text, 1);
    }

    /// Waits until a text was shown so often.
    fn wait_for_times(&self, text: &str, times: usize) {
        let start = Instant::now();
        while self.text().matches(text).count() < times {
            let shown = self.text();
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "no `{text}` in: {shown}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The program with its standard error on a terminal.
fn watched(arguments: &[&str]) -> (Child, Screen) {
    let (screen, slave) = Screen::new();
    let mut command = ruse(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(slave);
    (command.spawn().unwrap(), screen)
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status();
    assert!(status.unwrap().success());
}

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

/// Whoever waits sees that something goes on: with playouts, unless how often others are asked is a secret.
#[test]
fn a_player_that_thinks_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    for (game, player, playouts) in [
        ("tic-tac-toe", "uct(ms=3600000)", true),
        ("kuhn-poker", "ismcts(ms=3600000)", false),
    ] {
        let save = folder.path().join(game).display().to_string();
        let seats = ruse(&["show", game, "--json"]).output().unwrap().stdout;
        let shown: serde_json::Value = serde_json::from_slice(&seats).unwrap();
        let person = shown["players"][1].as_str().unwrap();
        let arguments = ["play", game, "--as", person, "--against", player];
        let (mut child, screen) = watched(&[&arguments[..], &["--save", &save]].concat());
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

/// What the program prints on a terminal of so many columns.
fn printed(arguments: &[&str], columns: u16) -> String {
    let (screen, slave) = Screen::new();
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&slave, size).unwrap();
    let mut command = ruse(arguments);
    command.arg("--quiet");
    command.env("TERM", "xterm").env("NO_COLOR", "1");
    let copy = || Stdio::from(slave.try_clone().unwrap());
    command.stdin(Stdio::null()).stdout(copy()).stderr(copy());
    let mut child = command.spawn().unwrap();
    child.wait().unwrap();
    // Nobody has the other end any more, so that the reader comes to the end.
    drop((command, slave));
    while Arc::strong_count(&screen.0) > 1 {
        std::thread::sleep(Duration::from_millis(10));
    }
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
