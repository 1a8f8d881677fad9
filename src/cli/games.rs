//! `ruse games`: the games that the program carries along and what kind of games they are, or the text of one.

use super::load;
use super::number::whole;
use super::output::{self, Failure, Verdict, table};
use crate::check::Settings;
use crate::review::{Facts, Subject, facts};
use crate::shipped::{self, Shipped};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// List the shipped games, or print the text of one
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse games
  ruse games --hidden --players 3
  ruse games NAME > mine.game

A list is about the games as they are without `--set`; how many can play one is what its params allow.

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

    /// List only games in which something is hidden from somebody
    #[arg(long, conflicts_with = "name")]
    hidden: bool,

    /// List only games in which several players choose at once
    #[arg(long, conflicts_with = "name")]
    simultaneous: bool,

    /// List only games that so many can play
    #[arg(long, value_name = "N", conflicts_with = "name", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    players: Option<u64>,

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
    #[serde(flatten)]
    facts: Facts,
}

#[derive(Serialize)]
struct Whole {
    name: String,
    text: String,
}

impl Line {
    fn of(game: Shipped) -> Result<Line, Failure> {
        let loaded = load::load(Path::new(game.name), &Settings::new())?;
        let facts = facts(&Subject {
            machine: &loaded.machine,
            sources: &loaded.source.sources,
            loader: &load::beside,
            warnings: &loaded.warnings,
        });
        Ok(Line {
            name: game.name,
            summary: game.summary(),
            facts,
        })
    }

    fn cells(&self) -> Vec<String> {
        let Facts {
            players,
            simultaneous,
            chance,
            ..
        } = &self.facts;
        let players = match (players.first(), players.last()) {
            (Some(least), Some(most)) if least < most => format!("{least}-{most}"),
            (least, _) => least.map_or_else(String::new, usize::to_string),
        };
        let traits = [(*simultaneous, "at once"), (*chance, "chance")];
        let traits: Vec<&str> = traits.iter().filter(|t| t.0).map(|t| t.1).collect();
        vec![
            format!("  {}", self.name),
            players,
            traits.join(", "),
            self.summary.clone(),
        ]
    }
}

/// The games under two headings, with how many can play them, whether several choose at once, and chance.
fn listed(games: &[Line]) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (hidden, heading) in [(false, "nothing is hidden"), (true, "something is hidden")] {
        let group = games.iter().filter(|g| g.facts.hidden == hidden);
        let group: Vec<Vec<String>> = group.map(Line::cells).collect();
        if !group.is_empty() {
            rows.push(vec![heading.to_string()]);
            rows.extend(group);
        }
    }
    if rows.is_empty() {
        return "no shipped game is like that\n".to_string();
    }
    table(&rows, &[])
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
        let mut games = Vec::new();
        for game in shipped::all() {
            let line = Line::of(game)?;
            let Facts {
                players,
                simultaneous,
                hidden,
                ..
            } = &line.facts;
            if (*hidden || !self.hidden)
                && (*simultaneous || !self.simultaneous)
                && self.players.is_none_or(|n| players.contains(&(n as usize)))
            {
                games.push(line);
            }
        }
        if self.json {
            output::json(&List { games });
        } else {
            output::print(&listed(&games));
        }
        Ok(Verdict::Fine)
    }
}
