//! Strategies in files: what `ruse solve --save` writes, `ruse exploitability` and `ruse best-response` read.

#[cfg(target_os = "linux")]
use super::pty::{interrupted, watched};
use crate::support::command::{fine, run, ruse};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn json(arguments: &[&str]) -> Value {
    let output = ruse(arguments).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn refused(arguments: &[&str], code: i32, said: &str) {
    let output = ruse(arguments).output().unwrap();
    // With `--json` what is wrong is a document on standard output.
    let mut error = String::from_utf8_lossy(&output.stderr).into_owned();
    error.push_str(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(error.contains(said), "{arguments:?}: {error}");
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

#[test]
fn a_saved_strategy_is_as_good_as_it_was() {
    let folder = Folder::new();
    let file = folder.path("kuhn.json");
    let file = file.to_str().unwrap();
    let base = [
        "solve",
        "kuhn-poker",
        "--method",
        "cfr+",
        "--iterations",
        "200",
        "--json",
    ];
    let solved = json(&[&base[..], &["--save", file]].concat());
    let read = json(&["exploitability", "kuhn-poker", "--strategy", file, "--json"]);
    assert_eq!(solved["tree"], read["tree"]);
    // Reading decimal numbers may change a last bit.
    for player in ["Alice", "Bob"] {
        for field in ["values", "best_responses"] {
            let (before, after) = (&solved[field][player], &read[field][player]);
            assert!((number(before) - number(after)).abs() < 1e-12, "{field}");
        }
    }
    assert!(number(&read["nash_conv"]) < 0.01);

    // Alice against somebody who plays uniformly earns what her strategy earns there, and no more than the best response.
    let mixed = ["--strategy", file, "--strategy", "Bob=uniform", "--json"];
    let mixed = json(&[&["exploitability", "kuhn-poker"], &mixed[..]].concat());
    assert!((number(&mixed["best_responses"]["Alice"]) - 0.5).abs() < 1e-12);
    assert!(number(&mixed["values"]["Alice"]) > 0.0);

    // What is there is not written over.
    refused(&[&base[..], &["--save", file]].concat(), 2, "E0806");
}

#[test]
fn a_best_response_can_be_saved_and_measured() {
    let folder = Folder::new();
    let file = folder.path("answer.json");
    let file = file.to_str().unwrap();
    let arguments = [
        "best-response",
        "leduc-poker",
        "--set",
        "suits=merged",
        "--player",
        "Bob",
    ];
    let found = json(&[&arguments[..], &["--save", file, "--json"]].concat());
    let best = number(&found["best_response"]);
    assert!((best - 2.659722222222).abs() < 1e-9, "{best}");
    let arguments = ["exploitability", "leduc-poker", "--set", "suits=merged"];
    let strategy = format!("Bob={file}");
    let read = json(&[&arguments[..], &["--strategy", &strategy, "--json"]].concat());
    assert!((number(&read["values"]["Bob"]) - best).abs() < 1e-12);
}

#[test]
fn forced_moves_are_part_of_the_file() {
    let folder = Folder::new();
    let file = folder.path("goofspiel.json");
    let file = file.to_str().unwrap();
    let game = ["goofspiel-hidden", "--set", "cards=3"];
    let solve = [
        &["solve"],
        &game[..],
        &["--method", "lp", "--save", file, "--skip-forced"],
    ];
    assert!(ruse(&solve.concat()).output().unwrap().status.success());
    let measure = [
        &["exploitability"],
        &game[..],
        &["--strategy", file, "--json"],
    ]
    .concat();
    let read = json(&[&measure[..], &["--skip-forced"]].concat());
    assert!(number(&read["nash_conv"]) < 1e-8);
    refused(&measure, 2, "--skip-forced");
}

#[test]
fn files_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    let file = folder.path("kuhn.json");
    let path = file.to_str().unwrap();
    let base = ["solve", "kuhn-poker", "--method", "cfr", "--save", path];
    assert!(ruse(&base).output().unwrap().status.success());
    let measure = |game: &[&str], said: &str| {
        let strategy = ["--strategy", path];
        refused(
            &[&["exploitability"], game, &strategy[..]].concat(),
            2,
            said,
        );
    };
    measure(&["leduc-poker"], "is for KuhnPoker, and this is LeducPoker");
    measure(&["kuhn-poker", "--set", "seats=3"], "other params");

    let text = std::fs::read_to_string(&file).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let changed = |change: &dyn Fn(&mut Value), said: &str| {
        let mut document = document.clone();
        change(&mut document);
        std::fs::write(&file, document.to_string()).unwrap();
        measure(&["kuhn-poker"], said);
    };
    let rows = |d: &mut Value| d["information_states"].as_array_mut().unwrap().clone();
    changed(&|d| d["description"] = "sha256:0".into(), "other rules");
    changed(&|d| d["ruse"] = "0.0.1".into(), "ruse 0.0.1");
    changed(
        &|d| d["information_states"] = rows(d)[1..].to_vec().into(),
        "has 11",
    );
    changed(
        &|d| d["information_states"].as_array_mut().unwrap().reverse(),
        "another player",
    );
    let first = |d: &mut Value, to: Value| d["information_states"][0]["probabilities"] = to;
    changed(&|d| first(d, vec![0.5, 0.6].into()), "add up to 1");
    changed(&|d| first(d, vec![1.5, -0.5].into()), "below 0");
    changed(&|d| first(d, vec![1.0].into()), "number of moves");
    changed(&|d| first(d, "nothing".into()), "is no file of strategies");
    let row = |d: &mut Value, key: &str, to: Value| d["information_states"][0][key] = to;
    let other = |key: &'static str, to: Value| move |d: &mut Value| row(d, key, to.clone());
    changed(&other("saw", vec!["queen"].into()), "saw something else");
    changed(&other("moves", vec!["fold", "raise"].into()), "other moves");
    changed(&|d| d["ruse-strategies"] = 9.into(), "has version 9");
    let old = |d: &mut Value| d.as_object_mut().unwrap().remove("ruse-strategies");
    changed(&|d| drop(old(d)), "has version 1");
    std::fs::write(&file, &text[..text.len() / 2]).unwrap();
    measure(&["kuhn-poker"], "is no file of strategies");
}

/// Nobody waits for the end of a file that has none.
#[test]
fn files_that_are_too_large_are_refused() {
    let folder = Folder::new();
    let file = std::fs::File::create(folder.path("zero.json")).unwrap();
    file.set_len((1 << 30) + 1).unwrap();
    let at = folder.0.path();
    for arguments in [
        &["exploitability", "kuhn-poker", "--strategy", "zero.json"][..],
        &[
            "match",
            "kuhn-poker",
            "--players",
            "strategy(file=zero.json)",
        ],
        &["match", "kuhn-poker", "--players", "quantal(to=zero.json)"],
    ] {
        let (exit, _, error) = run(at, arguments);
        assert!(
            exit == 2 && error.contains("E0803"),
            "{arguments:?}: {error}"
        );
    }
}

/// A saved strategy plays wherever players do; files are where the user stands, or beside the file that names them.
#[test]
fn a_saved_strategy_sits_at_the_table() {
    let folder = Folder::new();
    let at = folder.0.path();
    let write = |name: &str, text: &str| std::fs::write(folder.path(name), text).unwrap();
    fine(
        at,
        &[
            "solve",
            "kuhn-poker",
            "--method",
            "lp",
            "--save",
            "kuhn.json",
        ],
    );
    let play = |players: &str, more: &[&str]| -> Value {
        let arguments = ["match", "kuhn-poker", "--players", players, "--json"];
        let arguments = [&arguments[..], &["--games", "3000"], more].concat();
        serde_json::from_str(&fine(at, &arguments)).unwrap()
    };
    let known = play("strategy(file=kuhn.json)", &["--record", "kuhn.jsonl"]);
    // What an equilibrium pays to the first player, and how often it bets with the best card.
    let paid = number(&known["seats"]["Alice"]["payoff"]["mean"]);
    assert!((paid + 1.0 / 18.0).abs() < 0.06, "{paid}");
    assert_eq!(known["players"][0]["spec"], "strategy(file=kuhn.json)");
    fine(at, &["replay", "kuhn.jsonl"]);

    std::fs::create_dir(folder.path("players")).unwrap();
    std::fs::rename(folder.path("kuhn.json"), folder.path("players/kuhn.json")).unwrap();
    write("players/one.yaml", "strategy:\n  file: kuhn.json\n");
    write(
        "players/all.yaml",
        "- strategy: { file: kuhn.json }\n- random\n",
    );
    for players in [
        "@players/one.yaml",
        "players/all.yaml",
        "Alice=@players/one.yaml,Bob=strategy(file=players/kuhn.json, nodes=100)",
    ] {
        play(players, &[]);
    }
    write(
        "players/x.yaml",
        "game: kuhn-poker\nplayers:\n  Saved: { strategy: { file: kuhn.json } }\n  Solved: solve\n  Random: random\ngames: 40\n",
    );
    fine(at, &["experiment", "players/x.yaml"]);
    let seen = fine(
        at,
        &[
            "analyse",
            "kuhn-poker",
            "--player",
            "@players/one.yaml",
            "--moves",
            "3; 1; bet",
            "--json",
        ],
    );
    let seen: Value = serde_json::from_str(&seen).unwrap();
    let actions = &seen["to_move"][0]["actions"];
    assert!(number(&actions[0]["probability"]) > 0.999, "{seen}");
    assert!(actions[0].get("visits").is_none() && seen.get("playouts").is_none());

    // What a file says is asked of the game before anything is played.
    let said = |players: &str, code: &str| {
        let arguments = ["match", "leduc-poker", "--players", players];
        let (exit, _, error) = run(at, &arguments);
        assert!(exit != 0 && error.contains(code), "{players}: {error}");
    };
    said("@players/one.yaml", "E0812");
    said("strategy(file=nothing.json)", "E0801");
    said("strategy(file=players/one.yaml)", "E0812");
    said("strategy", "E0753");
    said("solve(method=backward)", "E0771");
    said("solve(method=lp, nodes=100)", "E0775");
    said("solve(method=lp, nodes=100)", "`method=lp, nodes=…`");
    said("solve(iterations=100)", "E0752");
    said("solve(method=lp, memory=100)", "E0752");
    said("solve(method=backward, nodes=100)", "E0752");
    said("solve(nodes=100)", "E0752");
}

#[test]
fn one_seed_gives_one_result() {
    let run = |seed: &str| {
        let arguments = [
            "--method",
            "mccfr",
            "--iterations",
            "300",
            "--seed",
            seed,
            "--json",
        ];
        let found = json(&[&["solve", "leduc-poker"], &arguments[..]].concat());
        (found["strategies"].clone(), found["convergence"].clone())
    };
    assert_eq!(run("5"), run("5"));
    assert_ne!(run("5"), run("6"));
}

/// A file is only there when there is something in it.
#[test]
fn nothing_is_saved_when_there_is_no_result() {
    let folder = Folder::new();
    let file = folder.path("leduc.json");
    let path = file.to_str().unwrap();
    let arguments = [
        "solve",
        "leduc-poker",
        "--method",
        "lp",
        "--nodes",
        "100",
        "--save",
        path,
    ];
    refused(&arguments, 1, "E0775");
    assert!(!file.exists());
}

/// Ctrl-C is heard while a program with binary variables is written down, which takes long where there are many plans.
#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_posed_can_be_stopped() {
    for method in ["dobss", "bc2015"] {
        let (child, screen) = watched(&[
            "solve", "patrol", "--leader", "Defender", "--set", "rounds=8", "--method", method,
        ]);
        screen.wait_for_some(" plans posed");
        let output = interrupted(child);
        screen.wait_for_end();
        let errors = screen.text();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("no commitment was found"), "{errors}");
        assert!(output.stdout.is_empty());
    }
}

/// Ctrl-C: what was reached is printed and saved.
#[cfg(target_os = "linux")]
#[test]
fn iterations_that_are_stopped_are_kept() {
    let folder = Folder::new();
    let file = folder.path("leduc.json");
    let path = file.to_str().unwrap();
    let arguments = [
        "solve",
        "leduc-poker",
        "--method",
        "cfr+",
        "--iterations",
        "1000000000",
    ];
    let (child, screen) = watched(&[&arguments[..], &["--save", path, "--json"]].concat());
    screen.wait_for_some(" of 1000000000 iterations");
    let output = interrupted(child);
    screen.wait_for_end();
    let errors = screen.text();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("of 1000000000 iterations"), "{errors}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["stopped"], true);
    let iterations = result["iterations"].as_u64().unwrap();
    assert!(0 < iterations && iterations < 1_000_000_000);
    let read = json(&[
        "exploitability",
        "leduc-poker",
        "--strategy",
        path,
        "--json",
    ]);
    let (before, after) = (number(&result["nash_conv"]), number(&read["nash_conv"]));
    assert!((before - after).abs() < 1e-12);
}

/// What the searches for commitments save is worth what they say, with the follower's best answer.
#[test]
fn commitments_found_plan_by_plan_can_be_saved() {
    let folder = Folder::new();
    for method in [
        &["--method", "double-oracle"][..],
        &["--method", "mixed-uct", "--rounds", "40", "--c", "15"],
    ] {
        let file = folder.path(method[1]);
        let file = file.to_str().unwrap();
        let base = [
            "solve", "patrol", "--leader", "Defender", "--json", "--save", file,
        ];
        let solved = json(&[&base[..], method].concat());
        let read = json(&["exploitability", "patrol", "--strategy", file, "--json"]);
        for player in ["Defender", "Evader"] {
            let difference = number(&solved["values"][player]) - number(&read["values"][player]);
            assert!(difference.abs() < 1e-9, "{method:?}: {difference}");
        }
        let gain = number(&read["best_responses"]["Evader"]) - number(&read["values"]["Evader"]);
        assert!(gain.abs() < 1e-9, "{method:?}: {gain}");
    }
}

/// The numbers of an attribute, in the order of the picture's tags of one kind.
fn attribute(svg: &str, tag: &str, name: &str) -> Vec<f64> {
    let tags = svg.split('<').filter(|part| part.starts_with(tag));
    let values = tags.filter_map(|part| part.split_once(&format!(" {name}=\"")));
    let values = values.map(|(_, rest)| rest.split('"').next().unwrap().parse().unwrap());
    values.collect()
}

/// The first board of a picture: the places with their radius, each once, and the ways between them.
fn first_board(svg: &str) -> (Vec<(f64, f64)>, f64, Vec<[f64; 4]>) {
    let board = svg.split("after choice 1").next().unwrap();
    let circle = |name| attribute(board, "circle", name);
    let (x, y, r) = (circle("cx"), circle("cy"), circle("r"));
    // Each place has two circles: a white one, and one for how likely it is held.
    let places = std::iter::zip(x, y).step_by(2).collect();
    let line = |name| attribute(board, "line", name);
    let (x1, y1, x2, y2) = (line("x1"), line("y1"), line("x2"), line("y2"));
    let ways = (0..x1.len()).map(|i| [x1[i], y1[i], x2[i], y2[i]]);
    (places, r[0], ways.collect())
}

/// Of a map that nobody has drawn: every way is seen between its places, no two places nearly touch, and no place lies on a way
/// that leads past it. Of one that its layout draws, columns are straight, and places with marks that stay have thick rings.
#[test]
fn a_schedule_is_drawn_so_that_it_can_be_read() {
    let folder = Folder::new();
    let crowded = "game Crowded extends \"patrol\" {
  param rounds = 2
  graph Building {
    nodes 0..15
    edges { 0: 6 11; 1: 5 8; 2: 5; 3: 6; 4: 7 8; 5: 9; 6: 9 10; 9: 13; 10: 1; 8: 12; 11: 3; 13: 14; 14: 15 }
  }
}
";
    let drawn = |name: &str, text: &str| {
        let game = folder.path(name);
        let (plan, picture) = (game.with_extension("json"), game.with_extension("svg"));
        std::fs::write(&game, text).unwrap();
        let game = game.to_str().unwrap();
        let save = ["--leader", "Defender", "--save", plan.to_str().unwrap()];
        json(&[&["solve", game, "--json"], &save[..]].concat());
        let player = format!("strategy(file={})", plan.display());
        let asked = ["--player", &player, "--schedule", "Defender", "--json"];
        let svg = ["--svg", picture.to_str().unwrap()];
        json(&[&["analyse", game], &asked[..], &svg].concat());
        std::fs::read_to_string(picture).unwrap()
    };
    let far = |(x1, y1): (f64, f64), (x2, y2): (f64, f64)| (x2 - x1).hypot(y2 - y1);

    let (places, radius, ways) = first_board(&drawn("crowded.game", crowded));
    assert_eq!((places.len(), ways.len()), (16, 17));
    for (i, a) in places.iter().enumerate() {
        for b in &places[..i] {
            assert!(far(*a, *b) > 2.5 * radius, "{a:?} {b:?} {radius}");
        }
        for [x1, y1, x2, y2] in &ways {
            let (from, to) = ((*x1, *y1), (*x2, *y2));
            let along = ((a.0 - x1) * (x2 - x1) + (a.1 - y1) * (y2 - y1)) / far(from, to).powi(2);
            let nearest = (x1 + along * (x2 - x1), y1 + along * (y2 - y1));
            let passes = (0.05..0.95).contains(&along);
            assert!(
                !passes || far(*a, nearest) > radius,
                "{a:?} {from:?} {to:?}"
            );
        }
    }

    let museum = fine_import("tests/cli/museum.ggame");
    let svg = drawn("museum.game", &museum);
    let (places, _, ways) = first_board(&svg);
    assert_eq!((places.len(), ways.len()), (6, 5));
    assert!(
        ways.iter().all(|[x1, y1, x2, y2]| x1 == x2 || y1 == y2),
        "{ways:?}"
    );
    assert!(
        svg.contains("thick rings: 1 loss-8, 2 loss-5, 5 entry<"),
        "{svg}"
    );
    assert_eq!(svg.matches("stroke-width=\"2.5\"").count(), 3 * 5);

    // Room 10 of the shipped building stands in the column of rooms 3 and 9.
    let shipped = std::fs::read_to_string("games/patrol.game").unwrap();
    let (places, _, _) = first_board(&drawn("shipped.game", &shipped));
    let column = [0, 3, 9].map(|room: usize| places[room].0);
    assert_eq!(column, [places[10].0; 3]);
}

fn fine_import(file: &str) -> String {
    let output = ruse(&["import", file]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

/// The best commitment of the paper's example as a schedule: its two walks, the evader's best answers (Table 1 of Karwowski &
/// Mańdziuk 2019) and what they are worth (−4.20 and 11.40), and where the guard is.
#[test]
fn a_saved_commitment_is_a_schedule() {
    let folder = Folder::new();
    let (file, picture) = (folder.path("plan.json"), folder.path("plan.svg"));
    let save = ["--leader", "Defender", "--save", file.to_str().unwrap()];
    let units = ["--set", "units=2", "--set", "rounds=3"];
    json(&[&["solve", "patrol", "--json"], &save[..]].concat());
    let player = format!("strategy(file={})", file.display());
    let asked = ["--player", &player, "--schedule", "Defender", "--json"];
    let svg = ["--svg", picture.to_str().unwrap()];
    let found = json(&[&["analyse", "patrol"], &asked[..], &svg].concat());
    let plans = found["plans"].as_array().unwrap();
    let walks: Vec<String> = plans.iter().map(|p| p["moves"].to_string()).collect();
    assert_eq!(
        walks,
        [r#"["3","4","5","2","2"]"#, r#"["0","0","0","0","0"]"#]
    );
    let shares: Vec<f64> = plans.iter().map(|p| number(&p["probability"])).collect();
    assert!((shares[0] - 0.6).abs() < 1e-9 && (shares[1] - 0.4).abs() < 1e-9);
    assert!((number(&found["values"]["Defender"]) + 4.2).abs() < 1e-9);
    assert!((number(&found["values"]["Evader"]) - 11.4).abs() < 1e-9);
    assert_eq!(number(&found["answer_count"]), 3.0);
    let answers = r#"[["7","6","6","5","2"],["7","7","6","5","2"],["8","7","6","5","2"]]"#;
    assert_eq!(found["answers"].to_string(), answers);
    let held = &found["held"][0];
    assert_eq!(held["variable"], "guard");
    let after = |step: usize, room: usize| number(&held["by_step"][step][room]);
    assert_eq!(held["by_step"].as_array().unwrap().len(), 6);
    assert!((after(0, 0) - 1.0).abs() < 1e-9 && (after(3, 5) - 0.6).abs() < 1e-9);
    assert!((after(5, 2) - 0.6).abs() < 1e-9 && (after(5, 0) - 0.4).abs() < 1e-9);
    let drawn = std::fs::read_to_string(picture).unwrap();
    // Six boards of eleven rooms with eleven ways.
    assert_eq!(drawn.matches("<line").count(), 66);
    assert_eq!(drawn.matches("<g>").count(), 66);

    // Two units hold one place or two.
    let file = folder.path("two.json");
    let save = ["--leader", "Defender", "--save", file.to_str().unwrap()];
    json(&[&["solve", "patrol", "--json"], &save[..], &units].concat());
    let player = format!("strategy(file={})", file.display());
    let asked = ["--player", &player, "--schedule", "Defender", "--json"];
    let found = json(&[&["analyse", "patrol"], &asked[..], &units].concat());
    for step in found["held"][0]["by_step"].as_array().unwrap() {
        let held: f64 = step.as_array().unwrap().iter().map(number).sum();
        assert!((1.0 - 1e-9..=2.0 + 1e-9).contains(&held), "{held}");
    }
    // The follower has a schedule as well.
    let asked = ["--player", &player, "--schedule", "Evader", "--json"];
    let found = json(&[&["analyse", "patrol"], &asked[..], &units].concat());
    assert_eq!(found["plans"].as_array().unwrap().len(), 1);
    assert_eq!(found["held"][0]["variable"], "thief");

    // What nobody does is no negative number, and a game without schedules is not solved first.
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(!saved.contains("-0.0"));
    let never = "solve(method=cfr+, iterations=1000000000)";
    let asked = ["analyse", "leduc-poker", "--player", never];
    let asked = [&asked[..], &["--schedule", "Alice"]].concat();
    refused(&asked, 1, "has no schedule");
}

/// Whoever errs little answers the best commitment of the paper's example by its best answers, each as likely (Table 1 of Karwowski
/// & Mańdziuk 2019 among them), and whoever errs always by any walk.
#[test]
fn people_who_err_answer_a_commitment() {
    let folder = Folder::new();
    let file = folder.path("plan.json");
    let save = ["--leader", "Defender", "--save", file.to_str().unwrap()];
    json(&[&["solve", "patrol", "--json"], &save[..]].concat());
    let answer = |how: &str| {
        let player = format!("quantal(to={}, {how})", file.display());
        let asked = ["--player", &player, "--schedule", "Evader", "--json"];
        json(&[&["analyse", "patrol"], &asked[..]].concat())
    };
    let sharp = answer("lambda=50");
    let plans = sharp["plans"].as_array().unwrap();
    // Ten are as good for the evader; the three of the table are the best of them for the guard.
    let plans = &plans[..10];
    let even = |p: &Value| (number(&p["probability"]) - 0.1).abs() < 1e-6;
    assert!(plans.iter().all(even), "{plans:?}");
    for walk in [["7", "6", "6", "5", "2"], ["7", "7", "6", "5", "2"]] {
        let walk = serde_json::json!(walk);
        assert!(plans.iter().any(|p| p["moves"] == walk));
    }
    let even = answer("lambda=0");
    let plans = even["plans"].as_array().unwrap();
    let share = number(&plans[0]["probability"]);
    assert!((share * plans.len() as f64 - 1.0).abs() < 1e-9);
    // Of somebody who takes the guard to be anywhere, the guard knows better.
    let blind = answer("lambda=50, blur=1");
    assert!(number(&blind["values"]["Defender"]) > -4.2);
    let players = format!(
        "Defender=strategy(file={0}),Evader=quantal(to={0}, lambda=0.3)",
        file.display()
    );
    let play = ["match", "patrol", "--players", &players, "--games", "20"];
    fine(Path::new("."), &play);
    refused(
        &["match", "patrol", "--players", "random,quantal"],
        2,
        "names no file",
    );
}

/// Against a strategy that is known `i2_uct` finds what the best response is paid: in Kuhn poker, whatever the first player's card is,
/// and on the paper's example, whose best answers are worth 11.40 (Table 1 of Karwowski & Mańdziuk 2019).
#[test]
fn a_known_strategy_is_answered_best() {
    let folder = Folder::new();
    let (kuhn, patrol) = (folder.path("kuhn.json"), folder.path("patrol.json"));
    let (kuhn, patrol) = (kuhn.to_str().unwrap(), patrol.to_str().unwrap());
    let found = |game: &str, file: &str, settings: &str, moves: &str| {
        let player = format!("i2_uct(others=strategy, model={file}, {settings})");
        let asked = ["--player", &player, "--moves", moves, "--json"];
        let found = json(&[&["analyse", game], &asked[..]].concat());
        let actions = |mover: &Value| -> f64 {
            let actions = mover["actions"].as_array().unwrap().iter();
            let means = actions.map(|a| a["mean"].as_f64().unwrap_or(f64::MIN));
            means.fold(f64::MIN, f64::max)
        };
        let movers = found["to_move"].as_array().unwrap();
        movers.iter().map(actions).collect::<Vec<f64>>()
    };
    let short = ["--method", "cfr+", "--iterations", "1", "--save", kuhn];
    json(&[&["solve", "kuhn-poker", "--json"], &short[..]].concat());
    let known = json(&["exploitability", "kuhn-poker", "--strategy", kuhn, "--json"]);
    let best = number(&known["best_responses"]["Alice"]);
    assert!(best > number(&known["values"]["Alice"]) + 0.4);
    let cards = ["1; 2", "2; 3", "3; 1"];
    let paid: f64 = cards
        .iter()
        .map(|cards| found("kuhn-poker", kuhn, "playouts=10000, c=1", cards)[0])
        .sum();
    assert!((paid / 3.0 - best).abs() < 0.05, "{paid} {best}");

    let save = ["--leader", "Defender", "--save", patrol];
    json(&[&["solve", "patrol", "--json"], &save[..]].concat());
    let evader = found("patrol", patrol, "playouts=20000, c=5", "")[1];
    assert!((evader - 11.4).abs() < 0.5, "{evader}");
    let play = [
        "match",
        "patrol",
        "--players",
        &format!("Defender=strategy(file={patrol}),Evader=i2_uct(others=strategy, model={patrol})"),
        "--games",
        "5",
    ];
    fine(Path::new("."), &play);
    refused(
        &[
            "match",
            "patrol",
            "--players",
            "random,i2_uct(others=strategy)",
        ],
        2,
        "names no file",
    );
}

/// Searches for commitments as players find what `ruse solve` finds, and refuse games that they cannot play with a reason.
#[test]
fn commitments_are_found_before_play() {
    let solve = ["solve", "patrol", "--leader", "Defender", "--json"];
    for (player, method) in [
        ("double_oracle", &["--method", "double-oracle"][..]),
        (
            "mixed_uct(rounds=40, c=15, seed=3)",
            &[
                "--method",
                "mixed-uct",
                "--rounds",
                "40",
                "--c",
                "15",
                "--seed",
                "3",
            ],
        ),
    ] {
        let found = json(&[&solve[..], method].concat());
        let asked = ["--player", player, "--schedule", "Defender", "--json"];
        let played = json(&[&["analyse", "patrol"], &asked[..]].concat());
        let differ = number(&found["values"]["Defender"]) - number(&played["values"]["Defender"]);
        assert!(differ.abs() < 1e-9, "{player}: {differ}");
        assert_eq!(found["commitment"][0]["moves"], played["plans"][0]["moves"]);
    }
    let follows = "double_oracle(leader=Evader)";
    let asked = ["--player", follows, "--schedule", "Evader", "--json"];
    let evader = json(&[&["analyse", "patrol"], &asked[..]].concat());
    let leads = ["solve", "patrol", "--leader", "Evader", "--json"];
    let differ = number(&json(&leads)["values"]["Evader"]) - number(&evader["values"]["Evader"]);
    assert!(differ.abs() < 1e-9, "{differ}");
    for (game, player, said) in [
        (
            "kuhn-poker",
            "mixed_uct",
            "for two players who learn nothing",
        ),
        (
            "goofspiel",
            "mixed_uct",
            "for two players who learn nothing",
        ),
        (
            "liars-dice",
            "double_oracle",
            "for two players who learn nothing",
        ),
        (
            "phantom-tic-tac-toe",
            "mixed_uct",
            "for two players who learn nothing",
        ),
        (
            "patrol",
            "double_oracle(leader=Nobody)",
            "no player `Nobody`",
        ),
    ] {
        let play = ["match", game, "--players", player, "--games", "1"];
        refused(&play, 1, said);
    }
}

/// Where nobody learns anything a commitment is kept as plans, so that no tree is built, whose nodes would be too many here.
#[test]
fn a_long_commitment_is_kept_as_plans() {
    let folder = Folder::new();
    let file = folder.path("plans.json");
    let path = file.to_str().unwrap();
    let set = ["--set", "rounds=8"];
    let solve = ["solve", "patrol", "--leader", "Defender", "--json"];
    let method = ["--method", "double-oracle", "--save", path];
    let solved = json(&[&solve[..], &method, &set].concat());
    let player = format!("strategy(file={path})");
    let asked = ["analyse", "patrol", "--player", &player, "--json"];
    let found = json(&[&asked[..], &["--schedule", "Defender"], &set].concat());
    for seat in ["Defender", "Evader"] {
        let differ = number(&solved["values"][seat]) - number(&found["values"][seat]);
        assert!(differ.abs() < 1e-9, "{seat}: {differ}");
    }
    let walks = |plans: &Value| -> Vec<String> {
        let plans = plans.as_array().unwrap().iter();
        plans.map(|plan| plan["moves"].to_string()).collect()
    };
    assert_eq!(walks(&solved["commitment"]), walks(&found["plans"]));
    let guards = format!("Defender={player},Evader=random");
    let play = ["match", "patrol", "--players", &guards, "--games", "20"];
    let played = json(&[&play[..], &["--json"], &set].concat());
    assert_eq!(number(&played["finished"]), 20.0);
    // What it never does itself is followed by even shares.
    let elsewhere = ["--moves", "Defender: 0; Evader: 8", "--json"];
    let asked = ["analyse", "patrol", "--player", &player];
    json(&[&asked[..], &elsewhere, &set].concat());
    // The tree of the game has too many nodes.
    let measured = ["exploitability", "patrol", "--strategy", path];
    refused(&[&measured[..], &set].concat(), 1, "E0775");
}

#[test]
fn plans_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    let file = folder.path("plans.json");
    let path = file.to_str().unwrap();
    json(&[
        "solve", "patrol", "--leader", "Defender", "--json", "--save", path,
    ]);
    let whole = std::fs::read_to_string(&file).unwrap();
    let player = format!("Defender=strategy(file={path}),Evader=random");
    let play = ["match", "patrol", "--players", &player, "--games", "1"];
    json(&[&play[..], &["--json"]].concat());
    for (from, to, said) in [
        (
            "\"3\",\"4\"",
            "\"3\",\"9\"",
            "other moves are needed in a plan of Defender",
        ),
        (
            "\"5\",\"2\",\"2\"]",
            "\"5\",\"2\",\"2\",\"2\"]",
            "other moves are needed",
        ),
        ("\"choices\":[", "\"choices\":[9,", "other moves are needed"),
        (
            "\"probability\":0.",
            "\"probability\":1.",
            "do not add up to 1",
        ),
        (
            "\"probability\":0.",
            "\"probability\":-0.",
            "a probability is below 0 in the plans of Defender",
        ),
        (
            "\"Evader\":[",
            "\"Nobody\":[",
            "there are no plans of Evader",
        ),
        (
            "\"ruse-strategies\":2",
            "\"ruse-strategies\":3",
            "version 3",
        ),
        ("\"ruse-strategies\":2,", "", "version 1"),
        ("\"plans\":{", "\"plans\":[{", "is no file of strategies"),
    ] {
        assert!(whole.contains(from), "{from} in {whole}");
        std::fs::write(&file, whole.replacen(from, to, 1)).unwrap();
        refused(&play, 2, said);
    }
    std::fs::write(&file, &whole).unwrap();
    let forced = [
        "exploitability",
        "patrol",
        "--strategy",
        path,
        "--skip-forced",
    ];
    refused(&forced, 2, "--skip-forced");
}
