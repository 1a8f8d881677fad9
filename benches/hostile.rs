//! How long `ruse check` takes over texts that no author would write: every hostile text of the tests, and mutants of
//! shipped games. The promise is two seconds for each. Printed are the slowest.
//!
//! Times are those of processors where the system tells them, so that they do not depend on what else the machine does;
//! a program on several threads may be quicker for who waits.
//!
//! `cargo bench --bench hostile -- [--mutants N] [--program PATH]`; without `--bench`, as under `cargo test`, a short look.

#[path = "../tests/support/mod.rs"]
mod support;
mod measure {
    pub mod children;
}

use measure::children;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use support::inputs;
use support::mutants::Shipped;

const PROMISE: Duration = Duration::from_secs(2);
const SHOWN: usize = 10;

struct Wishes {
    mutants: u64,
    /// Every so many hostile texts.
    stride: usize,
    program: String,
}

impl Wishes {
    fn read() -> Wishes {
        let arguments: Vec<String> = std::env::args().collect();
        let given = |name: &str| {
            let at = arguments.iter().position(|a| a == name)?;
            arguments.get(at + 1).cloned()
        };
        let (mutants, stride) = match arguments.iter().any(|a| a == "--bench") {
            true => (1000, 1),
            false => (4, 40),
        };
        Wishes {
            mutants: given("--mutants")
                .and_then(|n| n.parse().ok())
                .unwrap_or(mutants),
            stride,
            program: given("--program").unwrap_or_else(|| env!("CARGO_BIN_EXE_ruse").to_string()),
        }
    }
}

fn main() {
    let wishes = Wishes::read();
    let folder = tempfile::tempdir().expect("a folder");
    let mut times: Vec<(Duration, String)> = Vec::new();
    let mut take = |what: String, text: &str, set: &[String]| {
        times.push((checked(&wishes.program, folder.path(), text, set), what));
    };
    let inputs = [
        inputs::nesting(),
        inputs::length(),
        inputs::size(),
        inputs::endless(),
        inputs::characters(),
    ];
    for (what, text) in inputs.concat().iter().step_by(wishes.stride) {
        take(what.to_string(), text, &[]);
    }
    let found = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hostile");
    for entry in std::fs::read_dir(found).expect("tests/hostile") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("text");
        take(
            path.file_name().unwrap_or_default().display().to_string(),
            &text,
            &[],
        );
    }
    let shipped = Shipped::new();
    for (name, text) in std::iter::zip(&shipped.names, &shipped.texts) {
        let path = folder.path().join(format!("{name}.game"));
        std::fs::write(path, text).expect("a file");
    }
    for number in 0..wishes.mutants {
        let (text, _, settings) = shipped.mutant(number);
        let game = &shipped.names[(number % shipped.names.len() as u64) as usize];
        let set = settings.iter().map(|(k, v)| format!("{k}={v}"));
        take(
            format!("mutant {number} of {game}"),
            &text,
            &set.collect::<Vec<_>>(),
        );
    }
    let whole: Duration = times.iter().map(|(time, _)| *time).sum();
    let late = times.iter().filter(|(time, _)| *time > PROMISE).count();
    println!(
        "{} texts, {whole:.1?} {}, {late} beyond {PROMISE:?}",
        times.len(),
        children::NAME
    );
    times.sort();
    for (time, what) in times.iter().rev().take(SHOWN) {
        println!("{:8.3} s  {what}", time.as_secs_f64());
    }
}

/// What `ruse check` takes for a text.
fn checked(program: &str, folder: &Path, text: &str, set: &[String]) -> Duration {
    std::fs::write(folder.join("it.game"), text).expect("a file");
    let mut command = Command::new(program);
    command.args(["check", "it.game"]).current_dir(folder);
    for setting in set {
        command.args(["--set", setting]);
    }
    let start = children::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let took = children::now() - start;
    let code = status.expect("the program").code();
    assert!(
        matches!(code, Some(0..=2)),
        "it ended with {code:?}\n{text:.2000}"
    );
    took
}
