//! What `ruse check` finds out by play: errors, lints, and which lines of the rules were never reached.

use super::clock::stopwatch;
use super::load::Loaded;
use super::output::{self, Failure, Verdict, plural};
use super::problem::Problem;
use super::progress;
use super::scripts::{self, Ready, find, ready, same_file};
use crate::check::Settings;
use crate::review::{
    Coverage, CoverageReport, Purpose, Subject, play_other_settings, random_check,
};
use crate::shipped;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A quick look takes no longer; only a slow game comes to that.
const LONGEST_LOOK: Duration = Duration::from_millis(500);

/// What the coverage of a game is asked for with.
pub struct Wanted<'a> {
    pub games: u64,
    pub scripts: &'a [PathBuf],
}

/// What play showed of a game.
pub struct Findings {
    /// Errors of play, and lints.
    pub problems: Vec<Problem>,
    pub coverage: Option<CoverageReport>,
    /// Of the scripts.
    pub verdict: Verdict,
}

/// Plays a game that is fine as far as its text shows: at random, and where coverage is asked for, by scripts. Soon after `stop`
/// was set that ends, and what play has shown is what there is.
pub fn play(
    loaded: &Loaded,
    game: &Subject<'_>,
    settings: &Settings,
    path: &Path,
    wanted: Option<&Wanted<'_>>,
    stop: &AtomicBool,
) -> Findings {
    let stopped = || stop.load(Ordering::Relaxed);
    let clock = stopwatch();
    let check = match wanted {
        None => random_check(game, Purpose::Lints, &mut |_| {
            stopped() || clock() > LONGEST_LOOK
        }),
        Some(wanted) => {
            let games = wanted.games;
            let bar = progress::bar(games, "games");
            let check = random_check(game, Purpose::Coverage { games }, &mut |done| {
                bar.set_position(done);
                stopped()
            });
            bar.finish_and_clear();
            check
        }
    };
    let mut problems = check.problems;
    let known = problems.iter().map(|d| (d.code, d.span)).collect();
    let clock = stopwatch();
    problems.extend(play_other_settings(game, settings, known, &mut || {
        stopped() || clock() > LONGEST_LOOK
    }));
    let mut findings = Findings {
        problems: loaded.problems(problems),
        coverage: None,
        verdict: Verdict::Fine,
    };
    if let (Some(wanted), Some(mut coverage)) = (wanted, check.coverage) {
        match scripted(path, wanted.scripts, &mut coverage, stop) {
            Ok((scripts, problems, verdict)) => {
                findings.problems.extend(problems);
                findings.verdict = verdict;
                let sources = game.sources;
                findings.coverage = Some(coverage.report(sources, check.games, scripts));
            }
            Err(failure) => {
                findings.problems.extend(failure.problems);
                findings.verdict = failure.verdict;
            }
        }
    }
    findings
}

/// Plays the scripts that are about a game, and adds what they reach. Returns how many there are, what is wrong, and how bad
/// it is.
fn scripted(
    game: &Path,
    paths: &[PathBuf],
    coverage: &mut Coverage,
    stop: &AtomicBool,
) -> Result<(usize, Vec<Problem>, Verdict), Failure> {
    let mut problems = Vec::new();
    let mut verdict = Verdict::Fine;
    let mut played = 0;
    for path in &find(paths)?.scripts {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let ready = match ready(path) {
            Ok(ready) => ready,
            Err(failure) => {
                problems.extend(failure.problems);
                verdict = verdict.max(failure.verdict);
                continue;
            }
        };
        if let Err(error) = std::fs::metadata(&ready.game) {
            let failure = ready.no_game(path, &error);
            problems.extend(failure.problems);
            verdict = verdict.max(failure.verdict);
        } else if is_about(&ready, game) {
            let script = scripts::play(&ready, true);
            problems.extend(script.problems);
            verdict = verdict.max(script.verdict);
            script.machines.iter().for_each(|m| coverage.add(m));
            played += 1;
        }
    }
    Ok((played, problems, verdict))
}

/// Whether a script plays a game: the same file, or one with the text of a shipped game that goes by its name.
fn is_about(ready: &Ready, game: &Path) -> bool {
    match game.to_str().filter(|name| shipped::is_bare(name)) {
        Some(name) => shipped::find(name).is_some_and(|game| {
            std::fs::read(&ready.game).is_ok_and(|text| text == game.text.as_bytes())
        }),
        None => same_file(&ready.game, game),
    }
}

/// The lines for people; `asked` are the files and folders in which scripts were looked for.
pub fn text(report: &CoverageReport, asked: &[PathBuf]) -> String {
    let percent = match report.places {
        0 => 100,
        n => report.reached * 100 / n,
    };
    let is_played = report.reached > 0 || report.games > 0 || report.scripts > 0;
    let mut how = Vec::new();
    if report.games > 0 || report.scripts == 0 {
        how.push(plural(report.games, "random game"));
    }
    if report.scripts > 0 {
        how.push(plural(report.scripts as u64, "script"));
    }
    let mut text = match is_played {
        true => format!(
            "  reached {} of {} places ({percent} %), in {}\n",
            report.reached,
            report.places,
            how.join(" and "),
        ),
        false => "  nothing was played: no random game, and no script\n".to_string(),
    };
    if report.scripts == 0 && !asked.is_empty() {
        let places: Vec<String> = asked.iter().map(|p| p.display().to_string()).collect();
        let places = places.join(", ");
        text.push_str(&format!(
            "  no script in {places} is about it; scripts are called NAME.play\n"
        ));
    }
    if !is_played {
        return text;
    }
    let first = report.unreached.first().map(|u| u.file.as_str());
    let rows: Vec<Vec<String>> = report
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
