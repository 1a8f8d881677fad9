//! `ruse new`: a small game to start from, or a warehouse to guard.

mod warehouse;

use super::codes;
use super::file_words::unwritten;
use super::import::text;
use super::number::{amount, whole};
use super::output::{self, Failure, Verdict, plural};
use super::problem::Problem;
use crate::random::stream;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use warehouse::{Missing, Plan};

/// Write a small game to start from, or a map drawn at random
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse new duel
  ruse new duel --template board
  ruse new games/little-poker --template cards
  ruse new night-shift --warehouse --seed 7
  ruse new depot --warehouse --width 6 --length 5 --crossings 2 --rounds 8

The file is NAME.game; the game in it is called by the name, as in LittlePoker. A file that is there
already is left as it is.

Exit codes:
  0  written
  1  no such warehouse was found
  2  wrong use, or the file is there already or cannot be written")]
pub struct New {
    /// The file to write, with or without `.game`
    #[arg(value_name = "NAME", value_parser = name)]
    name: Name,

    /// What kind of game to begin with
    #[arg(long, value_name = "TEMPLATE", value_enum, default_value_t = Template::Cards, conflicts_with_all = OF_WAREHOUSES)]
    template: Template,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    warehouse: Warehouse,
}

/// What says how a warehouse is drawn.
const OF_WAREHOUSES: [&str; 17] = [
    "seed",
    "width",
    "length",
    "crossings",
    "doors",
    "joined",
    "targets",
    "most_prize",
    "most_loss",
    "penalty",
    "target_penalty",
    "reward",
    "target_reward",
    "neutral",
    "rounds",
    "units",
    "any",
];

/// A warehouse to guard, after Karwowski & Mańdziuk 2019, Table 3.
#[derive(Args)]
#[command(next_help_heading = "Warehouses")]
struct Warehouse {
    /// Draw a warehouse at random, whose targets have to be guarded
    #[arg(long, conflicts_with = "template")]
    warehouse: bool,

    /// What it is drawn from; the same seed gives the same warehouse
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX), requires = "warehouse", allow_negative_numbers = true)]
    seed: u64,

    /// Cells from left to right
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = cells, requires = "warehouse", allow_negative_numbers = true)]
    width: usize,

    /// Cells from top to bottom
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = cells, requires = "warehouse", allow_negative_numbers = true)]
    length: usize,

    /// Where a row and a column of corridors meet
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crossings, requires = "warehouse", allow_negative_numbers = true)]
    crossings: usize,

    /// How likely a door is between a corridor and a room
    #[arg(long, value_name = "P", default_value_t = 0.4, value_parser = amount(0.0, 1.0), requires = "warehouse", allow_negative_numbers = true)]
    doors: f64,

    /// How likely two neighbouring rooms are joined
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = amount(0.0, 1.0), requires = "warehouse", allow_negative_numbers = true)]
    joined: f64,

    /// Rooms that the evader is after
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = targets, requires = "warehouse", allow_negative_numbers = true)]
    targets: usize,

    /// The most that a target is worth to the evader; drawn evenly from 0 on
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = most, requires = "warehouse", allow_negative_numbers = true)]
    most_prize: u32,

    /// The most that the defender loses with a target; drawn evenly from 0 on
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = most, requires = "warehouse", allow_negative_numbers = true)]
    most_loss: u32,

    /// What the evader is paid when caught in a room that is no target
    #[arg(long, value_name = "X", default_value_t = -1.0, value_parser = paid, requires = "warehouse", allow_negative_numbers = true)]
    penalty: f64,

    /// What the evader is paid when caught in a target
    #[arg(long, value_name = "X", default_value_t = -3.0, value_parser = paid, requires = "warehouse", allow_negative_numbers = true)]
    target_penalty: f64,

    /// What the defender is paid for a catch in a room that is no target
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = paid, requires = "warehouse", allow_negative_numbers = true)]
    reward: f64,

    /// What the defender is paid for a catch in a target
    #[arg(long, value_name = "X", default_value_t = 2.0, value_parser = paid, requires = "warehouse", allow_negative_numbers = true)]
    target_reward: f64,

    /// What both are paid when the rounds are over
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = paid, requires = "warehouse", allow_negative_numbers = true)]
    neutral: f64,

    /// Rounds of the game
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = rounds, requires = "warehouse", allow_negative_numbers = true)]
    rounds: usize,

    /// Units of the defender
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = units, requires = "warehouse", allow_negative_numbers = true)]
    units: usize,

    /// Keep warehouses with an obvious answer: no target can be reached, or one where nobody can be in time
    #[arg(long, requires = "warehouse")]
    any: bool,
}

fn within(text: &str, least: u64, most: u64) -> Result<usize, String> {
    whole(least..=most)(text).map(|n| n as usize)
}
fn cells(text: &str) -> Result<usize, String> {
    within(text, 2, 20)
}
fn crossings(text: &str) -> Result<usize, String> {
    within(text, 1, 10)
}
fn targets(text: &str) -> Result<usize, String> {
    within(text, 1, 20)
}
fn most(text: &str) -> Result<u32, String> {
    within(text, 0, 1000).map(|n| n as u32)
}
fn paid(text: &str) -> Result<f64, String> {
    amount(-1000.0, 1000.0)(text)
}
fn rounds(text: &str) -> Result<usize, String> {
    within(text, 1, 100)
}
fn units(text: &str) -> Result<usize, String> {
    within(text, 1, 3)
}

impl Warehouse {
    fn plan(&self) -> Plan {
        Plan {
            width: self.width,
            length: self.length,
            crossings: self.crossings,
            doors: self.doors,
            joined: self.joined,
            targets: self.targets,
            most_prize: self.most_prize,
            most_loss: self.most_loss,
            penalty: self.penalty,
            target_penalty: self.target_penalty,
            reward: self.reward,
            target_reward: self.target_reward,
            rounds: self.rounds,
            units: self.units,
            any: self.any,
        }
    }

    /// What is told where there is no such warehouse.
    fn missing(&self, missing: Missing) -> Failure {
        let size = format!("{} by {} cells", self.width, self.length);
        let (message, hint) = match missing {
            Missing::Rooms { rooms, needed } => (
                format!(
                    "{size} with {} leave {}, and {needed} are needed: one for each target and one for the base",
                    plural(self.crossings as u64, "crossing"),
                    plural(rooms as u64, "room"),
                ),
                "there must be fewer targets or crossings, or more cells",
            ),
            Missing::Doors => (
                "without doors no corridor leads to a room".to_string(),
                "`--doors` must be more than 0",
            ),
            Missing::Joined => (
                format!(
                    "in {size} with {} some room lies beside no corridor, and without rooms that are joined nothing leads there",
                    plural(self.crossings as u64, "crossing"),
                ),
                "`--joined` must be more than 0, or there must be more crossings",
            ),
            Missing::Unlucky { draws, whole: 0 } => (
                format!("in none of {draws} buildings could all rooms be come to"),
                "with more doors, more rooms that are joined or fewer cells there may be one",
            ),
            Missing::Unlucky { draws, whole } if whole < draws / 100 => (
                format!(
                    "of {draws} buildings all rooms could be come to in {whole} alone, and each had an obvious answer"
                ),
                "with more doors, more rooms that are joined or fewer cells there may be one; --any takes those with an obvious answer",
            ),
            Missing::Unlucky { draws, whole } => (
                format!(
                    "of {draws} buildings all rooms could be come to in {whole}, and each had an obvious answer"
                ),
                "with other rounds or other targets there may be one; --any takes those with an obvious answer",
            ),
        };
        Failure::no(Problem::Outside {
            file: None,
            code: None,
            message,
            hint: Some(hint.to_string()),
        })
    }

    /// The text of a game with this name.
    fn text(&self, name: &str) -> Result<String, Failure> {
        let plan = self.plan();
        let drawn = plan.draw(&mut stream(self.seed, &[]));
        let drawn = drawn.map_err(|missing| self.missing(missing))?;
        let how = format!(
            "{} by {} cells, seed {}",
            self.width, self.length, self.seed
        );
        let corridors: Vec<String> = drawn.corridors.iter().map(ToString::to_string).collect();
        let corridors = format!("Corridors: {}.", corridors.join(", "));
        let rows = drawn.grid.picture(&drawn.map.edges);
        let said = [
            ("{how}", how),
            ("{corridors}", corridors),
            ("{picture}", text::picture(&rows)),
            ("{neutral}", text::decimals(self.neutral)),
        ];
        text::write(&drawn.map, (text::DRAWN, &said), name, 1.0).map_err(|problem| {
            let message = format!("the warehouse gives no game: {}", problem.message);
            Failure::no(Problem::outside(None, message))
        })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Template {
    /// Hidden cards and a bet
    Cards,
    /// Stones on a grid, turn by turn
    Board,
    /// Both players choose at once
    Simultaneous,
}

impl Template {
    fn text(self) -> &'static str {
        match self {
            Template::Cards => include_str!("templates/cards.game"),
            Template::Board => include_str!("templates/board.game"),
            Template::Simultaneous => include_str!("templates/simultaneous.game"),
        }
    }
}

/// What the templates call their game.
const PLACEHOLDER: &str = "game Template {";

#[derive(Clone, Debug, PartialEq)]
struct Name {
    path: PathBuf,
    game: String,
}

fn name(text: &str) -> Result<Name, String> {
    let stem = text.strip_suffix(".game").unwrap_or(text);
    let file = Path::new(stem)
        .file_name()
        .and_then(|f| f.to_str())
        .unwrap_or_default();
    let sound = file.starts_with(|c: char| c.is_ascii_alphabetic())
        && file
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if !sound || stem.ends_with('/') {
        return Err(
            "it must begin with a letter and hold letters, digits, `-` and `_` only".to_string(),
        );
    }
    let game = file.split(['-', '_']).map(|word| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|c| c.to_ascii_uppercase())
            .into_iter()
            .chain(letters)
            .collect::<String>()
    });
    Ok(Name {
        path: PathBuf::from(format!("{stem}.game")),
        game: game.collect(),
    })
}

#[derive(Serialize)]
struct Report<'a> {
    file: String,
    game: &'a str,
}

impl New {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let Name { path, game } = &self.name;
        let text = match self.warehouse.warehouse {
            true => self.warehouse.text(game)?,
            false => {
                let template = self.template.text();
                template.replacen(PLACEHOLDER, &format!("game {game} {{"), 1)
            }
        };
        let file = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        let file = path.display().to_string();
        if let Err(e) = written {
            let (code, message, hint) = match e.kind() {
                ErrorKind::AlreadyExists => (
                    codes::FILE_EXISTS,
                    format!("{file} is there already"),
                    Some("choose another name, or remove the file".to_string()),
                ),
                _ => (
                    codes::CANNOT_WRITE,
                    format!("{file} cannot be written: {}", unwritten(&e)),
                    None,
                ),
            };
            return Err(Failure::wrong_use(Problem::Outside {
                file: Some(file),
                code: Some(code),
                message,
                hint,
            }));
        }
        if self.json {
            output::json(&Report { file, game });
        } else {
            output::print(&format!(
                "{file}: written ({game}); try `ruse match {file} --players random`\n"
            ));
        }
        Ok(Verdict::Fine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Settings;
    use crate::syntax::format::format;

    #[test]
    fn a_name_is_a_file_and_a_game() {
        let read = |text| name(text).map(|n| (n.path.display().to_string(), n.game));
        let read = |text| read(text).unwrap();
        assert_eq!(read("duel"), ("duel.game".to_string(), "Duel".to_string()));
        assert_eq!(
            read("a/my-2nd_game.game"),
            ("a/my-2nd_game.game".to_string(), "My2ndGame".to_string())
        );
        for wrong in ["", "2x", "a b", "a/", ".game", "é", "a{", "..", "-x"] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn templates_are_fine_games_set_the_usual_way() {
        for template in Template::value_variants() {
            let text = template.text();
            assert!(text.contains(PLACEHOLDER));
            assert_eq!(format(text).as_deref(), Ok(text), "{template:?}");
            match crate::load(text, &Settings::new()) {
                Ok((_, warnings)) => assert!(warnings.is_empty(), "{template:?}: {warnings:?}"),
                Err(problems) => panic!("{template:?}: {problems:?}"),
            }
        }
    }
}
