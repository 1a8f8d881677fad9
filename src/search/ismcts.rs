//! Information set Monte Carlo tree search (Cowling, Powley & Whitehouse 2012).

use super::belief_parameters;
use super::information_sets::{Decide, Keying, Options, Selection};
use super::mcts::policies::C;
use super::mcts::{FinalChoice, RollOuts, roll_outs};
use super::parameters::{Kind, Parameter, Values};
use super::searcher::{Declaration, Make};

pub static ISMCTS: Declaration = Declaration {
    name: "ismcts",
    doc: "Information set Monte Carlo tree search (Cowling, Powley & Whitehouse 2012): every simulation begins in a state \
          that fits what the player saw, and learns for what the mover knows.",
    parameters: || &PARAMETERS,
    make: Make::Belief(|values| Box::new(options(values))),
};

const VARIANT: &str = "variant";

static PARAMETERS: [Parameter; 7] = [
    Parameter {
        name: VARIANT,
        kind: Kind::Word(&["mo", "so"]),
        default: "mo",
        with: None,
        doc: "A tree for each player, of what that player sees, or one tree of what the searching player sees, in which \
              others' actions that look the same to it are one.",
    },
    EXPLORATION,
    FINAL,
    roll_outs::PARAMETERS[0],
    roll_outs::PARAMETERS[1],
    belief_parameters::PARAMETERS[0],
    belief_parameters::PARAMETERS[1],
];

/// C, for searches over information sets.
pub const EXPLORATION: Parameter = Parameter {
    doc: "The exploration constant C of UCB1, in units of payoff as the game states them.",
    ..C
};

/// The final choice.
pub const FINAL: Parameter = Parameter {
    name: FinalChoice::NAME,
    kind: Kind::Word(&FinalChoice::WORDS),
    default: FinalChoice::WORDS[0],
    with: None,
    doc: "The move to play: the one with the most visits, the one with the highest mean payoff, or one at random by its \
          share of the visits.",
};

fn options(values: &Values) -> Options {
    Options {
        keying: match values.word(VARIANT) {
            Some("so") => Keying::Searchers,
            _ => Keying::Movers,
        },
        selection: Selection::Ucb {
            c: values.number(C.name),
        },
        roll_outs: RollOuts::of(values),
        final_choice: FinalChoice::of(values.word(FinalChoice::NAME)),
        decide: Decide::default(),
        belief: belief_parameters::options(values),
    }
}
