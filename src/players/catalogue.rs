//! The players that there are, with their parameters, as `ruse` prints them and as specs are checked against. Those that
//! search are made of what each search declares.

use super::random;
use super::strategy::{commitment, declarations};
use crate::search::parameters::{Kind, Parameter};
use crate::search::{Declaration, Make, SEARCHES};
use std::sync::LazyLock;

/// A kind of player.
#[derive(Debug)]
pub struct Entry {
    pub name: &'static str,
    /// One or two sentences.
    pub doc: &'static str,
    pub parameters: Vec<Parameter>,
    /// It takes the world state for known, so it cannot play a game with hidden information.
    pub needs_perfect_information: bool,
    pub way: Way,
}

/// How a player comes to its moves.
#[derive(Copy, Clone, Debug)]
pub enum Way {
    Random,
    /// It searches, anew for each move.
    Search(Make),
    /// It has read beforehand what to do.
    Saved,
    /// It has read beforehand what the others do, and worked out an answer.
    Answering,
    /// It has found a commitment beforehand, by the method of this name.
    Committed(&'static str),
    /// It has solved the game beforehand.
    Solved,
}

impl Entry {
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|p| p.name == name)
    }

    /// The search with given settings; `None` for a player that does not search.
    pub fn search(&self) -> Option<Make> {
        match self.way {
            Way::Search(make) => Some(make),
            _ => None,
        }
    }

    /// Whether it plays games with hidden information, whatever else they are.
    pub fn plays_hidden_information(&self) -> bool {
        match self.way {
            Way::Random => true,
            Way::Search(make) => !make.needs_perfect_information(),
            Way::Saved | Way::Answering | Way::Committed(_) | Way::Solved => false,
        }
    }

    /// A player that searches.
    fn of(search: &Declaration) -> Entry {
        let mut parameters = BUDGET.to_vec();
        parameters.extend((search.parameters)());
        Entry {
            name: search.name,
            doc: search.doc,
            parameters,
            needs_perfect_information: search.make.needs_perfect_information(),
            way: Way::Search(search.make),
        }
    }
}

/// The entry of a name.
pub fn find(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|e| e.name == name)
}

/// Playouts of a search that names no budget.
pub const DEFAULT_PLAYOUTS: u64 = 1000;

/// The budget of every search.
const BUDGET: [Parameter; 2] = [
    Parameter {
        name: "playouts",
        kind: Kind::Count {
            least: 1,
            greatest: 1_000_000_000,
        },
        default: "1000, or no limit when ms is given",
        needs: &[],
        doc: "Playouts for each move. The same seed gives the same move on any machine.",
    },
    Parameter {
        name: "ms",
        kind: Kind::Count {
            least: 1,
            greatest: 86_400_000,
        },
        default: "no limit",
        needs: &[],
        doc: "Milliseconds for each move, with all that comes before a search, such as finding the states that may be; one playout \
              is made in any case. What is played then depends on the machine.",
    },
];

pub static CATALOGUE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let searches = SEARCHES.into_iter().map(Entry::of);
    let strategies = [
        declarations::saved(),
        declarations::answering(),
        declarations::solved(),
    ];
    let commitments = commitment::entries();
    std::iter::once(random::entry())
        .chain(searches)
        .chain(strategies)
        .chain(commitments)
        .collect()
});
