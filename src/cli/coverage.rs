//! What `ruse check` finds out by play: errors, hints, and which lines of the rules were never reached.

use super::clock::stopwatch;
use super::load::{Loaded, beside};
use super::output::{self, Failure, plural};
use super::problem::Problem;
use super::scripts::{self, find, ready, same_file, with_marks};
use crate::arena::{Found, HuntOptions, hunt};
use crate::check::codes::SHARED_TEXT;
use crate::check::extends::assemble;
use crate::machine::{Machine, SharedText};
use crate::syntax::outline::{Outline, outline};
use crate::testing::coverage::{Coverage, Unreached};
use crate::testing::hints::hints;
use crate::text::span::Span;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a game is played at random: deterministic limits, and a time that only a slow game comes to.
const HUNT: HuntOptions = HuntOptions {
    games: 1_000,
    plies: 10_000,
    seed: 1,
};
const LONGEST_HUNT: Duration = Duration::from_millis(500);
/// With `--coverage` nobody is in a hurry, and there is no other limit.
const PLIES_FOR_COVERAGE: u64 = 1_000_000;

/// What the coverage of a game is asked for with.
pub struct Wanted<'a> {
    pub games: u64,
    pub scripts: &'a [PathBuf],
}

/// The coverage of one game.
#[derive(Debug, Serialize)]
pub struct CoverageReport {
    /// Places in the rules that can be reached, and how many were.
    pub places: usize,
    pub reached: usize,
    /// Random games that were played to their end.
    pub games: u64,
    /// Scripts that were played.
    pub scripts: usize,
    pub unreached: Vec<Unreached>,
}

/// What play told of a game.
#[derive(Default)]
pub struct Findings {
    /// Errors of play, and hints.
    pub problems: Vec<Problem>,
    pub coverage: Option<CoverageReport>,
}

/// Plays a game that is fine as far as its text shows: at random, and where coverage is asked for, by scripts.
pub fn play(loaded: &Loaded, path: &Path, wanted: Option<&Wanted<'_>>) -> Findings {
    let mut findings = Findings::default();
    let in_text = |d| Problem::InText(loaded.source.clone(), d);
    // A game too large to have marks is played without them.
    let (machine, marked) = match with_marks(loaded) {
        Ok(machine) => (Arc::new(machine), true),
        Err(failure) => {
            if wanted.is_some() {
                findings.problems = failure.problems;
                return findings;
            }
            (loaded.machine.clone(), false)
        }
    };
    let Found {
        error,
        shared_texts,
        survey,
    } = played(&machine, wanted);
    let told = |span: Span| {
        loaded.warnings.iter().any(|problem| match problem {
            Problem::InText(_, d) => d.code == SHARED_TEXT && span.contains(d.span),
            _ => false,
        })
    };
    let texts = shared_texts.iter().filter(|s| !told(s.span));
    findings
        .problems
        .extend(texts.map(SharedText::diagnostic).map(in_text));
    if let Some(error) = error {
        findings.problems.push(in_text(error.diagnostic()));
        return findings;
    }
    let mut coverage = Coverage::new(&outline_of(loaded));
    coverage.add(&machine);
    if marked && !survey.stopped && wanted.is_none() {
        let found = hints(&machine, &coverage, &survey);
        findings.problems.extend(found.into_iter().map(in_text));
    }
    if let Some(wanted) = wanted {
        let scripts = match scripted(path, wanted.scripts, &mut coverage) {
            Ok((scripts, problems)) => {
                findings.problems.extend(problems);
                scripts
            }
            Err(failure) => {
                findings.problems.extend(failure.problems);
                return findings;
            }
        };
        let (reached, places) = coverage.share();
        findings.coverage = Some(CoverageReport {
            places,
            reached,
            games: survey.games,
            scripts,
            unreached: coverage.unreached(&loaded.source.sources),
        });
    }
    findings
}

fn played(machine: &Machine, wanted: Option<&Wanted<'_>>) -> Found {
    match wanted {
        Some(wanted) => {
            let options = HuntOptions {
                games: wanted.games,
                plies: PLIES_FOR_COVERAGE,
                ..HUNT
            };
            hunt(machine, &options, &mut || false)
        }
        None => {
            let clock = stopwatch();
            hunt(machine, &HUNT, &mut || clock() > LONGEST_HUNT)
        }
    }
}

fn outline_of(loaded: &Loaded) -> Outline {
    let source = &loaded.source;
    let (file, _, _) = assemble(&source.path, &source.text, &beside);
    file.as_ref().map(outline).unwrap_or_default()
}

/// Plays the scripts that are about a game, and adds what they reach. Returns how many there are and what is wrong.
fn scripted(
    game: &Path,
    paths: &[PathBuf],
    coverage: &mut Coverage,
) -> Result<(usize, Vec<Problem>), Failure> {
    let mut problems = Vec::new();
    let mut played = 0;
    for path in &find(paths)?.scripts {
        let ready = match ready(path) {
            Ok(ready) => ready,
            Err(failure) => {
                problems.extend(failure.problems);
                continue;
            }
        };
        if same_file(&ready.game, game) {
            let script = scripts::play(&ready, true);
            problems.extend(script.problems);
            script.machines.iter().for_each(|m| coverage.add(m));
            played += 1;
        }
    }
    Ok((played, problems))
}

impl CoverageReport {
    /// The lines for people.
    pub fn text(&self) -> String {
        let percent = match self.places {
            0 => 100,
            n => self.reached * 100 / n,
        };
        let mut how = Vec::new();
        if self.games > 0 || self.scripts == 0 {
            how.push(plural(self.games, "random game"));
        }
        if self.scripts > 0 {
            how.push(plural(self.scripts as u64, "script"));
        }
        let mut text = format!(
            "  reached {} of {} places ({percent} %), in {}\n",
            self.reached,
            self.places,
            how.join(" and "),
        );
        let first = self.unreached.first().map(|u| u.file.as_str());
        let rows: Vec<Vec<String>> = self
            .unreached
            .iter()
            .map(|u| {
                let line = match Some(u.file.as_str()) == first {
                    true => u.line.to_string(),
                    false => format!("{}:{}", u.file, u.line),
                };
                vec![line, u.what.to_string(), u.text.clone()]
            })
            .collect();
        for line in output::table(&rows, &[0]).lines() {
            text.push_str(&format!("  {line}\n"));
        }
        text
    }
}
