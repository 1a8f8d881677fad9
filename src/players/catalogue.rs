//! The players that there are, with their parameters, as `ruse` prints them and as specs are checked against.

/// A kind of player.
#[derive(Debug)]
pub struct Entry {
    pub name: &'static str,
    /// One or two sentences.
    pub doc: &'static str,
    pub parameters: &'static [Parameter],
    /// It takes the world state for known, so it cannot play a game with hidden information.
    pub needs_perfect_information: bool,
}

#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: Kind,
    /// In words, or the value itself where there is one fixed default.
    pub default: &'static str,
    pub doc: &'static str,
}

/// What values a parameter takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number in this range.
    Count { least: u64, greatest: u64 },
    /// A decimal number that is 0 or more.
    Number,
    /// One of these words.
    Word(&'static [&'static str]),
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Count { least, greatest } => {
                write!(f, "a whole number from {least} to {greatest}")
            }
            Kind::Number => write!(f, "a decimal number, 0 or more"),
            Kind::Word(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

impl Entry {
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|p| p.name == name)
    }
}

/// The entry of a name.
pub fn find(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|e| e.name == name)
}

/// Playouts of a `uct` that names no budget.
pub const DEFAULT_PLAYOUTS: u64 = 1000;

pub static CATALOGUE: &[Entry] = &[
    Entry {
        name: "random",
        doc: "Chooses uniformly among its legal actions. Plays any game.",
        parameters: &[],
        needs_perfect_information: false,
    },
    Entry {
        name: "uct",
        doc: "Monte Carlo tree search with UCB1 (Kocsis & Szepesvári 2006), for any number of players, with chance; \
              where several choose at once, decoupled (DUCT). Needs perfect information.",
        parameters: &[
            Parameter {
                name: "playouts",
                kind: Kind::Count {
                    least: 1,
                    greatest: 1_000_000_000,
                },
                default: "1000, or no limit when ms is given",
                doc: "Playouts for each move. The same seed gives the same move on any machine.",
            },
            Parameter {
                name: "ms",
                kind: Kind::Count {
                    least: 1,
                    greatest: 86_400_000,
                },
                default: "no limit",
                doc: "Milliseconds for each move. What is played then depends on the machine.",
            },
            Parameter {
                name: "c",
                kind: Kind::Number,
                default: "each player's payoff range times 1/√2",
                doc: "The exploration constant C of UCB1, in units of payoff as the game states them.",
            },
            Parameter {
                name: "final",
                kind: Kind::Word(&["visits", "mean", "share"]),
                default: "visits",
                doc: "The move to play: the one with the most visits, the one with the highest mean payoff, or one at \
                      random by its share of the visits.",
            },
        ],
        needs_perfect_information: true,
    },
];
