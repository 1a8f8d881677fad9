//! The lines of a record: their shapes, to and from JSON.

use crate::arena::session::PERSON;
use crate::text::diagnostics::shortened;
use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the format that is written and read.
pub const VERSION: u32 = 2;

/// The longest line that is written or read, in bytes. A game of a hundred thousand plies has a shorter one.
pub const LONGEST_LINE: usize = 16 << 20;

/// The longest first line, in bytes. It has a few names and values only.
pub const LONGEST_HEADER: usize = 1 << 20;

/// The first line: everything that the games follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    #[serde(rename = "ruse-record")]
    pub version: u32,
    /// The version of the program that played.
    pub program: String,
    /// The name of the game.
    pub game: String,
    /// Its file, or the name of a shipped game, as the user wrote it.
    pub file: String,
    /// The fingerprint of the description.
    pub description: String,
    /// Every param with its value.
    pub params: IndexMap<String, String>,
    /// Everything random in a game comes from this and from its number less 1.
    pub seed: u64,
    /// Who plays which seat, as `SeatingPlan` reads it.
    pub players: String,
    /// The names of the seats, in seating order.
    pub seats: Vec<String>,
}

/// A game, finished unless [`GameLine::is_unfinished`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    /// Its number, counted from 1.
    pub game: u64,
    /// The seed of the match, so that a line says by itself which streams its game has.
    pub seed: u64,
    /// The player on each seat, in seating order.
    pub seats: IndexMap<String, String>,
    /// What happened at each node: a move of everybody who chose there, in seating order, or the one outcome of a draw.
    pub plies: Vec<Vec<Move>>,
    /// By the name of the seat, in seating order, in units of payoff.
    pub payoffs: IndexMap<String, f64>,
    /// By the name of the seat, how many choices were made blindly, where any were.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub blind: IndexMap<String, u64>,
}

/// A choice or a draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The seat that chose; nobody in a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The move for people, in full.
    #[serde(rename = "move")]
    pub text: String,
    /// The move for machines (`Action`). Where it is missing, the text must be that of one move alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<Vec<u64>>,
}

impl GameLine {
    /// The number by which streams and seatings know the game, from 0. A line with the number 0 has none of its own.
    pub fn index(&self) -> u64 {
        self.game.saturating_sub(1)
    }

    /// Whether this is a game with people that was saved before its end: it has no payoffs yet.
    pub fn is_unfinished(&self) -> bool {
        self.payoffs.is_empty() && self.seats.values().any(|who| who == PERSON)
    }

    /// The same game by the texts of its moves alone, as it may fit rules that number the options otherwise.
    pub fn by_texts(mut self) -> GameLine {
        self.plies.iter_mut().flatten().for_each(|m| m.exact = None);
        self
    }
}

/// Why a line is no line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    pub message: String,
    /// Counted from 1, in bytes; 0 if there is none.
    pub column: usize,
}

impl Header {
    /// Reads the first line.
    ///
    /// # Errors
    /// When it is none, or too long for one, or of a version that is not read.
    pub fn parse(line: &[u8]) -> Result<Header, LineError> {
        #[derive(Deserialize)]
        #[serde(expecting = "an object with the key `ruse-record`")]
        struct Version {
            #[serde(rename = "ruse-record")]
            version: u64,
        }
        if line.len() > LONGEST_HEADER {
            return Err(LineError {
                message: format!("a first line has at most {LONGEST_HEADER} bytes"),
                column: 0,
            });
        }
        if !line.trim_ascii_start().starts_with(b"{") {
            return Err(LineError {
                message: "it is no JSON object".to_string(),
                column: 1,
            });
        }
        let version: Version = parse(line)?;
        if version.version != u64::from(VERSION) {
            let version = version.version;
            return Err(LineError {
                message: format!(
                    "the record has version {version}, and this program reads version {VERSION}"
                ),
                column: 0,
            });
        }
        parse(line)
    }
}

impl GameLine {
    /// Reads the line of a game.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(line: &[u8]) -> Result<GameLine, LineError> {
        parse(line)
    }
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, LineError> {
    serde_json::from_slice(line).map_err(|e| {
        let message = e.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        LineError {
            message: shortened(message, 200).into_owned(),
            column: e.column(),
        }
    })
}
