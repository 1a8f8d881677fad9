//! What `ruse experiment` promises: one table, however its games were played, that is right, and no game lost or played
//! twice.

use crate::support::command::{
    begin, fine, folder, interrupted, read, root, run, ruse_in, snapshot,
};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

const REPORT: [&str; 3] = ["results.md", "results.csv", "results.svg"];

fn report(folder: &Path) -> [String; 3] {
    REPORT.map(|name| read(folder.join(name)))
}

const WHOLE: &str = "shard-1-of-1.jsonl";

const DUEL: &str = "\
game: goofspiel
set: { cards: 4 }
players:
  Random: random
  Weak: { uct: { playouts: 4 } }
  Strong: { uct: { playouts: 12 } }
games: 30
seed: 5
";

#[test]
fn the_committed_results_of_the_small_example_come_out_again() {
    let out = tempfile::tempdir().unwrap();
    let there = out.path().to_string_lossy().into_owned();
    let file = "experiments/goofspiel-small.yaml";
    fine(&root(), &["experiment", file, "--out", &there]);
    let committed = root().join("experiments/goofspiel-small.results");
    for name in [&REPORT[..], &[WHOLE]].concat() {
        assert_eq!(
            read(out.path().join(name)),
            read(committed.join(name)),
            "{name}"
        );
    }
}

#[test]
fn one_table_on_any_number_of_threads_and_in_any_parts() {
    let folder = folder(DUEL);
    let at = folder.path();
    fine(at, &["experiment", "x.yaml", "--threads", "1"]);
    let expected = report(&at.join("x.results"));
    let counts = read(at.join("x.results").join(WHOLE));

    fine(
        at,
        &["experiment", "x.yaml", "--threads", "7", "--out", "seven"],
    );
    assert_eq!(report(&at.join("seven")), expected);
    assert_eq!(read(at.join("seven").join(WHOLE)), counts);

    let mut games = 0;
    for part in ["2/4", "1/4", "4/4", "3/4"] {
        let arguments = [
            "experiment",
            "x.yaml",
            "--out",
            "parts",
            "--shard",
            part,
            "--json",
        ];
        let said: Value = serde_json::from_str(&fine(at, &arguments)).unwrap();
        assert_eq!(said["finished"], said["games"]);
        games += said["games"].as_u64().unwrap();
    }
    assert_eq!(games, 90);
    assert!(!at.join("parts/results.md").exists());
    fine(at, &["experiment", "merge", "x.yaml", "--out", "parts"]);
    assert_eq!(report(&at.join("parts")), expected);

    // Other games under another seed.
    std::fs::write(at.join("x.yaml"), DUEL.replace("seed: 5", "seed: 6")).unwrap();
    fine(at, &["experiment", "x.yaml", "--out", "other"]);
    assert_ne!(report(&at.join("other"))[1], expected[1]);
}

#[test]
fn a_part_has_its_share_of_every_pairing_on_every_seat() {
    let folder = folder(DUEL);
    let at = folder.path();
    fine(at, &["experiment", "x.yaml", "--shard", "1/3"]);
    let (code, out, errors) = run(at, &["experiment", "merge", "x.yaml", "--json"]);
    assert_eq!(code, 1);
    assert!(errors.contains("60 of 90 games missing"), "{errors}");
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&summary["finished"], &summary["total"]),
        (&30.into(), &90.into())
    );
    let pairings = summary["variants"][0]["pairings"].as_array().unwrap();
    assert_eq!(pairings.len(), 3);
    for pairing in pairings {
        assert_eq!(pairing["games"], 10);
        for player in pairing["players"].as_array().unwrap() {
            for seat in ["Alice", "Bob"] {
                assert_eq!(player["seats"][seat]["games"], 5, "{player}");
            }
        }
    }
    let text = read(at.join("x.results/results.md"));
    assert!(
        text.contains("**Not complete: 30 of 90 games are finished.**"),
        "{text}"
    );
}

/// What was played before counts, and the end is that of one run.
#[test]
fn games_may_be_raised() {
    let folder = folder(&DUEL.replace("games: 30", "games: 45"));
    let at = folder.path();
    fine(at, &["experiment", "x.yaml", "--out", "whole"]);
    let expected = report(&at.join("whole"));
    let counts = |dir: &str, part: &str| read(at.join(format!("{dir}/shard-{part}.jsonl")));
    let of = |games: &str| {
        let text = DUEL.replace("games: 30", &format!("games: {games}"));
        std::fs::write(at.join("x.yaml"), text).unwrap();
    };
    for parts in [&["1/1"][..], &["2/2", "1/2"]] {
        let out = format!("raised-{}", parts.len());
        for games in ["3", "30", "45"] {
            of(games);
            for part in parts {
                fine(
                    at,
                    &["experiment", "x.yaml", "--out", &out, "--shard", part],
                );
            }
        }
        fine(at, &["experiment", "merge", "x.yaml", "--out", &out]);
        assert_eq!(report(&at.join(&out)), expected);
    }
    assert_eq!(counts("raised-1", "1-of-1"), counts("whole", "1-of-1"));
    // Before the others are played, the report is of those that are there.
    of("50");
    let (code, _, errors) = run(at, &["experiment", "merge", "x.yaml", "--out", "whole"]);
    assert_eq!(code, 1);
    assert!(errors.contains("15 of 150 games missing"), "{errors}");
    // A run that is killed after the first line was written anew, and one that lost some of its counts.
    let path = at.join("whole/shard-1-of-1.jsonl");
    let first =
        counts("whole", "1-of-1").replacen("\"games\":45", "\"games\":50,\"counted\":45", 1);
    std::fs::write(&path, &first).unwrap();
    fine(at, &["experiment", "x.yaml", "--out", "whole"]);
    assert!(!counts("whole", "1-of-1").contains("counted"));
    fine(at, &["experiment", "x.yaml", "--out", "again"]);
    assert_eq!(counts("whole", "1-of-1"), counts("again", "1-of-1"));
    let mut lines: Vec<&str> = first.lines().collect();
    lines.remove(2);
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let (code, _, errors) = run(at, &["experiment", "x.yaml", "--out", "whole"]);
    assert!(code == 2 && errors.contains("E1007"), "{errors}");
}

/// An experiment that takes some seconds.
const LONG: &str = "\
game: goofspiel
set: { cards: 6 }
players: { A: uct, B: { uct: { c: 2 } } }
games: 60
budget: { playouts: 150 }
";

/// The lines of finished games.
fn games(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .filter(|l| l.starts_with('['))
        .map(String::from)
        .collect()
}

/// Starts a run and waits for its first games.
fn begun(at: &Path) -> std::process::Child {
    let mut command = ruse_in(at, &["experiment", "x.yaml", "--threads", "2"]);
    let mut child = begin(&mut command);
    let path = at.join("x.results").join(WHOLE);
    for _ in 0..3000 {
        if games(&path).len() >= 4 {
            return child;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    panic!("no game was finished");
}

#[test]
fn a_killed_run_goes_on_without_losing_or_repeating_a_game() {
    let folder = folder(LONG);
    let at = folder.path();
    fine(at, &["experiment", "x.yaml", "--out", "whole"]);

    let mut child = begun(at);
    child.kill().unwrap();
    child.wait().unwrap();
    let path = at.join("x.results").join(WHOLE);
    let text = read(&path);
    assert!(
        games(&path).len() < 60,
        "the run was over before it was killed"
    );
    // Torn in the middle of the last line, and once more in the first one.
    std::fs::write(&path, &text[..text.len() - 4]).unwrap();
    fine(at, &["experiment", "x.yaml"]);
    assert_eq!(report(&at.join("x.results")), report(&at.join("whole")));
    assert_eq!(read(&path), read(at.join("whole").join(WHOLE)));

    // A game that is kept is not played again: one that never was keeps its length.
    let mut lines: Vec<&str> = text.lines().take(4).collect();
    let changed = {
        let (game, _) = lines[3].rsplit_once(',').unwrap();
        format!("{game},9999]")
    };
    lines[3] = &changed;
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    fine(at, &["experiment", "x.yaml"]);
    assert!(read(&path).contains("[9999,1]"));

    // Killed while the first line was written.
    std::fs::write(&path, &text[..40]).unwrap();
    fine(at, &["experiment", "x.yaml", "--threads", "1"]);
    assert_eq!(read(&path), read(at.join("whole").join(WHOLE)));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_finished() {
    let folder = folder(&LONG.replace("games: 60", "games: 100000"));
    let at = folder.path();
    let child = begun(at);
    let output = interrupted(child);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("of 100000 games missing"), "{errors}");
    assert!(errors.contains("the same command goes on"), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    let kept = games(&at.join("x.results").join(WHOLE)).len();
    let said = format!("{kept} of 100000 games are finished");
    assert!(kept >= 4 && text.contains(&said), "{kept}\n{text}");
}

#[test]
fn a_pairing_is_a_match() {
    let folder = folder(DUEL);
    let out = fine(folder.path(), &["experiment", "x.yaml", "--json"]);
    let summary: Value = serde_json::from_str(&out).unwrap();
    let variant = &summary["variants"][0];
    for pairing in variant["pairings"].as_array().unwrap() {
        let players = pairing["players"].as_array().unwrap();
        let spec = |i: usize| variant["players"][players[i]["player"].as_str().unwrap()].as_str();
        let both = format!("{},{}", spec(0).unwrap(), spec(1).unwrap());
        let seed = pairing["seed"].to_string();
        let arguments = [
            "match",
            "goofspiel",
            "--set",
            "cards=4",
            "--games",
            "30",
            "--json",
            "--players",
            &both,
            "--seed",
            &seed,
        ];
        let played: Value = serde_json::from_str(&fine(folder.path(), &arguments)).unwrap();
        for (i, player) in players.iter().enumerate() {
            let there = &played["players"][i];
            let payoff = &player["payoff"];
            close(&payoff["mean"], there["payoff"]["mean"].as_f64().unwrap());
            close(
                &payoff["interval"][0],
                there["payoff"]["interval"][0].as_f64().unwrap(),
            );
            assert_eq!(player["wins"]["mean"], there["outcomes"]["wins"]["share"]);
            let (own, seat) = (&player["seats"]["Bob"], &there["seats"]["Bob"]);
            close(
                &own["payoff"]["mean"],
                seat["payoff"]["mean"].as_f64().unwrap(),
            );
        }
        close(
            &players[0]["length"]["mean"],
            played["plies"]["mean"].as_f64().unwrap(),
        );
    }
}

fn close(found: &Value, expected: f64) {
    let x = found
        .as_f64()
        .unwrap_or_else(|| panic!("{found} is no number"));
    assert!((x - expected).abs() < 1e-5, "{x} is not {expected}");
}

/// Counts that were made up, and what follows from them, by hand and by tables of the t distribution.
#[test]
fn the_statistics_are_those_of_the_counts() {
    let folder =
        folder("game: rock-paper-scissors\nplayers: { A: random, B: random }\ngames: 10\n");
    let at = folder.path();
    fine(at, &["experiment", "x.yaml"]);
    let path = at.join("x.results").join(WHOLE);
    let text = read(&path);
    let first = text.lines().next().unwrap();
    // A won 3 and drew 2 on the first seat, lost 1 and won 4 on the second.
    let counts = r#"{"cell":0,"ends":[["0 1","0 0",2],["0 1","1 -1",3],["1 0","-1 1",4],["1 0","1 -1",1]],"lengths":[[1,6],[2,4]]}"#;
    std::fs::write(&path, format!("{first}\n{counts}\n")).unwrap();
    let out = fine(at, &["experiment", "merge", "x.yaml", "--json"]);
    let summary: Value = serde_json::from_str(&out).unwrap();
    let variant = &summary["variants"][0];
    let (a, b) = (
        &variant["pairings"][0]["players"][0],
        &variant["pairings"][0]["players"][1],
    );
    for (player, metric, mean, low, high) in [
        (a, "share", 0.8, 0.463_096, 1.0),
        (a, "wins", 0.7, 0.396_778, 0.892_209),
        (a, "draws", 0.2, 0.056_682, 0.509_838),
        (a, "losses", 0.1, 0.017_876, 0.404_150),
        (b, "share", 0.2, 0.0, 0.536_904),
        (a, "payoff", 0.6, -0.073_807, 1.0),
        (b, "payoff", -0.6, -1.0, 0.073_807),
        (a, "length", 1.4, 1.030_591, 1.769_409),
    ] {
        close(&player[metric]["mean"], mean);
        close(&player[metric]["interval"][0], low);
        close(&player[metric]["interval"][1], high);
    }
    close(&a["seats"]["Alice"]["payoff"]["mean"], 0.6);
    close(&b["seats"]["Alice"]["wins"]["mean"], 0.2);
    assert_eq!(variant["all"]["A"]["share"], a["share"]);
    let csv = read(at.join("x.results/results.csv"));
    let row = csv.lines().find(|l| l.contains(",1,A,B,all,10,")).unwrap();
    assert!(
        row.contains(",0.800000,0.463095,1.000000,0.700000,"),
        "{row}"
    );
    let text = read(at.join("x.results/results.md"));
    assert!(text.contains(" 80.0 (46.3 to 100.0) "), "{text}");
    assert!(text.contains(" 0.600 (-0.074 to 1.000) "), "{text}");
    assert!(
        text.contains("Order by share over all: {A, B} (within braces"),
        "{text}"
    );
}

#[test]
fn results_of_another_experiment_are_refused() {
    let folder = folder(DUEL);
    let at = folder.path();
    std::fs::copy(root().join("games/goofspiel.game"), at.join("own.game")).unwrap();
    let own = DUEL.replace("goofspiel", "own.game");
    std::fs::write(at.join("x.yaml"), &own).unwrap();
    fine(at, &["experiment", "x.yaml"]);
    let report_before = report(&at.join("x.results"));
    let mut told = String::new();
    for (what, yaml) in [
        ("another seed", own.replace("seed: 5", "seed: 6")),
        ("fewer games", own.replace("games: 30", "games: 20")),
        ("a param", own.replace("cards: 4", "cards: 5")),
        ("a player", own.replace("playouts: 12", "playouts: 13")),
        ("a name", own.replace("Strong", "Stronger")),
        (
            "a pairing less",
            own.clone() + "pairings: [[Random, Weak], [Weak, Strong]]\n",
        ),
        (
            "another order",
            own.clone() + "pairings: [[Weak, Random], [Random, Strong], [Weak, Strong]]\n",
        ),
        ("a variant", own.clone() + "variants: { one: {} }\n"),
    ] {
        std::fs::write(at.join("x.yaml"), yaml).unwrap();
        for command in [
            &["experiment", "x.yaml"][..],
            &["experiment", "merge", "x.yaml"],
        ] {
            let (code, _, errors) = run(at, command);
            assert_eq!(code, 2, "{what}: {errors}");
            assert!(errors.contains("E1006"), "{what}: {errors}");
            if command.len() == 2 {
                told.push_str(&format!("# {what}\n{errors}\n"));
            }
        }
    }
    std::fs::write(at.join("x.yaml"), &own).unwrap();
    let (code, _, errors) = run(at, &["experiment", "x.yaml", "--shard", "1/2"]);
    assert_eq!(code, 2);
    told.push_str(&format!("# another division\n{errors}\n"));
    snapshot("mismatches", &told);

    // Comments, the title and the metrics are no part of what was played.
    let game = read(at.join("own.game"));
    std::fs::write(at.join("own.game"), format!("// The same.\n{game}")).unwrap();
    let other = own.clone() + "title: A title\nmetrics: [payoff]\n";
    std::fs::write(at.join("x.yaml"), other).unwrap();
    fine(at, &["experiment", "x.yaml"]);
    let now = report(&at.join("x.results"));
    assert_eq!(now[1], report_before[1]);
    assert_ne!(now[0], report_before[0]);

    let changed = game.replace("points[winner] += prize", "points[winner] += 1");
    assert_ne!(changed, game);
    std::fs::write(at.join("own.game"), changed).unwrap();
    let (code, _, errors) = run(at, &["experiment", "x.yaml"]);
    assert_eq!(code, 2);
    assert!(errors.contains("`variants[1].description` is"), "{errors}");
}

#[test]
fn results_that_were_changed_by_hand_are_refused() {
    let folder = folder("game: rock-paper-scissors\nplayers: { A: random, B: random }\ngames: 4\n");
    let at = folder.path();
    fine(at, &["experiment", "x.yaml"]);
    let path = at.join("x.results").join(WHOLE);
    let text = read(&path);
    let first = text.lines().next().unwrap();
    let counts = r#"{"cell":0,"ends":[["0 1","0 0",2],["1 0","0 0",2]],"lengths":[[1,4]]}"#;
    let mut told = String::new();
    for (what, lines) in [
        ("no first line", String::new() + counts + "\n"),
        (
            "another version",
            first.replace("\"ruse-experiment\":1", "\"ruse-experiment\":2") + "\n",
        ),
        ("no JSON", format!("{first}\nhello\n")),
        (
            "a game that there is not",
            format!("{first}\n[0,4,\"0 0\",1]\n"),
        ),
        (
            "a pairing that there is not",
            format!("{first}\n[1,0,\"0 0\",1]\n"),
        ),
        ("a payoff too few", format!("{first}\n[0,0,\"0\",1]\n")),
        ("no number", format!("{first}\n[0,0,\"0 inf\",1]\n")),
        (
            "a game twice",
            format!("{first}\n[0,0,\"0 0\",1]\n[0,0,\"0 0\",1]\n"),
        ),
        (
            "a game and counts",
            format!("{first}\n[0,0,\"0 0\",1]\n{counts}\n"),
        ),
        ("counts twice", format!("{first}\n{counts}\n{counts}\n")),
        (
            "too many",
            format!(
                "{first}\n{}\n",
                counts.replace("\"0 0\",2],[\"1", "\"0 0\",3],[\"1")
            ),
        ),
        (
            "too long games",
            format!("{first}\n{}\n", counts.replace("[1,4]", "[1,5]")),
        ),
        (
            "overflow",
            format!(
                "{first}\n{}\n",
                counts.replace("[1,4]", "[1,18446744073709551615],[2,5]")
            ),
        ),
        (
            "a seat for nobody",
            format!("{first}\n{}\n", counts.replace("1 0", "1 7")),
        ),
    ] {
        std::fs::write(&path, &lines).unwrap();
        for command in [
            &["experiment", "x.yaml"][..],
            &["experiment", "merge", "x.yaml"],
        ] {
            let (code, _, errors) = run(at, command);
            assert_eq!(code, 2, "{what}: {errors}");
            assert!(errors.contains("E1007"), "{what}: {errors}");
            assert_eq!(read(&path), lines, "{what}: the file is left as it is");
            if command.len() == 2 {
                told.push_str(&format!("# {what}\n{errors}\n"));
            }
        }
    }
    std::fs::remove_file(&path).unwrap();
    let (code, _, errors) = run(at, &["experiment", "merge", "x.yaml"]);
    assert_eq!(code, 2);
    told.push_str(&format!("# nothing\n{errors}\n"));
    snapshot("damage", &told);

    // Another version of the program may read a part that is finished, and not go on with one that is not.
    let older = first.replace("\"program\":\"", "\"program\":\"0.0.1-");
    std::fs::write(&path, format!("{older}\n{counts}\n")).unwrap();
    fine(at, &["experiment", "x.yaml"]);
    std::fs::write(&path, format!("{older}\n[0,0,\"0 0\",1]\n")).unwrap();
    let (code, _, errors) = run(at, &["experiment", "x.yaml"]);
    assert!(code == 2 && errors.contains("E1006"), "{errors}");
}

/// Files that are wrong, each with what is said of it.
#[test]
fn mistakes_in_the_file_have_their_place() {
    const REST: &str = "players: { Ann: random, Ben: random }\ngames: 2\n";
    let duel = |rest: &str| format!("game: goofspiel\n{REST}{rest}\n");
    let mut told = String::new();
    for (what, yaml) in [
        ("nothing", String::new()),
        ("no YAML", "game: [".to_string()),
        ("a list", "[1, 2]".to_string()),
        ("an unknown key", duel("player: {}")),
        ("a key twice", duel("games: 3")),
        ("no game", REST.to_string()),
        ("no players", "game: goofspiel\ngames: 2\n".to_string()),
        (
            "no number of games",
            "game: goofspiel\nplayers: { A: random }\n".to_string(),
        ),
        ("no games", duel("").replace("games: 2", "games: 0")),
        (
            "too many games",
            duel("").replace("games: 2", "games: 1e300"),
        ),
        (
            "games in all",
            duel("pairings: [[Ann, Ben], [Ben, Ann], [Ann, Ben]]")
                .replace("games: 2", "games: 9_000_000"),
        ),
        ("a seed", duel("seed: -1")),
        ("a large seed", duel("seed: 18446744073709551616")),
        ("a title", duel("title: [a]")),
        ("a setting", duel("set: cards=4")),
        ("a table as a setting", duel("set: { cards: [4] }")),
        ("a player", duel("").replace("Ben: random", "Ben: radnom")),
        (
            "a parameter",
            "game: goofspiel\nplayers:\n  A: random\n  B:\n    uct: { playout: 5 }\ngames: 1\n"
                .to_string(),
        ),
        (
            "a value",
            "game: goofspiel\nplayers:\n  A: random\n  B:\n    uct: { playouts: none }\ngames: 1\n"
                .to_string(),
        ),
        ("a name twice", duel("").replace("Ben:", "Ann:")),
        (
            "a long name",
            duel("").replace("Ben:", &format!("{}:", "B".repeat(41))),
        ),
        (
            "a name of tables",
            duel("").replace("Ben:", "all:"),
        ),
        (
            "no player",
            duel("").replace("{ Ann: random, Ben: random }", "{}"),
        ),
        ("too few players", duel("").replace(", Ben: random", "")),
        ("pairings", duel("pairings: all")),
        ("no pairings", duel("pairings: []")),
        ("a pairing", duel("pairings: [Ann]")),
        ("an unknown player", duel("pairings: [[Ann, Bem]]")),
        ("a player twice", duel("pairings: [[Ann, Ann]]")),
        ("one for two seats", duel("pairings: [[Ann]]")),
        (
            "an unknown seat",
            duel("pairings: [{ Alice: Ann, Bop: Ben }]"),
        ),
        ("an empty seat", duel("pairings: [{ Alice: Ann }]")),
        ("a metric", duel("metrics: [share, win]")),
        ("a metric twice", duel("metrics: [share, share]")),
        ("no metrics", duel("metrics: []")),
        ("a budget", duel("budget: { playout: 5 }")),
        ("a budget of nothing", duel("budget: { playouts: 0 }")),
        ("a variant", duel("variants: { a: { games: 5 } }")),
        (
            "a player of a variant",
            duel("variants: { a: { players: { Cid: random } } }"),
        ),
        ("no variants", duel("variants: {}")),
        ("a shipped game", duel("").replace("goofspiel", "goofspeil")),
        ("a file", duel("").replace("goofspiel", "no/such.game")),
        ("a param", duel("set: { cards: 40 }")),
        (
            "nobody wins",
            duel("metrics: [wins]").replace("goofspiel", "patrol"),
        ),
        ("sides for three", duel("pairings: sides\nset: { seats: 3 }")),
        (
            "a rating of three",
            duel("metrics: [rating]\nset: { seats: 3 }")
                .replace("Ben: random", "Ben: random, Cid: random"),
        ),
        (
            "a rating of who plays on both sides",
            "game: scotland-yard-mini\nplayers: { A: random, B: random }\ngames: 1\nmetrics: [rating]\n\
             pairings: [{ X: A, Red: A, Blue: B, Green: B }]\n"
                .to_string(),
        ),
        (
            "a player for another game",
            duel("")
                .replace("goofspiel", "kuhn-poker")
                .replace("Ben: random", "Ben: uct"),
        ),
    ] {
        let folder = folder(&yaml);
        let (code, _, errors) = run(folder.path(), &["experiment", "x.yaml"]);
        assert!(code == 1 || code == 2, "{what}: {errors}");
        assert!(errors.starts_with("error[E"), "{what}: {errors}");
        assert!(
            !folder.path().join("x.results").exists(),
            "{what}: nothing is written"
        );
        told.push_str(&format!("# {what}\n{errors}\n"));
    }
    snapshot("mistakes", &told);
}

#[test]
fn seats_teams_and_three_players() {
    let folder = folder(
        "\
title: Three | seats
game: goofspiel
set: { cards: 4, seats: 3 }
players: { A: random, B: random, \"C, D\": { uct: { playouts: 10 } } }
pairings:
  - [A, B, \"C, D\"]
  - { Alice: \"C, D\", Bob: A, Carol: A }
games: 12
metrics: [payoff, share, length]
",
    );
    let at = folder.path();
    fine(at, &["experiment", "x.yaml"]);
    let [markdown, csv, svg] = report(&at.join("x.results"));
    snapshot("three", &format!("{markdown}\n{csv}\n{svg}"));

    // A round robin of one seat at a time, with a game that is no contest.
    let patrol = "game: patrol\nplayers: { A: random }\npairings: [{ Patroller: A, Intruder: A }]\ngames: 3\n";
    let names = fine(at, &["show", "patrol", "--json"]);
    let shown: Value = serde_json::from_str(&names).unwrap();
    let seats = shown["players"].as_array().unwrap();
    let table: Vec<String> = seats
        .iter()
        .map(|s| format!("{}: A", s.as_str().unwrap()))
        .collect();
    let patrol = patrol.replace("Patroller: A, Intruder: A", &table.join(", "));
    std::fs::write(at.join("x.yaml"), patrol).unwrap();
    let out = fine(at, &["experiment", "x.yaml", "--out", "patrol", "--json"]);
    let summary: Value = serde_json::from_str(&out).unwrap();
    let variant = &summary["variants"][0];
    assert_eq!(variant["metrics"], serde_json::json!(["payoff", "length"]));
    assert!(variant["all"]["A"]["share"].is_null());
    assert!(variant["all"]["A"]["payoff"]["mean"].is_number());
}

/// Everybody on each side of a game of teams, and how strong that makes them.
#[test]
fn sides_and_ratings() {
    let folder = folder(
        "\
game: scotland-yard-mini
set: { rounds: 4, seats: 3 }
players: { Random: random, Short: \"determinized(playouts=5)\", Longer: \"determinized(playouts=60)\" }
pairings: sides
games: 30
metrics: [rating, wins]
",
    );
    let at = folder.path();
    let printed = fine(at, &["experiment", "x.yaml"]);
    let [markdown, csv, svg] = report(&at.join("x.results"));
    assert_eq!(printed, markdown);
    snapshot("sides", &format!("{markdown}\n{csv}\n{svg}"));
    let out = fine(at, &["experiment", "x.yaml", "--json"]);
    let summary: Value = serde_json::from_str(&out).unwrap();
    let variant = &summary["variants"][0];
    assert_eq!(variant["pairings"].as_array().unwrap().len(), 6);
    let all = variant["all"].as_object().unwrap();
    let rating = |name: &str| all[name]["rating"]["mean"].as_f64().unwrap();
    let sum: f64 = all.keys().map(|name| rating(name)).sum();
    assert!(sum.abs() < 1e-6, "{sum}");
    assert!(rating("Longer") > rating("Random"));
    assert!(variant["pairings"][0]["players"][0]["rating"].is_null());
}

#[test]
fn a_budget_in_milliseconds_promises_nothing() {
    let folder = folder(
        "game: tic-tac-toe\nplayers: { A: random, B: uct }\ngames: 2\nbudget: { ms: 1 }\n\
         variants: { fast: {}, sure: { budget: { playouts: 3 }, players: { A: uct } } }\n",
    );
    let at = folder.path();
    let (code, out, errors) = run(at, &["experiment", "x.yaml", "--json"]);
    assert_eq!(code, 0, "{errors}");
    assert!(
        errors.contains("another run gives another table"),
        "{errors}"
    );
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["reproducible"], false);
    let part = fine(
        at,
        &[
            "experiment",
            "x.yaml",
            "--shard",
            "1/2",
            "--out",
            "part",
            "--json",
        ],
    );
    let part: Value = serde_json::from_str(&part).unwrap();
    assert_eq!(part["reproducible"], false);
    assert_eq!(summary["variants"][0]["players"]["B"], "uct(ms=1)");
    assert_eq!(summary["variants"][1]["players"]["A"], "uct(playouts=3)");
    let text = read(at.join("x.results/results.md"));
    assert!(text.contains("A budget in milliseconds"), "{text}");
}
