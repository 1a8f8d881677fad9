//! `ruse import`: a description of another program as a game, on standard output.

mod efg;
mod ggame;
mod grid;
mod json;
pub mod text;

pub use ggame::Map;
pub use grid::Grid;

use super::codes;
use super::load::{FileKind, read_as};
use super::number::amount;
use super::output::{self, Failure, Verdict};
use super::problem::{Problem, Source};
use crate::check::Settings;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use crate::text::yaml;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Write a game of another program as a `.game`
#[derive(Args)]
#[command(after_help = "\
What a file is follows from how it begins.

A tree in Gambit's format (.efg, version 2) begins with `EFG`. It becomes a game with the same information sets, moves, chances \
and payoffs, in tables, in which every player is told at which of its sets it is, and nothing else. Players of the language \
forget nothing and play goes on step by step, so a tree in which a player forgets, or no order of asking fits, is refused \
(E0814). Some 10,000 nodes fit into one text.

A map of a game between a defender and an attacker is JSON with `graphConfig` (`vertexCount`, and `edges` with both \
directions of each), `rounds`, `defenderUnitCount`, `targets`, `spawn`, `vertexDefenderRewards` and \
`vertexAttackerPenalties` (a number for each vertex), `targetDefenderPenalties` and `targetAttackerRewards` (a number for \
each target). Vertex 0 is the base of the defender. It becomes a game that extends a shipped one, with a picture of the map \
where its graph fits into a grid.

Examples:
  ruse import signals.efg > signals.game
  ruse import museum-5.ggame > museum.game
  ruse import museum-5.ggame --scale 1 | ruse fmt -
  ruse export bluff.game --efg | ruse import -

Exit codes:
  0  written
  1  the file is no game of these formats, or none of this language
  2  wrong use, or the file cannot be read, or is larger than one can be")]
pub struct Import {
    /// The file of the other program, `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Multiply the payoffs of a map by this, and round them to six decimals [default: 30]
    #[arg(long, value_name = "X", value_parser = amount(1e-6, 1e6), allow_negative_numbers = true)]
    scale: Option<f64>,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    game: &'a str,
    text: &'a str,
}

/// What payoffs of maps are multiplied by.
const SCALE: f64 = 30.0;
const TREE_OR_MAP: FileKind = FileKind {
    what: "a tree",
    endings: &["efg", "ggame"],
    largest: 16 << 20,
};

impl Import {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let source = Rc::new(read_as(&self.file, TREE_OR_MAP)?);
        // Where it came from is said in the game: the name of a file, or that it was no file.
        let file = Path::new(&source.path).file_name().unwrap_or_default();
        let file = file.to_string_lossy().replace(char::is_control, "_");
        let mut lines = source.text.lines().map(str::trim);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with("//"));
        if first.is_some_and(|line| line.starts_with("game ")) {
            let hint = format!("`ruse check {}` reads it", self.file.display());
            return Err(Failure::no(Problem::Outside {
                file: Some(source.path.clone()),
                code: None,
                message: format!("{} is a game of this language already", source.path),
                hint: Some(hint),
            }));
        }
        let (name, text) = match source.text.trim_start().starts_with("EFG") {
            true => self.tree(&source, &file)?,
            false => self.map(&source, file)?,
        };
        let report = Report {
            file: &source.path,
            game: &name,
            text: &text,
        };
        // What is printed is a source: its lines stay as they are, however wide the terminal is.
        match self.json {
            true => output::json(&report),
            false => output::print(&text),
        }
        Ok(Verdict::Fine)
    }

    /// The name and the text of a game that a tree becomes.
    fn tree(&self, source: &Rc<Source>, file: &str) -> Result<(String, String), Failure> {
        if self.scale.is_some() {
            let message = "`--scale` is for maps: the payoffs of a tree stay as they are";
            return Err(Failure::wrong_use(Problem::outside(None, message)));
        }
        let here = |problem: Box<_>| Failure::no(Problem::InText(source.clone(), *problem));
        let tree = efg::read(&source.text).map_err(here)?;
        let course = efg::Course::new(&tree).map_err(here)?;
        let (name, text) = efg::write(&course, file).map_err(here)?;
        // A tree of many steps may be more than the compiler takes.
        if let Err(problems) = crate::load(&text, &Settings::default()) {
            let first = problems.into_iter().find(Diagnostic::is_error);
            let said = first.map_or_else(String::new, |problem| format!(": {}", problem.message));
            let message = format!("this tree gives no game{said}");
            let problem = Diagnostic::error(codes::NO_TELLING, Span::new(0, 0), message);
            return Err(here(Box::new(problem)));
        }
        Ok((name, text))
    }

    /// The same of a map.
    fn map(&self, source: &Rc<Source>, file: String) -> Result<(String, String), Failure> {
        if source.text.len() > yaml::LARGEST {
            let most = yaml::LARGEST;
            let what = format!("is larger than {most} bytes, the most that a map may have");
            return Err(Failure::file(&self.file, codes::TOO_LARGE, &what, ""));
        }
        let map = ggame::read(&source.text)
            .map_err(|problem| Failure::no(Problem::InText(source.clone(), *problem)))?;
        let name = text::name(&self.file);
        let rows = Grid::of(map.vertices, &map.edges);
        let rows = rows.map_or_else(Vec::new, |grid| grid.picture(&map.edges));
        let said = [("{file}", file), ("{picture}", text::picture(&rows))];
        let scale = self.scale.unwrap_or(SCALE);
        let written = text::write(&map, (text::IMPORTED, &said), &name, scale);
        let text = written.map_err(|problem| {
            let message = format!("the map gives no game: {}", problem.message);
            Failure::no(Problem::outside(Some(codes::NO_MAP), message))
        })?;
        Ok((name, text))
    }
}
