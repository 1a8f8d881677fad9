//! The lines in which the results of a part of an experiment are kept: their shapes, to and from JSON.
//!
//! The first line is everything that the results follow from. While the part is being played a line for each finished
//! game follows, in any order, `[cell, game, payoffs, plies]`; when it is finished, a line for each cell with its
//! counts. Payoffs stand as text, because readers of JSON may round numbers.

use super::plan::{Experiment, Shard, Unit};
use super::tally::{Amount, Tally};
use crate::arena::game::GameResult;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    #[serde(rename = "ruse-experiment")]
    pub version: u32,
    /// The version of the program that played.
    pub program: String,
    /// Which part this is, as `2/8`.
    pub shard: String,
    /// Games in each pairing.
    pub games: u64,
    pub seed: u64,
    pub variants: Vec<VariantHeader>,
}

/// What the cells of a variant follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantHeader {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name of the game.
    pub game: String,
    /// The fingerprint of the description.
    pub description: String,
    /// Every param with its value.
    pub params: IndexMap<String, String>,
    pub players: IndexMap<String, String>,
    /// Who plays which seat, as `SeatingPlan` reads it.
    pub pairings: Vec<String>,
}

/// Any other line.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Game {
        unit: Unit,
        payoffs: Vec<Amount>,
        plies: u64,
    },
    Cell {
        cell: usize,
        tally: Tally,
    },
}

/// The counts of a cell as they are written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CellLine {
    cell: usize,
    /// Who sat where, the payoffs, and how often.
    ends: Vec<(String, String, u64)>,
    /// Plies, and how often.
    lengths: Vec<(u64, u64)>,
}

impl Header {
    pub fn of(experiment: &Experiment, shard: Shard) -> Header {
        let variants = experiment.variants.iter().enumerate().map(|(i, variant)| {
            let description = variant.machine.description();
            let seats: Vec<&str> = (0..variant.machine.player_count())
                .map(|s| variant.machine.player_name(s))
                .collect();
            let cells = experiment.cells.iter().filter(|c| c.variant == i);
            let players = variant.players.iter();
            VariantHeader {
                name: variant.name.clone(),
                game: description.name.clone(),
                description: variant.description.clone(),
                params: description.params.clone(),
                players: players.map(|(n, s)| (n.clone(), s.to_string())).collect(),
                pairings: cells.map(|c| c.play.plan.text(&seats)).collect(),
            }
        });
        Header {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_string(),
            shard: shard.to_string(),
            games: experiment.games,
            seed: experiment.seed,
            variants: variants.collect(),
        }
    }

    /// Reads a first line.
    ///
    /// # Errors
    /// When it is none, or of a version that is not read; in words.
    pub fn parse(line: &[u8]) -> Result<Header, String> {
        let value: Value = serde_json::from_slice(line).map_err(|e| reason(&e))?;
        match value.get("ruse-experiment").and_then(Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            Some(version) => {
                return Err(format!(
                    "the results have version {version}, and this program reads version {VERSION}"
                ));
            }
            None => return Err("it has no key `ruse-experiment`".to_string()),
        }
        serde_json::from_value(value).map_err(|e| reason(&e))
    }

    /// What differs in another first line, in words; empty where nothing does. The program is left out, because equal
    /// results may come from several.
    pub fn differences(&self, there: &Header) -> Vec<String> {
        let value = |header: &Header| {
            let mut value = serde_json::to_value(header).unwrap_or_default();
            if let Some(fields) = value.as_object_mut() {
                fields.shift_remove("program");
            }
            value
        };
        let mut found = Vec::new();
        differ("", &value(there), &value(self), &mut found);
        found
    }
}

/// Tells of every place at which two values differ.
fn differ(path: &str, there: &Value, here: &Value, found: &mut Vec<String>) {
    let below = |key: &str| match path {
        "" => key.to_string(),
        _ => format!("{path}.{key}"),
    };
    match (there, here) {
        (Value::Object(there), Value::Object(here)) => {
            let more = there.keys().filter(|k| !here.contains_key(*k));
            for key in here.keys().chain(more) {
                let value = |fields: &serde_json::Map<String, Value>| {
                    fields.get(key).cloned().unwrap_or_default()
                };
                differ(&below(key), &value(there), &value(here), found);
            }
            if there.keys().ne(here.keys()) && there.len() == here.len() && there == here {
                found.push(format!("`{path}` has another order"));
            }
        }
        (Value::Array(there), Value::Array(here)) if there.len() == here.len() => {
            for (i, (there, here)) in std::iter::zip(there, here).enumerate() {
                differ(&format!("{path}[{}]", i + 1), there, here, found);
            }
        }
        (Value::Array(there), Value::Array(here)) => {
            let (there, here) = (there.len(), here.len());
            found.push(format!("`{path}` are {there} there and {here} here"));
        }
        (there, here) if there != here => {
            let shown = |value: &Value| match value {
                Value::Null => "missing".to_string(),
                value => value.to_string(),
            };
            let (there, here) = (shown(there), shown(here));
            found.push(format!("`{path}` is {there} there and {here} here"));
        }
        _ => {}
    }
}

impl Line {
    pub fn of_game(unit: Unit, result: &GameResult) -> Line {
        Line::Game {
            unit,
            payoffs: result.payoffs.iter().map(|&x| Amount::new(x)).collect(),
            plies: result.plies,
        }
    }

    /// The line without its end.
    pub fn text(&self) -> String {
        match self {
            Line::Game {
                unit,
                payoffs,
                plies,
            } => {
                let (cell, game, payoffs) =
                    (unit.cell, unit.game, join(payoffs.iter().map(|x| x.0)));
                format!("[{cell},{game},\"{payoffs}\",{plies}]")
            }
            Line::Cell { cell, tally } => {
                let ends = tally.ends.iter().map(|((seating, payoffs), count)| {
                    (
                        join(seating.iter()),
                        join(payoffs.iter().map(|x| x.0)),
                        *count,
                    )
                });
                let line = CellLine {
                    cell: *cell,
                    ends: ends.collect(),
                    lengths: tally.lengths.iter().map(|(a, b)| (*a, *b)).collect(),
                };
                serde_json::to_string(&line).unwrap_or_default()
            }
        }
    }

    /// Reads a line.
    ///
    /// # Errors
    /// When it is none; in words.
    pub fn parse(line: &[u8]) -> Result<Line, String> {
        if line.trim_ascii_start().starts_with(b"[") {
            let (cell, game, payoffs, plies): (usize, u64, String, u64) =
                serde_json::from_slice(line).map_err(|e| reason(&e))?;
            return Ok(Line::Game {
                unit: Unit { cell, game },
                payoffs: amounts(&payoffs)?,
                plies,
            });
        }
        let read: CellLine = serde_json::from_slice(line).map_err(|e| reason(&e))?;
        let mut tally = Tally::default();
        for (seating, payoffs, count) in read.ends {
            let seating = split(&seating, |word| word.parse::<u8>().ok())?;
            let end = (seating, amounts(&payoffs)?);
            if count == 0 || tally.ends.insert(end, count).is_some() {
                return Err("an end is counted twice, or not at all".to_string());
            }
        }
        for (plies, count) in read.lengths {
            if count == 0 || tally.lengths.insert(plies, count).is_some() {
                return Err("a length is counted twice, or not at all".to_string());
            }
        }
        Ok(Line::Cell {
            cell: read.cell,
            tally,
        })
    }
}

/// Numbers as text, each such that it reads back as the very same.
fn join<T: std::fmt::Display>(numbers: impl Iterator<Item = T>) -> String {
    let words: Vec<String> = numbers.map(|n| n.to_string()).collect();
    words.join(" ")
}

fn split<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
    let words = text.split(' ').map(read);
    let numbers: Option<Vec<T>> = words.collect();
    numbers.ok_or_else(|| format!("`{text}` are no numbers"))
}

fn amounts(text: &str) -> Result<Vec<Amount>, String> {
    split(text, |word| {
        let x: f64 = word.parse().ok()?;
        x.is_finite().then(|| Amount::new(x))
    })
}

fn reason(e: &serde_json::Error) -> String {
    let message = e.to_string();
    message
        .split(" at line ")
        .next()
        .unwrap_or_default()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_reads_back_to_the_last_bit() {
        for payoffs in [[1.0 / 3.0, -1.0 / 3.0], [1e-300, -12.5], [0.1 + 0.2, 1e21]] {
            let line = Line::Game {
                unit: Unit { cell: 2, game: 40 },
                payoffs: payoffs.map(Amount::new).to_vec(),
                plies: 13,
            };
            assert_eq!(Line::parse(line.text().as_bytes()), Ok(line));
        }
    }

    #[test]
    fn counts_read_back() {
        let mut tally = Tally::default();
        for (seating, payoffs) in [
            ([0, 1], [0.5, -0.0]),
            ([1, 0], [-2.0, 2.0]),
            ([0, 1], [0.5, 0.0]),
        ] {
            tally.add(seating.to_vec(), payoffs.map(Amount::new).to_vec(), 7);
        }
        let line = Line::Cell { cell: 3, tally };
        assert_eq!(
            line.text(),
            r#"{"cell":3,"ends":[["0 1","0.5 0",2],["1 0","-2 2",1]],"lengths":[[7,3]]}"#
        );
        assert_eq!(Line::parse(line.text().as_bytes()), Ok(line));
    }

    #[test]
    fn other_lines_are_refused() {
        for line in [
            "",
            "[]",
            "[1,2,\"1 x\",3]",
            "[1,2,\"nan\",3]",
            "[1,-2,\"1\",3]",
            "{}",
            "{\"cell\":1,\"ends\":[[\"0\",\"1\",0]],\"lengths\":[]}",
            "{\"cell\":1,\"ends\":[[\"0\",\"1\",1],[\"0\",\"1.0\",1]],\"lengths\":[]}",
        ] {
            assert!(Line::parse(line.as_bytes()).is_err(), "{line}");
        }
    }
}
