//! What a player is, and what can go wrong with one.

use super::codes;
use super::patience::Patience;
use super::thought::Thought;
use crate::machine::{Actions, Observation, PlayError};
use crate::text::diagnostics::Diagnostic;

/// A player asked to choose: where it is and what it may do. There is no state in it.
#[derive(Copy, Clone, Debug)]
pub struct Question<'a> {
    /// The place in play (`Machine::node`).
    pub node: u32,
    /// The player's own number, in seating order.
    pub seat: usize,
    /// The player's legal actions, never empty.
    pub actions: &'a Actions,
    /// How long whoever asks waits for the answer.
    pub patience: Patience<'a>,
}

/// What a player was asked before.
#[derive(Debug)]
pub struct Asked {
    /// It had seen so much by then.
    pub seen: usize,
    pub node: u32,
    pub actions: Actions,
}

/// Somebody who plays one seat, one game after the other. A player learns of the game by its own observations only.
pub trait Player: Send {
    /// A new game begins. `seed` is this player's own for this game; everything random comes from it.
    ///
    /// # Errors
    /// When the player cannot play it. As every error of a player, it ends the game.
    fn begin(&mut self, seat: usize, seed: u64) -> Result<(), PlayerError>;

    /// Something happened that the player saw, its own choices included, in the order of events.
    ///
    /// # Errors
    /// When it does not fit what the player knows of the game.
    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError>;

    /// The place in `question.actions` of the action to play. Called after everything that happened so far was observed;
    /// also when there is just one action.
    ///
    /// # Errors
    /// When the player finds no answer.
    fn choose(&mut self, question: &Question<'_>) -> Result<usize, PlayerError>;

    /// Where `choose` would be called, the decision is made already: a game is taken up again. Afterwards the player must
    /// be as if it had chosen. It does that by choosing, unless it knows a shorter way.
    ///
    /// # Errors
    /// As [`Player::choose`].
    fn decided(&mut self, question: &Question<'_>) -> Result<(), PlayerError> {
        self.choose(question).map(drop)
    }

    /// Like [`Player::decided`] for a player that is only asked what it would do at a later place, and need not search before:
    /// it takes up what it would know there.
    ///
    /// # Errors
    /// As [`Player::choose`].
    fn recall(&mut self, _question: &Question<'_>) -> Result<(), PlayerError> {
        Ok(())
    }

    /// How many of its choices in this game it made blindly, evenly among its actions: it found no state of the game that
    /// fits what it saw, though there are some.
    fn blind_choices(&self) -> u64 {
        0
    }

    /// How long its choices in this game took, if it keeps count.
    fn thought(&self) -> Thought {
        Thought::default()
    }

    /// Whether it chooses uniformly among its legal actions, whatever it saw. It is told of nothing then; and where all players
    /// are such, nobody is asked: the game draws for them.
    fn is_random(&self) -> bool {
        false
    }
}

/// Why a player cannot play, or cannot play on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerError {
    /// The game is not one for this player. The span is in the text of the game.
    Unsuited(Box<Diagnostic>),
    /// The rules ran into an error while the player was thinking. The span is in the text of the game.
    Rules(PlayError),
    /// What the player saw does not fit the rules as it knows them; it tells what.
    LostTrack(String),
    /// The player, by its spec, has no strategy for this machine yet: see [`PlayerSpec::prepare`](crate::PlayerSpec::prepare).
    Unprepared(String),
}

impl PlayerError {
    /// As a report on the text of the game, where there is a place in it that it is about.
    pub fn diagnostic(&self) -> Option<Diagnostic> {
        match self {
            PlayerError::Unsuited(d) => Some((**d).clone()),
            PlayerError::Rules(e) => Some(e.diagnostic()),
            PlayerError::LostTrack(_) | PlayerError::Unprepared(_) => None,
        }
    }
}

impl From<PlayError> for PlayerError {
    fn from(error: PlayError) -> PlayerError {
        PlayerError::Rules(error)
    }
}

impl std::fmt::Display for PlayerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlayerError::Unsuited(d) => write!(f, "{}: {}", d.code.0, d.message),
            PlayerError::Rules(e) => e.fmt(f),
            PlayerError::LostTrack(what) => {
                write!(
                    f,
                    "{}: a player lost track of the game: {what}",
                    codes::LOST_TRACK.0
                )
            }
            PlayerError::Unprepared(spec) => {
                write!(f, "`{spec}` was not prepared for this game")
            }
        }
    }
}

impl std::error::Error for PlayerError {}
