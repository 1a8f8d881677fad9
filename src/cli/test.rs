//! `ruse test`: plays scripts and compares what happens with what was accepted before.

use super::codes;
use super::file_words::unwritten;
use super::load::load;
use super::output::{self, Diagnostics, Failure, Verdict, plural};
use super::problem::Problem;
use super::scripts::{self, find, play, ready, same_file};
use crate::check::Settings;
use crate::review::{Change, Comparison, TestedGame, compare, unscripted};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Test the rules of games: play scripts, and compare what happens with accepted snapshots
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse test duel.play
  ruse test .
  ruse test tests/plays --snapshots snapshots/plays --check
  ruse test duel.play --accept

A folder is searched for scripts (NAME.play) and games (NAME.game). A game that none of the
scripts is about is tested by itself: histories are counted, and two games played at random.

A script:
  game duel.game              the game, by its path from the script
  set rounds = 2              before a play: for all plays; right after it: for this one

  play \"a bluff that works\"   a line of play, and what is expected of it
    chance: queen             what is drawn, as it would be typed
    Ann: bet                  a move
    options Ben: call | fold  these and no others; `includes` allows more
    refuse Ben: raise         this is not possible
    sees Ben: card[Ben] = king
    hides Ben: card[Ann]
    turn Ben                  whose turn it is; several names, or `chance`
    Ben: fold
    end                       the game is over
    payoffs Ann 1, Ben -1

  play \"another way\" after \"a bluff that works\"
  counts 3                    histories of up to 3 plies, at the start of a play
  random 12 seed 1            twelve plies at random
  skip 12 seed 1              the same, and not written down
  playouts 3 seed 1           games at random from here, which lead nowhere else
  // a comment

What happens is written down: who sees what at all, then who may do what and does it, what each
player comes to see, the payoffs. That snapshot is kept as snapshots/NAME.play.snap beside the
script. When the rules change, the difference shows; --accept makes the new text the snapshot.
Read it first.

Exit codes:
  0  everything is as accepted; there may be new snapshots to accept
  1  something differs, a script is wrong or expects what is not so; under --check also
     where a snapshot is missing
  2  wrong use, or a file cannot be read or written")]
pub struct Test {
    /// Scripts, games, and folders of them
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// Keep what happens now as the snapshots
    #[arg(long, conflicts_with = "check")]
    accept: bool,

    /// A missing snapshot is a failure; for automatic runs
    #[arg(long)]
    check: bool,

    /// Where the snapshots are [default: the folder `snapshots` beside each script]
    #[arg(long, value_name = "FOLDER")]
    snapshots: Option<PathBuf>,

    /// Print one JSON document instead, problems included
    #[arg(long)]
    json: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Status {
    Fine,
    /// There is no snapshot yet.
    New,
    Different,
    /// The snapshot was written, because it was missing or different.
    Accepted,
    /// The script is wrong, or what it expects is not so.
    Failed,
}

#[derive(Serialize)]
struct Report {
    tests: Vec<TestReport>,
    /// Of all tests, in their order.
    #[serde(flatten)]
    problems: Diagnostics,
}

#[derive(Serialize)]
struct TestReport {
    test: String,
    status: Status,
    snapshot: String,
    /// From the snapshot to what happens now, in lines that begin with a blank, `-` or `+`.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
}

impl Test {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let found = find(&self.paths)?;
        let mut report = Report {
            tests: Vec::new(),
            problems: Diagnostics::default(),
        };
        let mut verdict = Verdict::Fine;
        let mut tested: Vec<PathBuf> = Vec::new();
        for path in &found.scripts {
            let text = ready(path).and_then(|ready| {
                tested.push(ready.game.clone());
                script_text(&ready)
            });
            verdict = verdict.max(self.one(path, text, &mut report));
        }
        for path in &found.games {
            if !tested.iter().any(|t| same_file(t, path)) {
                verdict = verdict.max(self.one(path, game_text(path), &mut report));
            }
        }
        if report.tests.is_empty() {
            return Err(Failure::advised(
                "there is nothing to test here",
                "scripts are called NAME.play and games NAME.game",
            ));
        }
        output::show(self.json, &report, || summary(&report.tests));
        Ok(verdict)
    }

    /// Compares the text of a test with its snapshot, and tells how that went.
    fn one(&self, path: &Path, text: Result<String, Failure>, report: &mut Report) -> Verdict {
        let snapshot = self.snapshot(path);
        let name = path.display().to_string();
        let compared = text.and_then(|text| {
            let clash = report
                .tests
                .iter()
                .find(|t| t.snapshot == snapshot.display().to_string());
            if let Some(other) = clash {
                let message = format!("{name} and {} have the same snapshot", other.test);
                return Err(Failure::usage(message));
            }
            self.compare(&text, &snapshot)
        });
        let (status, difference, verdict) = match compared {
            Ok((status, difference)) => {
                let bad = match status {
                    Status::Different => true,
                    Status::New => self.check,
                    _ => false,
                };
                let verdict = if bad { Verdict::No } else { Verdict::Fine };
                (status, difference, verdict)
            }
            Err(failure) => {
                report.problems.tell(&failure.problems, self.json);
                (Status::Failed, Vec::new(), failure.verdict)
            }
        };
        let shown = snapshot.display().to_string();
        if !self.json {
            let word = match status {
                Status::Fine => "fine".to_string(),
                Status::New => format!("new; --accept keeps it as {shown}"),
                Status::Different => format!("differs from {shown}"),
                Status::Accepted => format!("accepted as {shown}"),
                Status::Failed => "failed".to_string(),
            };
            output::print(&format!("{name}: {word}\n"));
            if status == Status::Different {
                output::print(&drawn(&difference, output::colour_out()));
            }
        }
        report.tests.push(TestReport {
            test: name,
            status,
            snapshot: shown,
            difference: (!difference.is_empty()).then(|| drawn(&difference, false)),
        });
        verdict
    }

    fn snapshot(&self, path: &Path) -> PathBuf {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(".snap");
        match &self.snapshots {
            Some(folder) => folder.join(name),
            None => path.with_file_name("snapshots").join(name),
        }
    }

    fn compare(&self, text: &str, snapshot: &Path) -> Result<(Status, Vec<Change>), Failure> {
        let old = match snapshot.exists() {
            true => Some(super::load::read(snapshot)?.text),
            false => None,
        };
        let (status, changes, new) = match compare(old.as_deref(), text) {
            Comparison::Same => return Ok((Status::Fine, Vec::new())),
            Comparison::New(new) => (Status::New, Vec::new(), new),
            Comparison::Different { changes, snapshot } => (Status::Different, changes, snapshot),
        };
        if self.accept {
            write(snapshot, &new)?;
            return Ok((Status::Accepted, Vec::new()));
        }
        Ok((status, changes))
    }
}

/// What happens in a script.
fn script_text(ready: &scripts::Ready) -> Result<String, Failure> {
    let played = play(ready, false);
    match played.verdict {
        Verdict::Fine => Ok(played.report.text),
        verdict => Err(Failure {
            problems: played.problems,
            verdict,
        }),
    }
}

/// What happens in a game without a script.
fn game_text(path: &Path) -> Result<String, Failure> {
    let loaded = load(path, &Settings::new())?;
    let table = TestedGame::new(loaded.machine.clone(), &loaded.source.sources);
    unscripted(&table).map_err(|e| {
        let problem = Problem::InText(loaded.source.clone(), e.diagnostic());
        Failure::no(problem)
    })
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder
        .and_then(|()| std::fs::write(path, text))
        .map_err(|e| {
            let message = format!("{} cannot be written: {}", path.display(), unwritten(&e));
            Failure::wrong_use(Problem::outside(Some(codes::CANNOT_WRITE), message))
        })
}

/// A difference for people: what was is red, what is now is green.
fn drawn(list: &[Change], colour: bool) -> String {
    let mut text = String::new();
    for change in list {
        let (code, line) = match change {
            Change::At { line, heading } if heading.is_empty() => ("36", format!("@@ line {line}")),
            Change::At { line, heading } => ("36", format!("@@ line {line}, in {heading}")),
            Change::Same(line) => ("", format!("  {line}")),
            Change::Removed(line) => ("31", format!("- {line}")),
            Change::Added(line) => ("32", format!("+ {line}")),
        };
        if colour && !code.is_empty() {
            text.push_str(&format!("\u{1b}[{code}m{line}\u{1b}[0m\n"));
        } else {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

/// `3 tests: 1 fine, 1 new, 1 differs`.
fn summary(tests: &[TestReport]) -> String {
    let words = [
        (Status::Fine, "fine"),
        (Status::Accepted, "accepted"),
        (Status::New, "new"),
        (Status::Different, "different"),
        (Status::Failed, "failed"),
    ];
    let parts: Vec<String> = words
        .iter()
        .map(|(status, word)| (tests.iter().filter(|t| t.status == *status).count(), word))
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    let all = plural(tests.len() as u64, "test");
    let hint = match tests.iter().any(|t| t.status == Status::Different) {
        true => "; --accept makes what happens now the snapshots",
        false => "",
    };
    format!("{all}: {}{hint}\n", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(accept: bool, check: bool) -> Test {
        Test {
            paths: Vec::new(),
            accept,
            check,
            snapshots: None,
            json: true,
        }
    }

    #[test]
    fn snapshots_are_written_when_they_are_accepted_and_at_no_other_time() {
        let folder = std::env::temp_dir().join(format!("ruse-test-{}", std::process::id()));
        let snapshot = folder.join("snapshots/a.play.snap");
        let status = |test: Test, text: &str| test.compare(text, &snapshot).unwrap().0;
        assert_eq!(status(test(false, false), "one\n"), Status::New);
        assert_eq!(status(test(false, true), "one\n"), Status::New);
        assert!(!folder.exists());
        assert_eq!(status(test(true, false), "one\n"), Status::Accepted);
        assert_eq!(status(test(false, true), "one\n"), Status::Fine);
        assert_eq!(status(test(true, false), "one\n\n"), Status::Fine);
        assert_eq!(status(test(false, false), "two\n"), Status::Different);
        // What another tool has put at the top stays there.
        std::fs::write(&snapshot, "---\nsource: a\n---\none\n").unwrap();
        assert_eq!(status(test(false, false), "one\n"), Status::Fine);
        assert_eq!(status(test(true, false), "two\n"), Status::Accepted);
        let kept = std::fs::read_to_string(&snapshot).unwrap();
        assert_eq!(kept, "---\nsource: a\n---\ntwo\n");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn snapshots_are_beside_the_script_or_where_one_says() {
        let script = Path::new("plays/a.play");
        let beside = test(false, false).snapshot(script);
        assert_eq!(beside, Path::new("plays/snapshots/a.play.snap"));
        let elsewhere = Test {
            snapshots: Some(PathBuf::from("kept")),
            ..test(false, false)
        };
        assert_eq!(elsewhere.snapshot(script), Path::new("kept/a.play.snap"));
    }

    #[test]
    fn a_difference_is_drawn_with_signs_and_colours() {
        let list = [
            Change::At {
                line: 3,
                heading: "play \"a\"".to_string(),
            },
            Change::Same(String::new()),
            Change::Removed("old".to_string()),
            Change::Added("new".to_string()),
        ];
        let plain = "@@ line 3, in play \"a\"\n\n- old\n+ new\n";
        assert_eq!(drawn(&list, false), plain);
        assert!(drawn(&list, true).contains("\u{1b}[31m- old\u{1b}[0m\n"));
    }
}
