//! `ruse games`: the games that the program carries along, or the text of one.

use super::load;
use super::output::{self, Failure, Verdict, table};
use crate::shipped;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// List the shipped games, or print the text of one
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse games
  ruse games NAME > mine.game

Every command takes the name of a shipped game in the place of a file. A word without an ending and
without a folder is such a name; with either it is a file: `duel` is shipped, `duel.game` and `./duel`
are files.

Exit codes:
  0  listed
  2  there is no such game")]
pub struct Games {
    /// The name of the game to print
    #[arg(value_name = "NAME")]
    name: Option<PathBuf>,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct List {
    games: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    name: &'static str,
    summary: String,
}

#[derive(Serialize)]
struct Whole {
    name: String,
    text: String,
}

impl Games {
    pub fn run(&self) -> Result<Verdict, Failure> {
        if let Some(name) = &self.name {
            let text = load::text(name)?.text;
            if self.json {
                let name = name.display().to_string();
                output::json(&Whole { name, text });
            } else {
                output::print(&text);
            }
            return Ok(Verdict::Fine);
        }
        let games: Vec<Line> = shipped::all()
            .map(|g| Line {
                name: g.name,
                summary: g.summary(),
            })
            .collect();
        if self.json {
            output::json(&List { games });
        } else {
            let rows = games
                .into_iter()
                .map(|g| vec![g.name.to_string(), g.summary]);
            output::print(&table(&rows.collect::<Vec<_>>(), &[]));
        }
        Ok(Verdict::Fine)
    }
}
