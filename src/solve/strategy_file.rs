//! Strategies of all players as a file: which game they are for, and a row for every information state.
//!
//! Rows stand in the order of the tree, which is the same whenever the same program reads the same game. What the player saw
//! and the names of the moves are for people, and must be those of the game. Nothing is opened here.

use super::game_id::GameId;
use super::profile::Profile;
use super::tree::information_state_text::InformationStateTexts;
use super::tree::{Tree, TreeError};
use crate::machine::Machine;
use serde::{Deserialize, Serialize};
use std::io::Write;

/// How far probabilities may be from adding up to 1.
const ROUNDING: f64 = 1e-6;

/// The version of the format that is written and read.
pub const VERSION: u64 = 2;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    /// Files of the first version do not say so.
    #[serde(rename = "ruse-strategies", default = "first")]
    version: u64,
    #[serde(flatten)]
    game: GameId,
    /// Whether forced moves were passed through.
    skip_forced: bool,
}

/// The version alone, whatever the shape of the rest.
#[derive(Deserialize)]
struct Version {
    #[serde(rename = "ruse-strategies")]
    version: u64,
}

fn first() -> u64 {
    1
}

#[derive(Debug, Serialize, Deserialize)]
struct Document {
    #[serde(flatten)]
    header: Header,
    information_states: Vec<Row>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Row {
    player: String,
    saw: Vec<String>,
    moves: Vec<String>,
    probabilities: Vec<f64>,
}

/// Why strategies were not written.
#[derive(Debug)]
pub enum WriteError {
    Tree(TreeError),
    File(std::io::Error),
}

/// Writes the strategies of all players, one JSON document.
///
/// # Errors
/// Those of play, and of `out`.
pub fn write(
    out: &mut dyn Write,
    game: &GameId,
    machine: &Machine,
    tree: &Tree,
    profile: &Profile,
) -> Result<(), WriteError> {
    let texts = InformationStateTexts::new(machine, tree);
    let mut rows = Vec::with_capacity(tree.information_states().len());
    for (number, state) in tree.information_states().iter().enumerate() {
        rows.push(Row {
            player: machine.player_name(state.player as usize).to_string(),
            saw: texts.saw(number).map_err(WriteError::Tree)?,
            moves: texts.choices(number).map_err(WriteError::Tree)?,
            probabilities: profile.probabilities[state.range()].to_vec(),
        });
    }
    let document = Document {
        header: Header {
            version: VERSION,
            game: game.clone(),
            skip_forced: tree.skips_forced(),
        },
        information_states: rows,
    };
    serde_json::to_writer(&mut *out, &document)
        .map_err(std::io::Error::from)
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush())
        .map_err(WriteError::File)
}

/// Why a text holds no strategies for a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// To be read after the name of the file: `is for other params`.
    pub what: String,
    /// Whether it is a file of strategies at all.
    pub is_strategies: bool,
}

fn misfit(what: String) -> Misfit {
    Misfit {
        what,
        is_strategies: true,
    }
}

/// Strategies as they stand in a file, for a tree that is not there yet.
#[derive(Debug)]
pub struct SavedStrategies(Document);

/// Reads strategies for a tree of the same game.
///
/// # Errors
/// When the text is none, or is for another game, tree or version of the program.
pub fn read(text: &str, game: &GameId, machine: &Machine, tree: &Tree) -> Result<Profile, Misfit> {
    let saved = parse(text)?;
    saved.is_for(game)?;
    if saved.skip_forced() != tree.skips_forced() {
        let what = "was made with another `--skip-forced`".to_string();
        return Err(misfit(what));
    }
    saved.profile(machine, tree)
}

/// Reads a file of strategies, for whatever game.
///
/// # Errors
/// When the text is none, or of another version of the format.
pub fn parse(text: &str) -> Result<SavedStrategies, Misfit> {
    let other = |version: u64| {
        misfit(format!(
            "has version {version} of the format, and this program reads version {VERSION}: save it again"
        ))
    };
    let said = serde_json::from_str(text).map(|v: Version| v.version).ok();
    if let Some(version) = said.filter(|v| *v != VERSION) {
        return Err(other(version));
    }
    let document: Document = serde_json::from_str(text).map_err(|e| Misfit {
        what: format!("is no file of strategies: {e}"),
        is_strategies: false,
    })?;
    if document.header.version != VERSION {
        return Err(other(document.header.version));
    }
    Ok(SavedStrategies(document))
}

impl SavedStrategies {
    /// Whether forced moves were passed through in the tree.
    pub fn skip_forced(&self) -> bool {
        self.0.header.skip_forced
    }

    /// Whether they are for this game.
    ///
    /// # Errors
    /// What is different.
    pub fn is_for(&self, game: &GameId) -> Result<(), Misfit> {
        match difference(&self.0.header.game, game) {
            None => Ok(()),
            Some(what) => Err(misfit(what)),
        }
    }

    /// The same over the tree of their game.
    ///
    /// # Errors
    /// When they are for another tree.
    pub fn profile(&self, machine: &Machine, tree: &Tree) -> Result<Profile, Misfit> {
        profile(&self.0, machine, tree)
    }
}

fn profile(document: &Document, machine: &Machine, tree: &Tree) -> Result<Profile, Misfit> {
    let states = tree.information_states();
    if document.information_states.len() != states.len() {
        return Err(misfit(format!(
            "has {} information states, and the game has {}",
            document.information_states.len(),
            states.len()
        )));
    }
    let texts = InformationStateTexts::new(machine, tree);
    let told = |e: TreeError| misfit(format!("cannot be read for this game: {e}"));
    let mut probabilities = Vec::with_capacity(tree.choice_count());
    for (number, (row, state)) in document.information_states.iter().zip(states).enumerate() {
        let sum: f64 = row.probabilities.iter().sum();
        let what = if row.player != machine.player_name(state.player as usize) {
            "is another player's"
        } else if row.probabilities.len() != state.range().len() {
            "has another number of moves"
        } else if row.saw != texts.saw(number).map_err(told)? {
            "is of a player who saw something else"
        } else if row.moves != texts.choices(number).map_err(told)? {
            "has other moves"
        } else if row.probabilities.iter().any(|p| *p < 0.0) || (sum - 1.0).abs() > ROUNDING {
            "has probabilities that do not add up to 1"
        } else {
            probabilities.extend_from_slice(&row.probabilities);
            continue;
        };
        let number = number + 1;
        return Err(misfit(format!(
            "does not fit: information state {number} {what}"
        )));
    }
    Ok(Profile { probabilities })
}

/// What a file is for that this game is not, if anything.
fn difference(theirs: &GameId, game: &GameId) -> Option<String> {
    if theirs.game != game.game {
        return Some(format!("is for {}, and this is {}", theirs.game, game.game));
    }
    if theirs.params != game.params {
        return Some("is for other params".to_string());
    }
    if theirs.description != game.description {
        return Some("is for other rules".to_string());
    }
    (theirs.ruse != game.ruse).then(|| format!("was written by ruse {}", theirs.ruse))
}
