//! Records from outside: the same bytes on any number of threads, nothing lost when a match is killed, and a word for
//! everything that can be wrong with a file.

use crate::support::command::ruse;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

fn run(arguments: &[&str]) -> Output {
    ruse(arguments).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A match of some games, with options; returns what it printed.
fn play(record: &Path, games: &str, more: &[&str]) -> Output {
    let record = record.to_str().unwrap();
    let fixed = [
        "match",
        "goofspiel",
        "--set",
        "cards=4",
        "--set",
        "bids=hidden",
        "--players",
        "random",
        "--record",
        record,
        "--games",
        games,
    ];
    run(&[&fixed[..], more].concat())
}

fn replay(record: &Path, more: &[&str]) -> Output {
    run(&[&["replay", record.to_str().unwrap()][..], more].concat())
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}\n{}", errors(output)))
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A record of ten games, with some lines changed.
    fn record(&self, name: &str, change: impl Fn(&mut Vec<String>)) -> PathBuf {
        let path = self.path(name);
        assert_eq!(play(&path, "10", &[]).status.code(), Some(0));
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().map(String::from).collect();
        change(&mut lines);
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        path
    }
}

#[test]
fn a_record_is_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    let texts = ["1", "3", "8"].map(|threads| {
        let path = folder.path(threads);
        assert_eq!(
            play(&path, "200", &["--threads", threads]).status.code(),
            Some(0)
        );
        assert!(!folder.path(&format!("{threads}.ahead")).exists());
        std::fs::read_to_string(&path).unwrap()
    });
    assert_eq!(texts[0].lines().count(), 201);
    assert!(texts[0] == texts[1] && texts[0] == texts[2]);
}

#[test]
fn a_longer_match_goes_on_with_a_shorter_one() {
    let folder = Folder::new();
    let (whole, parts) = (folder.path("whole"), folder.path("parts"));
    let at_once = play(&whole, "50", &[]);
    // Nothing is there yet: `--resume` begins.
    assert_eq!(play(&parts, "7", &["--resume"]).status.code(), Some(0));
    let refused = play(&parts, "50", &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("E0806"), "{}", errors(&refused));
    let resumed = play(&parts, "50", &["--resume"]);
    assert_eq!(resumed.stdout, at_once.stdout);
    assert!(
        errors(&resumed).contains("7 games in"),
        "{}",
        errors(&resumed)
    );
    let fewer = play(&parts, "10", &["--resume"]);
    let told = "40 are beyond the 10 asked for";
    assert!(errors(&fewer).contains(told), "{}", errors(&fewer));
    assert_eq!(
        std::fs::read(&parts).unwrap(),
        std::fs::read(&whole).unwrap()
    );
    let other = play(&parts, "60", &["--resume", "--seed", "2"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(
        errors(&other).contains("`seed` is 1 there and 2 here"),
        "{}",
        errors(&other)
    );
    assert_eq!(
        std::fs::read(&parts).unwrap(),
        std::fs::read(&whole).unwrap()
    );
}

#[test]
fn games_that_wait_and_a_torn_line_are_taken_up() {
    let folder = Folder::new();
    let whole = folder.record("whole", |_| {});
    let text = std::fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // As a run leaves it that was killed: five games, a torn one, and two later ones that wait.
    let parts = folder.path("parts");
    let torn = &lines[6][..lines[6].len() / 2];
    std::fs::write(&parts, lines[..6].join("\n") + "\n" + torn).unwrap();
    let waiting = format!("{}\n{}\n{torn}", lines[7], lines[9]);
    std::fs::write(folder.path("parts.ahead"), waiting).unwrap();

    let told = replay(&parts, &[]);
    assert_eq!(told.status.code(), Some(0));
    assert!(
        errors(&told).contains("line 7, the last, is torn and was skipped"),
        "{}",
        errors(&told)
    );
    assert!(
        errors(&told).contains("parts.ahead holds finished games"),
        "{}",
        errors(&told)
    );
    assert_eq!(json(&replay(&parts, &["--json"]))["torn_line"], 7);

    assert_eq!(play(&parts, "10", &["--resume"]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&parts).unwrap(), text);
    assert!(!folder.path("parts.ahead").exists());

    // A first line that was torn is begun anew; another file is not touched.
    std::fs::write(&parts, &lines[0][..20]).unwrap();
    assert_eq!(play(&parts, "10", &["--resume"]).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(&parts).unwrap(), text);
    std::fs::write(&parts, "my notes").unwrap();
    assert_eq!(play(&parts, "10", &["--resume"]).status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&parts).unwrap(), "my notes");
}

#[cfg(unix)]
#[test]
fn a_killed_match_loses_no_finished_game() {
    let folder = Folder::new();
    let path = folder.path("killed");
    let mut child = ruse(&[
        "match",
        "goofspiel",
        "--players",
        "random",
        "--games",
        "10000000",
        "--threads",
        "3",
        "--record",
    ])
    .arg(&path)
    .stdout(Stdio::null())
    .stderr(Stdio::null())
    .spawn()
    .unwrap();
    let written = || {
        std::fs::read_to_string(&path)
            .unwrap_or_default()
            .lines()
            .count()
    };
    let start = Instant::now();
    while written() < 300 {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "nothing is written"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    // SIGKILL: nothing in the process can put anything in order any more.
    child.kill().unwrap();
    child.wait().unwrap();
    let lines = written() as u64;
    let report = json(&replay(&path, &["--json"]));
    let games = report["games"].as_u64().unwrap();
    let torn = u64::from(!report["torn_line"].is_null());
    assert!(
        games >= 299 && games + 1 + torn == lines,
        "{games} games, {lines} lines"
    );
    assert_eq!(report["fitting"], games);
    assert_eq!(report["misfits"], serde_json::json!([]));
}

#[test]
fn what_does_not_fit_is_told_with_its_place() {
    let folder = Folder::new();
    let path = folder.record("wrong", |lines| {
        let mut game: Value = serde_json::from_str(&lines[4]).unwrap();
        game["plies"][1][0]["move"] = "9".into();
        game["plies"][1][0].as_object_mut().unwrap().remove("exact");
        lines[4] = game.to_string();
        lines[6] = lines[6].replace("\"seed\":1", "\"seed\":2");
        lines.remove(8);
    });
    let output = replay(&path, &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    let misfits = report["misfits"].as_array().unwrap();
    assert_eq!(misfits.len(), 3);
    assert_eq!(
        (&misfits[0]["line"], &misfits[0]["game"], &misfits[0]["ply"]),
        (&5.into(), &4.into(), &2.into())
    );
    assert_eq!(misfits[0]["message"], "Alice cannot choose `9`");
    assert_eq!(
        misfits[0]["options"],
        serde_json::json!(["1", "2", "3", "4"])
    );
    assert_eq!(
        misfits[1]["message"],
        "its seed is 2, and that of the match 1"
    );
    assert!(
        misfits[2]["message"]
            .as_str()
            .unwrap()
            .starts_with("game 8 should stand here")
    );
    let text = errors(&replay(&path, &[]));
    assert!(
        text.contains("line 5, game 4, ply 2: Alice cannot choose `9`"),
        "{text}"
    );
    assert!(text.contains("by the rules: 1 | 2 | 3 | 4"), "{text}");
}

#[test]
fn wrong_exact_forms_and_seats_are_refused() {
    let folder = Folder::new();
    let exact = |to: Value| {
        let path = folder.record("exact", |lines| {
            let mut game: Value = serde_json::from_str(&lines[1]).unwrap();
            game["plies"][0][0]["exact"] = to.clone();
            lines[1] = game.to_string();
        });
        let output = replay(&path, &["--json"]);
        assert_eq!(output.status.code(), Some(1), "{to}");
        let message = json(&output)["misfits"][0]["message"].clone();
        std::fs::remove_file(path).unwrap();
        message.as_str().unwrap().to_string()
    };
    for wrong in [serde_json::json!([]), serde_json::json!([0, 99])] {
        assert!(exact(wrong).starts_with("the exact form of `"));
    }
    let seats = |from: &str, to: &str| {
        let path = folder.record("seats", |lines| {
            assert!(lines[0].contains(from), "{}", lines[0]);
            lines[0] = lines[0].replace(from, to);
        });
        let output = replay(&path, &[]);
        assert_eq!(output.status.code(), Some(2));
        std::fs::remove_file(path).unwrap();
        errors(&output)
    };
    let swapped = seats("[\"Alice\",\"Bob\"]", "[\"Bob\",\"Alice\"]");
    assert!(
        swapped.contains("its seats are not those of the game: Alice, Bob"),
        "{swapped}"
    );
    let unknown = seats("\"players\":\"", "\"players\":\"Eve=random,");
    assert!(unknown.contains("in `players`, "), "{unknown}");
}

#[test]
fn a_changed_rule_is_noticed() {
    let folder = Folder::new();
    let path = folder.record("old", |_| {});
    let rules = String::from_utf8(run(&["games", "goofspiel"]).stdout).unwrap();
    let by = |name: &str, text: &str| {
        let file = folder.path(name);
        std::fs::write(&file, text).unwrap();
        replay(&path, &["--game-file", file.to_str().unwrap()])
    };
    // A comment is no rule.
    let same = by("same.game", &format!("// Mine.\n{rules}"));
    assert_eq!((same.status.code(), errors(&same).as_str()), (Some(0), ""));
    // A rule that shows in no recorded game is told, and all games fit.
    let unseen = by(
        "unseen.game",
        &rules.replace("param seats   : 2..3", "param seats   : 2..2"),
    );
    assert_eq!(unseen.status.code(), Some(0), "{}", errors(&unseen));
    let told = errors(&unseen);
    assert!(
        told.contains("is not as it was played") && !told.contains("E0809"),
        "{told}"
    );
    let (record, file) = (path.to_str().unwrap(), folder.path("unseen.game"));
    let belief = [file.to_str().unwrap(), "--record", record];
    let known = run(&[&["belief", "--player", "Alice"][..], &belief].concat());
    let told = errors(&known);
    assert!(
        told.contains("is not as it was played") && !told.contains("E0809"),
        "{told}"
    );
    // The lowest bid wins: other points.
    let other = by(
        "other.game",
        &rules.replace("argmax(p in Player) bid", "argmin(p in Player) bid"),
    );
    assert_eq!(other.status.code(), Some(1));
    assert!(errors(&other).contains("E0810"), "{}", errors(&other));
    assert!(
        errors(&other).contains("the payoffs are"),
        "{}",
        errors(&other)
    );

    // The record's own file, changed behind its back, is another matter: the answer is no even if all games fit.
    let record = std::fs::read_to_string(&path).unwrap();
    let unseen = folder.path("unseen.game");
    let moved = record.replacen(
        "\"file\":\"goofspiel\"",
        &format!("\"file\":{:?}", unseen.to_str().unwrap()),
        1,
    );
    std::fs::write(&path, moved).unwrap();
    let output = replay(&path, &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    assert_eq!(
        (&report["same_rules"], &report["fitting"]),
        (&false.into(), &10.into())
    );
    assert_eq!(report["diagnostics"][0]["code"], "E0809");
}

#[test]
fn a_player_is_shown_what_it_saw() {
    let folder = Folder::new();
    let path = folder.record("hidden", |_| {});
    let all = json(&replay(&path, &["--game", "3", "--json"]));
    let alice = json(&replay(&path, &["--game", "3", "--as", "Alice", "--json"]));
    assert_eq!(all["plies"].as_array().unwrap().len(), 8);
    assert_eq!(all["payoffs"].as_object().unwrap().len(), 2);
    let bids = &all["plies"][1]["moves"];
    assert_eq!(
        (&bids[0]["by"], &bids[1]["by"]),
        (&"Alice".into(), &"Bob".into())
    );
    assert_ne!(bids[1]["move"], "·");
    assert!(all["plies"][1]["changes"].get("hand[Bob]").is_some());
    let plies = alice["plies"].as_array().unwrap();
    assert!(!plies.is_empty());
    for ply in plies {
        for m in ply["moves"].as_array().unwrap() {
            assert!(m["by"] != "Bob" || m["move"] == "·", "{m}");
        }
        let changes = ply["changes"].as_object().unwrap();
        assert!(!changes.contains_key("hand[Bob]") && !changes.contains_key("bid[Bob]"));
    }
    assert_eq!(alice["payoffs"].as_object().unwrap().len(), 1);

    let unknown = replay(&path, &["--game", "3", "--as", "alise"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        errors(&unknown).contains("did you mean `Alice`?"),
        "{}",
        errors(&unknown)
    );
    let missing = replay(&path, &["--game", "11"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        errors(&missing).contains("its games are 1 to 10"),
        "{}",
        errors(&missing)
    );
}

#[test]
fn any_other_file_is_refused_with_a_reason() {
    let folder = Folder::new();
    let first = std::fs::read_to_string(folder.record("fine", |_| {})).unwrap();
    let first = first.lines().next().unwrap();
    let with = |name: &str, line: &str| {
        format!("{first}\n{line}\n")
            .replace("\"file\":\"goofspiel\"", &format!("\"file\":\"{name}\""))
    };
    let long = "x".repeat((16 << 20) + 2);
    let deep = "[".repeat(1 << 20);
    let wrong_type = r#"{"game":-1,"seed":1,"seats":{},"plies":[],"payoffs":{}}"#;
    let huge_number = r#"{"game":1,"seed":1,"seats":{},"plies":[],"payoffs":{"Alice":1e999}}"#;
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"".to_vec(), "the file is empty"),
        (b"{}\n".to_vec(), "missing field"),
        (b"\xff\xfe\x00\n".to_vec(), "line 1"),
        (long.clone().into_bytes(), "the line is too long"),
        (
            with("goofspiel", &long).into_bytes(),
            "line 2: the line is too long",
        ),
        (
            with("goofspiel", &deep).into_bytes(),
            "invalid type: sequence",
        ),
        (
            with("goofspiel", wrong_type).into_bytes(),
            "line 2: invalid value",
        ),
        (
            with("goofspiel", huge_number).into_bytes(),
            "number out of range",
        ),
        (
            with("goofspiel", "{\"game\":0,\"other\":1}").into_bytes(),
            "unknown field `other`",
        ),
        (
            first
                .replace("\"ruse-record\":2", "\"ruse-record\":99")
                .into_bytes(),
            "version 99",
        ),
        (
            with("/", "").into_bytes(),
            "the game that it names is no file",
        ),
        (
            with("/dev/zero", "").into_bytes(),
            "the game that it names is no file",
        ),
        (
            with("no-such-game", "").into_bytes(),
            "there is no shipped game",
        ),
    ];
    for (bytes, expected) in cases {
        let path = folder.path("wrong");
        std::fs::write(&path, bytes).unwrap();
        let output = replay(&path, &[]);
        let text = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{expected}: {text}");
        assert!(
            text.contains(expected) && text.contains("error[E08"),
            "{expected}: {text}"
        );
    }
    let params = first.replacen("\"cards\":\"4\"", "\"cards\":\"99999999999999999999\"", 1);
    std::fs::write(folder.path("wrong"), params).unwrap();
    let output = replay(&folder.path("wrong"), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("E0302"), "{}", errors(&output));
}

/// A record that was made by other rules is played, and the answer is no, but where another version is asked for.
#[test]
fn records_of_other_rules_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let (game, record) = (
        folder.path().join("coin.game"),
        folder.path().join("coin.jsonl"),
    );
    let (game, record) = (game.to_str().unwrap(), record.to_str().unwrap());
    let text = |factor: u8| {
        format!(
            "game Coin {{ players {{ Ann, Ben }} state {{ up : [Player] 0..1 }} play {{ Ann chooses x in 0..1 into up[Ann] \
             Ben chooses y in 0..1 into up[Ben] }} payoff zero-sum: {{ Ann: {factor} * up[Ann] - {factor} * up[Ben]  Ben: {factor} * \
             up[Ben] - {factor} * up[Ann] }} }}"
        )
    };
    std::fs::write(game, text(1)).unwrap();
    let begun = [
        "match",
        game,
        "--players",
        "random",
        "-n",
        "2",
        "--record",
        record,
    ];
    assert_eq!(ruse(&begun).output().unwrap().status.code(), Some(0));
    std::fs::write(game, text(2)).unwrap();
    for (arguments, expected) in [
        (&["replay", record, "--game", "1"][..], 1),
        (&["replay", record, "--game", "1", "--game-file", game], 0),
        (&["belief", "--record", record, "--player", "Ben"], 1),
        (&["belief", game, "--record", record, "--player", "Ben"], 0),
    ] {
        let output = ruse(&[arguments, &["--json"]].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(expected), "{arguments:?}");
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let told = document["diagnostics"].as_array().unwrap().len();
        assert_eq!(told, usize::from(expected == 1), "{document}");
    }
}
