//! Experiments about commitments: their values are those of `ruse solve`, and come out the same in whatever parts they are found.

use crate::support::command::{fine, folder, read, run, snapshot};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

const MAPS: &str = "\
title: Two buildings
game: maps/*.game
leader: Defender
players:
  Mixed-UCT: { mixed_uct: { c: 7, simulations: 20, rounds: 30 } }
  Double oracle: double_oracle
runs: 3
after: [1, 10, 30]
seed: 5
";

/// An experiment beside two buildings, whose numbers are not in the order of letters.
fn maps(yaml: &str) -> TempDir {
    let folder = folder(yaml);
    let maps = folder.path().join("maps");
    std::fs::create_dir(&maps).unwrap();
    for (name, edges, prize) in [
        ("2", "0: 1 2; 1: 3; 2: 3", "{ 1: 4, 2: 6, else: 0 }"),
        ("10", "0: 1; 1: 2 3; 2: 3", "{ 1: 9, 2: 3, else: 0 }"),
    ] {
        let text = format!(
            "game Map{name} extends \"patrol\" {{
  param rounds = 3
  graph Building {{ nodes 0..3 edges {{ {edges} }} }}
  const base = 0
  const entry = 3
  const target = {{ 1, 2 }}
  const prize = {prize}
  const loss = {{ 1: -5, 2: -8, else: 0 }}
  const penalty = {{ else: -2 }}
  const reward = {{ else: 1 }}
}}\n"
        );
        std::fs::write(maps.join(format!("{name}.game")), text).unwrap();
    }
    folder
}

fn json(at: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&fine(at, arguments)).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

const RESULTS: [&str; 3] = ["results.md", "results.csv", "results.svg"];

#[test]
fn one_table_on_any_number_of_threads_and_in_any_parts() {
    let one = maps(MAPS);
    let at = one.path();
    let printed = fine(at, &["experiment", "x.yaml", "--threads", "1"]);
    for shard in ["2/2", "1/2"] {
        let out = fine(
            at,
            &["experiment", "x.yaml", "--shard", shard, "--out", "b"],
        );
        assert!(out.starts_with(&format!("shard {shard}: ")), "{out}");
    }
    fine(at, &["experiment", "merge", "x.yaml", "--out", "b"]);
    for name in RESULTS {
        let text = read(at.join("x.results").join(name));
        assert_eq!(text, read(at.join("b").join(name)), "{name}");
    }
    let csv = read(at.join("x.results/results.csv"));
    snapshot("commitments", &format!("{printed}\n{csv}"));
}

/// A run is a search of `ruse solve` with the seed of the experiment and its number.
#[test]
fn a_run_is_what_solve_finds() {
    let one = maps(MAPS);
    let at = one.path();
    let summary = json(at, &["experiment", "x.yaml", "--json"]);
    assert_eq!(summary["reproducible"], true);
    let again = fine(at, &["experiment", "x.yaml", "--json"]);
    assert_eq!(again.matches("\"players\"").count(), 1, "{again}");
    let all = &summary["variants"][0];
    let names: Vec<&str> = all["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["2", "10"]);
    for (place, name) in names.iter().enumerate() {
        let file = format!("maps/{name}.game");
        let solve = |more: &[&str]| {
            let arguments = ["solve", &file, "--leader", "Defender", "--json"];
            json(at, &[&arguments[..], more].concat())
        };
        let exact = solve(&[]);
        let known = &all["games"][place];
        assert_eq!(known["exact"], exact["values"]["Defender"]);
        assert_eq!(known["uniform"], exact["uniform"]["Defender"]);
        let mut sum = 0.0;
        for seed in ["5", "6", "7"] {
            let method = ["--method", "mixed-uct", "--c", "7", "--simulations", "20"];
            let found = solve(&[&method[..], &["--rounds", "30", "--seed", seed]].concat());
            sum += number(&found["values"]["Defender"]);
        }
        let found = &all["players"]["Mixed-UCT"]["games"][place];
        assert!((number(&found["value"]["mean"]) - sum / 3.0).abs() < 1e-12);
        let range = number(&known["exact"]) - number(&known["uniform"]);
        let score = (sum / 3.0 - number(&known["uniform"])) / range;
        assert!((number(&found["score"]) - score).abs() < 1e-12);
        let proved = &all["players"]["Double oracle"]["games"][place];
        let spec = all["players"]["Double oracle"]["spec"].as_str().unwrap();
        assert!(spec.starts_with("double_oracle"), "{spec}");
        let gap = number(&proved["bound"]) - number(&known["exact"]);
        assert!(gap.abs() < 1e-6 && number(&proved["score"]) > 1.0 - 1e-6);
    }
}

/// The seconds stand beside the results, and these do not depend on them.
#[test]
fn seconds_are_no_results() {
    let yaml = MAPS.replace(
        "runs: 3",
        "variants: { 2: { set: { rounds: 2 } }, 3: { set: { rounds: 3 } } }",
    );
    let one = maps(&yaml);
    let at = one.path();
    fine(at, &["experiment", "x.yaml"]);
    let folder = at.join("x.results");
    let before = RESULTS.map(|name| read(folder.join(name)));
    let seconds = read(folder.join("seconds.md"));
    for told in ["by `rounds`", "- Mixed-UCT: a = ", "| multiple-lp"] {
        assert!(seconds.contains(told), "{told} in {seconds}");
    }
    // Two variants of two games, and two players each, beside the exact method.
    let rows = read(folder.join("seconds.csv"));
    assert_eq!(rows.lines().count(), 1 + 2 * 2 * 3, "{rows}");
    let kept = read(folder.join("shard-1-of-1.jsonl"));
    let file = folder.join("seconds-1-of-1.jsonl");
    // A line that was torn is passed over.
    let torn = read(&file) + "\n[0,0,\"1 2";
    std::fs::write(&file, torn).unwrap();
    fine(at, &["experiment", "merge", "x.yaml"]);
    assert_eq!(seconds, read(folder.join("seconds.md")));
    std::fs::remove_file(&file).unwrap();
    fine(at, &["experiment", "merge", "x.yaml"]);
    assert_eq!(before, RESULTS.map(|name| read(folder.join(name))));
    assert_eq!(kept, read(folder.join("shard-1-of-1.jsonl")));
}

/// A file with another number of values is none of this experiment.
#[test]
fn what_was_changed_by_hand_is_refused() {
    let one = maps(MAPS);
    let at = one.path();
    fine(at, &["experiment", "x.yaml"]);
    let file = at.join("x.results/shard-1-of-1.jsonl");
    let whole = read(&file);
    let line = whole.lines().nth(1).unwrap();
    for (from, to, code) in [
        (line, "[0,0,\"1 2 3\"]", "E1007"),
        (line, "[0,0,\"1 2 3 4 5 inf 7\"]", "E1007"),
        ("\"after\":[1,10,30]", "\"after\":[1,10,31]", "E1006"),
        ("\"leader\":\"Defender\"", "\"leader\":\"Evader\"", "E1006"),
    ] {
        assert!(whole.contains(from));
        std::fs::write(&file, whole.replacen(from, to, 1)).unwrap();
        let (verdict, _, errors) = run(at, &["experiment", "x.yaml"]);
        assert!(verdict == 2 && errors.contains(code), "{to}: {errors}");
    }
}

/// Files that are wrong, each with what is said of it.
#[test]
fn mistakes_in_the_file_have_their_place() {
    let mut told = String::new();
    for (what, from, to) in [
        ("no such files", "maps/*.game", "maps/*.gam"),
        ("no such folder", "maps/*.game", "map*/2.game"),
        ("no leader", "leader: Defender", "leader:"),
        ("another leader", "leader: Defender", "leader: Guard"),
        ("a list that descends", "[1, 10, 30]", "[10, 1]"),
        ("no yes or no", "seed: 5", "exact: perhaps"),
        ("a player that finds none", "double_oracle", "random"),
        (
            "a player with a leader",
            "double_oracle",
            "double_oracle(leader=Evader)",
        ),
        ("a player with a seed", "c: 7", "seed: 7"),
        ("games", "runs: 3", "games: 3"),
        ("another game", "maps/*.game", "kuhn-poker"),
    ] {
        assert!(MAPS.contains(from), "{from}");
        let one = maps(&MAPS.replacen(from, to, 1));
        let (code, _, errors) = run(one.path(), &["experiment", "x.yaml"]);
        assert!(code == 1 || code == 2, "{what}: {errors}");
        assert!(errors.starts_with("error"), "{what}: {errors}");
        told.push_str(&format!("# {what}\n{errors}\n"));
    }
    snapshot("commitments-mistakes", &told);
}

/// What others published stands beside our own seconds, and changes no result.
#[test]
fn published_seconds_stand_beside_our_own() {
    let yaml = MAPS.replace(
        "runs: 3",
        "exact: false\nvariants: { short: { set: { rounds: 2 } }, long: { set: { rounds: 3 } } }",
    );
    let one = maps(&yaml);
    let at = one.path();
    fine(at, &["experiment", "x.yaml"]);
    let results =
        || ["results.md", "results.csv"].map(|name| read(at.join("x.results").join(name)));
    let before = results();
    let published = "published: { The paper: { long: 955.5 }, Others: { short: 3, long: 9 } }";
    std::fs::write(at.join("x.yaml"), format!("{yaml}{published}\n")).unwrap();
    fine(at, &["experiment", "x.yaml"]);
    assert_eq!(before, results());
    let seconds = read(at.join("x.results/seconds.md"));
    let row = |name: &str| {
        let row = seconds.lines().find(|line| line.starts_with(name));
        let row = row.unwrap_or_else(|| panic!("{seconds}"));
        row.split('|')
            .skip(2)
            .map(|cell| cell.trim().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(row("| The paper"), ["–", "955.5000", ""]);
    assert_eq!(row("| Others"), ["3.0000", "9.0000", ""]);
    assert!(seconds.contains("- Others: a = "), "{seconds}");
    assert!(!seconds.contains("- The paper: a = "), "{seconds}");
    assert!(
        seconds.contains("- The paper: 955.5000, as published\n"),
        "{seconds}"
    );
    assert!(read(at.join("x.results/seconds.svg")).contains(">The paper<"));
}

#[test]
fn what_is_wrong_with_published_seconds_is_told() {
    for (published, told) in [
        ("{ P: { lng: 1 } }", "did you mean `long`?"),
        ("{ P: { long: -1 } }", "`-1` are no seconds"),
        ("{ P: { long: soon } }", "`soon` are no seconds"),
        ("{ Double oracle: { long: 1 } }", "one of our own"),
        ("{ multiple-lp: { long: 1 } }", "one of our own"),
        ("{ P: 3 }", "`P` is a table of `name: value`"),
        ("[1]", "`published` is a table of `name: value`"),
        ("{ P: { long: 1, long: 2 } }", "twice"),
    ] {
        let variants = "variants: { short: { set: { rounds: 2 } }, long: {} }";
        let yaml = MAPS.replace("runs: 3", &format!("{variants}\npublished: {published}"));
        let one = maps(&yaml);
        let (code, _, err) = run(one.path(), &["experiment", "x.yaml"]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(told), "{published}: {err}");
    }
}
