//! `ruse check`: whether games are right, and what is wrong where.

use super::game::Set;
use super::load::load;
use super::output::{self, Failure, Verdict, plural};
use super::problem::{Problem, ProblemJson};
use clap::Args;
use indexmap::IndexMap;
use serde::Serialize;
use std::path::PathBuf;

/// Check games: names, types, bounds, who may see what
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse check duel.game
  ruse check games/*.game
  ruse check duel.game --set rounds=4 --set scoring=points

Problems go to standard error, one line per file to standard output.

Exit codes:
  0  every file is fine (there may be warnings)
  1  errors were found
  2  wrong use, or a file cannot be read")]
pub struct Check {
    /// The games
    #[arg(value_name = "FILE", required = true)]
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
                Ok(loaded) => {
                    let description = loaded.machine.description();
                    let players = description.players.values.iter();
                    let game = GameReport {
                        game: description.name.clone(),
                        players: players.map(|v| v.name.clone()).collect(),
                        params: description.params.clone(),
                    };
                    (Some(game), loaded.warnings)
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
            parts.push(params.collect::<Vec<_>>().join(", "));
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
            }),
        };
        assert_eq!(
            file.line(),
            "a.game: fine (Coins; Ann, Ben; coins = 3; 1 warning)\n"
        );
        file.game = None;
        file.errors = 2;
        assert_eq!(file.line(), "a.game: 2 errors, 1 warning\n");
    }
}
