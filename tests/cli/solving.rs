//! What `ruse solve` promises beyond a transcript: the same output on any number of threads, and a checkpoint that survives
//! whatever happens to the run and to the file.

use crate::support::command::{begin, interrupted, ruse};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

const GAME: [&str; 6] = [
    "solve",
    "goofspiel",
    "--set",
    "cards=4",
    "--set",
    "scoring=point_difference",
];

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The JSON of a run without what differs from run to run.
fn result(output: &Output, but: &[&str]) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", errors(output));
    let mut value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fields = value.as_object_mut().unwrap();
    for field in ["seconds"].iter().chain(but) {
        assert!(fields.remove(*field).is_some(), "{field}");
    }
    value
}

/// With this checkpoint.
fn keeping(file: &Path, more: &[&str]) -> Output {
    let mut command = ruse(&GAME);
    command.args(["--moves", "3", "--json", "--checkpoint"]);
    command.arg(file).args(more).output().unwrap()
}

#[test]
fn json_says_it_all_on_any_number_of_threads() {
    let run = |threads: &str| {
        let more = [
            "--moves",
            "3",
            "--json",
            "--exploit",
            "Bob=uniform",
            "--threads",
            threads,
        ];
        result(&ruse(&GAME).args(more).output().unwrap(), &[])
    };
    let one = run("1");
    assert_eq!(one, run("3"));
    assert_eq!(one["game"], "Goofspiel");
    assert_eq!(one["method"], "backward");
    assert_eq!(one["moves"], serde_json::json!(["3"]));
    assert_eq!(
        (&one["states"], &one["matrix_games"]),
        (&1038.into(), &692.into())
    );
    assert_eq!(one["layers"], 9);
    assert!(one["values"]["Alice"].as_f64().unwrap().abs() < 1e-12);
    let bid = &one["strategies"]["Alice"][0];
    assert_eq!(bid["move"], "1");
    assert!((bid["probability"].as_f64().unwrap() - 1_127_175.0 / 4_194_439.0).abs() < 1e-9);
    let exploited = &one["exploitability"];
    assert_eq!(
        (&exploited["player"], &exploited["depth"]),
        (&"Bob".into(), &Value::Null)
    );
    assert!(exploited["loss"].as_f64().unwrap() > 0.5);
}

#[test]
fn a_checkpoint_survives_what_happens_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    // Without edges in memory the tables of a second run are smaller.
    let but = ["memory_bytes"];
    let first = result(&keeping(&file, &[]), &but);
    let whole = std::fs::read(&file).unwrap();
    let again = keeping(&file, &[]);
    assert!(errors(&again).contains("going on from the checkpoint: 9 layers and values of 9"));
    assert_eq!(result(&again, &but), first);
    assert_eq!(std::fs::read(&file).unwrap(), whole);

    // Cut off anywhere behind its header, it is made whole again.
    let header = whole
        .iter()
        .enumerate()
        .filter(|(_, b)| **b == b'\n')
        .nth(1)
        .unwrap()
        .0
        + 1;
    for length in [
        header,
        header + 1,
        header + 100,
        whole.len() / 3,
        whole.len() / 2,
        whole.len() - 1,
    ] {
        std::fs::write(&file, &whole[..length]).unwrap();
        assert_eq!(result(&keeping(&file, &[]), &but), first, "{length}");
        assert_eq!(std::fs::read(&file).unwrap(), whole, "{length}");
    }
    // What a wrong byte is in is not believed, nor what comes after it.
    for at in [
        header,
        header + 2,
        header + 15,
        header + 40,
        whole.len() / 2,
        whole.len() - 3,
    ] {
        let mut broken = whole.clone();
        broken[at] ^= 0x10;
        std::fs::write(&file, &broken).unwrap();
        assert_eq!(result(&keeping(&file, &[]), &but), first, "{at}");
        assert_eq!(std::fs::read(&file).unwrap(), whole, "{at}");
    }

    // Another game's is left alone.
    let other = ["solve", "goofspiel", "--set", "cards=3", "--json"];
    let mut other = ruse(&other);
    let other = other.arg("--checkpoint").arg(&file).output().unwrap();
    assert_eq!(other.status.code(), Some(2));
    let problem: Value = serde_json::from_slice(&other.stdout).unwrap();
    assert_eq!(problem["diagnostics"][0]["code"], "E0811");
    for text in [
        "",
        "\n",
        "ruse solve checkpoint 1\n",
        "ruse solve checkpoint 1\n{}\n",
        "a\nb\n",
        "\u{ff}\n\n",
    ] {
        std::fs::write(&file, text).unwrap();
        let output = keeping(&file, &[]);
        let expected = if text.is_empty() { 0 } else { 2 };
        assert_eq!(
            output.status.code(),
            Some(expected),
            "{text:?}: {}",
            errors(&output)
        );
        if expected == 2 {
            assert_eq!(std::fs::read(&file).unwrap(), text.as_bytes());
        }
    }
    std::fs::write(&file, b"\xff\xfe\n\n").unwrap();
    assert_eq!(keeping(&file, &[]).status.code(), Some(2));
}

/// Ctrl-C ends a run with what was finished in the file, and the next run goes on from there.
#[test]
#[cfg(unix)]
fn an_interrupted_run_keeps_its_layers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    let arguments = [
        "solve",
        "goofspiel",
        "--set",
        "cards=9",
        "--json",
        "--checkpoint",
    ];
    let child = begin(ruse(&arguments).arg(&file));
    // The first layers are soon there; the whole game would take minutes.
    let deadline = 600;
    for _ in 0..deadline {
        if std::fs::metadata(&file).is_ok_and(|m| m.len() > 3000) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let document: Value = serde_json::from_str(&told).unwrap();
    let message = document["diagnostics"][0]["message"].as_str();
    assert!(message.unwrap().contains("it had found "), "{told}");
    let length = std::fs::metadata(&file).unwrap().len();
    assert!(length > 3000);

    let again = ruse(&arguments)
        .arg(&file)
        .args(["--memory", "1M"])
        .output()
        .unwrap();
    let told = errors(&again);
    assert!(told.contains("going on from the checkpoint: "), "{told}");
    // The bound holds for what comes from the file too.
    assert_eq!(again.status.code(), Some(1), "{told}");
    assert!(std::fs::metadata(&file).unwrap().len() >= length);
}

/// One step of the search takes minutes, and nobody waits for it.
#[test]
#[cfg(target_os = "linux")]
fn a_mixed_integer_program_stops_in_the_midst_of_a_step() {
    let command = "solve patrol-sight --leader Defender --method dobss";
    let arguments: Vec<&str> = command.split(' ').collect();
    let (child, screen) = super::pty::watched(&arguments);
    screen.wait_for("nodes");
    let start = std::time::Instant::now();
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(1));
    assert!(start.elapsed() < std::time::Duration::from_secs(30));
    screen.wait_for("stopped: no commitment was found");
}
