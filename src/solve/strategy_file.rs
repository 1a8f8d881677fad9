//! Strategies of all players as a file: which game they are for, and a row for every information state.
//!
//! Where nobody learns anything on the way, plans with their probabilities stand there instead. Else rows stand in the order of
//! the tree, which is the same whenever the same program reads the same game. What the player saw and the names of the moves
//! are for people, and must be those of the game. Nothing is opened here.

use super::commitment::mixes::{Mixes, is_plan, moves};
use super::commitment::open_loop::{OpenLoop, explore};
use super::game_id::GameId;
use super::profile::Profile;
use super::tree::information_state_text::InformationStateTexts;
use super::tree::{Tree, TreeError};
use crate::machine::Machine;
use crate::text::plural::plural;
use indexmap::IndexMap;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::sync::atomic::AtomicBool;

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

/// The version alone, whatever the shape of the rest, and which shape that is.
#[derive(Deserialize)]
struct Version {
    #[serde(rename = "ruse-strategies")]
    version: Option<u64>,
    plans: Option<IgnoredAny>,
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

/// Strategies of a game in which nobody learns anything on the way.
#[derive(Debug, Serialize, Deserialize)]
struct PlansDocument {
    #[serde(flatten)]
    header: Header,
    /// By player.
    plans: IndexMap<String, Vec<PlanRow>>,
}

/// A plan: the choices by number, one a step, and in words those of the steps at which the player is asked.
#[derive(Debug, Serialize, Deserialize)]
struct PlanRow {
    probability: f64,
    choices: Vec<u32>,
    moves: Vec<String>,
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
    put(out, &document).map_err(WriteError::File)
}

/// Writes plans of both players, one JSON document.
///
/// # Errors
/// Those of `out`.
pub fn write_plans(
    out: &mut dyn Write,
    id: &GameId,
    machine: &Machine,
    game: &OpenLoop,
    mixes: &Mixes,
) -> std::io::Result<()> {
    let plans = mixes.0.iter().enumerate().map(|(player, mix)| {
        let rows = mix.iter().map(|(probability, plan)| PlanRow {
            probability: *probability,
            choices: plan.clone(),
            moves: moves(game, machine, player, plan),
        });
        (machine.player_name(player).to_string(), rows.collect())
    });
    let document = PlansDocument {
        header: Header {
            version: VERSION,
            game: id.clone(),
            skip_forced: false,
        },
        plans: plans.collect(),
    };
    put(out, &document)
}

fn put(out: &mut dyn Write, document: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, document)?;
    out.write_all(b"\n")?;
    out.flush()
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
pub struct SavedStrategies(Shape);

#[derive(Debug)]
enum Shape {
    InformationStates(Document),
    Plans(PlansDocument),
}

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
    let said: Option<Version> = serde_json::from_str(text).ok();
    let version = said.as_ref().and_then(|said| said.version);
    if let Some(version) = version.filter(|v| *v != VERSION) {
        return Err(other(version));
    }
    let unreadable = |e: serde_json::Error| Misfit {
        what: format!("is no file of strategies: {e}"),
        is_strategies: false,
    };
    if said.is_some_and(|said| said.plans.is_some()) {
        let document: PlansDocument = serde_json::from_str(text).map_err(unreadable)?;
        if document.header.version != VERSION {
            return Err(other(document.header.version));
        }
        return Ok(SavedStrategies(Shape::Plans(document)));
    }
    let document: Document = serde_json::from_str(text).map_err(unreadable)?;
    if document.header.version != VERSION {
        return Err(other(document.header.version));
    }
    Ok(SavedStrategies(Shape::InformationStates(document)))
}

/// Plans were saved for a game that has none.
pub fn no_plans() -> Misfit {
    misfit("has plans, and in this game players learn something on the way".to_string())
}

impl SavedStrategies {
    fn header(&self) -> &Header {
        match &self.0 {
            Shape::InformationStates(document) => &document.header,
            Shape::Plans(document) => &document.header,
        }
    }

    /// Whether forced moves were passed through in the tree.
    pub fn skip_forced(&self) -> bool {
        self.header().skip_forced
    }

    /// Whether they are plans, for which no tree is needed.
    pub fn has_plans(&self) -> bool {
        matches!(self.0, Shape::Plans(_))
    }

    /// The plans of both players.
    ///
    /// # Errors
    /// When there are none, or they are not of this game.
    pub fn mixes(&self, machine: &Machine, game: &OpenLoop) -> Result<Mixes, Misfit> {
        let Shape::Plans(document) = &self.0 else {
            return Err(misfit("has no plans".to_string()));
        };
        let mut mixes = [Vec::new(), Vec::new()];
        for (player, mix) in mixes.iter_mut().enumerate() {
            let name = machine.player_name(player);
            let wrong = |what: &str| misfit(format!("does not fit: {what} of {name}"));
            let rows = document.plans.get(name);
            for row in rows.ok_or_else(|| wrong("there are no plans"))? {
                let plan = &row.choices;
                if !is_plan(game, player, plan) || moves(game, machine, player, plan) != row.moves {
                    return Err(wrong("other moves are needed in a plan"));
                }
                mix.push((row.probability, plan.clone()));
            }
            let sum: f64 = mix.iter().map(|(share, _)| share).sum();
            if mix.iter().any(|(share, _)| *share < 0.0) {
                return Err(wrong("a probability is below 0 in the plans"));
            }
            if (sum - 1.0).abs() > ROUNDING {
                return Err(wrong("probabilities do not add up to 1 in the plans"));
            }
        }
        Ok(Mixes(mixes))
    }

    /// Whether they are for this game.
    ///
    /// # Errors
    /// What is different.
    pub fn is_for(&self, game: &GameId) -> Result<(), Misfit> {
        match difference(&self.header().game, game) {
            None => Ok(()),
            Some(what) => Err(misfit(what)),
        }
    }

    /// The same over the tree of their game.
    ///
    /// # Errors
    /// When they are for another tree.
    pub fn profile(&self, machine: &Machine, tree: &Tree) -> Result<Profile, Misfit> {
        match &self.0 {
            Shape::InformationStates(document) => profile(document, machine, tree),
            Shape::Plans(_) => {
                let game = explore(machine, &AtomicBool::new(false));
                let game =
                    game.map_err(|e| misfit(format!("cannot be read for this game: {e}")))?;
                let game = game.ok_or_else(no_plans)?;
                Ok(self.mixes(machine, &game)?.profile(tree, &game))
            }
        }
    }
}

fn profile(document: &Document, machine: &Machine, tree: &Tree) -> Result<Profile, Misfit> {
    let states = tree.information_states();
    if document.information_states.len() != states.len() {
        return Err(misfit(format!(
            "has {}, and the game has {}",
            plural(document.information_states.len(), "information state"),
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
        } else if row.probabilities.iter().any(|p| *p < 0.0) {
            "has a probability below 0"
        } else if (sum - 1.0).abs() > ROUNDING {
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
