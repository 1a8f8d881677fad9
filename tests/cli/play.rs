//! People at the terminal: scripted sessions as transcripts, and what a screen may tell.

#[cfg(target_os = "linux")]
use super::pty::{interrupt, interrupted, watched, watched_in};
#[cfg(target_os = "linux")]
use super::saved_games::game_in;
use crate::support::command::ruse;
use crate::support::snapshots::snapshots;
use ruse::internal::arena::session::{Occupant, Page, Session, Waiting, screen};
use ruse::internal::check::Settings;
use ruse::internal::machine::Observation;
use ruse::internal::players::Patience;
use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// The program with all its streams in the hands of the test.
pub fn piped(arguments: &[&str]) -> Command {
    let mut command = ruse(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A session with these lines typed.
pub fn typed(arguments: &[&str], lines: &str) -> Output {
    // Where a game is kept that has no file yet.
    let folder = tempfile::tempdir().unwrap();
    typed_in(folder.path(), arguments, lines)
}

/// The same in a folder.
pub fn typed_in(folder: &Path, arguments: &[&str], lines: &str) -> Output {
    let mut child = piped(arguments).current_dir(folder).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // A session that ends early reads no more.
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    child.wait_with_output().unwrap()
}

/// What stands on the screen after a session that goes well.
pub fn screen_of(arguments: &[&str], lines: &str) -> String {
    let output = typed(arguments, lines);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    let mut told = errors.lines();
    let is_usual = |line: &str| {
        ["saved in ", "what each of you sees "]
            .iter()
            .any(|begun| line.starts_with(begun))
    };
    assert!(told.all(is_usual), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn snapshot(name: &str, text: &str) {
    snapshots("sessions").bind(|| insta::assert_snapshot!(name, text));
}

/// A person against a patrol that was found beforehand and saved.
#[test]
fn a_person_plays_against_a_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str], lines: &str| {
        let mut child = piped(arguments).current_dir(&folder).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let _ = input.write_all(lines.as_bytes());
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let save = ["--leader", "Defender", "--save", "plan.json"];
    run(&[&["solve", "patrol"], &save[..]].concat(), "");
    let against = ["--against", "strategy(file=plan.json)", "--seed", "1"];
    let play = [&["play", "patrol", "--as", "Evader"], &against[..]].concat();
    snapshot("patrol-schedule", &run(&play, "7\n6\n6\n5\n2\n"));
}

pub const TIC_TAC_TOE: [&str; 8] = [
    "play",
    "tic-tac-toe",
    "--as",
    "X",
    "--against",
    "random",
    "--seed",
    "1",
];

#[test]
fn a_game_from_its_beginning_to_its_end() {
    let lines =
        "b2\nzz\nb2\n?\nhint uct(playouts=500)\nhint nobody\noptions\nb1\nb3\nhistory\nno\n";
    snapshot("a-game", &screen_of(&TIC_TAC_TOE, lines));
}

#[test]
fn boards_are_drawn() {
    for (game, set, lines) in [
        ("connect-four", "rows=4", "4\n4\nquit\n"),
        ("hex", "size=4", "b2\nc3\nquit\n"),
        ("go", "size=5", "c3\nb\nquit\n"),
        ("breakthrough", "columns=4", "quit\n"),
        ("draughts", "", "11-15\nquit\n"),
        ("backgammon", "", "quit\n"),
        ("phantom-tic-tac-toe", "", "b2\na1\nquit\n"),
        ("reversi", "size=4", "a2\nquit\n"),
        (
            "stratego-small",
            "",
            "F on a1\nB on b1\nB on c1\n3 on d1\n3 on e1\n6 on f1\n\
             2 on a2\nS on b2\n2 on c2\n9 on d2\nM on e2\n2 on f2\n\
             c2c3\nquit\n",
        ),
    ] {
        let seat = ruse(&["show", game, "--json"]).output().unwrap().stdout;
        let shown: serde_json::Value = serde_json::from_slice(&seat).unwrap();
        let seat = shown["players"][0].as_str().unwrap().to_string();
        let mut arguments = vec![
            "play",
            game,
            "--as",
            &seat,
            "--against",
            "random",
            "--seed",
            "2",
        ];
        if !set.is_empty() {
            arguments.extend(["--set", set]);
        }
        snapshot(game, &screen_of(&arguments, lines));
    }
}

/// Numbered stations, a picture, and the end, at which everything is drawn by the layouts too.
#[test]
fn graphs_are_drawn() {
    for (name, game, seat, set, lines) in [
        (
            "patrol",
            "patrol",
            "Defender",
            "units=2",
            "3, 0\n4, 3\nquit\n",
        ),
        (
            "patrol-end",
            "patrol",
            "Evader",
            "rounds=2",
            "#1\n#1\nreveal\nno\n",
        ),
        (
            "scotland-yard",
            "scotland-yard",
            "Red",
            "seats=3",
            "#1\n#1\nquit\n",
        ),
        (
            "scotland-yard-mini",
            "scotland-yard-mini",
            "X",
            "seats=3",
            "#1\n#1\nquit\n",
        ),
        (
            "scotland-yard-mini-end",
            "scotland-yard-mini",
            "Red",
            "rounds=1",
            "#1\nreveal\nno\n",
        ),
    ] {
        let arguments = [
            "play",
            game,
            "--as",
            seat,
            "--against",
            "random",
            "--seed",
            "2",
            "--set",
            set,
        ];
        snapshot(name, &screen_of(&arguments, lines));
    }
}

#[test]
fn taking_a_move_back() {
    let screen = screen_of(&TIC_TAC_TOE, "undo\nb2\nundo\na1\nundo\nb2\nquit\n");
    snapshot("undo", &screen);
    // After the same move the same answer comes.
    let answers: Vec<&str> = screen
        .split("X> b2\n")
        .skip(1)
        .filter_map(|rest| rest.lines().find(|l| l.starts_with("O ")))
        .collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_hidden_card_stays_hidden() {
    let arguments = ["play", "kuhn-poker", "--as", "Alice", "--against", "random"];
    for seed in 0..6 {
        let seed = seed.to_string();
        let mut arguments = arguments.to_vec();
        arguments.extend(["--seed", &seed]);
        let screen = screen_of(&arguments, "bet\nhistory\nno\n");
        assert!(!screen.contains("card[Bob]"), "{screen}");
        // A row of the table with a card and with chips.
        let has_card = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let numbers = words.iter().skip(1).map(|w| w.parse::<u8>());
            words.first() == Some(&"Bob") && numbers.filter(Result::is_ok).count() == 2
        };
        assert!(!screen.lines().any(has_card), "{screen}");
        let shown = screen_of(&arguments, "bet\nreveal\nno\n");
        assert!(shown.lines().any(has_card), "{shown}");
        if seed == "3" {
            snapshot("kuhn-poker", &shown);
        }
    }
}

#[test]
fn shown_values_stand_with_the_variables() {
    let arguments = [
        "play",
        "cheat",
        "--set",
        "ranks=4",
        "--set",
        "dealt=3",
        "--as",
        "Ben",
        "--against",
        "random",
        "--seed",
        "3",
    ];
    snapshot("cheat", &screen_of(&arguments, "#1\n#1\nno\n"));
}

#[test]
fn choices_at_a_time_are_made_unseen() {
    let arguments = [
        "play",
        "goofspiel",
        "--as",
        "Alice,Bob",
        "--set",
        "cards=3",
        "--seed",
        "3",
    ];
    let screen = screen_of(&arguments, "\n3\n\n1\n\n2\n\n3\n\n1\n\n2\nno\n");
    snapshot("goofspiel", &screen);
    let (before, after) = screen.split_once("Bob> 1").unwrap();
    let tells = |text: &str| {
        let mut lines = text.lines();
        lines.any(|line| line.split_whitespace().eq(["Alice", "3"]))
    };
    assert!(!tells(before), "{before}");
    assert!(tells(after), "{after}");
}

#[test]
fn another_game_has_other_chances() {
    let arguments = [
        "play",
        "kuhn-poker",
        "--as",
        "Alice",
        "--against",
        "random",
        "--seed",
        "1",
    ];
    let screen = screen_of(&arguments, &format!("{}bet\nno\n", "bet\nyes\n".repeat(12)));
    let cards: HashSet<&str> = screen
        .lines()
        .filter(|l| l.starts_with("you drew"))
        .collect();
    assert!(cards.len() > 1, "{screen}");
}

/// A draw is told with the player whom it was for, and of one's own what one sees.
#[test]
fn what_was_drawn_is_told_with_for_whom() {
    let drawn = |game: &str, seat: &str, seed: u64| {
        let seed = seed.to_string();
        let arguments = ["play", game, "--as", seat, "--against", "random", "--seed"];
        let screen = screen_of(&[&arguments[..], &[&seed]].concat(), "history\nquit\n");
        let history = screen.rsplit("> history\n").next().unwrap();
        let rows = history.lines().map(|row| row.split_whitespace().skip(1));
        rows.map(|row| row.take(4).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    let dealt = drawn("hanabi", "Ann", 6);
    assert!(dealt.contains(&"Ben drew white 1".to_string()), "{dealt:?}");
    assert!(!dealt.iter().any(|row| row.starts_with("you")), "{dealt:?}");
    let roles: Vec<String> = (1..5)
        .map(|seed| drawn("resistance", "Ann", seed)[0].clone())
        .collect();
    let spy = "you drew spy role[Ann]".to_string();
    assert!(roles.contains(&spy), "{roles:?}");
    // What a die shows is nobody's.
    let dice = drawn("backgammon", "White", 2);
    assert!(dice[0].starts_with("(drawn) "), "{dice:?}");
}

/// What one alone sees was drawn for it, whether or not the value was there before.
#[test]
fn a_draw_is_told_alike_whatever_its_value() {
    let game = "game Worth {
  players { Ann, Ben }
  state { worth : [p: Player] 1..3 seen by p }
  play {
    each p in Player { draw w in 1..2 into worth[p] as \"{w}\" }
    Ann chooses n in 1..2
  }
  payoff zero-sum: [p in Player] 0
}";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("worth.game");
    std::fs::write(&path, game).unwrap();
    let path = path.to_str().unwrap();
    let drawn: HashSet<String> = (1..9)
        .flat_map(|seed| {
            let arguments = ["play", path, "--as", "Ann", "--against", "random", "--seed"];
            let screen = screen_of(&[&arguments[..], &[&seed.to_string()]].concat(), "quit\n");
            let told = screen.lines().filter(|line| line.contains("dr"));
            told.map(str::to_string).collect::<Vec<_>>()
        })
        .collect();
    let told = ["you drew  1", "you drew  2"].map(str::to_string);
    assert_eq!(drawn, HashSet::from(told));
}

/// Hundreds of sets of cards leave room for what else may be done.
#[test]
fn options_that_differ_in_their_elements_stand_for_each_other() {
    let arguments = ["play", "cheat", "--against", "random", "--seed", "5"];
    let screen = screen_of(&arguments, "quit\n");
    let question = screen.split("\n\n").last().unwrap();
    assert!(question.contains("call"), "{question}");
    assert!(question.contains("take"), "{question}");
    assert!(question.contains("1 x 10: {A♦} (8)"), "{question}");
    assert!(
        question.contains(" such; `options` lists all "),
        "{question}"
    );
    let all = screen_of(&arguments, "options\nquit\n");
    assert!(all.contains("3 x 10: {A♦, A♠, 3♣} "), "{all}");
}

/// Signs that no keyboard has, and two numbers typed as one.
#[test]
fn cards_are_typed_on_an_ordinary_keyboard() {
    let arguments = ["play", "cheat", "--against", "random", "--seed", "5"];
    let screen = screen_of(&arguments, "210 6d 8s\n2 zz\n?\nquit\n");
    assert!(screen.contains("Ann  2 x 10: {6♦, 8♠}\n"), "{screen}");
    let letters = "type `s` for ♠, `c` for ♣, `h` for ♥, `d` for ♦";
    let flowing = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(flowing.matches(letters).count(), 2, "{screen}");
}

/// Where finding the states that may be took a good share of the time, a hint says so.
#[test]
fn a_hint_tells_what_its_belief_took() {
    let arguments = ["play", "whist", "--set", "ranks=5", "--against", "random"];
    let advised = |player: &str| screen_of(&arguments, &format!("hint {player}\nquit\n"));
    let took = "bringing the belief up to date took ";
    assert!(advised("ismcts(ms=1)").contains(took));
    assert!(!advised("ismcts(playouts=5)").contains(took));
}

/// A search that cannot try all options says so.
#[test]
fn advice_of_too_few_playouts_is_told_to_be_that() {
    let arguments = ["play", "chess", "--against", "random", "--seed", "1"];
    let advised = |playouts: u64| {
        let line = format!("hint uct(playouts={playouts})\nquit\n");
        screen_of(&arguments, &line)
    };
    let few = "5 playouts cannot try 20 options";
    assert!(advised(5).contains(few));
    assert!(!advised(20).contains("cannot try"));
    let found = |player: &str| {
        let output = typed(&["analyse", "chess", "--player", player], "");
        String::from_utf8(output.stdout).unwrap()
    };
    let against = [
        &arguments[..2],
        &["--as", "Black", "--against", "uct(playouts=5)"],
    ]
    .concat();
    let output = typed(&against, "quit\n");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with(&format!("White: {few}")), "{told}");
    assert!(found("uct(playouts=5)").contains(few));
    assert!(!found("uct(playouts=20)").contains("cannot try"));
}

/// What was chosen for whoever says nothing, and for whom.
#[test]
fn a_game_begins_with_its_name_alone() {
    let first = |arguments: &[&str], lines: &str| {
        let screen = screen_of(&[&["play"][..], arguments].concat(), lines);
        screen.lines().take(4).collect::<Vec<_>>().join("\n")
    };
    let told = first(&["tic-tac-toe", "--seed", "1"], "quit\n");
    assert_eq!(
        told,
        "you play X; `--as` takes another seat\n\
         nobody is named, so it is uct(playouts=1000): everything is seen, and one\n\
         player moves at a time\n\
         TicTacToe; seed 1; `?` helps"
    );
    let told = first(
        &["tic-tac-toe", "--seed", "1", "--against", "x=random"],
        "quit\n",
    );
    assert!(told.starts_with("you play O;"), "{told}");
    assert!(told.contains("X=random, O=person"), "{told}");
    let told = first(&["tic-tac-toe", "--seed", "1", "--quiet"], "quit\n");
    assert!(
        told.starts_with("TicTacToe; seed 1; `?` helps\n\n"),
        "{told}"
    );
    let told = first(&["tic-tac-toe", "--seed", "1", "--as", "o,x"], "quit\n");
    assert!(told.starts_with("TicTacToe; X=person, O=person"), "{told}");
    // Where everything is seen nobody has to look away.
    let screen = screen_of(&["play", "tic-tac-toe", "--as", "o,x"], "b2\na1\nquit\n");
    assert!(!screen.contains("pass the keyboard"), "{screen}");
    assert!(screen.contains("O> a1"), "{screen}");
}

#[test]
fn seats_are_checked() {
    for (arguments, said) in [
        (&["--as", "Y"][..], "no player `Y`"),
        (&["--as", "X,x"], "twice"),
        (
            &["--as", "X,O", "--against", "random"],
            "the game has 2 seats, and people play X, O",
        ),
        (&["--as", "x", "--against", "X=random"], "a person plays X"),
        (&["--as", "X", "--against", "O=randm"], "randm"),
    ] {
        let mut all = vec!["play", "tic-tac-toe"];
        all.extend(arguments);
        let output = typed(&all, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(said), "{errors}");
    }
}

/// Searches that would go on for hours.
#[cfg(target_os = "linux")]
const LONG: [(&str, &str); 4] = [
    ("tic-tac-toe", "uct(ms=3600000)"),
    ("goofspiel", "smmcts(ms=3600000)"),
    ("kuhn-poker", "ismcts(ms=3600000)"),
    ("leduc-poker", "oos(ms=3600000)"),
];

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_is_heard_while_a_player_thinks() {
    for (game, player) in LONG {
        let folder = tempfile::tempdir().unwrap();
        let game = format!("{}/games/{game}.game", env!("CARGO_MANIFEST_DIR"));
        let seats = ruse(&["show", &game, "--json"]).output().unwrap().stdout;
        let shown: serde_json::Value = serde_json::from_slice(&seats).unwrap();
        let person = shown["players"][1].as_str().unwrap().to_string();
        let arguments = ["play", &game, "--as", &person, "--against", player];
        let mut command = ruse(&arguments);
        let (mut child, screen) = watched_in(command.current_dir(folder.path()), 80);
        // Where all choose at a time, people do first.
        let mut input = child.stdin.take().unwrap();
        let _ = input.write_all(b"#1\n");
        screen.wait_for("thinking … 1s");
        let output = interrupted(child);
        screen.wait_for_end();
        let errors = screen.text();
        assert_eq!(output.status.code(), Some(1), "{player}: {errors}");
        let file = errors.split("--resume ").nth(1).expect("a file");
        let file = file.split('`').next().unwrap();
        // What was thought to half is not played.
        let saved = game_in(&folder.path().join(file));
        let plies = saved["plies"].as_array().unwrap();
        let is_draw = |ply: &serde_json::Value| !ply.to_string().contains("\"by\"");
        assert!(plies.iter().all(is_draw), "{player}: {saved}");
        drop(input);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_is_heard_while_a_hint_is_sought() {
    let folder = tempfile::tempdir().unwrap();
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/games/tic-tac-toe.game");
    let mut command = ruse(&["play", game, "--as", "X", "--against", "random"]);
    let (mut child, shown) = watched_in(command.current_dir(folder.path()), 80);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"b2\nhint uct(ms=3600000)\n").unwrap();
    shown.wait_for("thinking … 1s");
    interrupt(&child);
    // The game goes on.
    let mut screen = String::new();
    let mut out = child.stdout.take().unwrap();
    while !screen.contains("no hint: it was stopped\nX> ") {
        let mut byte = [0];
        out.read_exact(&mut byte).unwrap();
        screen.push(char::from(byte[0]));
    }
    assert!(!screen.contains("would choose"), "{screen}");
    child.stdout = Some(out);
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(1));
    let saved = game_in(&folder.path().join("TicTacToe.jsonl"));
    assert_eq!(saved["plies"].as_array().unwrap().len(), 2);
    drop(input);
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_is_heard_in_a_match() {
    for (game, player) in LONG {
        let (child, screen) = watched(&["match", game, "--players", player, "--games", "3"]);
        screen.wait_for("0 of 3 games 1s");
        let output = interrupted(child);
        screen.wait_for_end();
        let errors = screen.text();
        assert_eq!(output.status.code(), Some(1), "{player}: {errors}");
        assert!(errors.contains("stopped after 0 of 3 games"), "{errors}");
    }
}

/// What was found is printed, and whoever asks for the exit code knows that it is not all.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_is_heard_in_an_analysis() {
    let (child, screen) = watched(&["analyse", "tic-tac-toe", "--player", LONG[0].1, "-v"]);
    // From then on Ctrl-C is heard.
    screen.wait_for("player uct");
    let output = interrupted(child);
    screen.wait_for_end();
    assert_eq!(output.status.code(), Some(1), "{}", screen.text());
    assert!(screen.text().contains("stopped: the search"));
    assert!(String::from_utf8(output.stdout).unwrap().contains("b2"));
    let silent = ruse(&["analyse", "tic-tac-toe", "--quiet", "--json"]);
    assert_eq!({ silent }.output().unwrap().stderr, b"");
}

/// People read words and names, and no formulas of the rules.
#[test]
fn shipped_games_tell_what_they_reveal_in_words() {
    let games = ruse(&["games", "--json"]).output().unwrap().stdout;
    let games: serde_json::Value = serde_json::from_slice(&games).unwrap();
    let hidden = games["games"].as_array().unwrap().iter();
    let hidden = hidden.filter(|game| game["hidden"] == true || game["simultaneous"] == true);
    let lines = format!("{}history\nno\nquit\n", "#1\n".repeat(60));
    let mut told = 0;
    for game in hidden {
        let name = game["name"].as_str().unwrap();
        let arguments = ["play", name, "--against", "random", "--seed", "1"];
        let output = typed(&arguments, &lines);
        let screen = String::from_utf8(output.stdout).unwrap();
        for (at, _) in screen.match_indices("(revealed)") {
            let words = screen[at + "(revealed)".len()..].lines().next().unwrap();
            let words = words.trim_start().split("  ").next().unwrap();
            let words = words.split(" (").next().unwrap();
            let is_formula = ["[", "(", "==", "<=", ">=", " where", "?"];
            let is_formula = is_formula.iter().any(|sign| words.contains(sign));
            assert!(!is_formula && !words.is_empty(), "{name}: {words}");
            told += 1;
        }
    }
    assert!(told > 100, "{told}");
}

/// What one seat has seen, by the game: the same screens must come of it in every world in which it is seen.
#[test]
fn equal_information_gives_equal_screens() {
    for (game, settings) in [
        ("kuhn-poker", &[][..]),
        ("leduc-poker", &[]),
        ("goofspiel", &[("cards", "3"), ("bids", "hidden")]),
        ("phantom-tic-tac-toe", &[]),
        ("liars-dice", &[]),
        ("resistance", &[]),
        ("patrol", &[("rounds", "2")]),
        ("scotland-yard-mini", &[("rounds", "3"), ("seats", "2")]),
    ] {
        let path = format!("{}/games/{game}.game", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap();
        let pairs = settings.iter().map(|(k, v)| (k.to_string(), v.to_string()));
        let settings: Settings = pairs.collect();
        let beside = |_: &str, file: &str| {
            let path = format!("{}/games/{file}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
            Ok((path, text))
        };
        let (loaded, _) = ruse::load_with(&path, &text, &settings, &beside);
        let machine = Arc::new(loaded.unwrap().0);
        let clock: ruse::internal::players::Clock = Arc::new(|| Duration::ZERO);
        let mut screens: HashMap<(usize, Vec<Observation>), String> = HashMap::new();
        let mut worlds: HashMap<(usize, Vec<Observation>), String> = HashMap::new();
        let (mut told_apart, page) = (0, Page::default());
        for number in 0..300 {
            let seats = vec![Occupant::Person; machine.player_count()];
            let mut session = Session::new(&machine, seats, 5, number, &clock).unwrap();
            let mut turn = number;
            while let Waiting::Choice(seat) = session.advance(Patience::ENDLESS).unwrap() {
                let view = session.view(seat).unwrap();
                let screen = format!(
                    "{}{}",
                    screen::question(&view, &page),
                    screen::history(&view, &page)
                );
                let key = (seat, session.seat(seat).unwrap().observations().to_vec());
                let world = format!("{:?}", session.plies());
                let old = worlds.entry(key.clone()).or_insert_with(|| world.clone());
                told_apart += usize::from(*old != world);
                let known = screens.entry(key).or_insert_with(|| screen.clone());
                assert_eq!(*known, screen, "{game}");
                turn = turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let option = (turn >> 33) as usize % view.options.len();
                assert!(session.choose(seat, option).unwrap());
            }
        }
        assert!(told_apart > 0, "{game}: no two worlds looked the same");
    }
}

/// The rule's name stands for a value only where that is what it holds, and a formula is quoted without its brackets.
#[test]
fn revealed_values_have_the_names_that_hold_them() {
    let text = "game Names {
      players { Ann, Ben }
      state { card : [p: Player] 0..2 seen by p   n : 0..99   sums : [Player] 0..9 }
      play {
        draw each p in Player: c[p] in { 2 } into card[p]
        n = reveal(card[Ann] + 1)
        n += reveal(card[Ann] + 6)
        sums[Ben] = 9
        sums[Ben] -= reveal(min(card[Ann], 1))
        n = 2 * (reveal(card[Ann] + 2 to Ben))
        if (reveal((card[Ann] + 1) mod 2 == 1)) { n = 1 }
        sums = [p in Player] reveal(card[Ann] * 2 + card[p] - card[p])
        Ben chooses q in Player
      }
      payoff general-sum: [p in Player] 0
    }";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("names.game");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let arguments = ["play", path, "--as", "Ben", "--against", "random"];
    let screen = String::from_utf8(typed(&arguments, "quit\n").stdout).unwrap();
    let found: Vec<&str> = screen
        .split("(revealed)")
        .skip(1)
        .map(|told| told.lines().next().unwrap().trim())
        .collect();
    let expected = [
        "n: 3",
        "card[Ann] + 6: 8",
        "min(card[Ann], 1): 1",
        "card[Ann] + 2: 4",
        "(card[Ann] + 1) mod 2 == 1? yes",
        "sums: 4",
        "sums: 4",
    ];
    assert_eq!(found, expected, "{screen}");
}
