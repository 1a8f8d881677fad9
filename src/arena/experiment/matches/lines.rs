//! The lines in which the results of a part of an experiment of matches are kept, after the first: their shapes, to and
//! from JSON.
//!
//! While the part is being played there is a line for each finished game, in any order, `[cell, game, payoffs, plies]`, with
//! how many choices were made blindly on each seat behind it where any were; when it is finished, a line for each cell with its counts. Payoffs stand as text, because readers of JSON may round
//! numbers.

use super::tally::{Amount, Tally};
use crate::arena::experiment::header::reason;
use crate::arena::experiment::numbers::{join, numbers, split};
use crate::arena::experiment::plan::Unit;
use crate::arena::game::GameResult;
use serde::{Deserialize, Serialize};

/// Any other line.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Game {
        unit: Unit,
        payoffs: Vec<Amount>,
        plies: u64,
        /// By seat; empty where no choice was made blindly.
        blind: Vec<u64>,
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
    /// Who chose blindly, and how often.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    blind: Vec<(u8, u64)>,
}

/// A game as it is read.
#[derive(Deserialize)]
#[serde(untagged)]
enum GameLine {
    Seeing(usize, u64, String, u64),
    Blind(usize, u64, String, u64, String),
}

impl Line {
    pub fn of_game(unit: Unit, result: &GameResult) -> Line {
        Line::Game {
            unit,
            payoffs: result.payoffs.iter().map(|&x| Amount::new(x)).collect(),
            plies: result.plies,
            blind: match result.blind.iter().any(|count| *count > 0) {
                true => result.blind.clone(),
                false => Vec::new(),
            },
        }
    }

    /// The line without its end.
    pub fn text(&self) -> String {
        match self {
            Line::Game {
                unit,
                payoffs,
                plies,
                blind,
            } => {
                let (cell, game, payoffs) =
                    (unit.cell, unit.number, join(payoffs.iter().map(|x| x.0)));
                let blind = match blind.is_empty() {
                    true => String::new(),
                    false => format!(",\"{}\"", join(blind.iter())),
                };
                format!("[{cell},{game},\"{payoffs}\",{plies}{blind}]")
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
                    blind: tally.blind.iter().map(|(a, b)| (*a, *b)).collect(),
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
            let read: GameLine = serde_json::from_slice(line).map_err(|e| reason(&e))?;
            let (cell, number, payoffs, plies, blind) = match read {
                GameLine::Seeing(cell, number, payoffs, plies) => {
                    (cell, number, payoffs, plies, Vec::new())
                }
                GameLine::Blind(cell, number, payoffs, plies, blind) => {
                    let blind = split(&blind, |word| word.parse::<u64>().ok())?;
                    (cell, number, payoffs, plies, blind)
                }
            };
            return Ok(Line::Game {
                unit: Unit { cell, number },
                payoffs: amounts(&payoffs)?,
                plies,
                blind,
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
        for (who, count) in read.blind {
            if count == 0 || tally.blind.insert(who, count).is_some() {
                return Err("blind choices are counted twice, or not at all".to_string());
            }
        }
        Ok(Line::Cell {
            cell: read.cell,
            tally,
        })
    }
}

fn amounts(text: &str) -> Result<Vec<Amount>, String> {
    Ok(numbers(text)?.into_iter().map(Amount::new).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_reads_back_to_the_last_bit() {
        for payoffs in [[1.0 / 3.0, -1.0 / 3.0], [1e-300, -12.5], [0.1 + 0.2, 1e21]] {
            let line = Line::Game {
                unit: Unit {
                    cell: 2,
                    number: 40,
                },
                payoffs: payoffs.map(Amount::new).to_vec(),
                plies: 13,
                blind: Vec::new(),
            };
            assert_eq!(Line::parse(line.text().as_bytes()), Ok(line));
        }
    }

    #[test]
    fn blind_choices_read_back() {
        let unit = Unit { cell: 1, number: 0 };
        let payoffs = [1.0, -1.0].map(Amount::new).to_vec();
        let line = Line::Game {
            unit,
            payoffs: payoffs.clone(),
            plies: 3,
            blind: vec![0, 4],
        };
        assert_eq!(line.text(), r#"[1,0,"1 -1",3,"0 4"]"#);
        assert_eq!(Line::parse(line.text().as_bytes()), Ok(line));
        let mut tally = Tally::default();
        for seating in [[0, 1], [1, 0]] {
            tally.add(seating.to_vec(), payoffs.clone(), 3);
            tally.add_blind(&seating, &[0, 4]);
        }
        tally.merge(tally.clone());
        let line = Line::Cell { cell: 3, tally };
        let text = line.text();
        assert!(text.ends_with(r#""blind":[[0,8],[1,8]]}"#), "{text}");
        assert_eq!(Line::parse(text.as_bytes()), Ok(line));
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
