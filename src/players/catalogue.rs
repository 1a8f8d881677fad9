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
    /// For a parameter that means something only with some of the words of another one: its name, and the words.
    pub with: Option<(&'static str, &'static [&'static str])>,
    pub doc: &'static str,
}

/// What values a parameter takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number in this range.
    Count { least: u64, greatest: u64 },
    /// A decimal number that is 0 or more.
    Number,
    /// A decimal number that is a millionth or more.
    Positive,
    /// A decimal number from 0 to 1.
    Share,
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
            Kind::Positive => write!(f, "a decimal number, 0.000001 or more"),
            Kind::Share => write!(f, "a decimal number from 0 to 1"),
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

/// Playouts of a search that names no budget.
pub const DEFAULT_PLAYOUTS: u64 = 1000;

/// The budget of a search.
const PLAYOUTS: Parameter = Parameter {
    name: "playouts",
    kind: Kind::Count {
        least: 1,
        greatest: 1_000_000_000,
    },
    default: "1000, or no limit when ms is given",
    with: None,
    doc: "Playouts for each move. The same seed gives the same move on any machine.",
};
const MS: Parameter = Parameter {
    name: "ms",
    kind: Kind::Count {
        least: 1,
        greatest: 86_400_000,
    },
    default: "no limit",
    with: None,
    doc: "Milliseconds for each move. What is played then depends on the machine.",
};

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
            PLAYOUTS,
            MS,
            Parameter {
                name: "c",
                kind: Kind::Number,
                default: "each player's payoff range times 1/√2",
                with: None,
                doc: "The exploration constant C of UCB1, in units of payoff as the game states them.",
            },
            Parameter {
                name: "final",
                kind: Kind::Word(&["visits", "mean", "share"]),
                default: "visits",
                with: None,
                doc: "The move to play: the one with the most visits, the one with the highest mean payoff, or one at \
                      random by its share of the visits.",
            },
        ],
        needs_perfect_information: true,
    },
    Entry {
        name: "smmcts",
        doc: "Simultaneous move Monte Carlo tree search (Lanctot, Lisý & Winands 2013): plays a mix of moves where \
              several choose at once; also with chance and where one player chooses alone. Needs perfect information.",
        parameters: &[
            PLAYOUTS,
            MS,
            Parameter {
                name: "select",
                kind: Kind::Word(&["duct_max", "duct_mix", "exp3", "rm", "oos", "oos_plus"]),
                default: "rm",
                with: None,
                doc: "How joint moves are selected and which strategy is played: decoupled UCT and the best mean, or a \
                      mix by visits; Exp3; regret matching; online outcome sampling, plain or with means. The last \
                      three need two players whose payoffs add up to a constant.",
            },
            Parameter {
                name: "expand",
                kind: Kind::Word(&["matrix", "action"]),
                default: "matrix",
                with: None,
                doc: "At a new node, every joint move is played out once before moves are selected, or moves are \
                      selected from the beginning.",
            },
            Parameter {
                name: "nodes",
                kind: Kind::Word(&["histories", "states"]),
                default: "histories",
                with: None,
                doc: "Two ways to the same state lead to two nodes of the tree, or to one that learns from both.",
            },
            Parameter {
                name: "c",
                kind: Kind::Number,
                default: "each player's payoff range times 1/√2",
                with: Some(("select", &["duct_max", "duct_mix"])),
                doc: "The exploration constant C of decoupled UCT, in units of payoff as the game states them.",
            },
            Parameter {
                name: "gamma",
                kind: Kind::Share,
                default: "0.2 for exp3, 0.025 for rm, 0.5 for oos, 0.55 for oos_plus",
                with: Some(("select", &["exp3", "rm", "oos", "oos_plus"])),
                doc: "The share γ of exploration.",
            },
            Parameter {
                name: "unit",
                kind: Kind::Positive,
                default: "the range of payoffs, which are then taken from the least one on",
                with: Some(("select", &["exp3"])),
                doc: "The payoff that counts as a reward of 1.",
            },
        ],
        needs_perfect_information: true,
    },
];
