//! `ruse check`: whether games are right, and what is wrong where.

use super::clock::stopwatch;
use super::game::Set;
use super::load::{Loaded, beside, load};
use super::output::{self, Failure, Verdict, plural};
use super::problem::{Problem, ProblemJson};
use crate::arena::{HuntOptions, hunt};
use crate::check::Settings;
use crate::check::codes::{BAD_PARAM_VALUE, SHARED_TEXT};
use crate::check::faces::{differences, faces};
use crate::diagnostics::Code;
use crate::machine::{PlayError, SharedText};
use crate::syntax::span::Span;
use clap::Args;
use indexmap::IndexMap;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Check games: names, types, bounds, who may see what
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse check duel.game
  ruse check games/*.game
  ruse check duel.game --set rounds=4 --set scoring=points

A game is checked as it stands and under the other values of its params that --set does
not fix: all combinations of enums, truth values and small ranges with the ends of large
ranges, or one param at a time where those are more than 100.

Then it is played at random for a while. A choice without an option, a value out of its range
and payoffs that do not add up show in play alone, and so may moves that cannot be told apart by
their texts; a game that is fine here may still have them.

Problems go to standard error, one line per file to standard output.

Exit codes:
  0  every file is fine (there may be warnings)
  1  errors were found
  2  wrong use, or a file cannot be read")]
pub struct Check {
    /// The games: files, or names of shipped games
    #[arg(value_name = "GAME", required = true)]
    files: Vec<PathBuf>,

    #[command(flatten)]
    set: Set,

    /// Print one JSON document instead, problems included
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct Report {
    files: Vec<FileReport>,
    /// Of all files, in their order.
    diagnostics: Vec<ProblemJson>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    fine: bool,
    errors: usize,
    warnings: usize,
    #[serde(flatten)]
    game: Option<GameReport>,
}

#[derive(Serialize)]
struct GameReport {
    game: String,
    players: Vec<String>,
    params: IndexMap<String, String>,
    /// Under how many other settings of the params the game was checked too.
    other_settings: usize,
}

/// How long a game is played at random: deterministic limits, and a time that only a slow game comes to.
const HUNT: HuntOptions = HuntOptions {
    games: 100,
    plies: 10_000,
    seed: 1,
};
const LONGEST_HUNT: Duration = Duration::from_millis(500);

/// Plays a game that is fine as far as its text shows. Returns what was found and is not known already.
fn played(loaded: &Loaded) -> Vec<Problem> {
    let clock = stopwatch();
    let mut stop = || clock() > LONGEST_HUNT;
    let found = hunt(&loaded.machine, &HUNT, &mut stop);
    let told = |span: Span| {
        loaded.warnings.iter().any(|problem| match problem {
            Problem::InText(_, d) => d.code == SHARED_TEXT && span.contains(d.span),
            _ => false,
        })
    };
    let texts = found.shared_texts.iter().filter(|s| !told(s.span));
    let error = found.error.iter().map(PlayError::diagnostic);
    texts
        .map(SharedText::diagnostic)
        .chain(error)
        .map(|d| Problem::InText(loaded.source.clone(), d))
        .collect()
}

/// Checks a game that is fine as it is under the other values of its params. Returns what is wrong there and was not
/// reported yet, and the number of settings tried.
fn other_faces(loaded: &Loaded, fixed: &Settings) -> (Vec<Problem>, usize) {
    let mut known: Vec<(Code, Span)> = Vec::new();
    let mut found = Vec::new();
    for problem in &loaded.warnings {
        if let Problem::InText(_, d) = problem {
            known.push((d.code, d.span));
        }
    }
    let mut tried = 0;
    for settings in &faces(loaded.machine.description(), fixed) {
        let source = &loaded.source;
        let problems = match crate::load_with(&source.path, &source.text, settings, &beside).0 {
            Ok((_, warnings)) => warnings,
            Err(problems) => problems,
        };
        // The range of one param may depend on another: then not every combination is a setting.
        if problems.iter().any(|d| d.code == BAD_PARAM_VALUE) {
            continue;
        }
        tried += 1;
        for mut d in problems {
            if known.contains(&(d.code, d.span)) {
                continue;
            }
            known.push((d.code, d.span));
            d.message = format!("{} (with {})", d.message, differences(settings, fixed));
            found.push(Problem::InText(loaded.source.clone(), d));
        }
    }
    (found, tried)
}

impl Check {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let settings = self.set.settings();
        let mut verdict = Verdict::Fine;
        let mut report = Report {
            files: Vec::new(),
            diagnostics: Vec::new(),
        };
        for path in &self.files {
            let (game, problems) = match load(path, &settings) {
                Ok(mut loaded) => {
                    let (found, tried) = other_faces(&loaded, &settings);
                    loaded.warnings.extend(found);
                    let found = played(&loaded);
                    loaded.warnings.extend(found);
                    let description = loaded.machine.description();
                    let players = description.players.values.iter();
                    let game = GameReport {
                        game: description.name.clone(),
                        players: players.map(|v| v.name.clone()).collect(),
                        params: description.params.clone(),
                        other_settings: tried,
                    };
                    let fine = !loaded.warnings.iter().any(Problem::is_error);
                    if !fine {
                        verdict = verdict.max(Verdict::No);
                    }
                    (fine.then_some(game), loaded.warnings)
                }
                Err(failure) => {
                    verdict = verdict.max(failure.verdict);
                    (None, failure.problems)
                }
            };
            let errors = problems.iter().filter(|p| p.is_error()).count();
            let file = FileReport {
                file: path.display().to_string(),
                fine: game.is_some(),
                errors,
                warnings: problems.len() - errors,
                game,
            };
            if self.json {
                report
                    .diagnostics
                    .extend(problems.iter().map(Problem::json));
                report.files.push(file);
            } else {
                output::problems(&problems);
                output::print(&file.line());
            }
        }
        if self.json {
            output::json(&report);
        }
        Ok(verdict)
    }
}

impl FileReport {
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
            game: Some(GameReport {
                game: "Coins".to_string(),
                players: vec!["Ann".to_string(), "Ben".to_string()],
                params: IndexMap::from([("coins".to_string(), "3".to_string())]),
                other_settings: 2,
            }),
        };
        assert_eq!(
            file.line(),
            "a.game: fine (Coins; Ann, Ben; coins = 3; 2 other settings; 1 warning)\n"
        );
        file.game = None;
        file.errors = 2;
        assert_eq!(file.line(), "a.game: 2 errors, 1 warning\n");
    }
}
