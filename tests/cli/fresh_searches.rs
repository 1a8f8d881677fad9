//! Experiments about players that search anew wherever they are asked: what they measure is right, and comes out the same in
//! whatever parts it is measured.

use crate::support::command::{fine, folder, read, run, snapshot};
use serde_json::Value;

const CARDS: &str = "\
game: kuhn-poker
players:
  Even: random
  Single: determinized
  OOS: { oos: { targeting: 0.8 } }
searches: [1, 3]
playouts: [10, 40]
runs: 3
seed: 3
";

#[test]
fn one_table_on_any_number_of_threads_and_in_any_parts() {
    let one = folder(&format!("title: Three cards\n{CARDS}"));
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
    for name in ["results.md", "results.csv", "results.svg"] {
        let text = read(at.join("x.results").join(name));
        assert_eq!(text, read(at.join("b").join(name)), "{name}");
    }
    let csv = read(at.join("x.results/results.csv"));
    let svg = read(at.join("x.results/results.svg"));
    snapshot("fresh-searches", &format!("{printed}\n{csv}\n{svg}"));
    // Against players who choose evenly a best response gains 11/12 more than they do, both seats together: as OpenSpiel has it.
    let out = fine(at, &["experiment", "merge", "x.yaml", "--json"]);
    let summary: Value = serde_json::from_str(&out).unwrap();
    for table in summary["variants"][0]["tables"].as_array().unwrap() {
        for mean in table["nash_conv"]["Even"].as_array().unwrap() {
            assert_eq!(mean["n"], 3);
            assert!((mean["mean"].as_f64().unwrap() - 11.0 / 12.0).abs() < 1e-9);
        }
    }
}

/// A run that broke off goes on, and what was changed by hand is refused.
#[test]
fn a_broken_run_goes_on() {
    let folder = folder(CARDS);
    let at = folder.path();
    fine(at, &["experiment", "x.yaml"]);
    let file = at.join("x.results/shard-1-of-1.jsonl");
    let table = read(at.join("x.results/results.csv"));
    let whole = read(&file);
    let lines: Vec<&str> = whole.lines().collect();
    std::fs::write(&file, lines[..9].join("\n") + "\n").unwrap();
    let (code, _, errors) = run(at, &["experiment", "merge", "x.yaml"]);
    assert!(
        code == 1 && errors.contains("10 of 18 strategies missing"),
        "{errors}"
    );
    fine(at, &["experiment", "x.yaml"]);
    assert_eq!(table, read(at.join("x.results/results.csv")));
    for (from, to, code) in [
        (lines[3], "[0,99,\"1 1\"]", "E1007"),
        (lines[3], "[0,0,\"1\"]", "E1007"),
        (lines[3], lines[4], "E1007"),
        ("\"searches\":[1,3]", "\"searches\":[1,4]", "E1006"),
    ] {
        std::fs::write(&file, whole.replacen(from, to, 1)).unwrap();
        let (verdict, _, errors) = run(at, &["experiment", "x.yaml"]);
        assert!(verdict == 2 && errors.contains(code), "{to}: {errors}");
    }
}

/// Files that are wrong, each with what is said of it.
#[test]
fn mistakes_in_the_file_have_their_place() {
    let cards = |from: &str, to: &str| {
        assert!(CARDS.contains(from));
        CARDS.replacen(from, to, 1)
    };
    let mut told = String::new();
    for (what, yaml) in [
        ("games", cards("runs: 3", "games: 3")),
        ("no playouts", cards("playouts: [10, 40]\n", "")),
        ("no search", cards("[1, 3]", "0")),
        ("a list that descends", cards("[1, 3]", "[3, 1]")),
        (
            "a player with a budget",
            cards("Single: determinized", "Single: determinized(playouts=7)"),
        ),
        (
            "a player with a clock",
            cards("Single: determinized", "Single: determinized(ms=7)"),
        ),
        ("a budget", cards("runs: 3", "budget: { playouts: 9 }")),
        (
            "a player that sees everything",
            cards("Single: determinized", "Single: uct"),
        ),
    ] {
        let folder = folder(&yaml);
        let (code, _, errors) = run(folder.path(), &["experiment", "x.yaml"]);
        assert!(code == 1 || code == 2, "{what}: {errors}");
        assert!(errors.starts_with("error"), "{what}: {errors}");
        told.push_str(&format!("# {what}\n{errors}\n"));
    }
    snapshot("fresh-searches-mistakes", &told);
}
