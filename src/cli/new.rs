//! `ruse new`: a small game to start from.

use super::codes;
use super::output::{self, Failure, Verdict};
use super::problem::Problem;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Write a small game to start from
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse new duel
  ruse new duel --template board
  ruse new games/little-poker --template cards

The file is NAME.game; the game in it is called by the name, as in LittlePoker. A file that is there
already is left as it is.

Exit codes:
  0  written
  2  wrong use, or the file is there already or cannot be written")]
pub struct New {
    /// The file to write, with or without `.game`
    #[arg(value_name = "NAME", value_parser = name)]
    name: Name,

    /// What kind of game to begin with
    #[arg(long, value_name = "TEMPLATE", value_enum, default_value_t = Template::Cards)]
    template: Template,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
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
        let text = self
            .template
            .text()
            .replacen(PLACEHOLDER, &format!("game {game} {{"), 1);
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
                ErrorKind::NotFound => (
                    codes::CANNOT_WRITE,
                    format!("{file} cannot be written: there is no such folder"),
                    None,
                ),
                _ => (
                    codes::CANNOT_WRITE,
                    format!("{file} cannot be written: {e}"),
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
