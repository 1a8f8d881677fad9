//! Gambit's format of extensive games, `.efg` version 2, as a game: read by [`read`], put into an order of asking by
//! [`Course`], and written by [`write`](text::write).

mod course;
mod names;
mod reader;
mod text;
mod tokens;

pub use course::Course;
pub use reader::read;
pub use text::write;

use crate::text::span::Span;
use tokens::Number;

/// The most nodes that are read; the language has limits of its own below.
const MOST_NODES: usize = 60_000;
/// The most players of a game of the language.
const MOST_PLAYERS: usize = 32;

/// A game as the file has it.
#[derive(Debug)]
pub struct Efg {
    pub title: String,
    /// What the file says of itself after the players; may be empty.
    pub comment: String,
    pub players: Vec<String>,
    /// In the order in which the file comes to them.
    pub sets: Vec<Set>,
    /// What chance nodes draw; equal ones once.
    pub draws: Vec<Draw>,
    /// The root first, and each node before those below it.
    pub nodes: Vec<Node>,
    /// Of ends with equal payoffs these once, a number for each player.
    pub payoffs: Vec<Vec<Number>>,
}

/// Nodes that their player cannot tell apart.
#[derive(Debug)]
pub struct Set {
    pub player: usize,
    /// The number that it has in the file.
    pub number: i64,
    pub label: String,
    pub moves: Vec<String>,
}

/// Outcomes with their probabilities, which add up to 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Draw {
    pub outcomes: Vec<(String, Number)>,
}

#[derive(Debug)]
pub struct Node {
    pub kind: Kind,
    /// One for each move or outcome, in order.
    pub children: Vec<usize>,
    /// Where the file has it.
    pub span: Span,
}

/// With indices into the lists of an [`Efg`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Chance(usize),
    Decision(usize),
    End(usize),
}

impl Efg {
    /// A set in words, for messages.
    fn name(&self, set: usize) -> String {
        let set = &self.sets[set];
        format!(
            "information set {} of {}",
            set.number, self.players[set.player]
        )
    }
}
