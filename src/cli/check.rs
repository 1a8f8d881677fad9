//! `ruse check`: whether games are right, and what is wrong where.

use super::coverage::{self, Wanted};
use super::game::Set;
use super::interrupt;
use super::load::{Loaded, beside, games_in, load_set, shown_name};
use super::number::whole;
use super::output::{self, Failure, FilesReport, Verdict, plural};
use super::problem::Problem;
use crate::check::visibility::{HiddenThing, hidden};
use crate::review::{CoverageReport, Subject, check_other_settings};
use crate::text::diagnostics::Diagnostic;
use clap::Args;
use indexmap::IndexMap;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Check games: names, types, bounds, who may see what
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse check duel.game
  ruse check games
  ruse check duel.game --set rounds=4 --set scoring=points
  ruse check duel.game --coverage --scripts tests/plays

A game is checked as it stands and under the other values of its params that --set does
not fix: all combinations of enums, truth values and small ranges with the ends of large
ranges, or one param at a time where those are more than 100. Of a very large game only the
first of these are tried.

Then it is played at random for a while, and for a shorter while with other values of each of
its params: the ends of their ranges, and those next to them. A choice without an option, a
value out of its range and payoffs that do not add up show in play alone, and so may moves that
cannot be told apart by their texts; a game that is fine here may still have them.
Notes tell what random play never met: an alternative that is never offered, a rule that is
never reached, payoffs that never vary, a loop that only its bound ends.

--coverage tells which lines of the rules play has not reached: statements, branches,
alternatives, and conditions that were never true or never false. Random games reach what is
likely; scripts (see `ruse test --help`) reach what is rare.

Problems go to standard error, one line per file to standard output; a second line tells what is
hidden, and who sees it.

Exit codes:
  0  every file is fine (there may be warnings)
  1  errors were found, or it was stopped
  2  wrong use, or a file cannot be read

Ctrl-C stops and tells what play has shown by then; a second Ctrl-C ends at once.")]
pub struct Check {
    /// The games: files, folders of them, names of shipped games, or `-` for standard input
    #[arg(value_name = "GAME", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    set: Set,

    /// Also tell which lines of the rules play has not reached
    #[arg(long)]
    coverage: bool,

    /// Play these scripts for it too: files, or folders of them; may be repeated
    #[arg(long, value_name = "PATH", requires = "coverage")]
    scripts: Vec<PathBuf>,

    /// How many random games are played for --coverage, of 1000 plies at most on average
    #[arg(short = 'n', long, value_name = "N", requires = "coverage", default_value = "1000",
        value_parser = whole(0..=1_000_000), allow_negative_numbers = true)]
    games: u64,

    /// Print one JSON document instead, problems included
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    fine: bool,
    errors: usize,
    warnings: usize,
    notes: usize,
    #[serde(flatten)]
    game: Option<GameReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<CoverageReport>,
}

#[derive(Serialize)]
struct GameReport {
    game: String,
    players: Vec<String>,
    params: IndexMap<String, String>,
    /// Under how many other settings of the params the game was checked too.
    other_settings: usize,
    /// What somebody does not see, with those who do.
    hidden: Vec<HiddenThing>,
}

impl Check {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let settings = self.set.settings()?;
        let mut verdict = Verdict::Fine;
        let mut report = FilesReport::new();
        let wanted = self.coverage.then_some(Wanted {
            games: self.games,
            scripts: &self.scripts,
        });
        // From when there is something to keep: Ctrl-C ends what waits for standard input.
        let mut stop: Option<Arc<AtomicBool>> = None;
        let stopped = |stop: &Option<Arc<AtomicBool>>| {
            stop.as_ref().is_some_and(|s| s.load(Ordering::Relaxed))
        };
        let files = games_in(&self.files);
        for path in &files {
            if stopped(&stop) {
                break;
            }
            let mut coverage = None;
            let (game, problems) = match load_set(path, &settings) {
                Ok(loaded) => {
                    let stop = stop.get_or_insert_with(interrupt::flag);
                    let mut warnings = loaded.warnings.clone();
                    let others = check_other_settings(&subject(&loaded, &warnings), &settings);
                    warnings.extend(others.problems);
                    let game = subject(&loaded, &warnings);
                    let findings =
                        coverage::play(&loaded, &game, &settings, path, wanted.as_ref(), stop);
                    let mut problems = loaded.problems(warnings);
                    problems.extend(findings.problems);
                    verdict = verdict.max(findings.verdict);
                    coverage = findings.coverage;
                    let description = loaded.machine.description();
                    let players = description.players.values.iter();
                    let game = GameReport {
                        game: description.name.clone(),
                        players: players.map(|v| v.name.clone()).collect(),
                        params: description.params.clone(),
                        other_settings: others.tried,
                        hidden: hidden(description, &loaded.source.sources),
                    };
                    let fine = !problems.iter().any(Problem::is_error);
                    if !fine {
                        verdict = verdict.max(Verdict::No);
                    }
                    (fine.then_some(game), problems)
                }
                Err(failure) => {
                    verdict = verdict.max(failure.verdict);
                    (None, failure.problems)
                }
            };
            let errors = problems.iter().filter(|p| p.is_error()).count();
            let notes = problems.iter().filter(|p| p.is_note()).count();
            let file = FileReport {
                file: shown_name(path),
                fine: game.is_some(),
                errors,
                warnings: problems.len() - errors - notes,
                notes,
                game,
                coverage,
            };
            report.problems.tell(&problems, self.json);
            if !self.json {
                output::print_fitted(&file.line());
                output::print_fitted(&file.hidden());
                if let Some(coverage) = &file.coverage {
                    output::print_fitted(&coverage::text(coverage, &self.scripts));
                }
            }
            report.files.push(file);
        }
        let is_stopped = stopped(&stop);
        report.complete = is_stopped.then_some(false);
        if self.json {
            output::json(&report);
        }
        if is_stopped {
            output::say(&match files.len() - report.files.len() {
                0 => "stopped: play may find more in the last file".to_string(),
                n => format!(
                    "stopped: {} not checked, and play may find more in the last one above",
                    plural(n as u64, "file")
                ),
            });
            verdict = verdict.max(Verdict::No);
        }
        Ok(verdict)
    }
}

/// A game and what is known of it, to be reviewed.
fn subject<'a>(loaded: &'a Loaded, warnings: &'a [Diagnostic]) -> Subject<'a> {
    Subject {
        machine: &loaded.machine,
        sources: &loaded.source.sources,
        loader: &beside,
        warnings,
    }
}

impl FileReport {
    /// `hidden: hand (its owner), deck (nobody)`, if anything is.
    fn hidden(&self) -> String {
        let hidden = self.game.iter().flat_map(|game| &game.hidden);
        let hidden: Vec<String> = hidden
            .map(|thing| format!("{} ({})", thing.name, thing.seen_by))
            .collect();
        match hidden.is_empty() {
            true => String::new(),
            false => format!("  hidden: {}\n", hidden.join(", ")),
        }
    }

    /// `games/x.game: fine (X; Alice, Bob; cards = 4)`.
    fn line(&self) -> String {
        let Some(game) = &self.game else {
            let warnings = match self.warnings {
                0 => String::new(),
                n => format!(", {}", plural(n as u64, "warning")),
            };
            let errors = plural(self.errors as u64, "error");
            return format!("{}: {errors}{warnings}\n", self.file);
        };
        let mut parts = vec![game.game.clone(), game.players.join(", ")];
        if !game.params.is_empty() {
            let params = game.params.iter().map(|(k, v)| format!("{k} = {v}"));
            let others = match game.other_settings {
                0 => String::new(),
                n => format!("; {}", plural(n as u64, "other setting")),
            };
            parts.push(params.collect::<Vec<_>>().join(", ") + &others);
        }
        if self.warnings > 0 {
            parts.push(plural(self.warnings as u64, "warning"));
        }
        if self.notes > 0 {
            parts.push(plural(self.notes as u64, "note"));
        }
        format!("{}: fine ({})\n", self.file, parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_file_names_what_matters() {
        let mut file = FileReport {
            file: "a.game".to_string(),
            fine: true,
            errors: 0,
            warnings: 1,
            notes: 0,
            coverage: None,
            game: Some(GameReport {
                game: "Coins".to_string(),
                players: vec!["Ann".to_string(), "Ben".to_string()],
                params: IndexMap::from([("coins".to_string(), "3".to_string())]),
                other_settings: 2,
                hidden: vec![HiddenThing {
                    name: "coin".to_string(),
                    seen_by: "its owner".to_string(),
                }],
            }),
        };
        assert_eq!(file.hidden(), "  hidden: coin (its owner)\n");
        assert_eq!(
            file.line(),
            "a.game: fine (Coins; Ann, Ben; coins = 3; 2 other settings; 1 warning)\n"
        );
        file.game = None;
        file.errors = 2;
        assert_eq!(file.hidden(), "");
        assert_eq!(file.line(), "a.game: 2 errors, 1 warning\n");
    }
}
