//! `ruse import`: a description of another program as a game, on standard output.

mod ggame;
pub mod text;

pub use ggame::Map;

use super::codes;
use super::load::read_at_most;
use super::number::amount;
use super::output::{self, Failure, Verdict};
use super::problem::Problem;
use crate::text::yaml;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::rc::Rc;

/// Write a map of another program as a game that extends a shipped one
#[derive(Args)]
#[command(after_help = "\
A file is JSON with `graphConfig` (`vertexCount`, and `edges` with both directions of each), `rounds`, \
`defenderUnitCount`, `targets`, `spawn`, `vertexDefenderRewards` and `vertexAttackerPenalties` (a number for each \
vertex), `targetDefenderPenalties` and `targetAttackerRewards` (a number for each target). Vertex 0 is the base of the \
defender.

Examples:
  ruse import museum-5.ggame > museum.game
  ruse import museum-5.ggame --scale 1 | ruse fmt --stdin

Exit codes:
  0  written
  1  the file is no map, or larger than one can be
  2  wrong use, or the file cannot be read")]
pub struct Import {
    /// The file with the map
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Multiply payoffs by this; what comes out is rounded to six decimals
    #[arg(long, value_name = "X", default_value_t = 30.0, value_parser = amount(1e-6, 1e6), allow_negative_numbers = true)]
    scale: f64,

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

impl Import {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let source = read_at_most(&self.file, yaml::LARGEST as u64, "a map")?;
        let source = Rc::new(source);
        let map = ggame::read(&source.text)
            .map_err(|problem| Failure::no(Problem::InText(source.clone(), *problem)))?;
        let name = text::name(&self.file);
        let file = self.file.file_name().unwrap_or_default().to_string_lossy();
        let said = [("{file}", file.replace(char::is_control, "_"))];
        let written = text::write(&map, (text::IMPORTED, &said), &name, self.scale);
        let text = written.map_err(|problem| {
            let message = format!("the map gives no game: {}", problem.message);
            Failure::no(Problem::outside(Some(codes::NO_MAP), message))
        })?;
        let report = Report {
            file: &source.path,
            game: &name,
            text: &text,
        };
        output::show(self.json, &report, || text.clone());
        Ok(Verdict::Fine)
    }
}
